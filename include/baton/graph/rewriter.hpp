// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Changes individual nodes and values of a program.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/named_literal.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/byte_recipe.hpp>
#include <baton/core/shared/pools.hpp>
#include <baton/core/shared/states.hpp>
#include <baton/core/span.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/graph/def_use.hpp>
#include <baton/graph/detail/compaction.hpp>
#include <baton/graph/detail/debug_handle_transfer.hpp>
#include <baton/graph/program_reader.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <utility>

namespace baton {

/// A node to be inserted. A debug handle is the number that identifies a node of the model; nodes with the same tag become one delegate.
/// The rewriter copies all texts and lists. The pools are the flat arrays of a program. The texts and lists in `literals` must not be in
/// the pools of the changed program. The insertion may reallocate these pools before it copies `literals`. The other texts and lists may be
/// in the pools.
struct new_node {
  std::string_view name;
  std::string_view op;
  span<const value_id> inputs{};
  span<const value_id> outputs{};
  span<const named_literal> literals{};
  node_id attributes_of = none<node_id>;  ///< the node whose attributes and subgraphs the new node gets; `literals` replace or add
                                          ///< attributes
  node_id handle_of = none<node_id>;      ///< the node whose debug handle the new node gets; by default, a new debug handle
  node_id tag_of = none<node_id>;         ///< the node whose tag the new node gets; by default, no tag
};

/// A program that is being changed. Records keep their positions until `finish`, so ids remain valid. Tags, delegates, names, quantization,
/// states and subgraphs are kept. If there are no changes, `finish` returns an equal program. The graphs of a lowered module are never
/// changed, because a backend's `preprocess` has computed the processed bytes of the module from these graphs.
/// The cost of replacing all uses of a value does not depend on the number of uses. `finish` is O(size of the program). The rewriter checks
/// nothing, because `verify` runs after every pass.
/// The debug handles of an erased node become folded handles of another node, the owner. The owner is the node into which the erased node
/// was folded. If there is no such node, the owner is the node that produces the replacement of an output of the erased node. If there is
/// no such node either, the owner is the first node that used an output of the erased node.
/// `HasEffects` returns whether a node must be kept even if its outputs are unused. It is a template parameter, because the headers in
/// `graph/` do not include operator definitions. `baton::rewriter` supplies the argument.
template <auto (*HasEffects)(const program_view& program, const node& record)->bool>
class basic_rewriter {
 public:
  constexpr explicit basic_rewriter(const program_view& source)
      : program_(thaw(source)),
        source_bytes_(source.bytes),
        uses_(source.values.size(), 0),
        outputs_(source.values.size(), 0) {
    changes_.producer = producers_of(source);
    changes_.replacement.assign(source.values.size(), none<value_id>);
    changes_.dropped.assign(source.values.size(), 0);
    changes_.erased.assign(source.nodes.size(), 0);
    changes_.folded_into.assign(source.nodes.size(), none<node_id>);
    if (!source.delegates.empty()) modules_ = modules_of_graphs(source);
    for (const auto& record : source.nodes) use_inputs(record);
    for (const auto& graph : source.graphs) {
      for (const auto& spec : source.outputs_of(graph)) {
        uses_[spec.value] += 1;
        outputs_[spec.value] += 1;
      }
    }
  }

  // Queries

