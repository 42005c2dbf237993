// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The SSA values (values that are written once) of a method of an ExecuTorch program. They are found by value numbers, which the
// instructions read and write. A value number is a position in the method's list of values.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/detail/memory_contents.hpp>
#include <baton/import/detail/pte_reading.hpp>
#include <baton/import/detail/pte_values.hpp>
#include <baton/import/detail/renaming.hpp>
#include <baton/import/shared/rules.hpp>
#include <baton/operators/shared/rules.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::pte::detail {

/// The values of one graph: the method itself, a branch, or a loop body.
struct scope {
  scope* outer = nullptr;  ///< the enclosing scope, or null for the method
  graph_id graph{0};
  baton::detail::renaming names{};                ///< the current SSA value of each value number
  baton::detail::memory_contents memory{};        ///< the known contents of the planned memory
  vector<baton::detail::memory_range> written{};  ///< the memory that a branch or a body writes
  vector<value_id> captured{};                    ///< the values of the enclosing graph that this graph uses
  vector<value_id> inputs{};                      ///< the inputs of this graph that receive `captured`, in the same order
  vector<std::uint32_t> moved{};                  ///< the value numbers that move instructions write: the results of a branch
  vector<value_id> rows{};                        ///< the values that an iteration stores as rows of the loop's stacked outputs
  std::uint32_t counter = npos;                   ///< the value number of the loop counter, or `npos`
};

/// Read and write access to values by their value numbers. An instruction may read a value number that is neither an input nor written
/// yet. Such a value number is a constant, a mutable buffer or an omitted view. A mutable buffer keeps its value from run to run.
/// An omitted view has the memory range of another value, because the exporter has removed the view operator.
class scope_values {
 public:
  /// `first_handle` is the debug handle of the first omitted view. A debug handle is the number that identifies a node of the model.
  constexpr scope_values(reading& model, method_values& values, std::size_t first_handle)
      : model_(model),
        values_(values),
        is_input_(values.size(), 0),
        is_updated_(values.size(), 0),
        next_handle_(static_cast<std::uint32_t>(first_handle)) {}

  /// Marks a value number that an in-place operator writes. A marked value that is read before it is written is a mutable buffer.
  constexpr void note_update(std::uint32_t number) { is_updated_[number] = 1; }

  /// Adds user input `at` of the method. A user input is a tensor that the caller passes to a run.
  constexpr void add_input(scope& root, std::uint32_t number, std::size_t at) {
    auto facts = values_.tensor(number);
    const auto name = join("input_", at);
    bind(facts, baton::view(name));
    if (is_input_[number] != 0) model_.refuse<"damaged_model">("value ", number, " is an input twice");
    is_input_[number] = 1;
    root.names.define(number, add_input(root, record_of(facts, value_kind::user_input, model_.own(name)), facts.order));
    if (facts.is_placed) root.memory.write({facts.place, facts.type, number});
  }

