// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Files of bytes.
#pragma once

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace ethos_u_tests {

using bytes = std::vector<char>;

/// The bytes of a file; none where it is not there.
inline auto file_at(const std::string& path) -> bytes {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace ethos_u_tests
