// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A writer of JSON (RFC 8259), value by value.
#pragma once

#include <baton/core/decimal.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/append_hex.hpp>
#include <baton/core/span.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace baton::report::detail {

/// A writer of JSON values that inserts commas and indentation.
class json_writer {
 public:
  constexpr void open(char bracket) {
    begin_value();
    text_.push_back(bracket);
    is_first_ = true;
    ++depth_;
  }
  constexpr void close(char bracket) {
    --depth_;
    text_.push_back(bracket);
    is_first_ = false;
    is_after_key_ = false;
  }
  constexpr auto key(std::string_view name) -> json_writer& {
    separate();
    quote(name);
    append(text_, ": ");
    is_after_key_ = true;
    return *this;
  }
  constexpr void text(std::string_view value) {
    begin_value();
    quote(value);
  }
  /// Writes a member with the text `value`. Writes nothing if the text is empty.
  constexpr auto optional_text(std::string_view name, std::string_view value) -> json_writer& {
    if (!value.empty()) key(name).text(value);
    return *this;
  }
  constexpr void number(std::integral auto value) {
    begin_value();
    append(text_, static_cast<std::int64_t>(value));
  }
  /// Writes a real number. Infinities and NaN are written as text, because a JSON number cannot represent them.
  constexpr void real(double value) {
    begin_value();
    text_buffer digits;
    append_real(digits, value);
    const bool is_finite = view(digits).find_first_of("in") == std::string_view::npos;
    append(append(append(text_, is_finite ? "" : "\""), view(digits)), is_finite ? "" : "\"");
  }
  constexpr void boolean(bool value) {
    begin_value();
    append(text_, value ? "true" : "false");
  }
  constexpr void null() {
    begin_value();
    append(text_, "null");
  }
  /// Writes a member with the number `value`. Writes nothing if the number is `npos`.
  constexpr void optional(std::string_view name, std::uint32_t value) {
    if (value != npos) key(name).number(value);
  }
  /// Writes a member with a list of value ids. An omitted value is written as null.
  constexpr void ids(std::string_view name, span<const value_id> list) {
    key(name).open('[');
    for (const auto id : list) {
      if (id == none<value_id>) {
        null();
      } else {
        number(index(id));
      }
    }
    close(']');
  }
  /// Inserts a line break before the next member or element.
  constexpr void line() { needs_line_break_ = true; }
  /// Returns the text with a final newline. Call this function once, at the end.
  constexpr auto take() -> text_buffer {
    text_.push_back('\n');
    return std::move(text_);
  }

 private:
  constexpr void separate() {
    if (!is_first_) append(text_, needs_line_break_ ? "," : ", ");
    if (needs_line_break_) {
      text_.push_back('\n');
      for (std::size_t i = 0; i < depth_; ++i) append(text_, "  ");
    }
    is_first_ = false;
    needs_line_break_ = false;
  }
  constexpr void begin_value() {
    if (is_after_key_) {
      is_after_key_ = false;
    } else if (depth_ != 0) {
      separate();
    }
  }
  // Non-ASCII bytes of a model may be invalid UTF-8, so each non-ASCII byte is written as the escape `\u00XX` of its value. `<` is escaped,
  // because it could end a script in HTML.
  constexpr void quote(std::string_view value) {
    text_.push_back('"');
    for (const char c : value) {
      if (c == '"' || c == '\\') text_.push_back('\\');
      if (c == '<') {
        append(text_, "\\u003c");
      } else {
        append_visible(text_, c, "\\u00");
      }
    }
    text_.push_back('"');
  }

  text_buffer text_;
  std::size_t depth_ = 0;
  bool is_first_ = true;
  bool is_after_key_ = false;
  bool needs_line_break_ = false;
};

}  // namespace baton::report::detail