  /// Returns the value of a tensor. After an error, which is recorded, the returned value must not be used.
  constexpr auto read(scope& at, std::uint32_t number) -> value_id {
    const auto id = at.names.current(number);
    return id != none<value_id> ? id : find(at, number, values_.tensor(number));
  }
  /// Returns the value of a tensor, or `none` if the tensor is an omitted operand or working memory. Sets `is_scratch` to true for working
  /// memory, otherwise to false.
  constexpr auto read_operand(scope& at, std::uint32_t number, bool& is_scratch) -> value_id {
    is_scratch = false;
    const auto id = at.names.current(number);
    if (id != none<value_id>) return id;
    const auto facts = values_.tensor(number);
    if (!facts.is_scratch() && !facts.is_omitted()) return find(at, number, facts);
    if (at.names.is_defined(number)) return find(at, number, facts);
    if (facts.is_omitted()) return none<value_id>;
    is_scratch = facts.bytes == 0 || at.memory.find(facts.place, facts.type) == npos;
    return is_scratch ? none<value_id> : find(at, number, facts);
  }
  /// True if the tensor has no value yet, and is neither a constant nor declared as a mutable buffer (`is_state`). Such a tensor is an
  /// omitted view, or an output of the current instruction or a later one.
  constexpr auto is_unwritten(const scope& at, std::uint32_t number) -> bool {
    if (at.names.is_defined(number)) return false;
    const auto facts = values_.tensor(number);
    return !facts.has_data() && !is_state(number, facts);
  }
  /// Returns the value number of the last written tensor that has the memory range and the type of tensor `number`. Returns `npos` if no
  /// tensor in memory has both.
  constexpr auto viewed(const scope& at, std::uint32_t number) -> std::uint32_t {
    const auto facts = values_.tensor(number);
    return facts.is_placed && facts.bytes != 0 ? at.memory.find(facts.place, facts.type) : npos;
  }
  /// True if a value number is declared as a mutable buffer (`is_state`), or has a value in `outer`. `outer` is the scope that contains a
  /// branch or a body.
  constexpr auto is_known_outside(const scope& outer, std::uint32_t number) -> bool {
    return outer.names.is_defined(number) || is_state(number, values_.tensor(number));
  }

  /// Adds a value with the name `name` that an instruction writes to value number `number`. Returns the value.
  constexpr auto add_output(scope& at, std::uint32_t number, byte_ref name) -> value_id {
    const auto facts = values_.tensor(number);
    const auto id = add(at, record_of(facts, value_kind::intermediate, name), facts.order);
    write(at, number, facts, id);
    return id;
  }
  /// Makes `id` the value of a tensor, and records a write to the memory of the tensor.
  constexpr void assign(scope& at, std::uint32_t number, value_id id) { write(at, number, values_.tensor(number), id); }

  /// Makes `id` the value of a tensor. Does not record a write to memory.
  constexpr void move(scope& at, std::uint32_t number, value_id id) {
    if (is_input_[number] != 0) model_.refuse<"mutated_user_input">("an instruction moves to value ", number, ", which is an input");
    at.names.assign(number, id);
    if (at.outer != nullptr) at.moved.push_back(number);
  }

  /// Adds an input to the graph of a branch or a body. The input has the name, type and dimension order of the value `from` of another
  /// graph.
  constexpr auto add_input_like(scope& at, value_id from) -> value_id {
    const auto& outer = model_.builder.at(from);
    return add_input(at, {.name = outer.name, .type = outer.type, .kind = value_kind::user_input, .shape = outer.shape}, order_of(from));
  }
  /// Adds an input to the graph of a scope.
  constexpr auto add_input(scope& at, const value& record, dimension_order order) -> value_id {
    const auto id = add(at, record, order);
    const auto here = model_.builder.current();
    model_.builder.enter(at.graph);
    model_.builder.add_input(id);
    model_.builder.enter(here);
    return id;
  }
  /// Returns the input by which a branch or a body receives `from`, a value of the enclosing graph. Adds the input at the first call for
  /// this value.
  constexpr auto capture(scope& at, value_id from) -> value_id {
    model_.reader.charge(at.captured.size());
    for (std::size_t i = 0; i < at.captured.size(); ++i) {
      if (at.captured[i] == from) return at.inputs[i];
    }
    at.captured.push_back(from);
    at.inputs.push_back(add_input_like(at, from));
    return at.inputs.back();
  }

