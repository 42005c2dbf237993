// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A row of a legalization table: an operator of a file format, and the function that replaces each node of this operator. This header also
// has the layout rules that several rows use. A layout is channels first, as in the file, or channels last. Only images and rows have a
// layout (`value_layout`); a row is a flattened image.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/transform/detail/emission.hpp>
#include <baton/transform/detail/layout.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::detail {

/// The layout rule of an operator, either a constant or a function of the node.
struct operator_layout_rule {
  layout_rule always = layout_rule::fixed;
  layout_rule (*of_node)(const layout_query& node) = nullptr;

  // NOLINTBEGIN(google-explicit-constructor): a row contains a rule or a function
  constexpr operator_layout_rule(layout_rule how) : always(how) {}
  constexpr operator_layout_rule(layout_rule (*rule)(const layout_query&)) : of_node(rule) {}
  // NOLINTEND(google-explicit-constructor)
};

/// The replacement of one operator. To add an operator, add a row to a list in one of the files `onnx_*.hpp`, `executorch_*.hpp` or
/// `torch_*.hpp`:
/// - `name`: the operator, for example `onnx.Conv`, `onnx.com.microsoft.QLinearAdd`, `aten.addmm.out` or `aten.addmm.default`;
/// - `how`: the layout rule of the operator (`layout_rule`, or a function of the node);
/// - `emit`: a function that replaces the node by other nodes (`emission`), or refuses it with a reason, so that the pass fails with
///   `unsupported_operator`;
/// - `min_operands`: the first `min_operands` operands must be present; if one is omitted, the node is refused without a call of `emit`;
/// - `max_outputs`: the number of outputs that `emit` computes; a node is refused if another output of the node is used.
/// A node is also refused if an operand or output has an unknown size, too many dimensions, or no elements. A constant may be empty.
struct legalization_row {
  literal_name name;
  operator_layout_rule how;
  void (*emit)(emission& emitter);
  std::uint8_t min_operands = 1;
  std::uint8_t max_outputs = 1;
};
using legalization_row_list = span<const legalization_row>;

/// Returns the layout rule of an elementwise operator: `same` if the operands can be broadcast in both layouts, otherwise `fixed`. An
/// operand with one element can always be broadcast. A constant operand can also always be broadcast, because constants are permuted as
/// needed. If the output has more than two dimensions, the remaining operands must have the rank of the output. If the output has at most
/// two dimensions, either all or none of the remaining operands must be rows (flattened images). These rows must have equal numbers of
/// channels and of elements per channel (`channels` and `inner` of `value_layout`).
constexpr auto elementwise(const layout_query& node) -> layout_rule {
  const auto rank = node.output_shape().size();
  const value_layout* row = nullptr;
  bool has_plain_operand = false;
  for (std::size_t i = 0; i < node.operand_count(); ++i) {
    if (!node.has(i) || node.is_constant(i) || element_count(node.shape(i)) == 1) continue;
    if (rank > 2 && node.shape(i).size() != rank) return layout_rule::fixed;
    if (rank > 2) continue;
    const auto& layout = node.layout(i);
    has_plain_operand = has_plain_operand || !layout.has_layout;
    if (!layout.has_layout) continue;
    if (row != nullptr && (row->channels != layout.channels || row->inner != layout.inner)) return layout_rule::fixed;
    row = &layout;
  }
  return row != nullptr && has_plain_operand ? layout_rule::fixed : layout_rule::same;
}

/// Returns the layout rule of an operator that keeps the order of the elements of operand 0: `constant` if operand 0 is a constant,
/// otherwise `same`.
constexpr auto forwarding(const layout_query& node) -> layout_rule {
  return node.is_constant(0) ? layout_rule::constant : layout_rule::same;
}

/// Returns the layout rule of an operator that reshapes operand 0:
/// - `constant` if operand 0 is a constant;
/// - `same` if operand 0 is neither an image nor a row, and the output has at most two dimensions;
/// - `same` if operand 0 is an image or a row, and the output has more than two dimensions and keeps the batches and the channels;
/// - `merging` if operand 0 is an image or a row, and the output is a row;
/// - `merging` if operand 0 is an image or a row whose elements have the same order in both layouts, and the output has at most two
///   dimensions;
/// - otherwise, `fixed`.
constexpr auto reshaping(const layout_query& node) -> layout_rule {
  if (!node.has(0)) return layout_rule::fixed;
  if (node.is_constant(0)) return layout_rule::constant;
  const auto& layout = node.layout(0);
  if (!layout.has_layout) return node.output_shape().size() < 3 ? layout_rule::same : layout_rule::fixed;
  const auto to = node.output_shape();
  const auto elements = element_count(node.shape(0)), each = layout.channels * layout.inner;
  if (elements <= 0 || each <= 0) return layout_rule::fixed;
  const auto batches = elements / each;
  if (to.size() > 2) return to[0] == batches && to[1] == layout.channels ? layout_rule::same : layout_rule::fixed;
  const bool is_row = !to.empty() && to[to.size() - 1] == each;
  return is_row || !layout.moves() ? layout_rule::merging : layout_rule::fixed;
}

/// Returns the layout rule of an operator that does not treat all dimensions alike, such as a concatenation along an axis or a pad. The
/// kernel must support each dimension as its axis, because the channels may be last. Returns `fixed` if an operand is a flattened image.
/// Otherwise, returns the rule of `elementwise`.
constexpr auto along_axis(const layout_query& node) -> layout_rule {
  for (std::size_t i = 0; i < node.operand_count(); ++i) {
    if (node.has(i) && node.is_row(i)) return layout_rule::fixed;
  }
  return elementwise(node);
}

}  // namespace baton::detail
