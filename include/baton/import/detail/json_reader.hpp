// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Reads JSON in place: the caller pulls one item after another. Nothing is copied, and there is no recursion.
#pragma once

#include <baton/core/config.hpp>
#include <baton/core/span.hpp>
#include <baton/import/detail/decimal_real.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

namespace baton::detail {

/// A pull reader of JSON (RFC 8259). After an error, `next_item` returns false, so loops end. Every other read then returns zero, false
/// or an empty text. Callers check `ok` at the end. The code has few statements and operations, because compilers limit the statements
/// (Clang) or operations (GCC) of a constant evaluation.
class json_reader {
 public:
  /// The maximum nesting depth of a value that `skip` accepts.
  static constexpr std::uint32_t max_depth = 100;
  enum class error : std::uint8_t { none, syntax, depth, number };

  constexpr json_reader() = default;
  constexpr explicit json_reader(std::string_view text) : first_(text.data()), at_(text.data()), end_(text.data() + text.size()) {}
  /// Constructs a reader that continues at `position`, which must be between two tokens of `text`. The position must not be directly after
  /// an opening bracket, because the first `next_item` of this reader expects a comma.
  constexpr json_reader(std::string_view text, std::size_t position) : json_reader(text) { at_ += position; }

  constexpr auto ok() const -> bool { return why_ == error::none; }
  constexpr auto why() const -> error { return why_; }
  /// Returns the position of the next character, or the position of the error if `ok()` is false.
  constexpr auto position() const -> std::size_t { return static_cast<std::size_t>((ok() ? at_ : failed_at_) - first_); }
  /// Returns the address of the next character.
  constexpr auto pointer() const -> const char* { return at_; }
  constexpr auto fail(error why = error::syntax) -> bool {
    if (!ok()) return false;
    why_ = why;
    failed_at_ = at_;
    at_ = end_;
    return false;
  }

  /// Reads `bracket`, the opening bracket of an object or a list. Fails and returns false if another character follows.
  constexpr auto open(char bracket) -> bool { return skip_blanks() == bracket ? (++at_, is_first_ = true) : fail(); }
  /// Returns true if another item follows. Otherwise, reads the closing bracket `bracket` and returns false.
  constexpr auto next_item(char bracket) -> bool {
    const char next = skip_blanks();
    if (next == bracket) return at_ != end_ ? (++at_, is_first_ = false) : fail();
    if (!is_first_) return next == ',' ? (++at_, true) : fail();
    is_first_ = false;
    return at_ != end_ || fail();
  }
  /// Reads a string. Returns its characters as in the file, without replacing escapes.
  constexpr auto text() -> std::string_view {
    if (skip_blanks() != '"') return fail(), std::string_view{};
    const char* const begin = ++at_;
    for (;;) {
      find_quote();
      if (at_ == end_) return fail(), std::string_view{};
      const char* const quote = at_++;
      if (quote == begin || quote[-1] != '\\' || !is_escaped(begin, quote)) return {begin, static_cast<std::size_t>(quote - begin)};
    }
  }
  /// Returns the key of the next item of an object.
  constexpr auto key() -> std::string_view {
    const auto name = text();
    return skip_blanks() == ':' ? (++at_, name) : (fail(), std::string_view{});
  }
  constexpr auto integer() -> std::int64_t {
    const bool is_negative = skip_blanks() == '-';
    if (is_negative) ++at_;
    const char* const begin = at_;
    std::uint64_t number = 0;
    for (; at_ != end_ && *at_ >= '0' && *at_ <= '9'; ++at_) {
      const auto digit = static_cast<std::uint64_t>(*at_ - '0');
      if (number > (limit - digit) / 10) return fail(error::number), 0;
      number = 10 * number + digit;
    }
    if (at_ == begin || (!is_negative && number == limit)) return fail(error::number), 0;
    return static_cast<std::int64_t>(is_negative ? 0 - number : number);
  }
  /// Reads a real number. The number may have a fraction and an exponent. `Infinity`, `-Infinity` and `NaN` are also accepted, because
  /// Python writes them. Quotes around the number are optional.
  constexpr auto real() -> double {
    const bool is_quoted = skip_blanks() == '"';
    if (is_quoted) ++at_;
    const bool is_negative = at_ != end_ && *at_ == '-';
    double number = 0;
    if (take(is_negative ? "-Infinity" : "Infinity")) {
      number = is_negative ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
    } else if (take("NaN")) {
      number = std::numeric_limits<double>::quiet_NaN();
    } else {
      const char* const begin = at_;
      while (at_ != end_ && ((*at_ >= '0' && *at_ <= '9') || *at_ == '-' || *at_ == '+' || *at_ == '.' || *at_ == 'e' || *at_ == 'E'))
        ++at_;
      const auto parsed = decimal_real({begin, static_cast<std::size_t>(at_ - begin)});
      if (!parsed.is_valid) return fail(error::number), 0.0;
      number = parsed.number;
    }
    if (is_quoted && (at_ == end_ || *at_++ != '"')) fail();
    return number;
  }
  constexpr auto boolean() -> bool {
    skip_blanks();
    return take("true") || (!take("false") && fail());
  }
  /// Reads `null` and returns true if the next value is `null`.
  constexpr auto is_null() -> bool { return skip_blanks() == 'n' && (take("null") || fail()); }
  /// Returns the first character of the next value, or a zero at the end.
  constexpr auto peek() -> char { return skip_blanks(); }

