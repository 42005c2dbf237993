// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Numbers in hexadecimal digits, and characters that may not be seen.
#pragma once

#include <baton/core/error.hpp>

#include <cstdint>
#include <string_view>

namespace baton {

/// Appends a number as so many hexadecimal digits.
constexpr auto append_hex(text_buffer& buffer, std::uint64_t number, int digits) -> text_buffer& {
  for (int at = digits; at-- > 0;) buffer.push_back("0123456789abcdef"[number >> (4 * at) & 0xf]);
  return buffer;
}

/// Appends a character; what is no printable ASCII becomes `\x0a` and the like, with what stands for `\x`.
constexpr auto append_visible(text_buffer& to, char c, std::string_view escape = "\\x") -> text_buffer& {
  const auto code = static_cast<unsigned char>(c);
  if (code >= 0x20 && code < 0x7f) {
    to.push_back(c);
    return to;
  }
  return append_hex(append(to, escape), code, 2);
}

}  // namespace baton
