// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// How a broken rule is carried and told: one value, `failure`, for the compiler and for run time.
#pragma once

#include <baton/core/config.hpp>
#include <baton/core/name.hpp>
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

/// Text that is made at compile time or at run time (`std::string` does not work in a constant with libstdc++ 12 and Clang).
using text_buffer = vector<char>;

/// Appends text to a buffer.
constexpr auto append(text_buffer& buffer, std::string_view text) -> text_buffer& {
  buffer.insert(buffer.end(), text.begin(), text.end());
  return buffer;
}

/// Appends a number in decimal.
constexpr auto append(text_buffer& buffer, std::int64_t number) -> text_buffer& {
  char digits[20] = {};
  std::size_t first = sizeof digits;
  auto rest = number < 0 ? 0 - static_cast<std::uint64_t>(number) : static_cast<std::uint64_t>(number);
  do {
    digits[--first] = static_cast<char>('0' + rest % 10);
    rest /= 10;
  } while (rest != 0);
  if (number < 0) buffer.push_back('-');
  return append(buffer, std::string_view{digits + first, sizeof digits - first});
}

namespace detail {

/// A text or a whole number, as it stands in a sentence.
struct text_part {
  std::string_view text{};
  std::int64_t number = 0;
  bool is_text = true;

  constexpr text_part(std::string_view given) : text(given) {}  // NOLINT(google-explicit-constructor)
  constexpr text_part(const char* given) : text(given) {}       // NOLINT(google-explicit-constructor)
  template <std::integral Number>
  constexpr text_part(Number given) : number(static_cast<std::int64_t>(given)),
                                      is_text(false) {}  // NOLINT(google-explicit-constructor)
};

constexpr auto joined(std::initializer_list<text_part> parts) -> text_buffer {
  text_buffer buffer;
  for (const auto& part : parts) {
    if (part.is_text) append(buffer, part.text);
    if (!part.is_text) append(buffer, part.number);
  }
  return buffer;
}

}  // namespace detail

/// Text and whole numbers, one after the other; by value, so that literals of all lengths are one type, for the compiler's sake.
template <class... Parts>
constexpr auto join(Parts... parts) -> text_buffer {
  return detail::joined({detail::text_part(parts)...});
}

constexpr auto view(const text_buffer& buffer) -> std::string_view { return {buffer.data(), buffer.size()}; }

/// A broken rule and the facts of its place; without a rule, nothing is broken. `broken` makes one (`core/rule.hpp`).
struct failure {
  std::string_view rule;       ///< the rule's sentence, for people
  std::string_view rule_name;  ///< the rule's name, by which code tells failures apart: see `is`
  text_buffer method;          ///< the method concerned, where there are several
  std::int64_t node = -1;      ///< index of the node in its program, -1: no node
  text_buffer node_name;       ///< the node's printed name
  text_buffer op;              ///< its operator
  text_buffer tag;             ///< the delegation tag concerned
  text_buffer backend;         ///< the backend concerned
  text_buffer reason;          ///< what was found

  constexpr explicit operator bool() const { return !rule.empty(); }

  /// True if the rule of this name is broken: `why.is<"missing_kernel">()`. Stops the compiler with `unnamed_rule` if no rule that is
  /// included has this name. Defined in `core/rule.hpp`.
  template <fixed_string Name>
  constexpr auto is() const -> bool;
};

/// The whole text that a person reads: the sentence, then the facts.
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
/// What run-time calls throw when a rule is broken.
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
/// Called with the message of a broken rule where there are no exceptions; replace it to log or to reset. Must not return.
inline void (*error_handler)(const char* message) = [](const char*) { std::abort(); };
#endif

/// Reports a broken rule at run time. Never called in a constant: there the failure is carried to a `static_assert`.
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

/// A value, or the rule that kept it from being made. The value of a failed result is harmless and empty.
template <class T>
struct result {
  T value{};
  failure error;

  constexpr result() = default;
  constexpr result(const T& made) : value(made) {}          // NOLINT(google-explicit-constructor)
  constexpr result(T&& made) : value(std::move(made)) {}    // NOLINT(google-explicit-constructor)
  constexpr result(failure why) : error(std::move(why)) {}  // NOLINT(google-explicit-constructor)
  constexpr explicit operator bool() const { return !error; }
};

/// Takes the value out of a result; a failure is raised.
template <class T>
constexpr auto value_or_raise(result<T> made) -> T {
  if (!made) raise(made.error);
  return std::move(made.value);
}

}  // namespace baton
