// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Adds the graphs of a torch.export program. A node may have a higher-order operator, such as `cond` or `while_loop`: some of its arguments
// are graphs.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/detail/pt2_index.hpp>
#include <baton/import/detail/pt2_nodes.hpp>
#include <baton/import/detail/pt2_reading.hpp>
#include <baton/import/detail/pt2_scope.hpp>
#include <baton/import/shared/rules.hpp>
#include <baton/operators/shared/rules.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::pt2::detail {

/// A graph in the index of an archive. The index is the data that the importer needs from the JSON texts, as 32-bit words
/// (`pt2_index.hpp`).
struct graph_entry {
  const std::uint32_t* inputs = nullptr;   ///< the entry `inputs`, or null if the index has none
  const std::uint32_t* outputs = nullptr;  ///< the entry `outputs`, or null if the index has none
  std::uint32_t first = 0;                 ///< the position of the graph's first node in the list of all nodes
  std::uint32_t count = 0;                 ///< the number of nodes
  bool has_entry = false;                  ///< true if the index has an entry `graph` with this number
};

/// An emitter of the nodes of graphs, including higher-order operators.
class graph_emitter {
 public:
  constexpr graph_emitter(reading& model, location_table& locations, scope_values& values, span<const graph_entry> graphs,
                          span<const std::uint32_t* const> nodes)
      : model_(model),
        locations_(locations),
        values_(values),
        graphs_(graphs),
        nodes_(nodes),
        emitter_(model, locations, values) {}

  constexpr void track_views() { emitter_.track_views(); }

  /// Adds the nodes of graph `number` to the current graph. `depth` is the number of enclosing branches and loops. Returns false after an
  /// error.
  constexpr auto emit(std::uint32_t number, std::uint32_t depth) -> bool {
    const auto& from = graphs_[number];
    for (std::uint32_t i = from.first; i < from.first + from.count; ++i) {
      const node_entry each(nodes_[i]);
      constexpr std::string_view higher_order{"higher_order."};
      const bool is_emitted = model_.text(each.target).starts_with(higher_order) ? emit_higher_order(number, each, i + 1, depth)
                                                                                 : emitter_.emit(number, nodes_[i], i + 1);
      if (!is_emitted) return false;
    }
    return true;
  }

 private:
  /// A node with a higher-order operator. The arguments of the node are graphs, tensors, lists of tensors and numbers.
  struct call {
    std::uint32_t scope;  ///< the number of the graph that contains the node
    const node_entry& entry;
    stored_text name;
    std::uint32_t handle;  ///< the debug handle, the number that identifies a node of the model
    std::uint32_t depth;   ///< the number of enclosing branches and loops
    vector<argument_view> arguments;

    /// True if the first arguments have the kinds `kinds`, and every other argument is omitted, false or 0.
    constexpr auto has(std::initializer_list<argument> kinds) const -> bool {
      if (arguments.size() < kinds.size()) return false;
      for (std::size_t i = 0; i < kinds.size(); ++i) {
        const auto wanted = kinds.begin()[i];
        if (arguments[i].kind != wanted) return false;
      }
      for (auto i = kinds.size(); i < arguments.size(); ++i) {
        const auto kind = arguments[i].kind;
        if (kind != argument::none && (kind != argument::integer || word_reader(arguments[i].words).number() != 0)) return false;
      }
      return true;
    }
  };

