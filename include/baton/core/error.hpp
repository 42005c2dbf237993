// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Failures: one value type, `failure`, for broken rules at compile time and at run time.
#pragma once

#include <baton/core/config.hpp>
#include <baton/core/name.hpp>
#include <baton/core/shared/text_argument.hpp>
#include <baton/core/vector.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <string_view>
#include <utility>
#if BATON_EXCEPTIONS
#include <exception>
#endif

namespace baton {

/// Text that is built at compile time or at run time. `std::string` does not work in constant expressions with libstdc++ 12 and Clang.
using text_buffer = vector<char>;

/// Appends text to a buffer.
constexpr auto append(text_buffer& buffer, std::string_view text) -> text_buffer& {
  buffer.append(text.data(), text.size());
  return buffer;
}

namespace detail {

/// Appends an integer in decimal. For a negative integer, `number` is the 64-bit two's complement, and `is_negative` is true.
constexpr auto append_number(text_buffer& buffer, std::uint64_t number, bool is_negative) -> text_buffer& {
  char digits[20] = {};
  std::size_t first = sizeof digits;
  auto magnitude = is_negative ? 0 - number : number;
  do {
    digits[--first] = static_cast<char>('0' + magnitude % 10);
    magnitude /= 10;
  } while (magnitude != 0);
  if (is_negative) buffer.push_back('-');
  return append(buffer, std::string_view{digits + first, sizeof digits - first});
}

}  // namespace detail

/// Appends a number in decimal.
constexpr auto append(text_buffer& buffer, std::int64_t number) -> text_buffer& {
  return detail::append_number(buffer, static_cast<std::uint64_t>(number), number < 0);
}
/// Appends an unsigned number in decimal, even if the number exceeds the maximum of `std::int64_t`.
template <std::unsigned_integral Number>
constexpr auto append(text_buffer& buffer, Number number) -> text_buffer& {
  return detail::append_number(buffer, number, false);
}

namespace detail {

/// A piece of a message: a text or an integer.
struct text_part {
  enum class content : char { text, signed_number, unsigned_number };

  std::string_view text{};
  std::uint64_t number = 0;  ///< for a negative number, its two's complement
  content kind = content::text;

  constexpr text_part(std::string_view characters) : text(characters) {}                 // NOLINT(google-explicit-constructor)
  constexpr text_part(const char* characters) : text(text_argument(characters).text) {}  // NOLINT(google-explicit-constructor)
  template <std::integral Number>
  constexpr text_part(Number integer)  // NOLINT(google-explicit-constructor)
      : number(static_cast<std::uint64_t>(integer)),
        kind(std::signed_integral<Number> ? content::signed_number : content::unsigned_number) {}

  constexpr auto is_text() const -> bool { return kind == content::text; }
  constexpr void append_to(text_buffer& buffer) const {
    if (kind == content::text) {
      buffer.append(text.data(), text.size());
    } else {
      append_number(buffer, number, kind == content::signed_number && number >> 63 != 0);
    }
  }
};

constexpr auto joined(std::initializer_list<text_part> parts) -> text_buffer {
  text_buffer buffer;
  buffer.reserve(64);  // one allocation for most names
  for (const auto& part : parts) part.append_to(buffer);
  return buffer;
}

/// The singular forms of nouns that follow numbers in messages. Each plural is the noun with an s.
inline constexpr std::string_view counted_nouns[] = {"band",   "byte",  "channel", "column",     "dimension", "element", "filter",
                                                     "group",  "image", "input",   "multiplier", "node",      "number",  "operand",
                                                     "output", "pad",   "product", "row",        "sample",    "scale",   "shift",
                                                     "size",   "slice", "step",    "stride",     "unit",      "value"};

/// Appends a text that follows the number 1 in a message. If the text begins with a space and the plural of a counted noun, the plural
/// becomes the singular.
constexpr void append_after_one(text_buffer& buffer, std::string_view text) {
  for (const auto noun : counted_nouns) {
    const auto end = noun.size() + 1;  // the position after the noun; a space precedes the noun
    if (text.size() <= end || text[0] != ' ' || text[end] != 's' || text.substr(1, noun.size()) != noun) continue;
    if (text.size() > end + 1 && text[end + 1] >= 'a' && text[end + 1] <= 'z') continue;
    append(buffer, text.substr(0, end));
    text.remove_prefix(end + 1);
    break;
  }
  append(buffer, text);
}

}  // namespace detail

/// Returns the concatenation of texts and integers. Arguments are passed by value, so that string literals of all lengths have one type, a
/// pointer. This saves compile time.
template <class... Parts>
constexpr auto join(Parts... parts) -> text_buffer {
  return detail::joined({detail::text_part(parts)...});
}

constexpr auto view(const text_buffer& buffer) -> std::string_view { return {buffer.data(), buffer.size()}; }

/// A broken rule, and the facts about where it is broken. Converts to false if no rule is broken. `broken` creates failures
/// (`core/rule.hpp`).
struct failure {
  std::string_view rule;       ///< the sentence of the rule, for people to read
  std::string_view rule_name;  ///< the name of the rule; code distinguishes failures by this name, see `is`
  text_buffer method;          ///< the name of the method, if the model has several methods
  std::int64_t node = -1;      ///< the index of the node in its program, or -1 if there is no node
  text_buffer node_name;       ///< the name of the node
  text_buffer op;              ///< the operator of the node
  text_buffer tag;             ///< the name of the delegation tag
  text_buffer backend;         ///< the id of the backend
  text_buffer reason;          ///< the details of the violation

