// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// ONNX operators that run subgraphs.
#pragma once

#include <baton/operators/detail/branching.hpp>
#include <baton/operators/detail/onnx_rules.hpp>
#include <baton/operators/inference.hpp>
#include <baton/operators/operator_definition.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::onnx::definitions {

// The values that subgraphs capture are operands of the node, after those that the standard names.
inline constexpr operand_definition if_operands[] = {{"cond"}};
inline constexpr operand_definition loop_operands[] = {{"M", optional}, {"cond", optional}};

/// Definitions of operators that run subgraphs.
inline constexpr operator_definition branching[] = {
    {.name = "onnx.If", .operands = if_operands, .flow = control_flow::cond, .infer = baton::definitions::infer_cond},
};

}  // namespace baton::onnx::definitions
