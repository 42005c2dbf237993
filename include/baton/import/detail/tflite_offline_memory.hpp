// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Where a compiler before us placed the tensors of a TFLite model: the metadata `OfflineMemoryAllocation`.
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

/// The offsets of tensors in an arena. The metadata holds integers of 32 bits: a version and a number of graphs, which nobody reads, how
/// many offsets follow, and those, graph by graph in the order of tensors; -1 is a tensor that has none (source: TensorFlow Lite Micro,
/// `memory_management.md`). Of several such metadata the last counts, as there.
///
/// It reads with a reader of its own: a model whose metadata is damaged is no worse than one that has none, and the budget, which bounds
/// the work, is no less than it would be.
class offline_memory {
 public:
  using table = flatbuffer::table;
  static constexpr std::int64_t nowhere = -1;

  /// Looks for the metadata of a model.
  constexpr void find(span<const char> bytes) {
    byte_reader reader(bytes);
    const auto model = flatbuffer::root(reader);
    const auto stored = stored_in(model);
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

  constexpr auto is_there() const -> bool { return count_ != 0; }
  /// The offset of a tensor of a graph, both by their positions in the file.
  constexpr auto offset_of(std::uint32_t graph, std::uint32_t tensor) const -> std::int64_t {
    const auto at = firsts_[graph] + tensor;
    return at < count_ ? static_cast<std::int32_t>(word(stored_, 3 + static_cast<std::size_t>(at))) : nowhere;
  }

 private:
  static constexpr std::size_t header = 12;

  static constexpr auto stored_in(const table& model) -> span<const char> {
    const auto buffers = model.elements<table>(slot::model::buffers);
    const auto all = model.elements<table>(slot::model::metadata);
    span<const char> found;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].text(slot::metadata::name) != "OfflineMemoryAllocation") continue;
      found = buffers[all[i].scalar<std::uint32_t>(slot::metadata::buffer)].bytes(slot::buffer::data);
    }
    return found;
  }
  static constexpr auto word(span<const char> bytes, std::size_t i) -> std::uint32_t { return byte_reader(bytes).u32(4 * i); }

  span<const char> stored_;
  vector<std::uint64_t> firsts_;  ///< by graph: how many tensors those before it have
  std::uint32_t count_ = 0;
};

}  // namespace baton::tflite::detail
