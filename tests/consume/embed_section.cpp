// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The section of baton_embed(... SECTION weights) contains the embedded bytes, and nothing else.
#include <cstddef>
#include <cstdio>

#include "all bytes-1.0 (b).bin.hpp"

// The linker defines these symbols for each section whose name is an identifier.
extern const char section_begin[] __asm__("__start_weights");
extern const char section_end[] __asm__("__stop_weights");

static_assert(sizeof all_bytes == 264 && all_bytes[255] == static_cast<char>(255));

int main() {
  const char* const bytes = all_bytes;
  const bool inside = bytes == section_begin && bytes + sizeof all_bytes == section_end;
  std::printf("embedded bytes: %s\n", inside ? "the section" : "NOT THE SECTION");
  return inside ? 0 : 1;
}
