// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Reads files.
#pragma once

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace ethos_u_tests {

using bytes = std::vector<char>;

/// Returns the bytes of a file, or none if it does not exist.
inline auto file_at(const std::string& path) -> bytes {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace ethos_u_tests
