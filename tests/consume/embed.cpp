// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The array of baton_embed(): all bytes of the file in order, then a zero, aligned, for any name of the file.
#include "7.empty.hpp"
#include "all bytes-1.0 (b).bin.hpp"
#include "class.hpp"

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <type_traits>

static_assert(std::is_same_v<decltype(all_bytes_1_0_b_bin), const char[264]>);
static_assert(all_bytes_1_0_b_bin[263] == 0 && all_bytes_1_0_b_bin[255] == static_cast<char>(255));
static_assert(std::is_same_v<decltype(file_class), const char[264]>);
static_assert(std::is_same_v<decltype(nothing), const char[1]> && nothing[0] == 0);

static bool holds(const char* name, const std::string& bytes, const char* data) {
  const bool same = std::string(data, bytes.size()) == bytes && bytes.size() == 263;
  const bool aligned = reinterpret_cast<std::uintptr_t>(data) % 16 == 0;
  std::printf("%s: %s, %s\n", name, same ? "the file's bytes" : "OTHER BYTES", aligned ? "aligned" : "NOT ALIGNED");
  return same && aligned;
}

int main() {
  std::ifstream file(BYTES, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  const bool first = holds("embedded", bytes, all_bytes_1_0_b_bin);
  const bool second = holds("by an interface library", bytes, file_class);
  return first && second ? 0 : 1;
}