  /// Returns a reader of the records. The reader remains valid if nodes and values are inserted. Replacements do not update the operands in
  /// the records; `input` returns the operand after replacements.
  constexpr auto program() const -> program_reader { return program_reader{program_}; }
  /// Returns the record of a node or value. Costs the compiler fewer constexpr steps than access through `program()`.
  constexpr auto operator[](node_id id) const -> const node& { return program_.nodes[static_cast<std::size_t>(id)]; }
  constexpr auto operator[](value_id id) const -> const value& { return program_.values[static_cast<std::size_t>(id)]; }
  /// Returns the nodes of the source program, graph by graph in order, including erased nodes. Inserted nodes, and nodes of lowered
  /// modules, are not included.
  constexpr auto nodes() const -> vector<node_id> {
    vector<node_id> ids;
    for (std::uint32_t g = 0; g < program_.graphs.size(); ++g) {
      if (!modules_.empty() && modules_[g] != none<delegate_id>) continue;
      const auto node_range = program_.graphs[g].nodes;
      for (auto n = node_range.first; n < node_range.first + node_range.size; ++n) ids.push_back(static_cast<node_id>(n));
    }
    return ids;
  }
  constexpr auto is_erased(node_id id) const -> bool { return changes_.erased[id] != 0; }
  /// Returns operand `at` of the node `user`, or `none` if this operand is omitted or the node has fewer operands.
  constexpr auto input(node_id user, std::uint32_t at) -> value_id {
    const auto inputs = program_[user].inputs;
    return at < inputs.size ? current(program_.operands[inputs.first + at]) : none<value_id>;
  }
  /// Returns the only output of a node, or `none` if the node has no output or several outputs.
  constexpr auto output(node_id producer) const -> value_id {
    const auto outputs = program_[producer].outputs;
    return outputs.size == 1 ? program_.operands[outputs.first] : none<value_id>;
  }
  /// Returns the producer of a value, or `none` if the value is an input, parameter, buffer, constant or scratch (working memory).
  constexpr auto producer_of(value_id id) const -> node_id { return id == none<value_id> ? none<node_id> : changes_.producer[id]; }
  /// Returns the number of uses of a value, as an operand or as an output of its graph.
  constexpr auto uses_of(value_id id) const -> std::uint32_t { return uses_[id]; }
  /// True if a value is an output of its graph, or the new value of a mutable buffer.
  constexpr auto is_output(value_id id) const -> bool { return outputs_[id] != 0; }

  /// True if a function of this class has changed the program.
  constexpr auto is_changed() const -> bool { return is_changed_; }

  // Changes

  /// Replaces all present and future uses of `id` by `by`, both as an operand and as a graph output. `by` must belong to the same graph,
  /// and must be computed before the first use of `id`. If the uses of `id` have been replaced before, this function has no effect.
  constexpr void replace_uses(value_id id, value_id by) {
    by = current(by);
    if (by == id || changes_.replacement[id] != none<value_id>) return;
    changes_.replacement[id] = by;
    uses_[by] += std::exchange(uses_[id], 0);
    outputs_[by] += std::exchange(outputs_[id], 0);
    unused_.push_back(id);
    is_changed_ = true;
  }
  /// Makes the producer of `from` produce `to`, and replaces all uses of `from` by `to`. The previous producer of `to` must have been
  /// erased. Use this function to keep the name of a graph output.
  constexpr void move_result(value_id from, value_id to) {
    const auto producer = producer_of(from);
    auto& outputs = program_.nodes[producer].outputs;
    outputs = append_copy(program_.operands, outputs);
    for (auto& output : span{program_.operands}.subspan(outputs.first, outputs.size)) output = output == from ? to : output;
    changes_.producer[to] = producer;
    changes_.producer[from] = none<node_id>;
    changes_.dropped[from] = 1;
    replace_uses(from, to);
  }
  /// Replaces operand `at` of the node `user` by `to`. If the producer of the previous operand is erased, before or after this call, the
  /// debug handles of the producer move to `user`.
  constexpr void set_input(node_id user, std::uint32_t at, value_id to) {
    const auto before = input(user, at);
    if (const auto producer = producer_of(before); producer != none<node_id>) changes_.folded_into[producer] = user;
    release(before);
    use(current(to));
    auto& inputs = program_.nodes[user].inputs;
    inputs = append_copy(program_.operands, inputs);
    program_.operands[inputs.first + at] = to;
    is_changed_ = true;
  }
  /// Sets an attribute of a node. If the node already has an attribute with the name of `literal`, replaces it.
  constexpr void set_attribute(node_id id, const named_literal& literal) {
    const auto added = own_attribute(program_, literal);
    auto& attributes = program_.nodes[id].attributes;
    attributes = append_copy(program_.attributes, attributes);
    bool is_replaced = false;
    for (auto& record : span{program_.attributes}.subspan(attributes.first, attributes.size)) {
      if (record.key != added.key) continue;
      record = added;
      is_replaced = true;
    }
    if (!is_replaced) {
      add_to(program_.attributes, added);
      attributes.size += 1;
    }
    is_changed_ = true;
  }

