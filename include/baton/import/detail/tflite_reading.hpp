// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The state of reading one TFLite model: its graphs, and the limit of the work.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/detail/flatbuffer.hpp>
#include <baton/import/detail/reading_state.hpp>
#include <baton/import/detail/tflite_slots.hpp>
#include <baton/import/shared/rules.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::tflite::detail {

/// The state of reading one model.
///
/// Work and memory are bounded by the size of the file, even if many offsets refer to the same table. Each visited or created record is
/// charged to the work limit of the byte reader (about 16 per byte of the file), as `reading_state` defines. Valid files share little
/// except vtables, so they use only a small fraction of the limit.
class reading : public baton::detail::reading_state {
 public:
  constexpr explicit reading(span<const char> bytes) : reading_state(bytes), bytes_(bytes) {}

  constexpr void charge_records(std::uint64_t count) { reader.charge(cost_of_record * count); }
  constexpr void charge_attributes(std::uint64_t count) { reader.charge(cost_of_attribute * count); }
  constexpr void charge_elements(std::uint64_t count) { reader.charge(cost_of_element * count); }

  // Graphs: only the graphs that are reachable from the first requested graph, in order of discovery

  constexpr void set_graphs(const flatbuffer::vector<flatbuffer::table>& stored) {
    graphs_ = stored;
    graph_ids_.assign(stored.size(), none<graph_id>);
  }
  constexpr auto graph_count() const -> std::size_t { return numbers_.size(); }
  /// Returns the position in the file of a discovered graph.
  constexpr auto number_of(graph_id id) const -> std::uint32_t { return numbers_[index(id)]; }
  constexpr auto stored_graph(graph_id id) -> flatbuffer::table { return graphs_[numbers_[index(id)]]; }

  /// Returns the graph at position `number` in the file. If the file has no such graph, records `damaged_model` and returns `none`.
  constexpr auto find_graph(std::int64_t number) -> graph_id {
    if (number < 0 || static_cast<std::size_t>(number) >= graph_ids_.size()) {
      refuse<"damaged_model">("there is no graph ", number);
      return none<graph_id>;
    }
    auto& id = graph_ids_[static_cast<std::size_t>(number)];
    if (id == none<graph_id>) id = add_graph(static_cast<std::uint32_t>(number));
    return id;
  }

  // Texts and bytes

  constexpr auto view(std::string_view text) -> byte_ref { return view(span<const char>{text.data(), text.size()}); }
  constexpr auto view(span<const char> bytes) -> byte_ref {
    const auto size = bytes.size();
    if (size == 0) return {};
    if (size > 0xffffffffu) refuse<"unsupported_model">("a buffer has 4 GiB or more");
    return {bytes.data(), 0, static_cast<std::uint32_t>(size)};
  }
  /// Returns a view of the elements of a vector of numbers, as stored in the file.
  template <class T>
  constexpr auto packed(const flatbuffer::vector<T>& elements) -> byte_ref {
    if (elements.empty()) return {};
    return view(bytes_.subspan(elements.position(), elements.size() * sizeof(T)));
  }
  /// Returns a view of `size` bytes at the absolute position `at` of the file.
  constexpr auto file_bytes(std::uint64_t at, std::uint64_t size) -> byte_ref {
    if (at > bytes_.size() || size > bytes_.size()) {
      reader.fail();
      return {};
    }
    return view(reader.view(static_cast<std::size_t>(at), static_cast<std::size_t>(size)));
  }

  /// Returns a name that consists of a stem and a number, such as `conv_2d_1`.
  constexpr auto own_numbered(byte_ref stem, std::uint32_t number) -> byte_ref {
    auto& pool = builder.draft().bytes;
    if (stem.outside == nullptr)
      return own(join(builder.draft().text(stem), "_", number));  // the stem is in the pool, which must not be appended to itself
    const auto first = pool.size();
    append(append(append(pool, builder.draft().text(stem)), "_"), std::int64_t{number});
    charge_elements(pool.size() - first);
    return appended_since(first);
  }

  // Lists

  /// Reserves memory for the root graph. At compile time, this saves a third of the evaluation steps of the import. The reservation is
  /// limited to the size of an ordinary graph, so that a large file cannot demand much memory.
  constexpr void reserve(std::size_t tensors, std::size_t operations) {
    constexpr std::size_t max_reserved = 4096;
    tensors = std::min(tensors, max_reserved);
    operations = std::min(operations, max_reserved);
    auto& pools = builder.draft();
    pools.values.reserve(tensors);
    pools.nodes.reserve(operations);
    pools.operands.reserve(6 * operations);
    pools.attributes.reserve(7 * operations);
    pools.integers.reserve(4 * tensors);
    pools.bytes.reserve(16 * operations);
  }

  template <class To, class From>
  constexpr auto copy_to(vector<To>& pool, const flatbuffer::vector<From>& elements) -> range {
    const range copied{static_cast<std::uint32_t>(pool.size()), static_cast<std::uint32_t>(elements.size())};
    charge_elements(elements.size());
    if (!reader.ok()) return {};
    for (std::size_t i = 0; i < elements.size(); ++i) pool.push_back(static_cast<To>(elements[i]));
    return copied;
  }
  template <class T>
  constexpr auto integers(const flatbuffer::vector<T>& elements) -> range {
    return copy_to(builder.draft().integers, elements);
  }
  constexpr auto reals(const flatbuffer::vector<float>& elements) -> range { return copy_to(builder.draft().reals, elements); }

 private:
  constexpr auto add_graph(std::uint32_t number) -> graph_id {
    charge_records(1);
    const auto id = static_cast<graph_id>(numbers_.size());
    numbers_.push_back(number);
    if (index(id) != 0) {  // the builder already has graph 0
      const auto here = builder.current();
      builder.add_graph({});
      builder.enter(here);
    }
    const auto stored_name = graphs_[number].text(slot::subgraph::name);
    auto& name = builder.draft().graphs.back().name;
    if (!stored_name.empty()) {
      name = view(stored_name);
    } else if (number == 0) {
      name = program_builder::view("main");
    } else {
      name = own(join("subgraph_", number));
    }
    return id;
  }

  span<const char> bytes_;
  flatbuffer::vector<flatbuffer::table> graphs_;
  vector<graph_id> graph_ids_;     ///< indexed by position in the file; `none` if the graph is not discovered
  vector<std::uint32_t> numbers_;  ///< the position in the file, indexed by graph
};

}  // namespace baton::tflite::detail
