// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Products of matrices and vectors.
#pragma once

#include <baton/operators/operator_definition.hpp>
#include <baton/operators/work_rules.hpp>

namespace baton::definitions {

inline constexpr operand_definition linear_operands[] = {{"input"}, {"weights"}, {"bias", operand_use::optional}};
inline constexpr operand_definition product_operands[] = {{"first"}, {"second"}};
inline constexpr operand_definition added_product_operands[] = {{"addend"}, {"first"}, {"second"}};

/// What is known of products of matrices and vectors.
inline constexpr operator_definition product[] = {
    {.name = "tfl.fully_connected", .operands = linear_operands, .multiply_adds = work_rules::filter},
    {.name = "tfl.batch_matmul", .operands = product_operands, .multiply_adds = work_rules::inner},
    {.name = "aten.linear.default", .operands = linear_operands, .multiply_adds = work_rules::filter},
    {.name = "aten.mm.default", .operands = product_operands, .multiply_adds = work_rules::inner},
    {.name = "aten.bmm.default", .operands = product_operands, .multiply_adds = work_rules::inner},
    {.name = "aten.addmm.default", .operands = added_product_operands, .multiply_adds = work_rules::inner_of_1},
    {.name = "aten.dot.default", .operands = product_operands, .is_commutative = true},
};

}  // namespace baton::definitions