  /// Erases a node. If an output of this node still has a use when `finish` is called, `finish` returns an invalid program. An operand
  /// without other uses is also erased if it is scratch, a parameter, a constant or an immutable buffer. If an operand was the last used
  /// output of a node without effects, that node is also erased.
  /// If `owner` is set, the debug handles of the node become folded handles of `owner`.
  constexpr void erase(node_id id, node_id owner = none<node_id>) {
    if (owner != none<node_id>) changes_.folded_into[id] = owner;
    if (changes_.erased[id] != 0) return;
    changes_.erased[id] = 1;
    const auto inputs = program_[id].inputs;
    for (std::uint32_t i = 0; i < inputs.size; ++i) release(input(id, i));
    is_changed_ = true;
  }
  /// Erases scratch, parameters, constants, immutable buffers, and nodes without effects, if they are unused. A node is unused if none of
  /// its outputs has a use. Nodes that call graphs are treated like other nodes.
  constexpr void erase_dead() {
    for (std::uint32_t v = 0; v < uses_.size(); ++v) {
      if (uses_[v] == 0 && is_rewritable(program_.values[v].graph)) unused_.push_back(static_cast<value_id>(v));
    }
  }
  /// Turns the only output of a node into a constant with the bytes `data`, and erases the node. The name of the value does not change.
  constexpr void replace_by_constant(node_id id, byte_ref data) {
    const auto result = output(id);
    auto& record = program_.values[result];
    record.kind = value_kind::constant;
    record.data = data;
    record.target = record.name;
    changes_.producer[result] = none<node_id>;
    changes_.new_inputs.push_back(result);
    unused_.push_back(result);
    erase(id);
  }

  /// Copies text or bytes into the program, and returns a reference to the copy.
  constexpr auto own(std::string_view text) -> byte_ref { return own_bytes(program_, text); }
  /// Adds the bytes that `recipe` computes from `source`, and returns a reference to them. A recipe permutes elements, or inverts bits. The
  /// reference is empty if the size of `source` differs from `recipe.size()`, or is 0. If `when` is `deferred`, the source program must be
  /// a static program, because its bytes are read later. Data of at least `min_deferred_size` bytes may then remain uncomputed (deferred)
  /// until the changed program is stored as a constant. To read deferred data earlier, call `settle`.
  constexpr auto derive(const byte_recipe& recipe, byte_ref source, byte_recipe::timing when = byte_recipe::timing::at_once) -> byte_ref {
    const auto size = recipe.size();
    if (source.size != size || size == 0) return {};
    if (byte_recipe::is_deferred(source)) {
      const auto both = recipe.after(recipes_[source.first]);
      if (when == byte_recipe::timing::deferred && both.width != 0) return defer(both);
      source = settle(source);
    }
    auto sourced = recipe;
    // Bytes that the rewriter added have no permanent address, because the byte pool may be reallocated.
    const bool is_permanent = source.outside != nullptr || source.first + size <= source_bytes_.size();
    const bool is_deferred = when == byte_recipe::timing::deferred && is_permanent && size >= byte_recipe::min_deferred_size;
    sourced.source = source.outside != nullptr || !is_deferred ? source.outside : source_bytes_.data() + source.first;
    return is_deferred ? defer(sourced) : compute(sourced, source);
  }
  /// Returns readable bytes: computes deferred data, and returns other data unchanged.
  constexpr auto settle(byte_ref data) -> byte_ref { return byte_recipe::is_deferred(data) ? compute(recipes_[data.first], data) : data; }
  /// Copies numbers into the program, for example a shape, and returns their range.
  constexpr auto own(span<const std::int64_t> numbers) -> range { return add_to(program_.integers, numbers); }
  /// Adds a value to a graph. The caller must insert a node with this value as an output.
  constexpr auto add_value(graph_id graph, std::string_view name, const tensor_type& type) -> value_id {
    auto record = own_value(program_, name, type, value_kind::intermediate);
    record.graph = graph;
    return add(record);
  }
  /// Adds a constant to a graph.
  constexpr auto add_constant(graph_id graph, std::string_view name, const tensor_type& type, std::string_view data) -> value_id {
    const auto id = add_value(graph, name, type);
    auto& record = program_.values[id];
    record.kind = value_kind::constant;
    record.data = own(data);
    record.target = record.name;
    changes_.new_inputs.push_back(id);
    unused_.push_back(id);
    return id;
  }
  /// Returns the record of a value. The caller may change all members except the kind and the graph. Marks the program as changed.
  constexpr auto edit(value_id id) -> value& {
    is_changed_ = true;
    return program_.values[id];
  }
  /// Inserts a node before `position`, which is a node of the source program. `position` may be an erased node. Nodes that are inserted at
  /// one position keep the order of insertion.
  constexpr auto insert_before(node_id position, const new_node& draft) -> node_id { return insert(position, false, draft); }
  /// Inserts a node directly after `position`, which is a node of the source program. `position` may be an erased node. Nodes that are
  /// inserted at one position keep the order of insertion.
  constexpr auto insert_after(node_id position, const new_node& draft) -> node_id { return insert(position, true, draft); }
  /// Inserts a node before `position`. If `replaced` is set, the new node has the debug handle and the tag of `replaced`, so reports still
  /// name the original node. Otherwise, the new node receives a new debug handle.
  constexpr auto insert_before(node_id position, std::string_view name, std::string_view op, std::initializer_list<value_id> inputs,
                               std::initializer_list<value_id> outputs, std::initializer_list<named_literal> literals = {},
                               node_id replaced = none<node_id>) -> node_id {
    return insert(position, false,
                  {.name = name,
                   .op = op,
                   .inputs = {inputs.begin(), inputs.size()},
                   .outputs = {outputs.begin(), outputs.size()},
                   .literals = {literals.begin(), literals.size()},
                   .handle_of = replaced,
                   .tag_of = replaced});
  }

