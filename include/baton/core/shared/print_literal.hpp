// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A literal of a node as text, in the style of Python: `[1, 2]`, `'same'`, `True`.
#pragma once

#include <baton/core/decimal.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/append_hex.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton {

/// Appends text in single quotes. A single quote or a backslash is escaped with a backslash. A character that is not printable ASCII
/// becomes a hexadecimal escape, for example `\x0a`.
constexpr auto append_quoted(text_buffer& to, std::string_view text) -> text_buffer& {
  to.push_back('\'');
  for (const char c : text) {
    if (c == '\'' || c == '\\') to.push_back('\\');
    append_visible(to, c);
  }
  to.push_back('\'');
  return to;
}

/// Appends a literal of a node in `program`.
constexpr auto append_literal(text_buffer& to, const program_view& program, const attribute& literal) -> text_buffer& {
  const auto list = [&to](const auto& numbers, auto add) -> text_buffer& {
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      append(to, i == 0 ? "[" : ", ");
      add(numbers[i]);
    }
    return append(to, numbers.empty() ? "[]" : "]");
  };
  switch (literal.kind) {
    case attribute_kind::integer:
      return append(to, literal.integer);
    case attribute_kind::real:
      append_real(to, literal.real);
      return to;
    case attribute_kind::boolean:
      return append(to, literal.integer != 0 ? "True" : "False");
    case attribute_kind::text:
      return append_quoted(to, program.text(literal.bytes));
    case attribute_kind::bytes:
      return append_quoted(append(to, "b"), program.text(literal.bytes));
    case attribute_kind::integers:
      return list(program.integer_list(literal.list), [&to](std::int64_t number) { append(to, number); });
    case attribute_kind::reals:
      return list(program.real_list(literal.list), [&to](double number) { append_real(to, number); });
  }
  return to;
}

}  // namespace baton