  constexpr auto emit_higher_order(std::uint32_t scope, const node_entry& from, std::uint32_t handle, std::uint32_t depth) -> bool {
    call each{scope, from, emitter_.name_of(from), handle, depth, {}};
    model_.reader.charge(reading::cost_of_element * from.input_count);
    if (!model_.check_errors("the nodes")) return false;
    auto next = from.inputs;
    for (std::uint32_t i = 0; i < from.input_count; ++i) {
      each.arguments.push_back(argument_view(next + 2));
      next = each.arguments.back().end;
    }
    if (depth >= reading::max_nesting)
      return model_.refuse<"nested_too_deep">("branches and loops are nested more than ", reading::max_nesting, " deep");
    using enum argument;
    if (from.op == literal_name{"higher_order.cond"}.hash && each.has({tensor, graph, graph, tensors})) return add_cond(each);
    if (from.op == literal_name{"higher_order.while_loop"}.hash && each.has({graph, graph, tensors, tensors})) return add_while(each);
    if (from.op == literal_name{"higher_order.map_impl"}.hash && each.has({graph, tensors, tensors})) return add_map(each);
    if (from.op == literal_name{"higher_order.scan"}.hash && each.has({graph, tensors, tensors, tensors})) return add_scan(each);
    const bool is_wrapper = from.op == literal_name{"higher_order.wrap_with_set_grad_enabled"}.hash && each.arguments.size() >= 2;
    if (is_wrapper && each.arguments[0].kind == integer && each.arguments[1].kind == graph) return add_inline(each);
    return model_.refuse<"unsupported_model">("node ", baton::view(model_.printable_name(each.name)), " has the operator ",
                                              baton::view(model_.printable_name(from.target)),
                                              ", which is not supported with these arguments");
  }

