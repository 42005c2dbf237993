// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The text of a range of numbers.
#pragma once

#include <baton/core/error.hpp>

#include <cstdint>

namespace baton::report::detail {

/// Returns the text of an inclusive range: `0`, or `2-5`.
constexpr auto range_text(std::uint32_t first, std::uint32_t last) -> text_buffer {
  auto text = join(first);
  if (last != first) append(append(text, "-"), static_cast<std::int64_t>(last));
  return text;
}

}  // namespace baton::report::detail
