// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Whether what makes a program says in which array its bytes lie.
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

/// `Make::embedded()` gives an array of characters that is a constant, as that of `read_embedded`. A user's callable may have a member of
/// that name with another meaning.
template <class Make>
concept embeds_model = requires {
  requires detail::is_char_array<decltype(Make::embedded())>;
  typename std::bool_constant<(static_cast<void>(Make::embedded()), true)>;
};

}  // namespace baton
