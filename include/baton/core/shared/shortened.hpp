// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Long names in messages.
#pragma once

#include <baton/core/error.hpp>

#include <cstddef>
#include <string_view>

namespace baton {

/// Returns a text of up to `max_size` characters unchanged, and a longer one as "..." and its end. In names like
/// `MobilenetV1/Conv2d_0/Relu6`, the end is more specific than the beginning.
constexpr auto shortened(std::string_view text, std::size_t max_size = 40) -> text_buffer {
  if (text.size() <= max_size) return join(text);
  return join("...", text.substr(text.size() - (max_size - 3)));
}

}  // namespace baton
