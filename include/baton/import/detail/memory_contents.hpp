// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The tensors in planned memory. A tensor that no instruction writes is a view of the tensor that was last written to the same range.
#pragma once

#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::detail {

/// A range of a memory area, in bytes. `offset` + `size` must not exceed 2^64.
struct memory_range {
  std::uint32_t area = 0;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;

  /// True if two ranges have a byte in common. False if one of the ranges is empty.
  constexpr auto overlaps(const memory_range& other) const -> bool {
    return area == other.area && size != 0 && other.size != 0 &&
           (offset < other.offset ? other.offset - offset < size : offset - other.offset < other.size);
  }
};

/// The tensors whose elements are still in memory, in order of their writes. A write removes every tensor that it overlaps. An exporter
/// that plans memory may omit a view operator. Then the output of the view operator has the same range as the operand, and no instruction
/// writes the output. `find` returns the operand.
class memory_contents {
 public:
  /// A tensor in memory. `location` is the index of the tensor in the file.
  struct tensor {
    memory_range range;
    dtype type = dtype::float32;
    std::uint32_t location = 0;
  };

  /// Removes the tensors that a write to `written` overlaps.
  constexpr void remove(const memory_range& written) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < tensors_.size(); ++i) {
      if (tensors_[i].range.overlaps(written)) continue;
      if (kept != i) tensors_[kept] = tensors_[i];
      ++kept;
    }
    if (kept != tensors_.size()) tensors_.resize(kept, tensor{});
  }
  /// Records that a tensor was written.
  constexpr void write(const tensor& written) {
    remove(written.range);
    tensors_.push_back(written);
  }
  /// Returns the `location` of the last written tensor that has exactly this range and dtype, or `npos` if no tensor has both.
  constexpr auto find(const memory_range& range, dtype type) const -> std::uint32_t {
    for (std::size_t i = tensors_.size(); i-- > 0;) {
      const auto& each = tensors_[i];
      if (each.range.area == range.area && each.range.offset == range.offset && each.range.size == range.size && each.type == type)
        return each.location;
    }
    return npos;
  }
  constexpr auto size() const -> std::size_t { return tensors_.size(); }

 private:
  vector<tensor> tensors_;
};

}  // namespace baton::detail
