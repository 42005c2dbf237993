// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Control-flow operators, which run subgraphs.
#pragma once

#include <baton/operators/inference.hpp>
#include <baton/operators/operator_definition.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::definitions {

/// Returns the type of a value that may have type `a` or type `b`. The returned type has only the facts that both types have in common.
constexpr auto common_type(inferred_type a, const inferred_type& b) -> inferred_type {
  a.has_type = a.has_type && b.has_type && a.type == b.type;
  a.has_shape = a.has_shape && b.has_shape && a.shape.rank == b.shape.rank;
  for (std::size_t d = 0; a.has_shape && d < a.shape.rank; ++d) {
    if (a.shape.sizes[d] != b.shape.sizes[d]) a.shape.sizes[d] = -1;
  }
  return a;
}
/// Returns true if the subgraph exists and has `outputs` user outputs. If not, calls `fail` and returns false.
constexpr auto require_results(inference& node, std::size_t subgraph, std::size_t outputs) -> bool {
  if (subgraph >= node.subgraph_count()) {
    node.fail({"subgraph ", subgraph, " is missing"});
    return false;
  }
  if (node.result_count(subgraph) == outputs) return true;
  node.fail({"subgraph ", subgraph, " returns ", node.result_count(subgraph), " values, but the node has ", outputs, " outputs"});
  return false;
}
/// Infers output i as the common type of the results i of both branches (`lite/kernels/if.cc`, and PyTorch's `cond`).
constexpr void infer_cond(inference& node) {
  if (!require_results(node, 0, node.output_count()) || !require_results(node, 1, node.output_count())) return;
  for (std::size_t i = 0; i < node.output_count(); ++i) node.set_output(i, common_type(node.result(0, i), node.result(1, i)));
}
/// Infers output i as the common type of operand i and of the body's result i (`lite/kernels/while.cc`, and PyTorch's `while_loop`).
/// Without an iteration, output i is operand i.
constexpr void infer_while(inference& node) {
  if (!require_results(node, 1, node.output_count())) return;
  for (std::size_t i = 0; i < node.output_count(); ++i) node.set_output(i, common_type(node.operand(i), node.result(1, i)));
}
/// Infers the outputs of `map` or `scan`. The first `carried` outputs are carried values, which each iteration passes to the next. Each
/// further output stacks one result of the body along a new dimension 0. The size of this dimension is the number of iterations, which is
/// the size of dimension 0 of operand `first_stack`.
constexpr void infer_stacked(inference& node, std::int64_t carried, std::int64_t first_stack) {
  const auto operands = static_cast<std::int64_t>(node.operand_count());
  if (carried < 0 || first_stack < 0 || first_stack >= operands || !require_results(node, 0, node.output_count())) return;
  const auto stack = static_cast<std::size_t>(first_stack);
  if (!node.has(stack) || node.rank(stack) == 0) return node.fail({"operand ", stack, " is missing or a scalar"});
  const auto height = node.size(stack, 0);
  for (std::size_t i = 0; i < node.output_count(); ++i) {
    const auto returned = node.result(0, i);
    if (static_cast<std::int64_t>(i) < carried) {
      node.set_output(i, common_type(node.operand(i), returned));
      continue;
    }
    inferred_type stacked{returned.has_type, returned.has_shape, returned.type, {height}};
    for (std::size_t d = 0; d < returned.shape.rank; ++d) stacked.shape.add(returned.shape.sizes[d]);
    stacked.has_shape = stacked.has_shape && stacked.shape.has_rank;
    node.set_output(i, stacked);
  }
}
/// Infers the outputs of PyTorch's `map`, which carries no values.
constexpr void infer_map(inference& node) { return infer_stacked(node, 0, 0); }
/// Infers the outputs of PyTorch's `scan`. The first stack follows the initial values.
constexpr void infer_scan(inference& node) { return infer_stacked(node, node.integer("carried"), node.integer("carried")); }

/// Definitions of operators that run subgraphs; `control_flow` describes their operands.
inline constexpr operator_definition branching[] = {
    {.name = "cond", .flow = control_flow::cond, .infer = infer_cond},
    {.name = "tfl.if", .flow = control_flow::cond, .infer = infer_cond},
    {.name = "while_loop", .flow = control_flow::while_loop, .infer = infer_while},
    {.name = "tfl.while", .flow = control_flow::while_loop, .infer = infer_while},
    {.name = "map", .flow = control_flow::map, .infer = infer_map},
    {.name = "scan", .flow = control_flow::scan, .infer = infer_scan},
};

}  // namespace baton::definitions
