// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Pooling operators.
#pragma once

#include <baton/operators/inference.hpp>
#include <baton/operators/operator_definition.hpp>
#include <baton/operators/shared/window.hpp>

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

/// Definitions of pooling operators.
inline constexpr operator_definition pooling[] = {
    {.name = "tfl.average_pool_2d", .operands = pooling_operands, .infer = infer_pool_2d},
    {.name = "tfl.max_pool_2d", .operands = pooling_operands, .infer = infer_pool_2d},
    {.name = "tfl.l2_pool_2d", .operands = pooling_operands, .infer = infer_pool_2d},
};

}  // namespace baton::definitions
