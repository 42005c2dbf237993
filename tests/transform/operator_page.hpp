// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The table of a dialect's operators at the end of a page in docs/. With the environment variable BATON_WRITE_PAGES, the table is
// rewritten.
#pragma once

#include <baton/core/span.hpp>
#include <baton/operators/operator_definition.hpp>
#include <baton/operators/operator_dialect.hpp>
#include <baton/transform/detail/legalization_row.hpp>

#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace operator_page {

/// Operators of one family, in alphabetical order: the overloads of each operator. The namespace `aten` is omitted.
using operator_family = std::map<std::string, std::set<std::string>>;

/// Adds an operator, such as `aten.add.Tensor` or `cortex_m.pad.out`, to a family.
inline void add(operator_family& family, std::string_view name) {
  const auto space = name.find('.') + 1;
  const auto overload = name.find('.', space);
  const auto first = name.starts_with("aten.") ? space : 0;
  family[std::string(name.substr(first, overload == std::string_view::npos ? overload : overload - first))].emplace(
      overload == std::string_view::npos ? "none" : name.substr(overload + 1));
}

/// Returns the operators of a family as text. `usual` is the overload that the text omits.
inline auto text_of(const operator_family& family, std::string_view usual) -> std::string {
  std::string text;
  for (const auto& [name, overloads] : family) {
    text += (text.empty() ? "`" : ", `") + name + "`";
    if (overloads.size() == 1 && *overloads.begin() == usual) continue;
    const char* separator = " (";
    for (const auto& overload : overloads) {
      text += separator + overload;
      separator = ", ";
    }
    text += ")";
  }
  return text;
}

/// Returns a row for each family of operators that passes replace, and a last row for the other operators of the dialect. `names` are the
/// names of the lists of `rows`, and `by_hash` is their index.
template <std::size_t N, class Index>
auto table_of(const baton::operator_dialect& dialect, const baton::detail::legalization_row_list (&rows)[N],
              const std::string_view (&names)[N], const Index& by_hash, std::string_view usual) -> std::string {
  std::string lines = "| family | operators |\n|---|---|\n";
  for (std::size_t i = 0; i < N; ++i) {
    operator_family family;
    for (const auto& row : rows[i]) add(family, row.name.text);
    lines += "| " + std::string(names[i]) + " | " + text_of(family, usual) + " |\n";
  }
  operator_family others;
  dialect.for_each([&](const baton::operator_definition& definition) {
    if (by_hash.find(definition.name.hash) == nullptr) add(others, definition.name.text);
  });
  return others.empty() ? lines : lines + "| **not replaced** | " + text_of(others, usual) + " |\n";
}

/// Returns why a page in docs/ does not end with the table, or an empty text.
inline auto difference(const std::string& page, const std::string& table) -> std::string {
  const auto path = std::string(BATON_EXAMPLES_DIR) + "/../docs/" + page;
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto at = text.find("| family | operators |");
  if (at == std::string::npos) return "there is no table";
  if (std::getenv("BATON_WRITE_PAGES") != nullptr) std::ofstream(path) << text.substr(0, at) << table;
  return text.substr(at) == table ? "" : "stale; run the test with BATON_WRITE_PAGES=1";
}

}  // namespace operator_page
