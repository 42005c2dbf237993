// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Where a compiler before us placed the tensors of a TFLite model: the metadata `OfflineMemoryAllocation`.
#pragma once

#include <baton/import/detail/flatbuffer.hpp>
#include <baton/import/detail/tflite_slots.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::tflite::detail {

/// The offsets of tensors in an arena. The metadata holds integers of 32 bits: a version and a number of graphs, which nobody reads, how
/// many offsets follow, and those, graph by graph in the order of tensors; -1 is a tensor that has none (source: TensorFlow Lite Micro,
/// `memory_management.md`).
class offline_memory {
 public:
  using table = flatbuffer::table;
  static constexpr std::int64_t nowhere = -1;

  /// Looks for the metadata of a model.
  constexpr void find(const table& model, const flatbuffer::vector<table>& buffers) {
    const auto all = model.elements<table>(slot::model::metadata);
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].text(slot::metadata::name) != "OfflineMemoryAllocation") continue;
      const auto number = all[i].scalar<std::uint32_t>(slot::metadata::buffer);
      stored_ = buffers[number].elements<std::uint8_t>(slot::buffer::data);
    }
    if (stored_.size() < header) return;
    const auto count = static_cast<std::uint32_t>(word(2));
    if (count <= (stored_.size() - header) / 4) count_ = count;
  }

  constexpr auto is_there() const -> bool { return count_ != 0; }
  /// The offset of a tensor; `first` is how many tensors the graphs before its own have.
  constexpr auto offset_of(std::uint64_t first, std::uint32_t tensor) const -> std::int64_t {
    const auto at = first + tensor;
    return at < count_ ? word(3 + static_cast<std::size_t>(at)) : nowhere;
  }

 private:
  static constexpr std::size_t header = 12;

  constexpr auto word(std::size_t i) const -> std::int32_t {
    std::uint32_t bits = 0;
    for (std::size_t byte = 4; byte-- > 0;) bits = bits << 8 | stored_[4 * i + byte];
    return static_cast<std::int32_t>(bits);
  }

  flatbuffer::vector<std::uint8_t> stored_;
  std::uint32_t count_ = 0;
};

}  // namespace baton::tflite::detail
