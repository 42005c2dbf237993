// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Operators that give the elements of a contiguous tensor another shape or another name.
#pragma once

#include <baton/operators/operator_definition.hpp>

namespace baton::definitions {

inline constexpr operand_definition reshaping_operands[] = {{"input"}, {"shape", operand_use::optional}};
inline constexpr operand_definition view_operands[] = {{"input"}};
inline constexpr operand_definition expand_dims_operands[] = {{"input"}, {"axis"}};

/// What is known of reshapes, after PyTorch's page on tensor views and the kernels of TensorFlow Lite that copy their input as it is.
/// Transposes and slices are views there, but move data in a program whose tensors are contiguous; `expand` makes elements.
inline constexpr operator_definition reshaping[] = {
    {.name = "aten.view.default", .operands = view_operands, .is_structural = true},
    {.name = "aten.view_copy.default", .operands = view_operands, .is_structural = true},
    {.name = "aten._unsafe_view.default", .operands = view_operands, .is_structural = true},
    {.name = "aten.reshape.default", .operands = view_operands, .is_structural = true},
    {.name = "aten.flatten.using_ints", .operands = view_operands, .is_structural = true},
    {.name = "aten.unflatten.int", .operands = view_operands, .is_structural = true},
    {.name = "aten.squeeze.default", .operands = view_operands, .is_structural = true},
    {.name = "aten.squeeze.dim", .operands = view_operands, .is_structural = true},
    {.name = "aten.squeeze.dims", .operands = view_operands, .is_structural = true},
    {.name = "aten.squeeze_copy.default", .operands = view_operands, .is_structural = true},
    {.name = "aten.squeeze_copy.dim", .operands = view_operands, .is_structural = true},
    {.name = "aten.squeeze_copy.dims", .operands = view_operands, .is_structural = true},
    {.name = "aten.unsqueeze.default", .operands = view_operands, .is_structural = true},
    {.name = "aten.unsqueeze_copy.default", .operands = view_operands, .is_structural = true},
    {.name = "aten.alias.default", .operands = view_operands, .is_structural = true},
    {.name = "aten.alias_copy.default", .operands = view_operands, .is_structural = true},
    {.name = "aten.detach.default", .operands = view_operands, .is_structural = true},
    {.name = "aten.detach_copy.default", .operands = view_operands, .is_structural = true},
    {.name = "tfl.reshape", .operands = reshaping_operands, .is_structural = true},
    {.name = "tfl.squeeze", .operands = view_operands, .is_structural = true},
    {.name = "tfl.expand_dims", .operands = expand_dims_operands, .is_structural = true},
    {.name = "tfl.stablehlo_reshape", .operands = view_operands, .is_structural = true},
};

}  // namespace baton::definitions
