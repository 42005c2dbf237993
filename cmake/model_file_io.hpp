// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Reads and writes files, for the programs of baton_model() on the build machine.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/span.hpp>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace model_files {

/// Appends the bytes of a file to `bytes`. If that fails, prints one line, which begins with the name of the program, and returns false.
inline auto read_file(const char* program, const char* path, baton::text_buffer& bytes) -> bool {
  std::FILE* file = std::fopen(path, "rb");
  if (file != nullptr) {
    char piece[4096];
    while (const auto count = std::fread(piece, 1, sizeof piece, file)) baton::append(bytes, {piece, count});
  }
  const bool ok = file != nullptr && std::ferror(file) == 0;
  if (!ok) std::fprintf(stderr, "%s: cannot read %s: %s\n", program, path, std::strerror(errno));
  if (file != nullptr) std::fclose(file);
  return ok;
}

/// Writes a file. If that fails, prints one line, which begins with the name of the program, and returns false.
inline auto write_file(const char* program, const char* path, baton::span<const char> bytes) -> bool {
  std::FILE* file = std::fopen(path, "wb");
  bool ok = file != nullptr && std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  ok = (file == nullptr || std::fclose(file) == 0) && ok;
  if (!ok) std::fprintf(stderr, "%s: cannot write %s: %s\n", program, path, std::strerror(errno));
  return ok;
}

}  // namespace model_files
