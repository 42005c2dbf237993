// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A text parameter whose arguments are often literals.
#pragma once

#include <baton/core/config.hpp>
#include <baton/core/shared/constant_builtins.hpp>

#include <concepts>
#include <string_view>

namespace baton {

/// A text that a function receives, usually a literal. In a constant expression, Clang converts a literal to this class in one evaluation
/// step. The constructor of `std::string_view` takes several steps for each character, because it calls a function of the standard library
/// for each character. In GCC, the conversion to this class takes the same steps.
struct text_argument {
  std::string_view text;

  constexpr text_argument(const char* literal)  // NOLINT(google-explicit-constructor): call sites write a literal
      : text(builtins_take_constant_bytes ? std::string_view{literal, __builtin_strlen(literal)} : std::string_view{literal}) {}
  template <class Text>
    requires std::convertible_to<const Text&, std::string_view>
  constexpr text_argument(const Text& source) : text(source) {}  // NOLINT(google-explicit-constructor)

  constexpr operator std::string_view() const { return text; }  // NOLINT(google-explicit-constructor)
};

}  // namespace baton
