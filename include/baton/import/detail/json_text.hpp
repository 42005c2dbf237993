// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Converts JSON strings with escapes to UTF-8 texts.
#pragma once

#include <baton/core/error.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::detail {

/// Appends the Unicode code point `code` in UTF-8.
constexpr void append_utf8(text_buffer& to, std::uint32_t code) {
  if (code < 0x80) return to.push_back(static_cast<char>(code));
  if (code < 0x800) {
    to.push_back(static_cast<char>(0xc0 | code >> 6));
  } else {
    if (code < 0x10000) to.push_back(static_cast<char>(0xe0 | code >> 12));
    if (code >= 0x10000) to.push_back(static_cast<char>(0xf0 | code >> 18));
    if (code >= 0x10000) to.push_back(static_cast<char>(0x80 | (code >> 12 & 0x3f)));
    to.push_back(static_cast<char>(0x80 | (code >> 6 & 0x3f)));
  }
  to.push_back(static_cast<char>(0x80 | (code & 0x3f)));
}

/// Returns the number that the four hexadecimal digits at position `at` of a text represent. Digits that are missing or invalid count as 0.
constexpr auto hexadecimal_at(std::string_view text, std::size_t at) -> std::uint32_t {
  std::uint32_t code = 0;
  for (std::size_t i = at; i < at + 4; ++i) {
    const char c = i < text.size() ? text[i] : '0';
    const auto digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : 0;
    code = code << 4 | static_cast<std::uint32_t>(digit);
  }
  return code;
}

/// Returns the text of a JSON string. Each escape is replaced by its character (RFC 8259, section 7). A surrogate without its partner
/// becomes U+FFFD.
constexpr auto json_text(std::string_view from) -> text_buffer {
  text_buffer to;
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (from[i] != '\\' || i + 1 == from.size()) {
      to.push_back(from[i]);
      continue;
    }
    const char c = from[++i];
    if (c != 'u') {
      to.push_back(c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c == 'b' ? '\b' : c == 'f' ? '\f' : c);
      continue;
    }
    auto code = hexadecimal_at(from, i + 1);
    i = i + 4 < from.size() ? i + 4 : from.size() - 1;
    if (code >= 0xd800 && code < 0xdc00 && from.substr(i + 1).starts_with("\\u")) {
      const auto low = hexadecimal_at(from, i + 3);
      if (low >= 0xdc00 && low < 0xe000) {
        code = 0x10000 + ((code - 0xd800) << 10 | (low - 0xdc00));
        i = i + 6 < from.size() ? i + 6 : from.size() - 1;
      }
    }
    append_utf8(to, code >= 0xd800 && code < 0xe000 ? 0xfffd : code);
  }
  return to;
}

}  // namespace baton::detail
