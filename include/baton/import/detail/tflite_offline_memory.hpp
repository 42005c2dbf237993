// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The arena offsets that another compiler assigned to the tensors of a TFLite model: the metadata `OfflineMemoryAllocation`.
#pragma once

#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/byte_reader.hpp>
#include <baton/import/detail/flatbuffer.hpp>
#include <baton/import/detail/tflite_slots.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton::tflite::detail {

/// The offsets of tensors in an arena. The metadata consists of 32-bit integers: a version, a number of graphs, the number of offsets, then
/// the offsets, graph by graph in tensor order. The version and the number of graphs are ignored. A tensor with the offset -1 has no
/// assigned offset (source: TensorFlow Lite Micro, `memory_management.md`). If the model has several entries with this metadata name, the
/// last entry is used, as in TensorFlow Lite Micro.
///
/// The metadata is read with a separate `byte_reader`. So damaged metadata is ignored and is not an error of the model. Reading the
/// metadata does not reduce the work limit of the model's reader.
class offline_memory {
 public:
  using table = flatbuffer::table;
  static constexpr std::int64_t no_offset = -1;

  /// Reads the metadata `OfflineMemoryAllocation`, if the model has it.
  constexpr void find(span<const char> bytes) {
    byte_reader reader(bytes);
    const auto model = flatbuffer::root(reader);
    const auto stored = find_bytes(bytes, model);
    if (stored.size() < header) return;
    const auto count = word(stored, 2);
    if (count == 0 || count > (stored.size() - header) / 4) return;
    const auto graphs = model.elements<table>(slot::model::subgraphs);
    vector<std::uint64_t> firsts;
    for (std::size_t g = 0, first = 0; g < graphs.size() && reader.ok(); ++g) {
      firsts.push_back(first);
      first += graphs[g].elements<table>(slot::subgraph::tensors).size();
    }
    if (!reader.ok()) return;
    stored_ = stored;
    firsts_ = std::move(firsts);
    count_ = count;
  }

  constexpr auto is_present() const -> bool { return count_ != 0; }
  /// Returns the offset of a tensor, or `no_offset`. `graph` and `tensor` are positions in the file.
  constexpr auto offset_of(std::uint32_t graph, std::uint32_t tensor) const -> std::int64_t {
    const auto at = firsts_[graph] + tensor;
    return at < count_ ? static_cast<std::int32_t>(word(stored_, 3 + static_cast<std::size_t>(at))) : no_offset;
  }

 private:
  static constexpr std::size_t header = 12;

  static constexpr auto find_bytes(span<const char> file, const table& model) -> span<const char> {
    const auto buffers = model.elements<table>(slot::model::buffers);
    const auto all = model.elements<table>(slot::model::metadata);
    span<const char> bytes;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].text(slot::metadata::name) != "OfflineMemoryAllocation") continue;
      const auto buffer = buffers[all[i].scalar<std::uint32_t>(slot::metadata::buffer)];
      bytes = buffer.bytes(slot::buffer::data);
      const auto at = buffer.scalar<std::uint64_t>(slot::buffer::offset), size = buffer.scalar<std::uint64_t>(slot::buffer::size);
      if (at <= 1) continue;
      bytes = {};
      if (at <= file.size() && size <= file.size() - at) bytes = file.subspan(static_cast<std::size_t>(at), static_cast<std::size_t>(size));
    }
    return bytes;
  }
  static constexpr auto word(span<const char> bytes, std::size_t i) -> std::uint32_t { return byte_reader(bytes).u32(4 * i); }

  span<const char> stored_;
  vector<std::uint64_t> firsts_;  ///< the number of tensors of all previous graphs, indexed by graph
  std::uint32_t count_ = 0;       ///< the number of offsets; 0 if there is no valid metadata
};

}  // namespace baton::tflite::detail
