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

/// Sets the shape of output 0: the product of the rows of operand 0 and the weights [units, columns], operand 1.
constexpr void give_rows(inference& at) {
  if (!at.needs_rank(1, 2)) return;
  if (at.rank(0) == 0) return at.misfit({"the input has no dimension"});
  const auto last = at.size(0, at.rank(0) - 1), columns = at.size(1, 1);
  if (last >= 0 && columns >= 0 && last != columns)
    return at.misfit({"the weights have ", columns, " columns, the rows of the input have ", last});
  inferred_shape shape(at.shape(0).first(at.rank(0) - 1));
  shape.add(at.size(1, 0));
  at.give_shape(0, shape);
}
/// `lite/kernels/fully_connected.cc`: the input consists of rows with one element per column of the weights. The output dtype is
/// inferred only for float32, because the output of an integer input may be wider than the input.
constexpr void infer_fully_connected(inference& at) {
  if (!at.needs_rank(1, 2)) return;
  const auto columns = at.size(1, 1);
  const auto units = at.size(1, 0);
  if (at.type(0) == dtype::float32) at.give_type(0, dtype::float32);
  if (at.integer("keep_num_dims") != 0) return give_rows(at);
  const auto elements = element_count(at.shape(0));
  if (elements >= 0 && columns > 0 && elements % columns != 0)
    return at.misfit({"the weights have ", columns, " columns, the input has ", elements});
  at.give_shape(0, {elements < 0 || columns <= 0 ? -1 : elements / columns, units});
}
/// `lite/kernels/batch_matmul.cc`: the batch dimensions, which precede rows and columns, are broadcast.
constexpr void infer_batch_matmul(inference& at) {
  const auto m = at.rank(0);
  const auto n = at.rank(1);
  if (m < 2 || n < 2) return at.misfit({"an operand has fewer than two dimensions"});
  const std::size_t first = at.integer("adj_x") != 0 ? 1 : 0;
  const std::size_t second = at.integer("adj_y") != 0 ? 1 : 0;
  const auto x = at.size(0, m - 1 - first);
  const auto y = at.size(1, n - 2 + second);
  if (x >= 0 && y >= 0 && x != y) return at.misfit({"rows of ", x, " elements do not match columns of ", y});
  inferred_shape shape;
  if (!broadcast(at.shape(0).first(m - 2), at.shape(1).first(n - 2), shape)) return at.misfit({"the batches of the operands differ"});
  shape.add(at.size(0, m - 2 + first));
  shape.add(at.size(1, n - 1 - second));
  at.give_shape(0, shape);
  if (at.type(0) == dtype::float32) at.give_type(0, dtype::float32);
}

/// PyTorch's matrix product of operands `first` and `first + 1`. Both operands have `batch_rank` batch dimensions (0 or 1), which
/// must be equal. Appends the sizes of the product to `shape`.
constexpr void infer_batched_product(inference& at, std::size_t first, std::size_t batch_rank, inferred_shape& shape) {
  if (!at.needs_rank(first, batch_rank + 2) || !at.needs_rank(first + 1, batch_rank + 2)) return;
  const auto row = at.size(first, batch_rank + 1), column = at.size(first + 1, batch_rank);
  if (row >= 0 && column >= 0 && row != column) return at.misfit({"rows of ", row, " elements do not match columns of ", column});
  if (batch_rank != 0) shape.add(at.size(first, 0) < 0 ? at.size(first + 1, 0) : at.size(first, 0));
  if (batch_rank != 0 && at.size(first + 1, 0) >= 0 && shape.sizes[0] != at.size(first + 1, 0))
    return at.misfit({"a batch of ", shape.sizes[0], " does not match a batch of ", at.size(first + 1, 0)});
  shape.add(at.size(first, batch_rank));
  shape.add(at.size(first + 1, batch_rank + 1));
  at.give(0, at.type(first), shape);
}
constexpr void infer_mm(inference& at) {
  inferred_shape shape;
  infer_batched_product(at, 0, 0, shape);
}
constexpr void infer_bmm(inference& at) {
  inferred_shape shape;
  infer_batched_product(at, 0, 1, shape);
}
/// The addend is broadcast to the shape of the product.
constexpr void infer_addmm(inference& at) {
  inferred_shape shape, sum;
  infer_batched_product(at, 1, 0, shape);
  if (shape.rank == 2 && (at.rank(0) > 2 || !broadcast(at.shape(0), shape.view(), sum))) at.misfit({"operand 0 does not fit the product"});
}
constexpr void infer_linear(inference& at) {
  at.give_type(0, at.type(0));
  return give_rows(at);
}
constexpr void infer_dot(inference& at) {
  if (!at.needs_rank(0, 1) || !at.needs_rank(1, 1)) return;
  const auto first = at.size(0, 0), second = at.size(1, 0);
  if (first >= 0 && second >= 0 && first != second)
    return at.misfit({"a vector of ", first, " elements does not match a vector of ", second});
  at.give(0, at.type(0), {});
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
