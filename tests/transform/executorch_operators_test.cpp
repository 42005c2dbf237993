// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The table of operators in docs/pte.md is current. With the environment variable BATON_WRITE_PAGES, this test rewrites it.
#include <baton/operators/executorch.hpp>
#include <baton/transform/detail/executorch_rows.hpp>

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

namespace {

auto table() -> std::string {
  std::map<std::string, bool> has_rule;
  baton::executorch::dialect.for_each([&](const baton::operator_definition& definition) {
    has_rule[std::string(definition.name.text)] = baton::detail::executorch_rows_by_hash.find(definition.name.hash) != nullptr;
  });
  std::string lines = "| operator | rule |\n|---|---|\n";
  for (const auto& [name, is_known] : has_rule) lines += "| `" + name + (is_known ? "` | yes |\n" : "` | no |\n");
  return lines;
}

}  // namespace

TEST_CASE("pte: the page lists all operators of ExecuTorch that the library knows") {
  const std::string path = std::string(BATON_EXAMPLES_DIR) + "/../docs/pte.md";
  std::ifstream file(path);
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  const auto at = page.find("| operator | rule |");
  REQUIRE(at != std::string::npos);
  if (std::getenv("BATON_WRITE_PAGES") != nullptr) std::ofstream(path) << page.substr(0, at) << table();
  CHECK_MESSAGE(page.substr(at) == table(), "stale; run the test with BATON_WRITE_PAGES=1");
}
