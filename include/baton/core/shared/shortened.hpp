// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Long names in sentences.
#pragma once

#include <baton/core/error.hpp>

#include <cstddef>
#include <string_view>

namespace baton {

/// Of a text that is too long the end, behind "...": it tells more in names like `MobilenetV1/Conv2d_0/Relu6`.
constexpr auto shortened(std::string_view text, std::size_t most = 40) -> text_buffer {
  if (text.size() <= most) return join(text);
  return join("...", text.substr(text.size() - (most - 3)));
}

}  // namespace baton
