// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Writes zip archives, at compile time and at run time. Records are stored uncompressed.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/shared/little_endian.hpp>
#include <baton/core/vector.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tests {

/// A record, and fields of its headers that may be wrong.
struct zip_entry {
  std::string_view name{};
  std::string_view bytes{};
  std::uint32_t method = 0;
  std::uint32_t flags = 0;
  std::int64_t size = -1;    ///< -1: the size of the bytes
  std::int64_t packed = -1;  ///< -1: the size of the bytes
  std::int64_t local = -1;   ///< the offset of the local header; -1: where it is
};

/// Writes archives as PyTorch does: the local headers state no sizes, and each record begins at a multiple of `alignment`.
class zip_writer {
 public:
  constexpr explicit zip_writer(std::size_t alignment = 64) : alignment_(alignment) {}

  constexpr void add(const zip_entry& entry) {
    const auto local = file_.size();
    const auto data = local + 30 + entry.name.size();
    const auto padding = (alignment_ - data % alignment_) % alignment_;
    const auto zeros = [](baton::text_buffer& to, std::size_t count) { to.insert(to.end(), count, '\0'); };
    baton::append(file_, "PK\3\4");
    zeros(file_, 22);
    baton::append_little_endian(file_, entry.name.size(), 2);
    baton::append_little_endian(file_, padding, 2);
    baton::append(file_, entry.name);
    zeros(file_, padding);
    baton::append(file_, entry.bytes);
    const auto stated_or = [&](std::int64_t stated, std::size_t actual) { return stated < 0 ? actual : static_cast<std::size_t>(stated); };
    baton::append(directory_, "PK\1\2");
    zeros(directory_, 4);
    baton::append_little_endian(directory_, entry.flags, 2);
    baton::append_little_endian(directory_, entry.method, 2);
    zeros(directory_, 8);
    baton::append_little_endian(directory_, stated_or(entry.packed, entry.bytes.size()), 4);
    baton::append_little_endian(directory_, stated_or(entry.size, entry.bytes.size()), 4);
    baton::append_little_endian(directory_, entry.name.size(), 2);
    zeros(directory_, 12);
    baton::append_little_endian(directory_, stated_or(entry.local, local), 4);
    baton::append(directory_, entry.name);
    ++count_;
  }
  constexpr void add(std::string_view name, std::string_view bytes) { add({.name = name, .bytes = bytes}); }

  /// Returns the archive. `count` is the number of records that the end record states; -1 means the actual number.
  constexpr auto file(std::int64_t count = -1, std::string_view comment = {}) const -> baton::vector<char> {
    auto result = file_;
    baton::append(result, baton::view(directory_));
    baton::append(result, {"PK\5\6\0\0\0\0", 8});
    const auto records = count < 0 ? count_ : static_cast<std::uint64_t>(count);
    baton::append_little_endian(result, records, 2);
    baton::append_little_endian(result, records, 2);
    baton::append_little_endian(result, directory_.size(), 4);
    baton::append_little_endian(result, file_.size(), 4);
    baton::append_little_endian(result, comment.size(), 2);
    baton::append(result, comment);
    return result;
  }

 private:
  std::size_t alignment_;
  baton::text_buffer file_, directory_;
  std::uint64_t count_ = 0;
};

}  // namespace tests
