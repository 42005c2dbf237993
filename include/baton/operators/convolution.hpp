// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Convolutions.
#pragma once

#include <baton/operators/operator_definition.hpp>
#include <baton/operators/work_rules.hpp>

namespace baton::definitions {

inline constexpr operand_definition convolution_operands[] = {{"input"}, {"filter"}, {"bias", operand_use::optional}};
inline constexpr operand_definition transposed_convolution_operands[] = {
    {"output_shape"}, {"filter"}, {"input"}, {"bias", operand_use::optional}};

/// What is known of convolutions.
inline constexpr operator_definition convolution[] = {
    {.name = "tfl.conv_2d", .operands = convolution_operands, .multiply_adds = work_rules::filter},
    {.name = "tfl.depthwise_conv_2d", .operands = convolution_operands, .multiply_adds = work_rules::last_filter},
    {.name = "tfl.conv_3d", .operands = convolution_operands, .multiply_adds = work_rules::last_filter},
    {.name = "tfl.transpose_conv", .operands = transposed_convolution_operands, .multiply_adds = work_rules::every_tap},
    {.name = "tfl.conv_3d_transpose", .operands = transposed_convolution_operands, .multiply_adds = work_rules::every_tap},
    {.name = "aten.convolution.default", .operands = convolution_operands, .multiply_adds = work_rules::filter},
};

}  // namespace baton::definitions
