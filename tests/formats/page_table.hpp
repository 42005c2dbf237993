// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Tables in docs/ whose rows a test computes. With the environment variable BATON_WRITE_PAGES, the rows are rewritten.
#pragma once

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

namespace formats {

/// Returns why the table in a page of docs/ does not have these rows, or an empty text. `head` is the beginning of its first line.
inline auto page_difference(const std::string& page, const std::string& head, const std::string& rows) -> std::string {
  const auto path = std::string(BATON_EXAMPLES_DIR) + "/../docs/" + page;
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto table = text.find(head);
  if (table == std::string::npos) return "there is no table";
  const auto first = text.find('\n', text.find('\n', table) + 1) + 1, end = text.find("\n\n", table) + 1;
  if (end < first) return "there is no table";
  if (std::getenv("BATON_WRITE_PAGES") != nullptr) std::ofstream(path) << text.substr(0, first) << rows << text.substr(end);
  return text.substr(first, end - first) == rows ? "" : "stale; run the test with BATON_WRITE_PAGES=1";
}

}  // namespace formats
