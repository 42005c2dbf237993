// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Copies records of one program into the builder of another program. Used to extract parts, and to assemble programs from parts. A part is
// the nodes of a graph that become one delegate.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/bytes.hpp>
#include <baton/core/shared/pools.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>

#include <cstddef>
#include <cstdint>

namespace baton {

/// `copied`: `program_copier` copies the texts and bytes of the source program to the target program. `kept`: the target refers to the
/// texts and bytes of the source. Use `kept` only if the source outlives the target, for example because the source is a constant.
enum class source_bytes : bool { copied, kept };

/// A copier of values, nodes and whole graphs from one program (the source) into the current graph of a builder (the target). The copier
/// records the copy of each value. Bytes outside the source program (`byte_ref::outside`) are not copied; the target also refers to them.
/// Delegation tags are not copied, because they apply only to the source. Nodes with the same tag become one delegate.
class program_copier {
 public:
  constexpr program_copier(const program_view& from, program_builder& to, source_bytes bytes = source_bytes::copied)
      : from_(from),
        to_(to),
        bytes_(bytes),
        values_(from.values.size(), none<value_id>),
        graphs_(from.graphs.size(), none<graph_id>),
        delegates_(from.delegates.size(), none<delegate_id>) {
    define_operators();
  }

  /// Discards the recorded copies of graphs, lowered modules and scratch. A lowered module is a part after a backend's `preprocess`;
  /// scratch is working memory of a custom operator. Call this function after the target has been emptied. The recorded copies of all
  /// values other than scratch remain, but are stale until these values are copied again.
  constexpr void reset() {
    for (const auto id : copied_graphs_) graphs_[index(id)] = none<graph_id>;
    for (const auto id : copied_delegates_) delegates_[index(id)] = none<delegate_id>;
    for (const auto id : copied_scratch_) values_[index(id)] = none<value_id>;
    define_operators();
    copied_graphs_.clear();
    copied_delegates_.clear();
    copied_scratch_.clear();
  }

  /// Copies text or bytes of the source, and returns a reference that is valid in the target. With `source_bytes::kept`, or if the bytes
  /// are outside the source program, returns a reference to the original bytes.
  constexpr auto copy(byte_ref ref) -> byte_ref {
    if (ref.outside != nullptr) return ref;
    return bytes_ == source_bytes::kept ? program_builder::view(from_.text(ref)) : to_.own(from_.text(ref));
  }

  /// Returns the copy of a value, or `none` if the value was not copied.
  constexpr auto copy_of(value_id id) const -> value_id { return id == none<value_id> ? id : values_[index(id)]; }
  /// Records `by`, an existing value of the target, as the copy of `id`.
  constexpr void replace(value_id id, value_id by) { values_[index(id)] = by; }
  /// Sets the data of the future copy of `id` to `data`, which the target already contains. The data of `id` is then not copied.
  constexpr void set_data(value_id id, byte_ref data) {
    given_.resize(values_.size(), npos);
    given_[index(id)] = static_cast<std::uint32_t>(given_data_.size());
    given_data_.push_back(data);
  }

  /// Returns a copy of the record of a value, with references that are valid in the target. The texts and data are copied as by `copy`. The
  /// copy has no tag and the default `sharing`. The caller may change the copy before adding it to the target.
  constexpr auto record_of(value_id id) -> value {
    auto record = from_[id];
    record.name = copy(record.name);
    record.shape = to_.integers(from_.integer_list(record.shape));
    record.quant.scales = copy(record.quant.scales);
    record.quant.zero_points = copy(record.quant.zero_points);
    record.data = data_of(id);
    record.target = copy(record.target);
    record.tag = none<tag_id>;
    record.sharing = value{}.sharing;
    return record;
  }
  /// Copies a value into the current graph, and returns the copy.
  constexpr auto copy_value(value_id id) -> value_id { return values_[index(id)] = to_.add_value(record_of(id)); }
  /// Same as `copy_value`, but the copy also becomes a placeholder of the current graph: an input, parameter, buffer or constant.
  constexpr auto copy_input(value_id id) -> value_id { return values_[index(id)] = to_.add_input(record_of(id)); }

