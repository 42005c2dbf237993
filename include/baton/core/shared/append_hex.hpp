// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Hexadecimal numbers, and escapes of unprintable characters.
#pragma once

#include <baton/core/error.hpp>

#include <cstdint>
#include <string_view>

namespace baton {

/// Appends a number with `digits` hexadecimal digits.
constexpr auto append_hex(text_buffer& buffer, std::uint64_t number, int digits) -> text_buffer& {
  for (int at = digits; at-- > 0;) buffer.push_back("0123456789abcdef"[number >> (4 * at) & 0xf]);
  return buffer;
}

/// Appends a character. If the character is not printable ASCII, appends `escape` and two hexadecimal digits instead, for example `\x0a`.
constexpr auto append_visible(text_buffer& to, char c, std::string_view escape = "\\x") -> text_buffer& {
  const auto code = static_cast<unsigned char>(c);
  if (code >= 0x20 && code < 0x7f) {
    to.push_back(c);
    return to;
  }
  return append_hex(append(to, escape), code, 2);
}

}  // namespace baton
