// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Values of an executor's record whose first form is zero bytes, whatever their defaults are, so that the executor lies in .bss.
#pragma once

#include <baton/core/config.hpp>

#include <array>
#include <bit>
#include <optional>
#include <type_traits>

namespace baton::detail {

template <class T>
  requires std::is_trivially_copyable_v<T>
constexpr auto is_all_zero() -> bool {
  for (const auto byte : std::bit_cast<std::array<unsigned char, sizeof(T)>>(T{})) {
    if (byte != 0) return false;
  }
  return true;
}

/// Whether the default value of a type is zero bytes, as far as the compiler can tell: of pointers and padding it cannot.
template <class T>
inline constexpr bool begins_as_zero = std::is_trivially_default_constructible_v<T>;
template <class T>
  requires(!std::is_trivially_default_constructible_v<T> && requires { typename std::bool_constant<is_all_zero<T>()>; })
inline constexpr bool begins_as_zero<T> = is_all_zero<T>();

/// The default value of a type, for who looks at one that has not begun.
template <class T>
struct default_of {
  static inline const T value{};
};
template <class T>
  requires requires { typename std::bool_constant<(T{}, true)>; }
struct default_of<T> {
  static constexpr T value{};
};

/// A value that is zero bytes until it begins: as `Initial::value`, or as its type's default.
template <class T, class Initial = void, bool IsLate = !begins_as_zero<T> || !std::is_void_v<Initial>>
class late_value {
 public:
  static constexpr bool is_late = true;

  constexpr void begin() {
    if (kept_) return;
    if constexpr (std::is_void_v<Initial>) {
      kept_.emplace();
    } else {
      kept_.emplace(Initial::value);
    }
  }
  constexpr void set(const T& value) { kept_ = value; }
  /// The value, whether it has begun or not.
  constexpr auto read() const -> const T& {
    if (kept_) return *kept_;
    return std::conditional_t<std::is_void_v<Initial>, default_of<T>, Initial>::value;
  }
  /// The value, which has begun.
  constexpr auto get() -> T& { return *kept_; }
  constexpr auto get() const -> const T& { return *kept_; }

 private:
  std::optional<T> kept_;
};

template <class T>
class late_value<T, void, false> {
 public:
  static constexpr bool is_late = false;

  constexpr void begin() {}
  constexpr void set(const T& value) { kept_ = value; }
  constexpr auto read() const -> const T& { return kept_; }
  constexpr auto get() -> T& { return kept_; }
  constexpr auto get() const -> const T& { return kept_; }

 private:
  T kept_{};
};

}  // namespace baton::detail