  /// Skips a value. Fails with `error::depth` if the value is nested deeper than `max_depth`.
  constexpr void skip() { skip(0); }
  /// Skips the remaining items of an object or a list, and the closing bracket.
  constexpr void leave() { skip(1); }

  /// Returns the position of the first byte that is not part of valid UTF-8, or `text.size()` if all bytes are valid.
  static constexpr auto first_not_utf8(std::string_view text) -> std::size_t {
    std::size_t i = 0;
    const auto whole = text.size() < 16 ? 0 : text.size() - 15;
    while (i < text.size()) {
      for (const char* p = text.data() + i; i < whole; i += 16, p += 16) {
        if (((p[0] | p[1] | p[2] | p[3] | p[4] | p[5] | p[6] | p[7] | p[8] | p[9] | p[10] | p[11] | p[12] | p[13] | p[14] | p[15]) &
             0x80) != 0)
          break;
      }
      if (i == text.size()) break;
      const auto size = utf8_size(text.substr(i));
      if (size == 0) return i;
      i += size;
    }
    return text.size();
  }

 private:
  static constexpr std::uint64_t limit = std::uint64_t{1} << 63;

  /// Skips blanks and returns the next character, or a zero at the end. Most characters are greater than a blank, so one comparison with a
  /// blank is usually enough.
  constexpr auto skip_blanks() -> char {
    while (at_ != end_ && *at_ <= ' ' && (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t')) ++at_;
    return at_ == end_ ? '\0' : *at_;
  }
  /// True if an odd number of backslashes precedes a quote.
  static constexpr auto is_escaped(const char* begin, const char* quote) -> bool {
    std::size_t slashes = 0;
    for (const char* p = quote; p != begin && p[-1] == '\\'; --p) ++slashes;
    return slashes % 2 != 0;
  }
  constexpr auto take(std::string_view word) -> bool {
    if (static_cast<std::size_t>(end_ - at_) < word.size() || std::string_view{at_, word.size()} != word) return false;
    at_ += word.size();
    return true;
  }
  constexpr void find_quote() {
#ifdef __clang__
    const char* const quote = __builtin_char_memchr(at_, '"', static_cast<std::size_t>(end_ - at_));
    at_ = quote == nullptr ? end_ : quote;
#else
    const char *p = at_, *const end = end_;
    for (; end - p >= 8; p += 8) {
      if (p[0] == '"' || p[1] == '"' || p[2] == '"' || p[3] == '"' || p[4] == '"' || p[5] == '"' || p[6] == '"' || p[7] == '"') break;
    }
    while (p != end && *p != '"') ++p;
    at_ = p;
#endif
  }
  constexpr void skip(std::uint32_t depth) {
    do {
      const char next = skip_blanks();
      if (next == '"') {
        text();
      } else if (next == ',' || next == ':') {
        depth != 0 ? void(++at_) : void(fail());
      } else if (next == '{' || next == '[') {
        ++at_;
        if (++depth > max_depth) fail(error::depth);
      } else if (next == '}' || next == ']') {
        if (depth == 0) return void(fail());
        ++at_;
        --depth;
      } else if (at_ == end_) {
        return void(fail());
      } else {
        while (at_ != end_ && *at_ != ',' && *at_ != '}' && *at_ != ']' && *at_ != ':' && *at_ != '"') ++at_;
      }
    } while (depth != 0 && ok());
    is_first_ = false;
  }

  /// Returns the size of the first UTF-8 character of a text, in bytes, or 0 if the character is invalid (RFC 3629).
  static constexpr auto utf8_size(std::string_view text) -> std::size_t {
    const auto byte = [text](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
    const auto first = byte(0);
    if (first < 0x80) return 1;
    const std::size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4) return 0;
    for (std::size_t i = 1; i < size; ++i) {
      if ((byte(i) & 0xc0) != 0x80) return 0;
    }
    const auto second = byte(1);
    const bool is_overlong = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
    const bool is_outside = (first == 0xed && second >= 0xa0) || (first == 0xf4 && second >= 0x90);
    return is_overlong || is_outside ? 0 : size;
  }

  const char* first_ = nullptr;
  const char* at_ = nullptr;
  const char* end_ = nullptr;
  const char* failed_at_ = nullptr;
  error why_ = error::none;
  bool is_first_ = false;
};

}  // namespace baton::detail