  constexpr auto add_cond(const call& from) -> bool {
    vector<value_id> operands;
    if (!append(from, 0, operands) || !append(from, 3, operands)) return false;
    const graph_id graphs[] = {add_body(from, 1), add_body(from, 2)};
    return add_node(from, "cond", operands, graphs);
  }
  constexpr auto add_while(const call& from) -> bool {
    vector<value_id> operands;
    if (!append(from, 2, operands) || !append(from, 3, operands)) return false;
    const graph_id graphs[] = {add_body(from, 0), add_body(from, 1)};
    return add_node(from, "while_loop", operands, graphs);
  }
  constexpr auto add_map(const call& from) -> bool {
    vector<value_id> operands;
    if (!append(from, 1, operands)) return false;
    const auto mapped = operands.size();
    if (!append(from, 2, operands)) return false;
    const graph_id graphs[] = {add_body(from, 0)};
    if (!add_node(from, "map", operands, graphs)) return false;
    emitter_.add_integer("mapped", static_cast<std::int64_t>(mapped));
    return true;
  }
  constexpr auto add_scan(const call& from) -> bool {
    vector<value_id> operands;
    if (!append(from, 1, operands)) return false;
    const auto carried = operands.size();
    if (!append(from, 2, operands)) return false;
    const auto scanned = operands.size() - carried;
    if (!append(from, 3, operands)) return false;
    const graph_id graphs[] = {add_body(from, 0)};
    if (!add_node(from, carried == 0 ? literal_name{"map"} : literal_name{"scan"}, operands, graphs)) return false;
    if (carried != 0) emitter_.add_integer("carried", static_cast<std::int64_t>(carried));
    emitter_.add_integer(carried == 0 ? literal_name{"mapped"} : literal_name{"scanned"}, static_cast<std::int64_t>(scanned));
    return true;
  }
  /// Adds the nodes of the called graph to the current graph. Fails with `damaged_model` if the called graph is called more than once,
  /// because each of its names can be bound only once.
  constexpr auto add_inline(const call& from) -> bool {
    vector<value_id> operands;
    for (std::size_t i = 2; i < from.arguments.size(); ++i) {
      if (!append(from, i, operands)) return false;
    }
    const auto number = word_reader(from.arguments[1].words).word();
    vector<std::uint32_t> inputs, inner, outer;
    if (!append_listed_locations(number, graphs_[number].inputs, from.name, inputs)) return false;
    if (inputs.size() != operands.size())
      return model_.refuse<"damaged_model">("node ", baton::view(model_.printable_name(from.name)), " has ", operands.size(),
                                            " operands; its graph has ", inputs.size(), " inputs");
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (!values_.bind(inputs[i], operands[i], from.name)) return false;
      locations_[inputs[i]].is_input = true;
    }
    if (!emit(number, from.depth + 1) || !append_listed_locations(number, graphs_[number].outputs, from.name, inner)) return false;
    auto next = from.entry.outputs;
    for (std::uint32_t i = 0; i < from.entry.output_count; ++i) {
      const argument_view each(next);
      next = each.end;
      if (!append_location(from.scope, each, from.name, outer)) return false;
    }
    if (inner.size() != outer.size())
      return model_.refuse<"damaged_model">("node ", baton::view(model_.printable_name(from.name)), " has ", outer.size(),
                                            " outputs; its graph has ", inner.size(), " outputs");
    for (std::size_t i = 0; i < inner.size(); ++i) {
      const auto id = values_.read(inner[i], from.name);
      if (model_.why || !values_.bind(outer[i], id, from.name)) return false;
    }
    return true;
  }

  /// Appends the values of argument `at`, a tensor or a list of tensors. Fails with `unsupported_model` if a tensor is omitted.
  constexpr auto append(const call& from, std::size_t at, vector<value_id>& to) -> bool {
    if (!emitter_.append_tensors(from.scope, from.arguments[at], from.name, to)) return false;
    for (const auto id : to) {
      if (id == none<value_id>)
        return model_.refuse<"unsupported_model">("node ", baton::view(model_.printable_name(from.name)), " omits an operand");
    }
    return true;
  }
  /// Adds the graph that is argument `at` to the program, and returns its id.
  constexpr auto add_body(const call& from, std::size_t at) -> graph_id {
    auto words = from.arguments[at].words;
    const auto number = words.word();
    const auto name = words.text();
    if (model_.why) return graph_id{0};
    const auto outer = model_.builder.current();
    model_.reader.charge(reading::cost_of_record);
    const auto id = model_.builder.add_graph({});
    model_.builder.draft().graphs[index(id)].name = model_.view(name);
    vector<std::uint32_t> names;
    if (append_listed_locations(number, graphs_[number].inputs, name, names)) {
      for (const auto each : names) {
        if (!values_.add_input(each)) break;
      }
    }
    names.clear();
    if (!model_.why && emit(number, from.depth + 1) && append_listed_locations(number, graphs_[number].outputs, name, names)) {
      for (const auto each : names) model_.builder.output(values_.read(each, name));
    }
    model_.builder.enter(outer);
    return id;
  }
  constexpr auto add_node(const call& from, literal_name op, const vector<value_id>& operands, span<const graph_id> graphs) -> bool {
    if (model_.why || !emitter_.read_outputs(from.scope, from.entry, from.name)) return false;
    emitter_.add_node(
        {.name = model_.view(from.name), .target = program_builder::view(op.text), .op = op.hash, .debug_handle = from.handle}, operands,
        emitter_.outputs());
    model_.builder.set_subgraphs(graphs);
    return model_.check_errors("node ", baton::view(model_.printable_name(from.name)));
  }

  /// Appends the locations (positions in `location_table`) of the tensors that the list `at` names. `at` is the entry `inputs` or `outputs`
  /// of graph `scope`.
  constexpr auto append_listed_locations(std::uint32_t scope, const std::uint32_t* at, stored_text user, vector<std::uint32_t>& to)
      -> bool {
    if (at == nullptr)
      return model_.refuse<"damaged_model">("graph ", baton::view(model_.printable_name(user)), " has no list of inputs or outputs");
    auto words = word_reader(at + 2);
    const auto count = words.word();
    auto next = words.position();
    for (std::uint32_t i = 0; i < count; ++i) {
      const argument_view each(next);
      next = each.end;
      if (!append_location(scope, each, user, to)) return false;
    }
    return true;
  }
  constexpr auto append_location(std::uint32_t scope, const argument_view& from, stored_text user, vector<std::uint32_t>& to) -> bool {
    model_.reader.charge(reading::cost_of_element);
    if (from.kind != argument::tensor) {
      return model_.refuse<"unsupported_model">(baton::view(model_.printable_name(user)), " has an input or output that is not a tensor");
    }
    to.push_back(values_.find(scope, word_reader(from.words).name(), user));
    return model_.check_errors("graph ", baton::view(model_.printable_name(user)));
  }

  reading& model_;
  location_table& locations_;
  scope_values& values_;
  span<const graph_entry> graphs_;
  span<const std::uint32_t* const> nodes_;
  node_emitter emitter_;
};

}  // namespace baton::pt2::detail
