// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// ONNX's control-flow operators, which run subgraphs.
#pragma once

#include <baton/operators/detail/branching.hpp>
#include <baton/operators/detail/onnx_rules.hpp>
#include <baton/operators/inference.hpp>
#include <baton/operators/operator_definition.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

// In an ONNX file, a subgraph captures values of the enclosing graphs. In a program, the captured values are the last operands of the node,
// and the last inputs of the subgraph. The integer attribute `carried` is the number of values that each iteration passes to the next. If
// the attribute is absent, all operands that can be carried are carried, and none is captured.
namespace baton::onnx::definitions {

inline constexpr operand_definition if_operands[] = {{"cond"}};
inline constexpr operand_definition loop_operands[] = {{"M", optional}, {"cond", optional}};

/// Sets the type of output `output`: a stack of `height` values of the type `slice`, along the new dimension `axis`.
constexpr void set_stack(inference& node, std::size_t output, const inferred_type& slice, std::int64_t height, std::int64_t axis) {
  inferred_type stack{slice.has_type, slice.has_shape, slice.type, {}};
  const auto position = inference::dimension(axis, slice.shape.rank + 1);
  if (slice.has_shape && position > slice.shape.rank) return node.fail({"there is no dimension ", axis});
  for (std::size_t d = 0; d <= slice.shape.rank && slice.has_shape; ++d) {
    if (d == position) stack.shape.add(height);
    if (d != slice.shape.rank) stack.shape.add(slice.shape.sizes[d]);
  }
  stack.has_shape = slice.has_shape && stack.shape.has_rank;
  node.set_output(output, stack);
}
/// Infers the outputs of Loop. The body receives the iteration number, the condition, the carried and the captured values. It returns the
/// condition, the carried values, and one element of each further output. The loop stacks these elements, whose number is known only after
/// the loop.
constexpr void infer_loop(inference& node) {
  const auto outputs = static_cast<std::int64_t>(node.output_count());
  const auto carried = node.integer("carried", static_cast<std::int64_t>(node.operand_count()) - 2);
  if (carried < 0 || carried > outputs || carried + 2 > static_cast<std::int64_t>(node.operand_count()))
    return node.fail({"it carries ", carried, " values, but has ", node.operand_count(), " operands and ", outputs, " outputs"});
  if (!baton::definitions::require_results(node, 0, node.output_count() + 1)) return;
  for (std::size_t i = 0; i < node.output_count(); ++i) {
    const auto returned = node.result(0, i + 1);
    if (static_cast<std::int64_t>(i) < carried) {
      node.set_output(i, baton::definitions::common_type(node.operand(i + 2), returned));
    } else {
      set_stack(node, i, returned, -1, 0);
    }
  }
}
/// Infers the outputs of Scan (version 9 or later). The operands are the carried values, `num_scan_inputs` stacks, and the captured values.
/// The outputs are the carried values and the stacks of the body's other results. Stacks are along dimension 0, unless `scan_input_axes` or
/// `scan_output_axes` names another dimension.
constexpr void infer_scan(inference& node) {
  const auto operands = static_cast<std::int64_t>(node.operand_count());
  const auto stacks = node.integer("num_scan_inputs");
  const auto carried = node.integer("carried", operands - stacks);
  if (stacks <= 0 || carried < 0 || carried + stacks > operands || carried > static_cast<std::int64_t>(node.output_count()))
    return node.fail(
        {"it has ", carried, " carried values and ", stacks, " stacks, but ", operands, " operands and ", node.output_count(), " outputs"});
  if (!baton::definitions::require_results(node, 0, node.output_count())) return;
  const auto stack = static_cast<std::size_t>(carried);
  const auto rank = node.has(stack) ? node.rank(stack) : 0;
  const auto axis = node.require_dimension(number_or(node.list("scan_input_axes"), 0, 0), rank);
  if (axis == rank) return;
  const auto height = node.size(stack, axis);
  const auto axes = node.list("scan_output_axes");
  for (std::size_t i = 0; i < node.output_count(); ++i) {
    const auto returned = node.result(0, i);
    if (i < stack) {
      node.set_output(i, baton::definitions::common_type(node.operand(i), returned));
    } else {
      set_stack(node, i, returned, height, number_or(axes, i - stack, 0));
    }
  }
}

/// Definitions of operators that run subgraphs. Of these operators, only `If` has a `control_flow` kind; importers rewrite `Loop` and
/// `Scan`.
inline constexpr operator_definition branching[] = {
    {.name = "onnx.If", .operands = if_operands, .flow = control_flow::cond, .infer = baton::definitions::infer_cond},
    {.name = "onnx.Loop", .operands = loop_operands, .infer = infer_loop},
    {.name = "onnx.Scan", .infer = infer_scan},
};

}  // namespace baton::onnx::definitions
