// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Test cases that read ../shared.
#pragma once

#include <doctest/doctest.h>

#include <filesystem>
#include <iostream>
#include <string_view>

namespace tests {

/// Skips a test case if its files are not in ../shared, and prints a message. doctest counts it as skipped.
inline auto needs_shared(std::string_view path) -> doctest::skip {
  const std::string_view shared = BATON_SHARED_DIR;
  const bool is_present = !shared.empty() && std::filesystem::exists(std::filesystem::path(shared) / path);
  if (!is_present) std::cout << "SKIPPED: no ../shared/" << path << "\n";
  return doctest::skip(!is_present);
}

}  // namespace tests
