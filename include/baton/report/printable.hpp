// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Printable text from a model, and the line width of tables.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/shared/append_hex.hpp>
#include <baton/core/shared/shortened.hpp>

#include <cstddef>
#include <string_view>

namespace baton::report {

/// The default line width of a table, in characters.
inline constexpr std::size_t line_width = 120;

/// Returns text from a model as one line of printable characters. A character that is not printable becomes an escape such as `\x0a`. A
/// text of more than `max_size` characters is shortened: "..." replaces its beginning (`shortened`).
constexpr auto printable(std::string_view text, std::size_t max_size = 40) -> text_buffer {
  if (text.size() > max_size) return printable(view(shortened(text, max_size)), max_size);
  text_buffer clean;
  for (const char c : text) append_visible(clean, c);
  return clean;
}

}  // namespace baton::report
