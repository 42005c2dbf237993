// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Replaces the attention of torch.export by matrix products and a softmax.
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

/// Replaces `aten.scaled_dot_product_attention.default` (queries Q [..., L, E], keys K [..., S, E], values V [..., S, D], mask, probability
/// of dropout, whether the attention is causal, scale). The default scale is 1 / sqrt(E). The result is softmax(Q · Kᵀ · scale + mask) · V.
/// An element of a boolean mask is true if the key is used. In causal attention, a query uses no key with a larger position.
constexpr void emit_torch_attention(emission& emitter) {
  if (!has_float_operand(emitter)) return;
  if (emitter.real("arg_4") != 0) return emitter.refuse("dropout is not supported; export the model in evaluation mode");
  if (emitter.integer("arg_7") != 0) return emitter.refuse("groups of queries are not supported");
  const auto query = emitter.file_type(emitter.operand(0)), key = emitter.file_type(emitter.operand(1)),
             value = emitter.file_type(emitter.operand(2));
  if (query.rank < 2 || key.rank != query.rank || value.rank != query.rank)
    return emitter.refuse("the operands have different ranks, or fewer than two dimensions");
  const auto rows = query.sizes[query.rank - 2], width = query.sizes[query.rank - 1], columns = key.sizes[key.rank - 2];
  auto type = broadcast_type(query, key);
  type.sizes[type.rank - 2] = rows;
  type.sizes[type.rank - 1] = columns;
  expression f(emitter, type, {});
  const auto scale = emitter.has_attribute("arg_6") ? emitter.real("arg_6") : 1 / real::square_root(static_cast<double>(width));
  auto scores = f.call("products", "tfl.batch_matmul", {emitter.operand_in_file_layout(0), emitter.operand_in_file_layout(1)},
                       {{"adj_x", false}, {"adj_y", true}});
  scores = f.mul("scores", scores, f.number("scale", scale));
  constexpr double lowest = -3e38;  // exp(`lowest`) is 0
  if (emitter.integer("arg_5") != 0) {
    if (emitter.has(3)) return emitter.refuse("a causal attention with a mask is not supported");
    if (rows * columns > max_computed_bytes) return emitter.refuse("a mask of ", rows, " rows of ", columns, " elements is too large");
    const auto mask = band_matrix(emitter, rows, columns, [](std::int64_t above) { return above <= 0; });
    scores = f.call("masked", "tfl.select_v2", {mask, scores, f.number("lowest", lowest)});
  } else if (emitter.has(3)) {
    const auto mask = emitter.operand_in_file_layout(3);
    const bool is_boolean = emitter.record(mask).type == dtype::boolean;
    if (!is_boolean && emitter.record(mask).type != dtype::float32) return emitter.refuse("the mask is neither boolean nor float32");
    scores = is_boolean ? f.call("masked", "tfl.select_v2", {mask, scores, f.number("lowest", lowest)}) : f.add("masked", scores, mask);
  }
  const auto weights = f.call("weights", "tfl.softmax", {scores}, {{"beta", 1.0}});
  emitter.finish("tfl.batch_matmul", {weights, emitter.operand_in_file_layout(2)}, {{"adj_x", false}, {"adj_y", false}});
}

/// The row (`legalization_row`) of attention.
inline constexpr legalization_row torch_attention[] = {
    {"aten.scaled_dot_product_attention.default", layout_rule::fixed, emit_torch_attention, 3},
};

}  // namespace baton::detail
