// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The layout of ExecuTorch files, and a reader of files with tensors (.ptd). A file consists of a header, a FlatBuffer, and segments
// (ranges of data to which the FlatBuffer refers).
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/span.hpp>
#include <baton/import/byte_reader.hpp>
#include <baton/import/detail/flatbuffer.hpp>
#include <baton/import/detail/pte_schema.hpp>
#include <baton/import/shared/rules.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::pte::detail {

/// The parts of a file. Segments are at offsets relative to `segment_base`.
struct file_parts {
  span<const char> file;
  span<const char> structure;  ///< for a program with a header, the header and the FlatBuffer, from byte 0; otherwise the whole file
  std::uint64_t segment_base = 0;

  /// Returns the `size` bytes at file offset `segment_base + offset`, or an empty view if they are not inside the file.
  constexpr auto bytes_at(std::uint64_t offset, std::uint64_t size) const -> span<const char> {
    const auto end = file.size();
    const bool is_inside = segment_base <= end && offset <= end - segment_base && size <= end - segment_base - offset;
    if (!is_inside) return {};
    return file.subspan(static_cast<std::size_t>(segment_base + offset), static_cast<std::size_t>(size));
  }
};

/// Returns the parts of a file. The optional header is at byte 8 and begins with `magic`. At file position `size_at`, the header states the
/// size of the FlatBuffer. At `base_at`, it states the offset of the segments. A header that is long enough also states the total size of
/// the segments, at `data_at`. All sizes are in bytes. Without a header, `structure` is the whole file and `segment_base` is 0. Fails with
/// `damaged_model` if the header states an invalid size, or if a part is not inside the file.
constexpr auto parts_of(span<const char> file, std::string_view magic, std::size_t size_at, std::size_t base_at, std::size_t data_at)
    -> result<file_parts> {
  constexpr std::size_t header_at = 8;
  constexpr std::uint32_t max_header = 4096;
  byte_reader reader{file};
  file_parts parts{file, file, 0};
  if (file.size() < header_at + 8 || reader.text(header_at, 4) != magic) return parts;
  const auto header_size = reader.u32(header_at + 4);
  if (header_size < base_at || header_size > max_header || header_at + header_size > file.size())
    return broken<"damaged_model">("the header at byte 8 states an invalid size of ", header_size, " bytes");
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

/// Returns the parts of a program (.pte).
constexpr auto program_parts(span<const char> file) -> result<file_parts> { return parts_of(file, "eh00", 16, 24, 32); }
/// Returns the parts of a file with tensors (.ptd).
constexpr auto data_parts(span<const char> file) -> result<file_parts> { return parts_of(file, "FH01", 24, 32, 40); }

/// The tensors of a file with tensors (.ptd), each with a key.
class data_file {
 public:
  using table = flatbuffer::table;

  constexpr explicit data_file(span<const char> bytes)
      : parts_(data_parts(bytes)),
        reader_(parts_.value.structure),
        is_known_(flatbuffer::has_identifier(reader_, data_identifier)),
        root_(is_known_ ? flatbuffer::root(reader_) : table{}),
        tensors_(root_.elements<table>(slot::flat_tensor::named_data)),
        segments_(root_.elements<table>(slot::flat_tensor::segments)) {}
  data_file(const data_file&) = delete;  // the tables refer to the reader
  auto operator=(const data_file&) -> data_file& = delete;

  constexpr auto size() const -> std::size_t { return tensors_.size(); }
  // Not const, because each read of a table is charged to the work limit of the reader.
  constexpr auto key(std::size_t i) -> std::string_view { return tensors_[i].text(slot::named_data::key); }
  /// Returns the bytes of tensor `i`. If they are not inside the file, returns an empty view, and `ok()` is false.
  constexpr auto bytes(std::size_t i) -> span<const char> {
    const auto stored = segments_[tensors_[i].scalar<std::uint32_t>(slot::named_data::segment_index)];
    const auto size = stored.scalar<std::uint64_t>(slot::segment::size);
    const auto content = parts_.value.bytes_at(stored.scalar<std::uint64_t>(slot::segment::offset), size);
    if (content.size() != size) reader_.fail();
    return content;
  }

  /// True if all data that has been read so far is valid.
  constexpr auto ok() const -> bool { return is_known_ && reader_.ok(); }
  /// Returns the reason why `ok()` is false.
  constexpr auto reason() const -> std::string_view {
    if (!parts_) return view(parts_.error.reason);
    return is_known_ ? "its tables are damaged, or a segment is not inside the file" : "it has no identifier FT01 at byte 4";
  }

 private:
  result<file_parts> parts_;
  byte_reader reader_;
  bool is_known_;
  table root_;
  flatbuffer::vector<table> tensors_;
  flatbuffer::vector<table> segments_;
};

}  // namespace baton::pte::detail
