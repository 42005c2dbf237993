// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Options as keys and values, for backends whose options come as text (from a console, a file, non-volatile memory).
#pragma once

#include <baton/core/span.hpp>
#include <baton/run/status.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <type_traits>

namespace baton {

namespace detail {

/// Text of fixed capacity, zero-terminated; `Room` counts the zero.
template <std::size_t Room>
class bounded_text {
 public:
  constexpr bounded_text() = default;
  /// What does not fit is left out.
  constexpr explicit bounded_text(std::string_view text) : size_(std::min(text.size(), Room - 1)) {
    std::copy_n(text.begin(), size_, characters_);
  }
  constexpr operator std::string_view() const { return {characters_, size_}; }  // NOLINT(google-explicit-constructor)
  constexpr auto c_str() const -> const char* { return characters_; }

 private:
  std::size_t size_ = 0;
  char characters_[Room] = {};
};

}  // namespace detail

/// The longest key of an option, and the longest id that options can be given for.
inline constexpr std::size_t most_key_characters = 63;
/// The longest text of an option; longer ones are cut.
inline constexpr std::size_t most_option_characters = 255;

/// The key of an option. A literal that is too long is refused by the compiler; for text of run time there is `at_run_time`.
class option_key {
 public:
  template <std::size_t N>
  consteval option_key(const char (&literal)[N]) : text_(std::string_view{literal, N - 1}) {  // NOLINT(google-explicit-constructor)
    static_assert(N <= most_key_characters + 1, "baton option_key: the key of an option has more than 63 characters; shorten it");
  }
  /// Error: `invalid_argument` for text that is too long.
  static constexpr auto at_run_time(std::string_view text) -> status_or<option_key> {
    if (text.size() > most_key_characters) return status::invalid_argument;
    return option_key(text, 0);
  }
  constexpr auto text() const -> std::string_view { return text_; }

 private:
  template <class>
  friend struct status_or;
  constexpr option_key() = default;
  constexpr option_key(std::string_view text, int) : text_(text) {}
  std::string_view text_;
};

/// An option: a key with a truth value, a whole number, or text.
class option {
 public:
  constexpr option() = default;
  constexpr option(option_key key, bool value) : key_(key.text()), kind_(kind::boolean), number_(value ? 1 : 0) {}
  constexpr option(option_key key, int value) : key_(key.text()), kind_(kind::integer), number_(value) {}
  constexpr option(option_key key, std::string_view value) : key_(key.text()), kind_(kind::text), text_(value) {}
  /// Text from C; a null pointer is no text and stops the program.
  constexpr option(option_key key, const char* value) : option(key, value != nullptr ? std::string_view{value} : no_text()) {}

  constexpr auto key() const -> std::string_view { return key_; }

  /// The value as `bool`, `int`, `std::string_view` or `const char*`. Error: `invalid_argument` where it is of another type.
  template <class T>
  constexpr auto get() const -> status_or<T> {
    static_assert(
        std::is_same_v<T, bool> || std::is_same_v<T, int> || std::is_same_v<T, std::string_view> || std::is_same_v<T, const char*>,
        "baton option: an option of this type is not supported; use bool, int, std::string_view or const char*");
    if constexpr (std::is_same_v<T, bool>) {
      if (kind_ == kind::boolean) return number_ != 0;
    } else if constexpr (std::is_same_v<T, int>) {
      if (kind_ == kind::integer) return number_;
    } else if constexpr (std::is_same_v<T, std::string_view>) {
      if (kind_ == kind::text) return std::string_view{text_};
    } else if constexpr (std::is_same_v<T, const char*>) {
      if (kind_ == kind::text) return text_.c_str();
    }
    return status::invalid_argument;
  }

 private:
  enum class kind : std::uint8_t { boolean, integer, text };
  [[noreturn]] static auto no_text() -> std::string_view { std::abort(); }

  detail::bounded_text<most_key_characters + 1> key_;
  kind kind_ = kind::boolean;
  int number_ = 0;
  detail::bounded_text<most_option_characters + 1> text_;
};

/// The option of that key among some, or null.
constexpr auto find_option(span<const option> options, std::string_view key) -> const option* {
  const auto found = std::find_if(options.begin(), options.end(), [key](const option& each) { return each.key() == key; });
  return found == options.end() ? nullptr : &*found;
}

/// Up to `Capacity` options, in the order in which they were first set. A value: copies are independent. A backend takes it by declaring
/// `using options = baton::option_set<4>;`, where a struct of its own would be checked by the compiler: prefer the struct.
template <std::size_t Capacity>
class option_set {
 public:
  constexpr option_set() = default;
  /// `option_set{option{"threads", 4}, option{"debug", true}}`.
  template <class... Options>
    requires(sizeof...(Options) != 0 && (std::is_same_v<Options, option> && ...))
  constexpr explicit option_set(const Options&... options) {
    static_assert(sizeof...(Options) <= Capacity, "baton option_set: a set has more options than its capacity; increase the capacity");
    (static_cast<void>(set(options)), ...);
  }

  /// Sets an option; one of that key takes the new value and the new type. Error: `invalid_argument` where a new key finds no room.
  constexpr auto set(const option& given) -> status {
    for (auto& each : entries()) {
      if (each.key() == given.key()) {
        each = given;
        return status::ok;
      }
    }
    if (size_ == Capacity) return status::invalid_argument;
    options_[size_++] = given;
    return status::ok;
  }
  template <class T>
  constexpr auto set(option_key key, const T& value) -> status {
    return set(option(key, value));
  }
  /// Sets them one after the other, until one finds no room.
  constexpr auto assign(span<const option> given) -> status {
    for (const auto& each : given) {
      if (const auto code = set(each); code != status::ok) return code;
    }
    return status::ok;
  }

  /// Errors: `not_found`; `invalid_argument` where the option is of another type.
  template <class T>
  constexpr auto get(std::string_view key) const -> status_or<T> {
    const auto* const found = find_option(entries(), key);
    if (found == nullptr) return status::not_found;
    return found->template get<T>();
  }

  constexpr auto size() const -> std::size_t { return size_; }
  constexpr auto entries() const -> span<const option> { return {options_, size_}; }
  constexpr auto entries() -> span<option> { return {options_, size_}; }

 private:
  std::size_t size_ = 0;
  option options_[Capacity == 0 ? 1 : Capacity] = {};
};

template <class... Options>
  requires(std::is_same_v<Options, option> && ...)
option_set(const Options&...) -> option_set<sizeof...(Options)>;

}  // namespace baton
