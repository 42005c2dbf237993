// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Text from a model, shown whatever it holds, and how wide a line is.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/shared/append_hex.hpp>
#include <baton/core/shared/shortened.hpp>

#include <cstddef>
#include <string_view>

namespace baton::report {

/// Characters a line of a table, where nothing else is said.
inline constexpr std::size_t line_width = 120;

/// Text from a model in one line of printable characters: others become `\x0a` and the like; `shortened` where it is too long.
constexpr auto printable(std::string_view text, std::size_t most = 40) -> text_buffer {
  if (text.size() > most) return printable(view(shortened(text, most)), most);
  text_buffer clean;
  for (const char c : text) append_visible(clean, c);
  return clean;
}

}  // namespace baton::report
