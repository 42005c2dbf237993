// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Shortens long names in messages.
#pragma once

#include <baton/core/error.hpp>

#include <cstddef>
#include <string_view>

namespace baton {

/// Returns a text, shortened to `max_size` characters if it is longer. A shortened text consists of "..." and the end of the text, because
/// in names like `MobilenetV1/Conv2d_0/Relu6` the end is more specific than the beginning. If `max_size` is less than 3, a shortened text
/// consists of `max_size` dots.
constexpr auto shortened(std::string_view text, std::size_t max_size = 40) -> text_buffer {
  if (text.size() <= max_size) return join(text);
  constexpr std::string_view dots = "...";
  if (max_size < dots.size()) return join(dots.substr(0, max_size));
  return join(dots, text.substr(text.size() - (max_size - dots.size())));
}

}  // namespace baton