  /// Returns the changed program, without the erased records.
  constexpr auto finish() -> exported_program {
    sweep();
    if (is_changed_) {
      changes_.sort_inserted();
      detail::debug_handle_transfer(program_, changes_).run();
      detail::compaction(program_, changes_).run();
    }
    if (recipes_.empty()) return std::move(program_);
    for (auto& record : program_.values) {
      if (record.data.outside != nullptr && byte_recipe::is_deferred(record.data)) recipes_[record.data.first].defer(program_, record);
    }
    return std::move(program_);
  }

 private:
  constexpr auto insert(node_id position, bool is_after, const new_node& draft) -> node_id {
    // If a pool has no room, it is reallocated. The texts and lists of `draft` are copied before, because they may be in this pool.
    const auto chars = draft.name.size() + draft.op.size(), ids = draft.inputs.size() + draft.outputs.size();
    if (program_.bytes.has_room(chars) && program_.operands.has_room(ids)) return add_node(position, is_after, draft);
    const auto name = join(draft.name), op = join(draft.op);
    const vector<value_id> inputs(draft.inputs.begin(), draft.inputs.end()), outputs(draft.outputs.begin(), draft.outputs.end());
    program_.bytes.make_room(chars);
    program_.operands.make_room(ids);
    return add_node(position, is_after,
                    {view(name), view(op), inputs, outputs, draft.literals, draft.attributes_of, draft.handle_of, draft.tag_of});
  }
  constexpr auto add_node(node_id position, bool is_after, const new_node& draft) -> node_id {
    auto record = own_node(program_, draft.name, draft.op);
    record.inputs = add_to(program_.operands, draft.inputs);
    record.outputs = add_to(program_.operands, draft.outputs);
    if (draft.attributes_of != none<node_id>) {
      record.attributes = program_[draft.attributes_of].attributes;
      record.subgraphs = program_[draft.attributes_of].subgraphs;
    } else {
      record.attributes = own_attributes(program_, draft.literals);
    }
    if (draft.handle_of != none<node_id>) record.debug_handle = program_[draft.handle_of].debug_handle;
    if (draft.tag_of != none<node_id>) record.tag = program_[draft.tag_of].tag;
    const auto id = static_cast<node_id>(add_to(program_.nodes, record));
    changes_.erased.push_back(0);
    changes_.folded_into.push_back(none<node_id>);
    changes_.inserted.push_back({2 * index(position) + (is_after ? 1 : 0), id, record.debug_handle == 0});
    for (const auto output : span{program_.operands}.subspan(record.outputs.first, record.outputs.size)) changes_.producer[output] = id;
    use_inputs(record);
    if (draft.attributes_of != none<node_id>) {
      for (const auto& literal : draft.literals) set_attribute(id, literal);
    }
    is_changed_ = true;
    return id;
  }
  constexpr auto defer(const byte_recipe& recipe) -> byte_ref {
    recipes_.push_back(recipe);
    return byte_recipe::deferred_data(recipes_.size() - 1, static_cast<std::uint32_t>(recipe.size()));
  }
  /// Adds the bytes that a recipe computes. If `recipe.source` is null, the source is `pooled`, a range of the byte pool.
  constexpr auto compute(const byte_recipe recipe, byte_ref pooled) -> byte_ref {
    const auto size = recipe.size();
    const auto first = program_.bytes.size();
    program_.bytes.resize(first + size);
    const char* const source = recipe.source != nullptr ? recipe.source : program_.bytes.data() + pooled.first;
    for (std::size_t at = 0; at < size; at += byte_recipe::bytes_per_piece) {  // in pieces, because GCC limits the iterations of a loop
      const auto piece = std::min(size - at, byte_recipe::bytes_per_piece);
      recipe.compute(source, at, {program_.bytes.data() + first + at, piece});
    }
    return {nullptr, static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(size)};
  }
  constexpr auto is_rewritable(graph_id id) const -> bool { return modules_.empty() || modules_[id] == none<delegate_id>; }
  constexpr void use_inputs(const node& record) {
    for (std::uint32_t i = 0; i < record.inputs.size; ++i) use(current(program_.operands[record.inputs.first + i]));
  }
  constexpr void use(value_id id) {
    if (id != none<value_id>) uses_[id] += 1;
  }
  constexpr void release(value_id id) {
    if (id != none<value_id> && --uses_[id] == 0) unused_.push_back(id);
  }
  constexpr auto current(value_id id) -> value_id { return changes_.current(id); }
  constexpr auto add(const value& record) -> value_id {
    const auto id = static_cast<value_id>(add_to(program_.values, record));
    changes_.producer.push_back(none<node_id>);
    changes_.replacement.push_back(none<value_id>);
    uses_.push_back(0);
    outputs_.push_back(0);
    changes_.dropped.push_back(0);
    is_changed_ = true;
    return id;
  }

