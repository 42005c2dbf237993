// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Shared functions of the tools in this folder: terminal output, files of a known size, and all tensors of an executor.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/span.hpp>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>

/// Writes a text to standard output.
inline void show(const baton::text_buffer& text) { std::fwrite(text.data(), 1, text.size(), stdout); }

/// The bytes of a file. `ok` is true if the file was read and has a valid size.
struct file_bytes {
  std::vector<char> bytes;
  bool ok = false;
};

/// Reads a file. If that fails, prints one line to standard error.
inline auto read_file(const char* path) -> file_bytes {
  file_bytes result;
  std::FILE* file = std::fopen(path, "rb");
  char piece[4096];
  while (file != nullptr) {
    const auto count = std::fread(piece, 1, sizeof piece, file);
    result.bytes.insert(result.bytes.end(), piece, piece + count);
    if (count < sizeof piece) break;
  }
  result.ok = file != nullptr && std::ferror(file) == 0;  // a folder can be opened, but not read
  if (!result.ok) std::fprintf(stderr, "cannot read %s: %s\n", path, std::strerror(errno));
  if (file != nullptr) std::fclose(file);
  return result;
}

/// Reads a file of exactly `size` bytes. `contents` describes them. If that fails, prints one line to standard error.
inline auto read_exactly(const char* path, std::size_t size, const char* contents) -> file_bytes {
  auto result = read_file(path);
  if (result.ok && result.bytes.size() != size) {
    std::fprintf(stderr, "%s must have %zu bytes, %s; it has %zu\n", path, size, contents, result.bytes.size());
    result.ok = false;
  }
  return result;
}

/// Reads a file whose size is a positive multiple of `size` bytes, or 0 if `size` is 0. `contents` describes `size` bytes. If that fails,
/// prints one line to standard error.
inline auto read_times(const char* path, std::size_t size, const char* contents) -> file_bytes {
  auto result = read_file(path);
  const auto count = result.bytes.size();
  if (result.ok && (size == 0 ? count != 0 : count == 0 || count % size != 0)) {
    std::fprintf(stderr, "%s must have %zu bytes, %s, or a multiple of this; it has %zu\n", path, size, contents, count);
    result.ok = false;
  }
  return result;
}

/// Writes a file. Returns false and prints one line to standard error if that fails.
inline auto write_file(const char* path, baton::span<const char> bytes) -> bool {
  std::FILE* file = std::fopen(path, "wb");
  bool ok = file != nullptr && std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  ok = (file == nullptr || std::fclose(file) == 0) && ok;
  if (!ok) std::fprintf(stderr, "cannot write %s: %s\n", path, std::strerror(errno));
  return ok;
}

/// Returns the size of all inputs of an executor, in bytes.
template <class Net>
auto input_bytes(Net& net) -> std::size_t {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return (std::size_t{0} + ... + net.template input<I>().size());
  }(std::make_index_sequence<Net::input_count>{});
}

/// Runs one inference on the concatenated inputs at `from`.
template <class Net>
void infer(Net& net, const char* from) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    ((std::memcpy(net.template input<I>().data(), from, net.template input<I>().size()), from += net.template input<I>().size()), ...);
  }(std::make_index_sequence<Net::input_count>{});
  net.run();
}

/// Returns the concatenated outputs of an executor.
template <class Net>
auto output_bytes(const Net& net) -> std::vector<char> {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    std::vector<char> bytes((std::size_t{0} + ... + net.template output<I>().size()));
    auto to = bytes.begin();
    ((to = std::copy(net.template output<I>().begin(), net.template output<I>().end(), to)), ...);
    return bytes;
  }(std::make_index_sequence<Net::output_count>{});
}
