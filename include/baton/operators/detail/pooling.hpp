// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Pooling operators.
#pragma once

#include <baton/operators/inference.hpp>
#include <baton/operators/operator_definition.hpp>
#include <baton/operators/shared/baton_operators.hpp>
#include <baton/operators/shared/window.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::definitions {

inline constexpr operand_definition pooling_operands[] = {{"input"}};

/// Infers the output of a pool with SAME or VALID padding (`lite/kernels/pooling.cc`).
constexpr void infer_pool_2d(inference& node) {
  if (!node.require_rank(0, 4)) return;
  const bool is_same = node.text("padding") == "same";
  const auto rows = window_size(is_same, node.size(0, 1), node.integer("filter_height"), node.integer("stride_h"), 1);
  const auto columns = window_size(is_same, node.size(0, 2), node.integer("filter_width"), node.integer("stride_w"), 1);
  node.set_output(0, node.type(0), {node.size(0, 0), rows, columns, node.size(0, 3)});
}
/// Infers the output of a pool with the attribute `pads`. If `ceil_mode` is not 0, the last window of each axis may extend beyond the
/// padding.
constexpr void infer_padded_pool_2d(inference& node) {
  if (!node.require_rank(0, 4)) return;
  const auto pads = image_pads::of(node.has("pads"), node.list("pads"));
  const bool is_ceil = node.integer("ceil_mode") != 0;
  const auto along = [&](std::size_t dimension, std::int64_t before, std::int64_t after, std::int64_t filter, std::int64_t stride,
                         std::int64_t dilation) {
    return pads.is_valid ? pooled_size(node.size(0, dimension), before, after, filter, stride, dilation, is_ceil) : -1;
  };
  const auto rows =
      along(1, pads.top, pads.bottom, node.integer("filter_height"), node.integer("stride_h", 1), node.integer("dilation_h_factor", 1));
  const auto columns =
      along(2, pads.left, pads.right, node.integer("filter_width"), node.integer("stride_w", 1), node.integer("dilation_w_factor", 1));
  node.set_output(0, node.type(0), {node.size(0, 0), rows, columns, node.size(0, 3)});
}

/// Definitions of pooling operators.
inline constexpr operator_definition pooling[] = {
    {.name = "tfl.average_pool_2d", .operands = pooling_operands, .infer = infer_pool_2d},
    {.name = "tfl.max_pool_2d", .operands = pooling_operands, .infer = infer_pool_2d},
    {.name = "baton.average_pool_2d", .operands = pooling_operands, .infer = infer_padded_pool_2d},
    {.name = "baton.max_pool_2d", .operands = pooling_operands, .infer = infer_padded_pool_2d},
    {.name = "tfl.l2_pool_2d", .operands = pooling_operands, .infer = infer_pool_2d},
};

}  // namespace baton::definitions
