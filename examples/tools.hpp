// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What the tools in this folder share: text on the terminal, files of a known size, all tensors of an executor at once.
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

/// A file's bytes, if it could be read and holds as many as it must.
struct file_bytes {
  std::vector<char> bytes;
  bool ok = false;
};

/// Reads all of a file; if that fails, says so in one line on standard error.
inline auto read_file(const char* path) -> file_bytes {
  file_bytes read;
  std::FILE* file = std::fopen(path, "rb");
  char piece[4096];
  while (file != nullptr) {
    const auto count = std::fread(piece, 1, sizeof piece, file);
    read.bytes.insert(read.bytes.end(), piece, piece + count);
    if (count < sizeof piece) break;
  }
  read.ok = file != nullptr && std::ferror(file) == 0;  // a folder opens, but cannot be read
  if (!read.ok) std::fprintf(stderr, "cannot read %s: %s\n", path, std::strerror(errno));
  if (file != nullptr) std::fclose(file);
  return read;
}

/// Reads a file that must hold exactly `size` bytes, `what` names them; if it does not, says so in one line on standard error.
inline auto read_exactly(const char* path, std::size_t size, const char* what) -> file_bytes {
  auto read = read_file(path);
  if (read.ok && read.bytes.size() != size) {
    std::fprintf(stderr, "%s must hold %zu bytes, %s; it holds %zu\n", path, size, what, read.bytes.size());
    read.ok = false;
  }
  return read;
}

/// Reads a file that must hold `size` bytes once or several times over, `what` names them; if it does not, says so in one line.
inline auto read_times(const char* path, std::size_t size, const char* what) -> file_bytes {
  auto read = read_file(path);
  const auto count = read.bytes.size();
  if (read.ok && (size == 0 ? count != 0 : count == 0 || count % size != 0)) {
    std::fprintf(stderr, "%s must hold %zu bytes, %s, or a multiple of it; it holds %zu\n", path, size, what, count);
    read.ok = false;
  }
  return read;
}

/// Whether a file could be written; if not, says so in one line on standard error.
inline auto write_file(const char* path, baton::span<const char> bytes) -> bool {
  std::FILE* file = std::fopen(path, "wb");
  bool ok = file != nullptr && std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  ok = (file == nullptr || std::fclose(file) == 0) && ok;
  if (!ok) std::fprintf(stderr, "cannot write %s: %s\n", path, std::strerror(errno));
  return ok;
}

/// The bytes of all inputs of an executor.
template <class Net>
auto input_bytes(Net& net) -> std::size_t {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return (std::size_t{0} + ... + net.template input<I>().size());
  }(std::make_index_sequence<Net::input_count>{});
}

/// One inference on inputs that lie one after the other.
template <class Net>
void infer(Net& net, const char* from) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    ((std::memcpy(net.template input<I>().data(), from, net.template input<I>().size()), from += net.template input<I>().size()), ...);
  }(std::make_index_sequence<Net::input_count>{});
  net.run();
}

/// All outputs of an executor, one after the other.
template <class Net>
auto output_bytes(const Net& net) -> std::vector<char> {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    std::vector<char> bytes((std::size_t{0} + ... + net.template output<I>().size()));
    auto to = bytes.begin();
    ((to = std::copy(net.template output<I>().begin(), net.template output<I>().end(), to)), ...);
    return bytes;
  }(std::make_index_sequence<Net::output_count>{});
}
