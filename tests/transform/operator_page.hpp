// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The table of a dialect's operators at the end of a page in docs/. With the environment variable BATON_WRITE_PAGES, the table is
// rewritten.
#pragma once

#include <baton/operators/operator_definition.hpp>
#include <baton/operators/operator_dialect.hpp>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

namespace operator_page {

/// Returns a row for each operator of a dialect; `rows` has the operators that passes replace.
template <class Rows>
auto table_of(const baton::operator_dialect& dialect, const Rows& rows) -> std::string {
  std::map<std::string, bool> has_rule;
  dialect.for_each([&](const baton::operator_definition& definition) {
    has_rule[std::string(definition.name.text)] = rows.find(definition.name.hash) != nullptr;
  });
  std::string lines = "| operator | rule |\n|---|---|\n";
  for (const auto& [name, is_known] : has_rule) lines += "| `" + name + (is_known ? "` | yes |\n" : "` | no |\n");
  return lines;
}

/// Returns why a page in docs/ does not end with the table, or an empty text.
inline auto difference(const std::string& page, const std::string& table) -> std::string {
  const auto path = std::string(BATON_EXAMPLES_DIR) + "/../docs/" + page;
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto at = text.find("| operator | rule |");
  if (at == std::string::npos) return "there is no table";
  if (std::getenv("BATON_WRITE_PAGES") != nullptr) std::ofstream(path) << text.substr(0, at) << table;
  return text.substr(at) == table ? "" : "stale; run the test with BATON_WRITE_PAGES=1";
}

}  // namespace operator_page
