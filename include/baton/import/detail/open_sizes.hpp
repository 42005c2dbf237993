// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Inference of open sizes: sizes of intermediate values that the file does not state.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/locate.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/detail/temporary_constants.hpp>
#include <baton/import/shared/rules.hpp>
#include <baton/operators/infer.hpp>
#include <baton/operators/shared/control_flow.hpp>
#include <baton/operators/shared/folded_integers.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton::detail {

/// A value with open sizes. The shape of the value contains a provisional size for each open size; `sizes` contains a negative number
/// instead.
struct open_shape {
  value_id value = none<value_id>;
  range sizes{};  ///< a range of the program's integers: one size per dimension, negative if open
};

/// Appends `shapes` to the integers of the program; `pop_open_shapes` removes and returns the shapes.
constexpr void push_open_shapes(exported_program& program, const vector<open_shape>& shapes) {
  for (const auto& shape : shapes) {
    program.integers.push_back(index(shape.value));
    program.integers.push_back(shape.sizes.first);
  }
  program.integers.push_back(static_cast<std::int64_t>(shapes.size()));
}
constexpr auto pop_open_shapes(exported_program& program) -> vector<open_shape> {
  vector<open_shape> shapes(static_cast<std::size_t>(program.integers.back()));
  const auto first = program.integers.size() - 1 - 2 * shapes.size();
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    shapes[i].value = static_cast<value_id>(program.integers[first + 2 * i]);
    shapes[i].sizes = {static_cast<std::uint32_t>(program.integers[first + 2 * i + 1]), program.values[index(shapes[i].value)].shape.size};
  }
  program.integers.resize(first);
  return shapes;
}

/// The inference of open sizes. In node order, it replaces the provisional sizes by the sizes that are inferred from operands. A called
/// graph is resolved at its first call. Integer values that nodes compute from shapes temporarily become constants, because later nodes may
/// use them as shape operands.
class open_sizes {
 public:
  constexpr explicit open_sizes(exported_program& program) : program_(program), view_(program), called_(program.graphs.size(), 0) {}

  /// Resolves all open sizes. Fails with `unresolved_type` if an operator has an inference rule, but the rule does not determine an open
  /// size of the output. Fails with `malformed_operator` if the shapes of operands do not match. Outputs of operators without an inference
  /// rule keep their provisional sizes.
  constexpr auto resolve(const vector<open_shape>& shapes) -> failure {
    open_values open(program_.values.size(), nullptr);
    for (const auto& shape : shapes) open[index(shape.value)] = &shape;
    auto why = resolve_nodes(open, graph_id{0});
    integers_.restore(program_);
    return why;
  }

 private:
  using open_values = vector<const open_shape*>;

  constexpr auto resolve_nodes(const open_values& open, graph_id graph) -> failure {
    const auto nodes = program_.graphs[index(graph)].nodes;
    for (std::uint32_t n = nodes.first; n < nodes.first + nodes.size; ++n) {
      if (auto why = resolve_called(open, n)) return why;
      const auto outputs = program_.nodes[n].outputs;
      bool is_open = false;
      for (std::uint32_t o = 0; o < outputs.size; ++o) is_open = is_open || open[index(program_.operands[outputs.first + o])] != nullptr;
      if (is_open) {
        if (auto why = resolve_outputs(open, n, graph)) return locate(std::move(why), program_, static_cast<node_id>(n));
      }
      if (outputs.size == 1) integers_.add(program_, program_.operands[outputs.first], tflite::folded_integers(view_, program_.nodes[n]));
    }
    return {};
  }

  /// Resolves the graphs that a branch or a loop calls. The open sizes of a graph's inputs are copied from the operands.
  constexpr auto resolve_called(const open_values& open, std::uint32_t n) -> failure {
    const auto kind = control_flow_of(view_, program_.nodes[n]);
    if (kind != control_flow::cond && kind != control_flow::while_loop) return {};
    for (std::uint32_t s = 0; s < program_.nodes[n].subgraphs.size; ++s) {
      const auto graph = program_.subgraphs[program_.nodes[n].subgraphs.first + s];
      if (called_[index(graph)] != 0) continue;
      called_[index(graph)] = 1;
      copy_sizes_to_inputs(open, n, graph, kind == control_flow::cond ? 1 : 0);
      if (auto why = resolve_nodes(open, graph)) return why;
    }
    return {};
  }
  constexpr void copy_sizes_to_inputs(const open_values& open, std::uint32_t n, graph_id graph, std::uint32_t first_operand) {
    const auto& program = view_;
    const auto operands = program.inputs(program.nodes[n]).subspan(first_operand);
    std::size_t position = 0;
    for (const auto input : program.inputs(program[graph])) {
      if (program[input].kind != value_kind::user_input) continue;
      const auto operand = operands[position++];
      if (open[index(input)] == nullptr || operand == none<value_id>) continue;
      const auto sizes = open[index(input)]->sizes;
      const auto from = program[operand].shape;
      for (std::uint32_t d = 0; d < sizes.size && d < from.size; ++d) {
        if (program_.integers[sizes.first + d] < 0) program_.integers[program[input].shape.first + d] = program_.integers[from.first + d];
      }
    }
  }

  constexpr auto resolve_outputs(const open_values& open, std::uint32_t n, graph_id graph) -> failure {
    const auto inferred = infer(view_, program_.nodes[n]);
    if (!inferred) return inferred.error;
    for (std::uint32_t o = 0; o < inferred.value.size(); ++o) {
      const auto id = program_.operands[program_.nodes[n].outputs.first + o];
      if (open[index(id)] == nullptr) continue;
      const auto& type = inferred.value[o];
      const auto& sizes = open[index(id)]->sizes;
      const auto shape = program_.values[index(id)].shape;
      for (std::uint32_t d = 0; d < shape.size; ++d) {
        if (program_.integers[sizes.first + d] >= 0) continue;
        const bool is_known = type.has_shape && type.shape.rank == shape.size && type.shape.sizes[d] >= 0;
        if (!is_known) return unresolved(id, d, graph);
        program_.integers[shape.first + d] = type.shape.sizes[d];
      }
    }
    return {};
  }

  constexpr auto unresolved(value_id id, std::uint32_t axis, graph_id graph) const -> failure {
    const auto& program = view_;
    auto why = broken<"unresolved_type">("the size of dimension ", axis, " of output ", program.text(program[id].name));
    if (graph != graph_id{0}) {
      append(why.reason,
             ", in a branch or a loop, where it depends on computed values; use fixed sizes there, and for a recurrent layer in Keras, set "
             "unroll=True");
      return why;
    }
    append(why.reason, "; the inputs are");
    for (const auto input : program.inputs(program.root())) {
      if (program[input].kind == value_kind::user_input) append(append(why.reason, " "), program.text(program[input].name));
    }
    append(why.reason, "; in Keras, set batch_size: keras.Input(shape, batch_size=1)");
    return why;
  }

  exported_program& program_;
  /// A view of `program_`. It remains valid, because no pool is resized. A new view for each node would take many constant-evaluation
  /// steps.
  program_view view_;
  temporary_constants integers_;
  vector<char> called_;  ///< 1 if a call of the graph has been resolved, indexed by graph
};

}  // namespace baton::detail
