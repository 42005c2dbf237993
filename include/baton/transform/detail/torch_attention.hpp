// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Replaces attention by products and a softmax.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/operators/shared/real_functions.hpp>
#include <baton/transform/detail/emission.hpp>
#include <baton/transform/detail/expression.hpp>
#include <baton/transform/detail/legalization_row.hpp>
#include <baton/transform/detail/onnx_functions.hpp>
#include <baton/transform/detail/onnx_making.hpp>

#include <cstdint>

namespace baton::detail {

/// `aten.scaled_dot_product_attention.default`: queries [..., L, E], keys [..., S, E], values [..., S, V], a mask, the probability of
/// dropout, whether only earlier keys are used, and a scale, by default 1 / sqrt(E). The result is softmax(Q · Kᵀ · scale + mask) · V. A
/// mask of booleans is true where a key is used.
constexpr void emit_torch_attention(emission& to) {
  if (!has_float_operand(to)) return;
  if (to.real("arg_4") != 0) return to.refuse("dropout is not supported; export the model in evaluation mode");
  if (to.integer("arg_7") != 0) return to.refuse("groups of queries are not supported");
  const auto query = to.file_type(to.operand(0)), key = to.file_type(to.operand(1)), value = to.file_type(to.operand(2));
  if (query.rank < 2 || key.rank != query.rank || value.rank != query.rank) return to.refuse("the operands have different ranks");
  const auto rows = query.sizes[query.rank - 2], width = query.sizes[query.rank - 1], columns = key.sizes[key.rank - 2];
  auto type = broadcast_type(query, key);
  type.sizes[type.rank - 2] = rows;
  type.sizes[type.rank - 1] = columns;
  expression f(to, type, {});
  const auto scale = to.has_attribute("arg_6") ? to.real("arg_6") : 1 / real::square_root(static_cast<double>(width));
  auto scores = f.call("products", "tfl.batch_matmul", {to.in_file(0), to.in_file(1)}, {{"adj_x", false}, {"adj_y", true}});
  scores = f.mul("scores", scores, f.number("scale", scale));
  constexpr double lowest = -3e38;  // its exponential is 0
  if (to.integer("arg_5") != 0) {
    if (to.has(3)) return to.refuse("a causal attention with a mask is not supported");
    if (rows * columns > max_computed_bytes) return to.refuse("a mask of ", rows, " rows of ", columns, " elements is too large");
    const auto mask = band_matrix(to, rows, columns, [](std::int64_t above) { return above <= 0; });
    scores = f.call("masked", "tfl.select_v2", {mask, scores, f.number("lowest", lowest)});
  } else if (to.has(3)) {
    const auto mask = to.in_file(3);
    const bool is_test = to.record(mask).type == dtype::boolean;
    if (!is_test && to.record(mask).type != dtype::float32) return to.refuse("the mask is neither boolean nor float32");
    scores = is_test ? f.call("masked", "tfl.select_v2", {mask, scores, f.number("lowest", lowest)}) : f.add("masked", scores, mask);
  }
  const auto weights = f.call("weights", "tfl.softmax", {scores}, {{"beta", 1.0}});
  to.finish("tfl.batch_matmul", {weights, to.in_file(2)}, {{"adj_x", false}, {"adj_y", false}});
}

/// Attention.
inline constexpr legalization_row torch_attention[] = {
    {"aten.scaled_dot_product_attention.default", manner::fixed, emit_torch_attention, 3},
};

}  // namespace baton::detail