  /// Adds a value to the graph of a scope.
  constexpr auto add(scope& at, const value& record, dimension_order order) -> value_id {
    model_.reader.charge(reading::cost_of_record);
    const auto here = model_.builder.current();
    model_.builder.enter(at.graph);
    const auto id = model_.builder.add_value(record);
    model_.builder.enter(here);
    orders_.push_back(order);
    return id;
  }
  /// Adds a value that has the name, the type and the order of a value of another graph.
  constexpr auto add_like(scope& at, value_id from) -> value_id {
    const auto& outer = model_.builder.at(from);
    return add(at, {.name = outer.name, .type = outer.type, .shape = outer.shape}, order_of(from));
  }
  /// Adds an empty graph for the original graph of a lowered module, and makes it the current graph. The original graph contains the nodes
  /// that a backend's `preprocess` has compiled.
  constexpr auto add_graph(byte_ref name) -> scope {
    scope original;
    original.graph = model_.builder.add_graph({});
    model_.builder.draft().graphs[index(original.graph)].name = name;
    return original;
  }
  /// Gives the identity order (dimension 0 first, then 1, 2, and so on) to the values that were copied from another program. The order of
  /// these values has no effect, because no node of this method uses them.
  constexpr void note_values() { orders_.resize(model_.builder.draft().values.size(), dimension_order{}); }
  constexpr auto order_of(value_id id) const -> dimension_order { return orders_[index(id)]; }

  /// Adds an output (a mutation) for each mutable buffer with a new value, in the order of the buffers' first uses.
  constexpr void add_mutations(scope& root) {
    for (const auto& each : states_) {
      const auto id = root.names.current(each.number);
      if (id != each.id) model_.builder.add_output({output_kind::buffer_mutation, id, model_.builder.at(each.id).target});
    }
  }

 private:
  /// Sets the sizes of an input to the sizes in the options. Fails with `unsupported_model` if the sizes contradict the file.
  constexpr void bind(tensor_facts& facts, std::string_view name) {
    model_.reader.charge(model_.options.shapes.size());
    if (model_.why) return;  // after an error, the order may be invalid
    for (const auto& each : model_.options.shapes) {
      if (each.input != name) continue;
      bool fits = each.sizes.size() == facts.rank;
      for (std::uint32_t i = 0; fits && i < facts.rank; ++i) {
        const auto size = each.sizes[dimension_at(facts.order, i)];
        fits = size == facts.sizes[i] || (facts.is_dynamic && size >= 0 && size <= facts.sizes[i]);
        facts.sizes[i] = size;
      }
      if (!fits) model_.refuse<"unsupported_model">("the shape of ", name, " in the read options does not fit the file");
    }
  }

  struct state {
    std::uint32_t number;
    value_id id;
  };

  constexpr auto record_of(const tensor_facts& facts, value_kind kind, byte_ref name) -> value {
    model_.reader.charge(facts.rank);
    return {.name = name, .type = facts.type, .kind = kind, .shape = model_.builder.integers(facts.shape())};
  }
  /// True if the file declares a tensor as a mutable buffer. Such a tensor is in planned memory, has a name or initial data, and is not a
  /// user input. `note_update` marks other mutable buffers.
  constexpr auto is_state(std::uint32_t number, const tensor_facts& facts) const -> bool {
    return facts.is_placed && (!facts.name.empty() || facts.has_data()) && is_input_[number] == 0;
  }

  constexpr auto find(scope& at, std::uint32_t number, const tensor_facts& facts) -> value_id {
    const auto known = at.names.current(number);
    if (known != none<value_id>) return known;
    if (model_.why) return value_id{0};
    auto id = none<value_id>;
    if (facts.has_data() && !facts.is_placed) {
      id = add_constant(at, number, facts);
    } else if (at.outer != nullptr && is_known_outside(*at.outer, number)) {
      id = capture(at, find(*at.outer, number, facts));
    } else if (is_state(number, facts)) {
      id = add_state(at, number, facts);
    } else if (const auto base = facts.is_placed ? at.memory.find(facts.place, facts.type) : npos; base != npos) {
      id = add_view(at, number, facts, base);
    } else if (facts.is_placed && is_updated_[number] != 0) {
      id = at.outer != nullptr ? capture(at, find(*at.outer, number, facts)) : add_state(at, number, facts);
    } else {
      model_.refuse<"damaged_model">("value ", number, " is read, but no instruction has written it");
      return value_id{0};
    }
    at.names.define(number, id);
    return id;
  }