  /// Copies a node with its scratch, its outputs and its delegate. Operands other than scratch must have been copied before. Calls
  /// `copy_subgraph(id)` for each subgraph of the node. This function must copy the subgraph and return the id of the copy.
  template <class CopyGraph>
  constexpr void copy_node(node_id id, CopyGraph&& copy_subgraph) {
    const auto& source = from_[id];
    const auto here = to_.current();
    vector<graph_id> inner;
    for (const auto g : from_.subgraphs_of(source)) inner.push_back(copy_subgraph(g));
    const auto delegate = source.delegate == none<delegate_id> ? source.delegate : copy_own_delegate(source.delegate);
    to_.enter(here);
    auto record = source;
    record.name = copy(source.name);
    record.target = copy(source.target);
    record.tag = none<tag_id>;
    record.delegate = delegate;
    record.subgraphs = {};
    record.attributes = {};
    record.folded_handles = to_.integers(from_.folded_handles(source));
    copy_scratch(from_.inputs(source));
    const auto inputs = mapped(from_.inputs(source));
    for (const auto output : from_.outputs_of(source)) copy_value(output);
    to_.add_node(record, inputs, mapped(from_.outputs_of(source)));
    if (!inner.empty()) to_.set_subgraphs(inner);
    for (const auto& literal : from_.attributes_of(source)) {
      auto copied = literal;
      copied.name = copy(literal.name);
      copied.bytes = copy(literal.bytes);
      copied.list =
          literal.kind == attribute_kind::reals ? to_.reals(from_.real_list(literal.list)) : to_.integers(from_.integer_list(literal.list));
      to_.add_attribute(copied);
    }
  }

  /// Same as the overload above, but copies each subgraph unchanged.
  constexpr void copy_node(node_id id) {
    copy_node(id, [this](graph_id subgraph) { return copy_graph(subgraph); });
  }

  // Templates are defined before their uses, because Clang does not evaluate them otherwise.

  /// Copies the inputs, nodes and outputs of a graph into the current graph. Calls `copy_one(id)` for each node. This function must copy
  /// the node.
  template <class CopyNode>
  constexpr void copy_into(graph_id id, CopyNode&& copy_one) {
    const auto into = to_.current();
    const auto& source = from_[id];
    for (const auto input : from_.inputs(source)) copy_input(input);
    for (std::uint32_t n = source.nodes.first; n < source.nodes.first + source.nodes.size; ++n) copy_one(static_cast<node_id>(n));
    to_.enter(into);
    for (const auto& spec : from_.outputs_of(source)) to_.add_output({spec.kind, copy_of(spec.value), copy(spec.target)});
  }
  /// Same as the overload above, but copies each node unchanged.
  constexpr void copy_into(graph_id id) {
    copy_into(id, [this](node_id node) { copy_node(node); });
  }

  /// Copies a graph and everything that it contains into a new graph of the target, and returns the id of the copy. Calls `copy_one(id)`
  /// for each node. This function must copy the node. If the graph was copied before, returns the id of the existing copy.
  template <class CopyNode>
  constexpr auto copy_graph(graph_id id, CopyNode&& copy_one) -> graph_id {
    auto& copied = graphs_[index(id)];
    if (copied != none<graph_id>) return copied;
    copied = to_.add_graph(from_.text(from_[id].name));
    copied_graphs_.push_back(id);
    const auto added = copied;
    copy_into(id, copy_one);
    return added;
  }
  /// Same as the overload above, but copies each node unchanged.
  constexpr auto copy_graph(graph_id id) -> graph_id {
    return copy_graph(id, [this](node_id node) { copy_node(node); });
  }

  /// Copies a lowered module of the program `source`, together with its original graph (the graph from which it was lowered). After the
  /// call, the copy of the original graph is the current graph of the target. `data` refers to bytes that the target already contains. In
  /// the copy, input `i` of the original graph uses `data[i]`, so the bytes of the input are not copied.
  constexpr auto copy_delegate(const program_view& source, delegate_id id, span<const byte_ref> data = {}) -> delegate_id {
    program_copier inner(source, to_, bytes_);
    auto record = source[id];
    for (std::size_t i = 0; i < data.size(); ++i) inner.set_data(source.inputs(source[record.original])[i], data[i]);
    record.original = inner.copy_graph(record.original);
    record.name = inner.copy(record.name);
    record.backend_id = inner.copy(record.backend_id);
    record.processed_bytes = inner.copy(record.processed_bytes);
    record.compile_specs = inner.copy_compile_specs(record.compile_specs);
    record.debug_map = inner.copy_mapping(record.debug_map);
    record.named_data = inner.copy_named_data(record.named_data);
    record.info = inner.copy(record.info);
    record.packing = to_.integers(source.integer_list(record.packing));
    return static_cast<delegate_id>(add_to(to_.draft().delegates, record));
  }
  /// Copies a range of the source's compile specs (key-value pairs for a backend's `preprocess`), and returns the range of the copies.
  constexpr auto copy_compile_specs(range records) -> range {
    vector<compile_spec_ref> specs;
    for (const auto& spec : span{from_.compile_specs}.subspan(records.first, records.size))
      specs.push_back({copy(spec.key), copy(spec.value)});
    return add_to(to_.draft().compile_specs, span<const compile_spec_ref>{specs});
  }

