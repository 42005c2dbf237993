// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Options as keys and values, for backends whose options are read as text (from a console, a file or non-volatile memory).
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

/// A zero-terminated text of fixed capacity. `Capacity` includes the terminating zero.
template <std::size_t Capacity>
class bounded_text {
 public:
  constexpr bounded_text() = default;
  /// Truncates a text that does not fit.
  constexpr explicit bounded_text(std::string_view text) : size_(std::min(text.size(), Capacity - 1)) {
    std::copy_n(text.begin(), size_, characters_);
  }
  constexpr operator std::string_view() const { return {characters_, size_}; }  // NOLINT(google-explicit-constructor)
  constexpr auto c_str() const -> const char* { return characters_; }

 private:
  std::size_t size_ = 0;
  char characters_[Capacity] = {};
};

}  // namespace detail

/// The maximum length of the key of an option, and of a backend id in `load_options`, in characters.
inline constexpr std::size_t max_key_characters = 63;
/// The maximum length of the text of an option, in characters; longer texts are truncated.
inline constexpr std::size_t max_option_characters = 255;

/// The key of an option. A literal that is too long is a compile-time error. For text that is known only at run time, use `at_run_time`.
class option_key {
 public:
  template <std::size_t N>
  consteval option_key(const char (&literal)[N]) : text_(std::string_view{literal, N - 1}) {  // NOLINT(google-explicit-constructor)
    static_assert(N <= max_key_characters + 1, "baton option_key: the key of an option has more than 63 characters; shorten it");
  }
  /// Returns a key from text. Fails with `invalid_argument` if the text is too long.
  static constexpr auto at_run_time(std::string_view text) -> status_or<option_key> {
    if (text.size() > max_key_characters) return status::invalid_argument;
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

/// An option: a key, and a boolean, an integer or a text as its value.
class option {
 public:
  constexpr option() = default;
  constexpr option(option_key key, bool value) : key_(key.text()), kind_(kind::boolean), number_(value ? 1 : 0) {}
  constexpr option(option_key key, int value) : key_(key.text()), kind_(kind::integer), number_(value) {}
  constexpr option(option_key key, std::string_view value) : key_(key.text()), kind_(kind::text), text_(value) {}
  /// Constructs an option with a zero-terminated text. Aborts if `value` is null.
  constexpr option(option_key key, const char* value) : option(key, value != nullptr ? std::string_view{value} : no_text()) {}

  constexpr auto key() const -> std::string_view { return key_; }

  /// Returns the value as `bool`, `int`, `std::string_view` or `const char*`. Fails with `invalid_argument` if the option's value has a
  /// different type.
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

  detail::bounded_text<max_key_characters + 1> key_;
  kind kind_ = kind::boolean;
  int number_ = 0;
  detail::bounded_text<max_option_characters + 1> text_;
};

/// Returns the option with the key `key`, or null if there is none.
constexpr auto find_option(span<const option> options, std::string_view key) -> const option* {
  const auto position = std::find_if(options.begin(), options.end(), [key](const option& each) { return each.key() == key; });
  return position == options.end() ? nullptr : &*position;
}

/// A list of up to `Capacity` options, in the order in which their keys were first set. A copy does not refer to the original. A backend
/// declares the list as its options with `using options = baton::option_set<4>;`. Prefer a custom struct as the options, because the
/// compiler checks the members of the struct.
template <std::size_t Capacity>
class option_set {
 public:
  constexpr option_set() = default;
  /// Constructs a list of options: `option_set{option{"threads", 4}, option{"debug", true}}`.
  template <class... Options>
    requires(sizeof...(Options) != 0 && (std::is_same_v<Options, option> && ...))
  constexpr explicit option_set(const Options&... options) {
    static_assert(sizeof...(Options) <= Capacity, "baton option_set: a set has more options than its capacity; increase the capacity");
    (static_cast<void>(set(options)), ...);
  }

  /// Sets an option. If the list has an option with the same key, that option is replaced, even by a value of another type. Fails with
  /// `invalid_argument` if the key is new and the list is full.
  constexpr auto set(const option& added) -> status {
    for (auto& each : entries()) {
      if (each.key() == added.key()) {
        each = added;
        return status::ok;
      }
    }
    if (size_ == Capacity) return status::invalid_argument;
    options_[size_++] = added;
    return status::ok;
  }
  template <class T>
  constexpr auto set(option_key key, const T& value) -> status {
    return set(option(key, value));
  }
  /// Sets the options in order, keeps the other options of the list, and stops at the first failure. Fails with `invalid_argument` if a key
  /// is new and the list is full.
  constexpr auto set_all(span<const option> added) -> status {
    for (const auto& each : added) {
      if (const auto code = set(each); code != status::ok) return code;
    }
    return status::ok;
  }

  /// Returns the value of the option with the key `key`. Fails with `not_found` if no option has this key, and with `invalid_argument` if
  /// the value has a different type.
  template <class T>
  constexpr auto get(std::string_view key) const -> status_or<T> {
    const auto* const entry = find_option(entries(), key);
    if (entry == nullptr) return status::not_found;
    return entry->template get<T>();
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