  // Removal of unused records

  constexpr void sweep() {
    const program_view program = program_;  // converted once, because the conversion takes as many constexpr steps as a visit of ten nodes
    for (std::size_t i = 0; i < unused_.size(); ++i) {  // `unused_` grows
      const auto id = unused_[i];
      if (uses_[id] != 0) continue;
      const auto producer = changes_.producer[id];
      const auto kind = program_[id].kind;
      if (producer == none<node_id>) {
        const bool is_removable = (is_owned_data(kind) && kind != value_kind::mutable_buffer) || kind == value_kind::scratch;
        if (!is_removable || changes_.dropped[id] != 0) continue;
        changes_.dropped[id] = 1;
        is_changed_ = true;
      } else if (changes_.erased[producer] == 0 && is_unused(program_[producer]) && !HasEffects(program, program_[producer])) {
        erase(producer);
      }
    }
    unused_.clear();
  }
  constexpr auto is_unused(const node& record) const -> bool {
    std::uint32_t uses = 0;
    for (std::uint32_t i = 0; i < record.outputs.size; ++i) uses += uses_[program_.operands[record.outputs.first + i]];
    return uses == 0;
  }

  exported_program program_;
  span<const char> source_bytes_;  ///< the byte pool of the source program
  detail::program_changes changes_;
  vector<byte_recipe> recipes_;    ///< the recipes of deferred data; a reference to deferred data contains the position of its recipe
  vector<delegate_id> modules_;    ///< indexed by graph: the lowered module that contains the graph; empty if there are no lowered modules
  vector<std::uint32_t> uses_;     ///< indexed by value: the number of uses of the value
  vector<std::uint32_t> outputs_;  ///< indexed by value: how often the value is a graph output
  vector<value_id> unused_;        ///< values that had no uses at some time; `sweep` checks whether they are still unused
  bool is_changed_ = false;
};

}  // namespace baton
