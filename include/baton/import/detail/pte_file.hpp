// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The container of ExecuTorch files: a header, a FlatBuffer, and segments of data.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/span.hpp>
#include <baton/import/byte_reader.hpp>
#include <baton/import/shared/rules.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::pte::detail {

/// The parts of a file. Segments are at offsets relative to `segment_base`.
struct file_parts {
  span<const char> file;
  span<const char> structure;  ///< the FlatBuffer and the header; it begins at byte 0 of the file
  std::uint64_t segment_base = 0;

  /// Returns the `size` bytes at `offset` of the segments, or an empty view if they are not inside the file.
  constexpr auto bytes_at(std::uint64_t offset, std::uint64_t size) const -> span<const char> {
    const auto end = file.size();
    const bool is_inside = segment_base <= end && offset <= end - segment_base && size <= end - segment_base - offset;
    if (!is_inside) return {};
    return file.subspan(static_cast<std::size_t>(segment_base + offset), static_cast<std::size_t>(size));
  }
};

/// Returns the parts of a file. The header is at byte 8, if there is one, and begins with `magic`. Its fields are at `size_at`, `base_at`
/// and `data_at`: the size of the FlatBuffer, the offset of the segments, and their size in bytes. A field that is not inside the header is
/// absent. Without a header, the file has no segments. Fails with `damaged_model` if a part is not inside the file.
constexpr auto parts_of(span<const char> file, std::string_view magic, std::size_t size_at, std::size_t base_at, std::size_t data_at)
    -> result<file_parts> {
  constexpr std::size_t header_at = 8;
  constexpr std::uint32_t max_header = 4096;
  byte_reader reader{file};
  file_parts parts{file, file, 0};
  if (file.size() < header_at + 8 || reader.text(header_at, 4) != magic) return parts;
  const auto header_size = reader.u32(header_at + 4);
  if (header_size < base_at || header_size > max_header || header_at + header_size > file.size())
    return broken<"damaged_model">("the header at byte 8 states a size of ", header_size, " bytes");
  const auto structure = reader.u64(size_at);
  parts.segment_base = reader.u64(base_at);
  const auto data = data_at + 8 <= header_at + header_size ? reader.u64(data_at) : 0;
  const auto size = file.size();
  if (structure > size)
    return broken<"damaged_model">("the header states a program of ", structure, " bytes; the file has ", size, " bytes");
  if (parts.segment_base > size || data > size - parts.segment_base) {
    return broken<"damaged_model">("the header states segments at byte ", parts.segment_base, ", ", data, " bytes long; the file has ",
                                   size, " bytes");
  }
  if (magic == "eh00") parts.structure = file.subspan(0, static_cast<std::size_t>(structure));
  return parts;
}

/// The parts of a program (.pte).
constexpr auto program_parts(span<const char> file) -> result<file_parts> { return parts_of(file, "eh00", 16, 24, 32); }
/// The parts of a file with tensors (.ptd).
constexpr auto data_parts(span<const char> file) -> result<file_parts> { return parts_of(file, "FH01", 24, 32, 40); }

}  // namespace baton::pte::detail
