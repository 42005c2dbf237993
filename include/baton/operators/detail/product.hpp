// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Products of matrices and vectors.
#pragma once

#include <baton/core/tensor.hpp>
#include <baton/operators/detail/broadcast.hpp>
#include <baton/operators/detail/work_rules.hpp>
#include <baton/operators/inference.hpp>
#include <baton/operators/operator_definition.hpp>

#include <cstddef>

namespace baton::definitions {

inline constexpr operand_definition linear_operands[] = {{"input"}, {"weights"}, {"bias", operand_definition::presence::optional}};
inline constexpr operand_definition scaled_linear_operands[] = {{"input"},
                                                                {"weights"},
                                                                {"bias", operand_definition::presence::optional},
                                                                {"multipliers", operand_definition::presence::optional},
                                                                {"shifts", operand_definition::presence::optional}};
inline constexpr operand_definition product_operands[] = {{"first"}, {"second"}};
inline constexpr operand_definition added_product_operands[] = {{"addend"}, {"first"}, {"second"}};

/// Sets the shape of output 0 to the shape of operand 0, but with the number of units (outputs per row) as the last size. Operand 1
/// contains the weights [units, columns].
constexpr void set_row_product_shape(inference& node) {
  if (!node.require_rank(1, 2)) return;
  if (node.rank(0) == 0) return node.fail({"the input has no dimension"});
  const auto last = node.size(0, node.rank(0) - 1), columns = node.size(1, 1);
  if (last >= 0 && columns >= 0 && last != columns)
    return node.fail({"the weights have ", columns, " columns, the rows of the input have ", last, " elements"});
  inferred_shape shape(node.shape(0).first(node.rank(0) - 1));
  shape.add(node.size(1, 0));
  node.set_shape(0, shape);
}
/// Infers the output of a product of rows and weights (`lite/kernels/fully_connected.cc`). The input consists of rows with one element per
/// column of the weights. The output is [rows, units], or has the leading dimensions of the input if `keep_num_dims` is set. The output
/// dtype is inferred only for float32, because the output dtype of an integer input may be wider than the input dtype.
constexpr void infer_fully_connected(inference& node) {
  if (!node.require_rank(1, 2)) return;
  const auto columns = node.size(1, 1);
  const auto units = node.size(1, 0);
  if (node.type(0) == dtype::float32) node.set_type(0, dtype::float32);
  if (node.integer("keep_num_dims") != 0) return set_row_product_shape(node);
  const auto elements = element_count(node.shape(0));
  if (elements >= 0 && columns > 0 && elements % columns != 0)
    return node.fail({"the weights' ", columns, " columns do not divide the input's ", elements, " elements"});
  node.set_shape(0, {elements < 0 || columns <= 0 ? -1 : elements / columns, units});
}
/// Infers the output of a batched matrix product (`lite/kernels/batch_matmul.cc`). The batch dimensions, which precede rows and columns,
/// are broadcast.
constexpr void infer_batch_matmul(inference& node) {
  const auto m = node.rank(0);
  const auto n = node.rank(1);
  if (m < 2 || n < 2) return node.fail({"an operand has fewer than two dimensions"});
  const std::size_t first = node.integer("adj_x") != 0 ? 1 : 0;
  const std::size_t second = node.integer("adj_y") != 0 ? 1 : 0;
  const auto x = node.size(0, m - 1 - first);
  const auto y = node.size(1, n - 2 + second);
  if (x >= 0 && y >= 0 && x != y) return node.fail({"rows of ", x, " elements do not match columns of ", y});
  inferred_shape shape;
  if (!broadcast(node.shape(0).first(m - 2), node.shape(1).first(n - 2), shape))
    return node.fail({"the batch dimensions of the operands cannot be broadcast"});
  shape.add(node.size(0, m - 2 + first));
  shape.add(node.size(1, n - 1 - second));
  node.set_shape(0, shape);
  if (node.type(0) == dtype::float32) node.set_type(0, dtype::float32);
}

/// Infers the output of PyTorch's matrix product of operands `first` and `first + 1`. Both operands have `batch_rank` batch dimensions (0
/// or 1) of equal size. Appends the sizes of the product to `shape`.
constexpr void infer_batched_product(inference& node, std::size_t first, std::size_t batch_rank, inferred_shape& shape) {
  if (!node.require_rank(first, batch_rank + 2) || !node.require_rank(first + 1, batch_rank + 2)) return;
  const auto row = node.size(first, batch_rank + 1), column = node.size(first + 1, batch_rank);
  if (row >= 0 && column >= 0 && row != column) return node.fail({"rows of ", row, " elements do not match columns of ", column});
  if (batch_rank != 0) shape.add(node.size(first, 0) < 0 ? node.size(first + 1, 0) : node.size(first, 0));
  if (batch_rank != 0 && node.size(first + 1, 0) >= 0 && shape.sizes[0] != node.size(first + 1, 0))
    return node.fail({"a batch of ", shape.sizes[0], " does not match a batch of ", node.size(first + 1, 0)});
  shape.add(node.size(first, batch_rank));
  shape.add(node.size(first + 1, batch_rank + 1));
  node.set_output(0, node.type(first), shape);
}
constexpr void infer_mm(inference& node) {
  inferred_shape shape;
  infer_batched_product(node, 0, 0, shape);
}
constexpr void infer_bmm(inference& node) {
  inferred_shape shape;
  infer_batched_product(node, 0, 1, shape);
}
/// Infers the output of `addmm`: operand 0 plus the product of operands 1 and 2. Operand 0 is broadcast to the shape of the product.
constexpr void infer_addmm(inference& node) {
  inferred_shape shape, sum;
  infer_batched_product(node, 1, 0, shape);
  if (shape.rank == 2 && (node.rank(0) > 2 || !broadcast(node.shape(0), shape.view(), sum)))
    node.fail({"operand 0 does not fit the product"});
}
constexpr void infer_linear(inference& node) {
  node.set_type(0, node.type(0));
  return set_row_product_shape(node);
}
constexpr void infer_dot(inference& node) {
  if (!node.require_rank(0, 1) || !node.require_rank(1, 1)) return;
  const auto first = node.size(0, 0), second = node.size(1, 0);
  if (first >= 0 && second >= 0 && first != second)
    return node.fail({"a vector of ", first, " elements does not match a vector of ", second});
  node.set_output(0, node.type(0), {});
}

/// Definitions of products of matrices and vectors.
inline constexpr operator_definition product[] = {
    {.name = "tfl.fully_connected", .operands = linear_operands, .infer = infer_fully_connected, .multiply_adds = work_rules::filter},
    {.name = "baton.fully_connected",
     .operands = scaled_linear_operands,
     .infer = infer_fully_connected,
     .multiply_adds = work_rules::filter},
    {.name = "tfl.batch_matmul", .operands = product_operands, .infer = infer_batch_matmul, .multiply_adds = work_rules::inner},
    {.name = "aten.linear.default", .operands = linear_operands, .infer = infer_linear, .multiply_adds = work_rules::filter},
    {.name = "aten.mm.default", .operands = product_operands, .infer = infer_mm, .multiply_adds = work_rules::inner},
    {.name = "aten.bmm.default", .operands = product_operands, .infer = infer_bmm, .multiply_adds = work_rules::inner},
    {.name = "aten.addmm.default", .operands = added_product_operands, .infer = infer_addmm, .multiply_adds = work_rules::inner_of_1},
    {.name = "aten.dot.default", .operands = product_operands, .is_commutative = true, .infer = infer_dot},
};

}  // namespace baton::definitions
