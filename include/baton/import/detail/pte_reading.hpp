// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The state of reading one ExecuTorch program, and the data that its tables refer to.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/shortened.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/byte_reader.hpp>
#include <baton/import/detail/flatbuffer.hpp>
#include <baton/import/detail/pte_file.hpp>
#include <baton/import/detail/pte_schema.hpp>
#include <baton/import/detail/reading_state.hpp>
#include <baton/import/pte_read_options.hpp>
#include <baton/import/shared/rules.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::pte::detail {

using flatbuffer::table;

/// Returns the name for use in an error message, shortened if it is long.
constexpr auto printable_name(std::string_view name) -> text_buffer { return shortened(name, 80); }

/// The state of reading one program. Callers charge each record that they create to the work limit of `reader`, because a damaged file may
/// refer to one table many times.
class reading : public baton::detail::reading_state {
 public:
  constexpr reading(const file_parts& file, const read_options& user_options, std::uint32_t level = 0)
      : reading_state(file.structure),
        options(user_options),
        depth(level),
        file_(file),
        root_(flatbuffer::root(reader)),
        segments_(root_.elements<table>(slot::program::segments)),
        constants_(root_.child(slot::program::constant_segment)),
        constant_offsets_(constants_ ? constants_.elements<std::uint64_t>(slot::subsegments::offsets)
                                     : flatbuffer::vector<std::uint64_t>{}) {
    data_budget_ = file.file.size();
    for (const auto& external : options.files) data_budget_ += external.bytes.size();
    data_budget_ *= max_copies;
  }
  reading(const reading&) = delete;  // the tables refer to the reader
  auto operator=(const reading&) -> reading& = delete;

  read_options options;
  std::uint32_t depth;  ///< the number of programs that contain this program

  constexpr auto file_bytes() const -> std::size_t { return file_.file.size(); }
  /// Copies the bytes of a converted constant into the program. These copies have a separate limit: `max_copies` times the size of the
  /// program and its external files. The work limit of `reader` is proportional to the size of the tables alone, so it is too small for
  /// this data. If the total exceeds the limit, the reader fails.
  constexpr auto own_data(const text_buffer& bytes) -> byte_ref {
    if (bytes.size() > data_budget_) return reader.fail(), byte_ref{};
    data_budget_ -= bytes.size();
    return builder.own(baton::view(bytes));
  }
  /// Returns the offset of bytes in the file. The bytes must be a view of the file.
  constexpr auto position_of(span<const char> bytes) const -> std::size_t {
    return bytes.empty() ? 0 : static_cast<std::size_t>(bytes.data() - file_.file.data());
  }
  constexpr auto root() const -> const table& { return root_; }

  constexpr auto view(span<const char> bytes) -> byte_ref {
    if (bytes.empty()) return {};
    if (bytes.size() > 0xffffffffu) refuse<"unsupported_model">("a text or an array of bytes has 4 GiB or more");
    return {bytes.data(), 0, static_cast<std::uint32_t>(bytes.size())};
  }
  constexpr auto view(std::string_view text) -> byte_ref { return view(span<const char>{text.data(), text.size()}); }

  // Data

  /// Returns the bytes of segment `index`, a range of data to which the tables refer. Returns an empty view if the segment does not exist
  /// or is not inside the file. In that case, records `damaged_model` with a message that names `user`.
  constexpr auto segment(std::uint32_t index, std::string_view user) -> span<const char> {
    if (index >= segments_.size()) {
      refuse<"damaged_model">(user, " is in segment ", index, ", but the number of segments is ", segments_.size());
      return {};
    }
    const auto stored = segments_[index];
    const auto offset = stored.scalar<std::uint64_t>(slot::segment::offset), size = stored.scalar<std::uint64_t>(slot::segment::size);
    const auto bytes = file_.bytes_at(offset, size);
    if (bytes.size() == size) return bytes;
    refuse<"damaged_model">(user, " is in segment ", index, ", which begins ", offset, " bytes after byte ", file_.segment_base,
                            " and ends outside the file of ", file_.file.size(), " bytes");
    return {};
  }

