// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Members that are zero-initialized until `initialize` sets their initial values, so that the executor stays in .bss.
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

/// True if the default value of `T` is known to consist of zero bytes. This holds for every trivially default-constructible `T`, because
/// `T{}` is zero-initialized. For any other `T`, false if a constant expression cannot read the value as bytes, for example because of
/// pointers or padding.
template <class T>
inline constexpr bool is_zero_by_default = std::is_trivially_default_constructible_v<T>;
template <class T>
  requires(!std::is_trivially_default_constructible_v<T> && requires { typename std::bool_constant<is_all_zero<T>()>; })
inline constexpr bool is_zero_by_default<T> = is_all_zero<T>();

/// The default value of a type, which `lazy_value::read` returns before initialization if `Initial` is `void`.
template <class T>
struct default_of {
  static inline const T value{};
};
template <class T>
  requires requires { typename std::bool_constant<(T{}, true)>; }
struct default_of<T> {
  static constexpr T value{};
};

/// A value that is zero-initialized until `initialize` sets it to `Initial::value`, or to the default of `T` if `Initial` is `void`.
template <class T, class Initial = void, bool IsLate = !is_zero_by_default<T> || !std::is_void_v<Initial>>
class lazy_value {
 public:
  static constexpr bool is_late = true;

  constexpr void initialize() {
    if (kept_) return;
    if constexpr (std::is_void_v<Initial>) {
      kept_.emplace();
    } else {
      kept_.emplace(Initial::value);
    }
  }
  constexpr void set(const T& value) { kept_ = value; }
  /// Returns the value. Before initialization, returns the initial value.
  constexpr auto read() const -> const T& {
    if (kept_) return *kept_;
    return std::conditional_t<std::is_void_v<Initial>, default_of<T>, Initial>::value;
  }
  /// Returns the value, which must be initialized.
  constexpr auto get() -> T& { return *kept_; }
  constexpr auto get() const -> const T& { return *kept_; }

 private:
  std::optional<T> kept_;
};

template <class T>
class lazy_value<T, void, false> {
 public:
  static constexpr bool is_late = false;

  constexpr void initialize() {}
  constexpr void set(const T& value) { kept_ = value; }
  constexpr auto read() const -> const T& { return kept_; }
  constexpr auto get() -> T& { return kept_; }
  constexpr auto get() const -> const T& { return kept_; }

 private:
  T kept_{};
};

}  // namespace baton::detail
