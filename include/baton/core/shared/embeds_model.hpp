// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Detects whether a callable that computes a program has access to the array that contains the program's model file.
#pragma once

#include <baton/core/config.hpp>

#include <array>
#include <cstddef>
#include <type_traits>

namespace baton {

namespace detail {

template <class T>
inline constexpr bool is_char_array = false;
template <std::size_t Size>
inline constexpr bool is_char_array<const char (&)[Size]> = true;
template <std::size_t Size>
inline constexpr bool is_char_array<const std::array<char, Size>&> = true;

}  // namespace detail

/// A callable whose `embedded()` returns a constant array of characters, as the callable of `read_embedded` does. The return type is
/// checked, because a user's callable may have a member `embedded` with a different meaning.
template <class Stage>
concept embeds_model = requires {
  requires detail::is_char_array<decltype(Stage::embedded())>;
  typename std::bool_constant<(static_cast<void>(Stage::embedded()), true)>;
};

}  // namespace baton
