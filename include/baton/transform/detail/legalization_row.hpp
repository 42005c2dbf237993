// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A row of a table of operators of a file format that passes replace, and the layout rules that rows share.
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

/// The layout rule of an operator: always the same, or a function of the node.
struct manner_rule {
  layout_rule always = layout_rule::fixed;
  layout_rule (*of_node)(const layout_query& node) = nullptr;

  // NOLINTBEGIN(google-explicit-constructor): a row states either
  constexpr manner_rule(layout_rule how) : always(how) {}
  constexpr manner_rule(layout_rule (*rule)(const layout_query&)) : of_node(rule) {}
  // NOLINTEND(google-explicit-constructor)
};

/// The replacement of one operator. To add an operator, add a row to a list in one of the files `onnx_*.hpp`,
/// `executorch_*.hpp` or `torch_*.hpp`:
/// - `name`: the operator, for example `onnx.Conv`, `onnx.com.microsoft.QLinearAdd`, `aten.addmm.out` or `aten.addmm.default`;
/// - `how`: the layouts that the operator needs (`layout_rule`, or a function of the node);
/// - `emit`: inserts the nodes that replace the node (`emission`), or refuses it with a reason;
/// - `min_operands`: the number of operands that may not be omitted; `emit` is called only if they are there;
/// - `max_outputs`: the number of outputs that `emit` computes; a node of which a further output is used is refused.
/// `emit` is not called either if an operand or output has an unknown size, no elements (other than a constant) or too many dimensions.
struct legalization_row {
  literal_name name;
  manner_rule how;
  void (*emit)(emission& emitter);
  std::uint8_t min_operands = 1;
  std::uint8_t max_outputs = 1;
};
using legalization_row_list = span<const legalization_row>;

/// The layout rule of an elementwise operator. Operands are broadcast in either layout if all have as many dimensions as the output, or one
/// element. Rows must be flattened in the same way. Constants are permuted as needed.
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

/// The layout rule of an operator that keeps the elements of operand 0 in place, and gives a constant for a constant.
constexpr auto forwarding(const layout_query& node) -> layout_rule {
  return node.is_constant(0) ? layout_rule::constant : layout_rule::same;
}

/// The layout rule of an operator that gives the elements of operand 0 another shape. An image may become a row, a row an image, and an
/// image one with fewer or more dimensions, if batches and channels stay separate from the other dimensions.
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

/// The layout rule of an operator along one dimension of the file that works along any dimension.
constexpr auto along_axis(const layout_query& node) -> layout_rule {
  for (std::size_t i = 0; i < node.operand_count(); ++i) {
    if (node.has(i) && node.is_row(i)) return layout_rule::fixed;
  }
  return elementwise(node);
}

}  // namespace baton::detail