  /// A piece of a reason: a text or an integer.
  using reason_part = detail::text_part;
  /// Returns the concatenation of texts and integers as a reason. A counted noun after the number 1 becomes singular: "1 byte" instead of
  /// "1 bytes".
  static constexpr auto join_reason(std::initializer_list<reason_part> parts) -> text_buffer {
    text_buffer buffer;
    bool is_after_one = false;
    for (const auto& part : parts) {
      if (part.is_text() && is_after_one) {
        detail::append_after_one(buffer, part.text);
      } else {
        part.append_to(buffer);
      }
      is_after_one = !part.is_text() && part.number == 1;
    }
    return buffer;
  }

  constexpr explicit operator bool() const { return !rule.empty(); }

  /// True if the rule `Name` is broken: `why.is<"missing_kernel">()`. Fails to compile with `unnamed_rule` if no included header defines
  /// this rule. This function is defined in `core/rule.hpp`.
  template <fixed_string Name>
  constexpr auto is() const -> bool;
};

/// Returns the full message: the sentence of the rule, then the facts.
constexpr auto message(const failure& why) -> text_buffer {
  text_buffer text = join(why.rule);
  const auto fact = [&text](std::string_view label, const text_buffer& value) {
    if (value.empty()) return;
    append(append(append(text, " ["), label), view(value));
    text.push_back(']');
  };
  fact("method: ", why.method);
  fact("node: ", why.node_name);
  fact("operator: ", why.op);
  fact("tag: ", why.tag);
  fact("backend: ", why.backend);
  fact("", why.reason);
  return text;
}

#if BATON_EXCEPTIONS
/// The exception that run-time calls throw if a rule is broken.
class error : public std::exception {
 public:
  explicit error(failure why) : why_(std::move(why)), text_(message(why_)) { text_.push_back('\0'); }
  auto what() const noexcept -> const char* override { return text_.data(); }
  auto why() const noexcept -> const failure& { return why_; }

 private:
  failure why_;
  text_buffer text_;
};
#else
/// The function that is called with the message of a broken rule if exceptions are disabled. Assign a custom function, for example to log
/// the message or to reset the device. The function must not return.
inline void (*error_handler)(const char* message) = [](const char*) { std::abort(); };
#endif

/// Reports a broken rule at run time: throws `error` or calls `error_handler`. Not constexpr, so a call during constant evaluation is a
/// compile error.
[[noreturn]] inline void raise(const failure& why) {
#if BATON_EXCEPTIONS
  throw error(why);
#else
  auto text = message(why);
  text.push_back('\0');
  error_handler(text.data());
  std::abort();
#endif
}

/// A value, or the failure that prevented its computation. If there is a failure, `value` is value-initialized.
template <class T>
struct result {
  T value{};
  failure error;

  constexpr result() = default;
  constexpr result(const T& initial) : value(initial) {}        // NOLINT(google-explicit-constructor)
  constexpr result(T&& initial) : value(std::move(initial)) {}  // NOLINT(google-explicit-constructor)
  constexpr result(failure why) : error(std::move(why)) {}      // NOLINT(google-explicit-constructor)
  constexpr explicit operator bool() const { return !error; }
};

/// Returns the value of a result, or raises its failure.
template <class T>
constexpr auto value_or_raise(result<T> outcome) -> T {
  if (!outcome) raise(outcome.error);
  return std::move(outcome.value);
}

}  // namespace baton
