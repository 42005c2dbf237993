// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The processed bytes of ExecuTorch's backend for Ethos-U: the output of Vela (Arm's compiler for Ethos-U) as a list of named blocks.
// Processed bytes are the result of a backend's `preprocess`.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/shared/shortened.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/byte_reader.hpp>
#include <baton/import/shared/rules.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::pte::detail {

/// The contents of the output of Vela (a block list, see `vela_reader`).
struct vela_stream {
  /// An input or output of the commands: its size, the size of one element, and its offset in the scratch memory, in bytes.
  struct place {
    std::uint64_t bytes = 0;
    std::uint32_t element_bytes = 0;
    std::uint32_t offset = 0;
  };
  span<const char> commands{};
  span<const char> weights{};
  std::uint32_t scratch_bytes = 0;
  vector<place> inputs{};
  vector<place> outputs{};
};

/// True if processed bytes are a block list of Vela. ExecuTorch's backend for Ethos-U can also write other formats.
constexpr auto is_vela_stream(span<const char> bytes) -> bool {
  byte_reader reader{bytes};
  return bytes.size() >= 16 && reader.text(0, 15) == "vela_bin_stream";
}

/// A reader of a block list. A block consists of a name (16 bytes), the size of the data (32 bits and 12 bytes of padding), and the data.
/// The name is padded with zeros. The data is padded to a multiple of 16 bytes. The first block is `vela_bin_stream`, the last one
/// `vela_end_stream`. Source: `arm_vela.py` of ExecuTorch.
class vela_reader {
  // This member template is defined before its uses, because Clang requires it.
  template <class... Parts>
  constexpr auto damaged(Parts... reason) const -> failure {
    if (name_.empty()) return broken<"damaged_model">("block ", block_, " at byte ", at_, " ", reason...);
    return broken<"damaged_model">("block ", block_, " at byte ", at_, ", ", view(baton::shortened(name_, 16)), ", ", reason...);
  }

 public:
  constexpr explicit vela_reader(span<const char> bytes) : bytes_(bytes), reader_(bytes) {}

  /// Reads all blocks. Fails with `unsupported_model` if a block is unknown, or if an input or output is not in the scratch memory. Fails
  /// with `damaged_model` if the list is invalid. The reason states a block or record, and its offset. If the list ends with
  /// `vela_end_stream` but a required block is missing, the reason states only the name of this block. All blocks except `weight_data` are
  /// required.
  constexpr auto run() -> result<vela_stream> {
    for (block_ = 0, at_ = 0;; ++block_) {
      name_ = {};
      if (bytes_.size() - at_ < head) return damaged("is missing: the processed bytes end at byte ", bytes_.size());
      name_ = reader_.text(at_, 16);
      name_ = name_.substr(0, name_.find('\0'));
      const auto size = reader_.u32(at_ + 16);
      const auto next = std::uint64_t{at_} + head + (std::uint64_t{size} + 15) / 16 * 16;
      if (next > bytes_.size())
        return damaged("states ", size, " bytes and ends outside the processed bytes, which have ", bytes_.size(), " bytes");
      data_ = bytes_.subspan(at_ + head, size);
      const bool is_head = name_ == "vela_bin_stream";
      if (block_ == 0 && !is_head) return damaged("is not vela_bin_stream, which must be the first block");
      if (block_ != 0 && is_head) return damaged("occurs twice");
      if (name_ == "vela_end_stream") {
        if (next != bytes_.size()) return damaged("is followed by data");
        return complete();
      }
      if (block_ != 0) {
        if (auto why = read_block()) return why;
      }
      at_ = static_cast<std::size_t>(next);
    }
  }

 private:
  static constexpr std::size_t head = 32;
  static constexpr std::string_view names[] = {"cmd_data", "scratch_size", "inputs", "outputs", "weight_data"};
  enum : std::size_t { commands, scratch, inputs, outputs, weights, count };  // positions in `names`

