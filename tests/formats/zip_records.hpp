// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The records of a valid zip archive without compression, in the order of its central directory.
#pragma once

#include <baton/core/span.hpp>
#include <baton/import/byte_reader.hpp>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace formats {

struct zip_record {
  std::string name;
  std::string bytes;
};

inline auto zip_records_of(baton::span<const char> file) -> std::vector<zip_record> {
  baton::byte_reader reader{file};
  const auto end = std::string_view(file.data(), file.size()).rfind("PK\5\6");
  if (end == std::string_view::npos) throw std::out_of_range("no end of the central directory");
  std::vector<zip_record> records;
  std::size_t at = reader.u32(end + 16);
  for (auto count = reader.u16(end + 10); count > 0; --count) {
    const std::size_t local = reader.u32(at + 42);
    const auto name = reader.text(at + 46, reader.u16(at + 28));
    const auto bytes = reader.text(local + 30 + reader.u16(local + 26) + reader.u16(local + 28), reader.u32(at + 24));
    records.push_back({std::string(name), std::string(bytes)});
    at += std::size_t{46} + reader.u16(at + 28) + reader.u16(at + 30) + reader.u16(at + 32);
  }
  if (!reader.ok()) throw std::out_of_range("the records of a zip archive");
  return records;
}

}  // namespace formats
