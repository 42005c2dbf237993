// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Inference of the open sizes (sizes that the file does not state) of intermediate values.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/locate.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/detail/open_values.hpp>
#include <baton/import/detail/temporary_constants.hpp>
#include <baton/import/shared/rules.hpp>
#include <baton/operators/infer.hpp>
#include <baton/operators/shared/control_flow.hpp>
#include <baton/operators/shared/folded_integers.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton::detail {

/// The inference of open sizes. The program has a provisional size in place of each open size. In node order, this class replaces the
/// provisional sizes by sizes that it infers from operands. A called graph is resolved at its first call. Integer values that nodes compute
/// from shapes temporarily become constants, because later nodes may use them as shape operands.
class open_sizes {
 public:
  constexpr open_sizes(exported_program& program, const vector<open_shape>& shapes)
      : program_(program),
        view_(program),
        open_(program, shapes),
        called_(program.graphs.size(), 0) {}

  /// Resolves all open sizes. Fails with `unresolved_type` if an operator has an inference rule, but the rule does not determine an open
  /// size of the output. Fails with `malformed_operator` if the shapes of operands do not match. Outputs of operators without an inference
  /// rule keep their provisional sizes.
  constexpr auto resolve() -> failure {
    auto why = resolve_nodes(graph_id{0});
    integers_.restore(program_);
    return why;
  }

 private:
  constexpr auto resolve_nodes(graph_id graph) -> failure {
    const auto nodes = program_.graphs[index(graph)].nodes;
    for (std::uint32_t n = nodes.first; n < nodes.first + nodes.size; ++n) {
      if (auto why = resolve_called(n)) return why;
      const auto outputs = program_.nodes[n].outputs;
      bool is_open = false;
      for (std::uint32_t o = 0; o < outputs.size; ++o) is_open = is_open || open_[program_.operands[outputs.first + o]] != nullptr;
      if (is_open) {
        if (auto why = resolve_outputs(n, graph)) return locate(std::move(why), program_, static_cast<node_id>(n));
      }
      if (outputs.size == 1) integers_.add(program_, program_.operands[outputs.first], tflite::folded_integers(view_, program_.nodes[n]));
    }
    return {};
  }

  /// Resolves the graphs that a branch or a loop calls. The open sizes of a graph's inputs are copied from the operands.
  constexpr auto resolve_called(std::uint32_t n) -> failure {
    const auto kind = control_flow_of(view_, program_.nodes[n]);
    if (kind != control_flow::cond && kind != control_flow::while_loop) return {};
    for (std::uint32_t s = 0; s < program_.nodes[n].subgraphs.size; ++s) {
      const auto graph = program_.subgraphs[program_.nodes[n].subgraphs.first + s];
      if (called_[index(graph)] != 0) continue;
      called_[index(graph)] = 1;
      open_.copy_sizes_to_inputs(view_.inputs(view_.nodes[n]).subspan(kind == control_flow::cond ? 1 : 0), graph);
      if (auto why = resolve_nodes(graph)) return why;
    }
    return {};
  }

  constexpr auto resolve_outputs(std::uint32_t n, graph_id graph) -> failure {
    const auto inferred = infer(view_, program_.nodes[n]);
    if (!inferred) return inferred.error;
    for (std::uint32_t o = 0; o < inferred.value.size(); ++o) {
      const auto id = program_.operands[program_.nodes[n].outputs.first + o];
      if (open_[id] == nullptr) continue;
      const auto& type = inferred.value[o];
      const auto& sizes = open_[id]->sizes;
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
  program_view view_;  ///< remains valid, because no pool (flat array) of the program is resized
  open_values open_;
  temporary_constants integers_;
  vector<char> called_;  ///< 1 if a call of the graph has been resolved, indexed by graph
};

}  // namespace baton::detail
