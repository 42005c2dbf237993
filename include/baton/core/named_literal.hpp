// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A literal argument of a node, as it is written in source code.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/shared/text_argument.hpp>
#include <baton/core/span.hpp>

#include <concepts>
#include <cstdint>
#include <string_view>

namespace baton {

/// A literal argument of a node: `{"dim", 1}`, `{"eps", 1e-5}`, `{"padding", "same"}`, `{"keepdim", true}`.
struct named_literal {
  std::string_view name;
  attribute_kind kind;
  std::int64_t integer = 0;
  double real = 0;
  std::string_view text{};
  span<const std::int64_t> list{};

  // This constructor is a template, because a parameter of type `bool` would accept an array of numbers (as a pointer).
  template <std::integral T>
  constexpr named_literal(text_argument key, T number)
      : name(key.text),
        kind(std::same_as<T, bool> ? attribute_kind::boolean : attribute_kind::integer),
        integer(static_cast<std::int64_t>(number)) {}
  constexpr named_literal(text_argument key, double number) : name(key.text), kind(attribute_kind::real), real(number) {}
  constexpr named_literal(text_argument key, const char* characters)
      : name(key.text),
        kind(attribute_kind::text),
        text(text_argument(characters).text) {}
  constexpr named_literal(text_argument key, span<const std::int64_t> numbers)
      : name(key.text),
        kind(attribute_kind::integers),
        list(numbers) {}
};

}  // namespace baton