 private:
  /// Copies the references to the operator definitions and to the dialect from the source to the target. A dialect is the operators and
  /// conventions of a format. A reference that the target already has is not replaced.
  constexpr void define_operators() {
    if (to_.draft().operators.empty()) to_.define(from_.operators);
    if (to_.draft().dialect == nullptr && from_.dialect != nullptr) to_.set_dialect(*from_.dialect);
  }
  constexpr auto data_of(value_id id) -> byte_ref {
    const bool has_data = index(id) < given_.size() && given_[index(id)] != npos;
    return has_data ? given_data_[given_[index(id)]] : copy(from_[id].data);
  }
  /// Copies a lowered module of the source. A module that several nodes call is copied only once.
  constexpr auto copy_own_delegate(delegate_id id) -> delegate_id {
    auto& copied = delegates_[index(id)];
    if (copied == none<delegate_id>) {
      copied = copy_delegate(from_, id);
      copied_delegates_.push_back(id);
    }
    return copied;
  }
  /// Copies the scratch values in `operands` that have not been copied yet. A scratch value has no producer, so it is copied at its first
  /// use.
  constexpr void copy_scratch(span<const value_id> operands) {
    for (const auto id : operands) {
      if (id == none<value_id> || from_[id].kind != value_kind::scratch || values_[index(id)] != none<value_id>) continue;
      copy_value(id);
      copied_scratch_.push_back(id);
    }
  }
  constexpr auto mapped(span<const value_id> ids) const -> vector<value_id> {
    vector<value_id> copies;
    copies.reserve(ids.size());
    for (const auto id : ids) copies.push_back(copy_of(id));
    return copies;
  }
  /// If an entry of the target's named data, or of `latest`, has bytes equal to `data`, returns a reference to these bytes. Otherwise,
  /// copies `data` and returns a reference to the copy. Named data are bytes that delegates look up by key. `latest` contains the entries
  /// that are about to be added to the target.
  constexpr auto copy_named_bytes(byte_ref data, const vector<named_data_ref>& latest) -> byte_ref {
    const auto& target = to_.draft();
    for (const auto& entry : target.named_data) {
      if (same_bytes(program_view(target).data(entry.data), from_.data(data))) return entry.data;
    }
    for (const auto& entry : latest) {
      if (same_bytes(program_view(target).data(entry.data), from_.data(data))) return entry.data;
    }
    return copy(data);
  }
  constexpr auto copy_named_data(range records) -> range {
    vector<named_data_ref> entries;
    for (auto entry : span{from_.named_data}.subspan(records.first, records.size)) {
      entry.key = copy(entry.key);
      entry.data = copy_named_bytes(entry.data, entries);
      entry.external_tag = copy(entry.external_tag);
      entry.sizes = to_.integers(from_.integer_list(entry.sizes));
      entry.dim_order = to_.integers(from_.integer_list(entry.dim_order));
      entries.push_back(entry);
    }
    return add_to(to_.draft().named_data, span<const named_data_ref>{entries});
  }
  constexpr auto copy_mapping(range records) -> range {
    vector<lowered_module_ref::mapping_entry> entries;
    for (auto entry : span{from_.mappings}.subspan(records.first, records.size)) {
      entry.text = copy(entry.text);
      entry.handles = to_.integers(from_.integer_list(entry.handles));
      entries.push_back(entry);
    }
    return add_to(to_.draft().mappings, span<const lowered_module_ref::mapping_entry>{entries});
  }

  program_view from_;
  program_builder& to_;
  source_bytes bytes_;
  vector<value_id> values_;
  vector<graph_id> graphs_;
  vector<delegate_id> delegates_;
  vector<graph_id> copied_graphs_;
  vector<delegate_id> copied_delegates_;
  vector<value_id> copied_scratch_;
  vector<std::uint32_t> given_;  ///< indexed by value: the position in `given_data_` of the data of the value's copy, or `npos`
  vector<byte_ref> given_data_;
};

}  // namespace baton
