// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Counts the elements that differ from recorded tensors, by case and operator.
#pragma once

#include <baton/core/span.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <utility>

namespace formats {

/// The elements of recorded tensors, those that differ, and the largest difference in steps.
struct counts {
  std::size_t elements = 0;
  std::size_t different = 0;
  int largest = 0;
};
/// The counts by case and operator.
using count_table = std::map<std::pair<std::string, std::string>, counts>;

/// Counts the differences of integers of eight bits.
inline void add(counts& to, baton::span<const char> actual, baton::span<const char> expected, bool has_sign) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const auto step_of = [&](char byte) { return has_sign ? int{static_cast<signed char>(byte)} : int{static_cast<unsigned char>(byte)}; };
    const int steps = std::abs(step_of(actual[i]) - step_of(expected[i]));
    to.elements += 1;
    to.different += steps != 0 ? 1 : 0;
    to.largest = std::max(to.largest, steps);
  }
}

inline auto text_of(const count_table& from) -> std::string {
  std::ostringstream text;
  text << "# case operators elements different largest\n";
  for (const auto& [row, count] : from) {
    text << row.first << " " << row.second << " " << count.elements << " " << count.different << " " << count.largest << "\n";
  }
  return text.str();
}

/// True if the counts are those of a file of this folder. Prints them. BATON_WRITE_NODES=1 writes the file first.
inline auto is_recorded(const count_table& counted, const std::string& name) -> bool {
  const auto path = std::string(BATON_NODES_DIR) + "/../formats/" + name;
  if (std::getenv("BATON_WRITE_NODES") != nullptr) std::ofstream(path) << text_of(counted);
  std::ifstream file(path);
  const std::string expected{std::istreambuf_iterator<char>(file), {}};
  std::cout << text_of(counted);
  return text_of(counted) == expected;
}

/// Checks that elements were counted, and that none differs.
inline void check_exact(const count_table& counted) {
  CHECK(!counted.empty());
  for (const auto& [row, count] : counted) {
    CAPTURE(row.first);
    CAPTURE(row.second);
    CHECK(count.different == 0);
  }
}

}  // namespace formats