  constexpr auto add_constant(scope& at, std::uint32_t number, const tensor_facts& facts) -> value_id {
    auto record = record_of(facts, facts.name.empty() ? value_kind::constant : value_kind::parameter, {});
    record.name = facts.name.empty() ? model_.own(join("constant_", number)) : model_.view(facts.name);
    record.target = record.name;
    record.data = data_of(number, facts, false);
    return add_input(at, record, facts.order);
  }
  constexpr auto add_state(scope& root, std::uint32_t number, const tensor_facts& facts) -> value_id {
    auto record = record_of(facts, value_kind::mutable_buffer, {});
    record.name = facts.name.empty() ? model_.own(join("state_", number)) : model_.view(facts.name);
    record.target = record.name;
    if (facts.has_data()) record.data = data_of(number, facts, true);
    const auto id = add_input(root, record, facts.order);
    states_.push_back({number, id});
    root.memory.write({facts.place, facts.type, number});
    return id;
  }
  constexpr auto data_of(std::uint32_t number, const tensor_facts& facts, bool is_mutable) -> byte_ref {
    const auto user = join("value ", number);
    const auto size = static_cast<std::uint64_t>(facts.bytes);
    if (facts.is_external) return model_.external(facts.name, size, baton::view(user));
    return is_mutable ? model_.initial(facts.mutable_list, facts.buffer, size, baton::view(user))
                      : model_.constant(facts.buffer, size, baton::view(user));
  }
  constexpr auto add_view(scope& at, std::uint32_t number, const tensor_facts& facts, std::uint32_t base) -> value_id {
    const value_id operand[] = {read(at, base)};
    const auto name = model_.own(join("view_", number));
    const value_id output[] = {add(at, record_of(facts, value_kind::intermediate, name), facts.order)};
    const auto here = model_.builder.current();
    model_.builder.enter(at.graph);
    constexpr literal_name op{"aten.view_copy.out"};
    model_.reader.charge(reading::cost_of_record + reading::cost_of_attribute);
    model_.builder.add_node({.name = name, .target = program_builder::view(op.text), .op = op.hash, .debug_handle = next_handle_++},
                            operand, output);
    model_.builder.add_attribute({.name = program_builder::view("arg_1"),
                                  .key = literal_name{"arg_1"}.hash,
                                  .kind = attribute_kind::integers,
                                  .list = model_.builder.at(output[0]).shape});
    model_.builder.enter(here);
    return output[0];
  }

  constexpr void write(scope& at, std::uint32_t number, const tensor_facts& facts, value_id id) {
    if (is_input_[number] != 0) {
      model_.refuse<"mutated_user_input">("an instruction writes value ", number, ", which is an input");
    } else if (facts.has_data() && !facts.is_placed) {
      model_.refuse<"damaged_model">("an instruction writes value ", number, ", which is a constant");
    } else if (at.outer == nullptr && is_state(number, facts) && at.names.current(number) == none<value_id>) {
      at.names.define(number, add_state(at, number, facts));
    }
    at.names.assign(number, id);
    if (!facts.is_placed) return;
    model_.reader.charge(at.memory.size());
    at.memory.write({facts.place, facts.type, number});
    if (at.outer != nullptr) at.written.push_back(facts.place);
  }

  reading& model_;
  method_values& values_;
  vector<char> is_input_;           ///< 1 for a user input, indexed by value number
  vector<char> is_updated_;         ///< 1 if an in-place operator writes the value, indexed by value number
  vector<dimension_order> orders_;  ///< the dimension order, indexed by value
  vector<state> states_;            ///< the mutable buffers, in the order of their first uses
  std::uint32_t next_handle_;       ///< the debug handle of the next omitted view
};

}  // namespace baton::pte::detail