  constexpr auto read_block() -> failure {
    // Early versions of the backend wrote the scratch memory itself, as zeros, instead of its size.
    const auto kind = name_ == "scratch_data" ? std::string_view{"scratch_size"} : name_;
    std::size_t number = 0;
    while (number < count && names[number] != kind) ++number;
    if (number == count)
      return broken<"unsupported_model">("block ", block_, " at byte ", at_, " has the unknown name ", view(baton::shortened(name_, 16)));
    if ((found_ >> number & 1u) != 0) return damaged("occurs twice");
    found_ |= 1u << number;
    if (number == commands) {
      stream_.commands = data_;
    } else if (number == scratch) {
      const bool is_size = name_ == kind;
      if (is_size && data_.size() != 4) return damaged("has ", data_.size(), " bytes instead of 4");
      stream_.scratch_bytes = is_size ? reader_.u32(at_ + head) : static_cast<std::uint32_t>(data_.size());
      if (stream_.scratch_bytes > 0x7fffffffu)
        return damaged("states a scratch of ", stream_.scratch_bytes, " bytes; the maximum is ", 0x7fffffff);
    } else if (number == weights) {
      stream_.weights = data_;
    } else {
      return read_places(number == inputs ? stream_.inputs : stream_.outputs);
    }
    return {};
  }

  /// Reads a list of inputs or outputs. The block with the scratch size must precede the list. The list consists of a count, then records
  /// of nine 32-bit numbers: six sizes, the bytes per element, the offset, and the base address. The base address is a number that states
  /// the memory; 1 is the scratch memory.
  constexpr auto read_places(vector<vela_stream::place>& list) -> failure {
    constexpr std::size_t record = 36;
    constexpr std::int32_t scratch_base = 1;
    const auto begin = at_ + head;
    const auto records = data_.size() < 4 ? 0u : reader_.u32(begin);
    if (data_.size() < 4 || (data_.size() - 4) % record != 0 || records != (data_.size() - 4) / record)
      return damaged("states ", records, " records in ", data_.size(), " bytes; a record has 36 bytes");
    for (std::size_t i = 0; i < records; ++i) {
      const auto first = begin + 4 + record * i;
      const auto element = reader_.i32(first + 24), offset = reader_.i32(first + 28), base = reader_.i32(first + 32);
      auto bytes = static_cast<std::uint64_t>(element);
      bool is_valid = element > 0 && element <= 8 && offset >= 0;
      for (std::size_t d = 0; d < 6; ++d) {
        const auto size = reader_.i32(first + 4 * d);
        is_valid = is_valid && size >= 0 && bytes <= 0x7fffffffu;
        if (is_valid) bytes *= static_cast<std::uint64_t>(size);
      }
      if (!is_valid) return damaged("has an invalid number in record ", i, " at byte ", first);
      if (static_cast<std::uint64_t>(offset) + bytes > stream_.scratch_bytes) {
        return damaged("has ", bytes, " bytes at offset ", offset, " of a scratch of ", stream_.scratch_bytes, " bytes in record ", i,
                       " at byte ", first);
      }
      if (base != scratch_base)
        return broken<"unsupported_model">("record ", i, " at byte ", first, " has the base address ", base, "; only ", scratch_base,
                                           ", the scratch, is supported");
      list.push_back({bytes, static_cast<std::uint32_t>(element), static_cast<std::uint32_t>(offset)});
    }
    return {};
  }

  constexpr auto complete() -> result<vela_stream> {
    for (std::size_t i = 0; i < count; ++i) {
      if (i != weights && (found_ >> i & 1u) == 0) return broken<"damaged_model">("there is no block ", names[i]);
    }
    return stream_;
  }

  span<const char> bytes_;
  byte_reader reader_;
  vela_stream stream_;
  std::size_t block_ = 0;
  std::size_t at_ = 0;  ///< the offset of the current block, in bytes
  std::string_view name_{};
  span<const char> data_{};
  std::uint32_t found_ = 0;  ///< bit i is set if block `names[i]` has been read
};

}  // namespace baton::pte::detail
