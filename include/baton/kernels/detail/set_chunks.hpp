// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The facts of a node that is divided into chunks (see `kernel_facts::chunks`) of elements.
#pragma once

#include <baton/kernel/kernel_facts.hpp>

#include <algorithm>
#include <cstdint>

namespace baton::portable::detail {

/// Returns the percentage by which the largest of several chunks exceeds an equal share of `elements` elements, rounded up. Each chunk has
/// `max` elements, except the last one, which may have fewer.
constexpr auto uneven_chunks_percent(std::int64_t elements, std::int64_t max) -> std::uint32_t {
  const auto in_equal_chunks = std::min(max, elements) * ((elements + max - 1) / max);
  return in_equal_chunks <= elements ? 0 : static_cast<std::uint32_t>((100 * in_equal_chunks + elements - 1) / elements - 100);
}

/// Sets the chunks of a node that computes `items` items, such as pixels, of `elements` elements each. A chunk has at most `max` elements
/// of one item.
constexpr void set_chunks(kernel_facts& facts, std::int32_t items, std::int32_t elements, std::int32_t max) {
  facts.chunks = items * ((elements + max - 1) / max);
  facts.uneven_chunks_percent = uneven_chunks_percent(elements, max);
}

}  // namespace baton::portable::detail
