// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What the tools in this folder share: files of a known size, and text on the terminal.
#pragma once

#include <baton/core/error.hpp>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <vector>

/// Writes a text to standard output.
inline void show(const baton::text_buffer& text) { std::fwrite(text.data(), 1, text.size(), stdout); }

/// The bytes of a file that must hold exactly `size` of them; if it does not, one line on standard error and nothing. `what` names them.
inline auto read_exactly(const char* path, std::size_t size, const char* what, bool& ok) -> std::vector<char> {
  std::vector<char> bytes(size, '\0');
  std::FILE* file = std::fopen(path, "rb");
  const auto count = file == nullptr ? 0 : std::fread(bytes.data(), 1, size, file);
  const bool is_longer = file != nullptr && count == size && std::fgetc(file) != EOF;
  const bool failed = file == nullptr || std::ferror(file) != 0;  // a folder opens, but cannot be read
  const int reason = errno;
  if (file != nullptr) std::fclose(file);
  ok = !failed && count == size && !is_longer;
  if (failed) {
    std::fprintf(stderr, "cannot read %s: %s\n", path, std::strerror(reason));
  } else if (!ok) {
    std::fprintf(stderr, "%s must hold %zu bytes, %s; it holds %s\n", path, size, what, is_longer ? "more" : "fewer");
  }
  return bytes;
}

/// Whether a file could be written; if not, one line on standard error.
inline auto write_whole(const char* path, const std::vector<char>& bytes) -> bool {
  std::FILE* file = std::fopen(path, "wb");
  bool ok = file != nullptr && std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  ok = (file == nullptr || std::fclose(file) == 0) && ok;
  if (!ok) std::fprintf(stderr, "cannot write %s: %s\n", path, std::strerror(errno));
  return ok;
}
