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

/// `lite/kernels/pooling.cc`
constexpr void infer_pool_2d(inference& at) {
  if (!at.needs_rank(0, 4)) return;
  const bool is_same = at.text("padding") == "same";
  const auto rows = window_size(is_same, at.size(0, 1), at.integer("filter_height"), at.integer("stride_h"), 1);
  const auto columns = window_size(is_same, at.size(0, 2), at.integer("filter_width"), at.integer("stride_w"), 1);
  at.give(0, at.type(0), {at.size(0, 0), rows, columns, at.size(0, 3)});
}
/// Same, but for an operator with the attribute `pads`. If `ceil_mode` is not 0, the last windows may extend beyond the padding.
constexpr void infer_padded_pool_2d(inference& at) {
  if (!at.needs_rank(0, 4)) return;
  const auto pads = image_pads::of(at.has("pads"), at.list("pads"));
  const bool is_ceil = at.integer("ceil_mode") != 0;
  const auto along = [&](std::size_t dimension, std::int64_t before, std::int64_t after, std::int64_t filter, std::int64_t stride,
                         std::int64_t dilation) {
    return pads.is_valid ? pooled_size(at.size(0, dimension), before, after, filter, stride, dilation, is_ceil) : -1;
  };
  const auto rows =
      along(1, pads.top, pads.bottom, at.integer("filter_height"), at.integer("stride_h", 1), at.integer("dilation_h_factor", 1));
  const auto columns =
      along(2, pads.left, pads.right, at.integer("filter_width"), at.integer("stride_w", 1), at.integer("dilation_w_factor", 1));
  at.give(0, at.type(0), {at.size(0, 0), rows, columns, at.size(0, 3)});
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
