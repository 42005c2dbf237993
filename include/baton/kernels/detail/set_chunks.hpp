// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The facts of a node that is divided into chunks (see `kernel_facts::chunks`) of elements.
#pragma once

#include <baton/kernel/kernel_facts.hpp>

#include <algorithm>
#include <cstdint>

namespace baton::portable::detail {

/// Returns the percentage by which the largest of `chunks` chunks exceeds an equal share of `elements` elements, rounded up. The largest
/// chunk has `largest` elements.
constexpr auto uneven_chunks_percent(std::int64_t elements, std::int64_t chunks, std::int64_t largest) -> std::uint32_t {
  const auto in_equal_chunks = chunks * largest;
  return in_equal_chunks <= elements ? 0 : static_cast<std::uint32_t>((100 * in_equal_chunks + elements - 1) / elements - 100);
}

/// The division of an axis into parts of `max` elements. The last part may have fewer.
struct chunk_axis {
  std::int64_t elements = 1;
  std::int64_t max = 1;

  constexpr auto parts() const -> std::int64_t { return (elements + max - 1) / max; }
  constexpr auto largest_part() const -> std::int64_t { return std::min(max, elements); }
  /// Returns the percentage by which the largest part exceeds an equal share of the axis.
  constexpr auto uneven_percent() const -> std::uint32_t { return uneven_chunks_percent(elements, parts(), largest_part()); }
};

/// Sets the chunks of a node that computes `items` items of equal size, such as pixels. An item has the axis `outer`, and optionally the
/// axis `inner`. A chunk consists of the elements in one part of `outer` and one part of `inner`.
constexpr void set_chunks(kernel_facts& facts, std::int32_t items, chunk_axis outer, chunk_axis inner = {}) {
  const auto of_item = outer.parts() * inner.parts();
  facts.chunks = std::max<std::int32_t>(1, items * static_cast<std::int32_t>(of_item));
  facts.uneven_chunks_percent =
      uneven_chunks_percent(outer.elements * inner.elements, of_item, outer.largest_part() * inner.largest_part());
}

}  // namespace baton::portable::detail
