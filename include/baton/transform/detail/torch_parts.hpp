// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Replaces operators of torch.export that take parts of tensors, join tensors, or access elements at given positions.
#pragma once

#include <baton/transform/detail/emission.hpp>
#include <baton/transform/detail/executorch_moves.hpp>
#include <baton/transform/detail/executorch_parts.hpp>
#include <baton/transform/detail/executorch_positions.hpp>
#include <baton/transform/detail/layout.hpp>
#include <baton/transform/detail/legalization_row.hpp>
#include <baton/transform/detail/torch_argument.hpp>
#include <baton/transform/detail/written_slices.hpp>

namespace baton::detail {

/// `aten.index_copy.default`: input, dimension, positions and elements.
constexpr void emit_torch_index_copy(emission& to) {
  const auto axis = dimension_argument(to, "arg_1", to.stored_type(to.operand(0)).rank);
  if (!to.is_refused()) written_slices(to, axis).write(to.in_file(1), to.in_file(2), false);
}

/// Operators that take parts of tensors, join tensors, or access elements at given positions.
inline constexpr legalization_row torch_parts[] = {
    {"aten.cat.default", along_axis, emit_cat},
    {"aten.concat.default", along_axis, emit_cat},
    {"aten.stack.default", manner::fixed, emit_stack},
    {"aten.chunk.default", along_axis, emit_split_with_sizes, 1, 255},
    {"aten.split.Tensor", along_axis, emit_split_with_sizes, 1, 255},
    {"aten.split_copy.Tensor", along_axis, emit_split_with_sizes, 1, 255},
    {"aten.split.sizes", along_axis, emit_split_with_sizes, 1, 255},
    {"aten.split_with_sizes.default", along_axis, emit_split_with_sizes, 1, 255},
    {"aten.split_with_sizes_copy.default", along_axis, emit_split_with_sizes, 1, 255},
    {"aten.unbind.int", manner::fixed, emit_unbind, 1, 255},
    {"aten.unbind_copy.int", manner::fixed, emit_unbind, 1, 255},
    {"aten.slice.Tensor", along_axis, emit_slice_copy},
    {"aten.slice_copy.Tensor", along_axis, emit_slice_copy},
    {"aten.narrow.default", along_axis, emit_narrow_copy},
    {"aten.narrow_copy.default", along_axis, emit_narrow_copy},
    {"aten.select.int", manner::fixed, emit_select},
    {"aten.select_copy.int", manner::fixed, emit_select},
    {"aten.embedding.default", manner::fixed, emit_embedding, 2},
    {"aten.index_select.default", manner::fixed, emit_index_select, 2},
    {"aten.gather.default", manner::fixed, emit_gather_along, 2},
    {"aten.scatter.src", manner::fixed, emit_scatter_along<false>, 3},
    {"aten.scatter_add.default", manner::fixed, emit_scatter_along<true>, 3},
    {"aten.index.Tensor", manner::fixed, emit_index},
    {"aten.index_put.default", manner::fixed, emit_index_put},
    {"aten.index_copy.default", manner::fixed, emit_torch_index_copy, 3},
    {"aten.slice_scatter.default", manner::fixed, emit_slice_scatter, 2},
    {"aten.select_scatter.default", manner::fixed, emit_select_scatter, 2},
};

}  // namespace baton::detail