  /// Returns the `size` bytes of constant `index` in the constant segment. Old files have no constant segment; their constants are in the
  /// table `constant_buffer`. After an error, which is recorded, the returned view is empty.
  constexpr auto constant(std::uint32_t index, std::uint64_t size, std::string_view user) -> byte_ref {
    if (constant_offsets_.empty()) {
      const auto buffers = root_.elements<table>(slot::program::constant_buffer);
      if (index >= buffers.size()) return missing(user, index, buffers.size());
      return exactly(buffers[index].bytes(slot::buffer::bytes), size, user);
    }
    return part(constants_, constant_offsets_, index, size, user);
  }
  /// Returns the initial value (`size` bytes) of a mutable tensor. Table `list` of `mutable_data_segments` states a segment, and a list of
  /// offsets in this segment. The initial value is at offset number `index`. After an error, which is recorded, the returned view is empty.
  constexpr auto initial(std::uint64_t list, std::uint32_t index, std::uint64_t size, std::string_view user) -> byte_ref {
    const auto lists = root_.elements<table>(slot::program::mutable_data_segments);
    if (list >= lists.size()) {
      refuse<"damaged_model">(user, " has its initial value in list ", list, " of the mutable segments, but the number of lists is ",
                              lists.size());
      return {};
    }
    const auto stored = lists[static_cast<std::size_t>(list)];
    return part(stored, stored.elements<std::uint64_t>(slot::subsegments::offsets), index, size, user);
  }

  /// Returns the `size` bytes of the tensor `key` in the external files. Fails with `missing_file` if no external file contains the tensor.
  /// Fails with `damaged_model` if an external file is damaged, or if the tensor has another size.
  constexpr auto external(std::string_view key, std::uint64_t size, std::string_view user) -> byte_ref {
    for (const auto& file : options.files) {
      data_file data(file.bytes);
      reader.charge(data.size());
      for (std::size_t i = 0; i < data.size() && data.ok() && reader.ok(); ++i) {
        if (data.key(i) != key) continue;
        const auto bytes = data.bytes(i);
        if (data.ok()) return exactly(bytes, size, user);
      }
      if (!check(data, file)) return {};
    }
    refuse<"missing_file">(user, " is the tensor ", baton::view(printable_name(key)),
                           " of an external file; write: baton::pte::external_file<\"weights.ptd\", bytes>");
    return {};
  }
  /// Returns true if an external file is valid. Otherwise, records `damaged_model` and returns false.
  constexpr auto check(const data_file& data, const read_options::file& file) -> bool {
    return data.ok() || refuse<"damaged_model">("file ", baton::view(printable_name(file.location)), ": ", data.reason());
  }

 private:
  constexpr auto missing(std::string_view user, std::uint32_t index, std::size_t count) -> byte_ref {
    refuse<"damaged_model">(user, " is constant ", index, ", but the number of constants is ", count);
    return {};
  }
  constexpr auto exactly(span<const char> bytes, std::uint64_t size, std::string_view user) -> byte_ref {
    if (bytes.size() == size) return view(bytes);
    refuse<"damaged_model">(user, " needs ", size, " bytes, but its data has ", bytes.size(), " bytes");
    return {};
  }
  constexpr auto part(const table& stored, const flatbuffer::vector<std::uint64_t>& offsets, std::uint32_t index, std::uint64_t size,
                      std::string_view user) -> byte_ref {
    if (index >= offsets.size()) return missing(user, index, offsets.size());
    const auto bytes = segment(stored.scalar<std::uint32_t>(slot::subsegments::segment_index), user);
    const auto offset = offsets[index];
    if (offset <= bytes.size() && size <= bytes.size() - offset)
      return view(bytes.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(size)));
    refuse<"damaged_model">(user, " is at byte ", offset, " of its segment, ", size, " bytes long; the segment has ", bytes.size(),
                            " bytes");
    return {};
  }

  static constexpr std::uint64_t max_copies = 16;

  file_parts file_;
  std::uint64_t data_budget_ = 0;  ///< the number of bytes that `own_data` may still copy
  table root_;
  flatbuffer::vector<table> segments_;
  table constants_;
  flatbuffer::vector<std::uint64_t> constant_offsets_;
};

}  // namespace baton::pte::detail
