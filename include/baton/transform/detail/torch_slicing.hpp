// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Replaces operators of torch.export that extract slices of tensors, join tensors, or access elements at given positions (indices along a
// dimension).
#pragma once

#include <baton/transform/detail/emission.hpp>
#include <baton/transform/detail/executorch_moves.hpp>
#include <baton/transform/detail/executorch_positions.hpp>
#include <baton/transform/detail/executorch_slicing.hpp>
#include <baton/transform/detail/layout.hpp>
#include <baton/transform/detail/legalization_row.hpp>
#include <baton/transform/detail/torch_argument.hpp>
#include <baton/transform/detail/written_slices.hpp>

namespace baton::detail {

/// Replaces `aten.index_copy.default` (input, dimension, positions, elements).
constexpr void emit_torch_index_copy(emission& emitter) {
  const auto axis = dimension_argument(emitter, "arg_1", emitter.stored_type(emitter.operand(0)).rank);
  if (!emitter.is_refused())
    written_slices(emitter, axis).write(emitter.operand_in_file_layout(1), emitter.operand_in_file_layout(2), false);
}

/// The rows (`legalization_row`) of operators that extract slices of tensors, join tensors, or access elements at given positions.
inline constexpr legalization_row torch_slicing[] = {
    {"aten.cat.default", along_axis, emit_cat},
    {"aten.concat.default", along_axis, emit_cat},
    {"aten.stack.default", layout_rule::fixed, emit_stack},
    {"aten.chunk.default", along_axis, emit_split_with_sizes, 1, 255},
    {"aten.split.Tensor", along_axis, emit_split_with_sizes, 1, 255},
    {"aten.split_copy.Tensor", along_axis, emit_split_with_sizes, 1, 255},
    {"aten.split.sizes", along_axis, emit_split_with_sizes, 1, 255},
    {"aten.split_with_sizes.default", along_axis, emit_split_with_sizes, 1, 255},
    {"aten.split_with_sizes_copy.default", along_axis, emit_split_with_sizes, 1, 255},
    {"aten.unbind.int", layout_rule::fixed, emit_unbind, 1, 255},
    {"aten.unbind_copy.int", layout_rule::fixed, emit_unbind, 1, 255},
    {"aten.slice.Tensor", along_axis, emit_slice_copy},
    {"aten.slice_copy.Tensor", along_axis, emit_slice_copy},
    {"aten.narrow.default", along_axis, emit_narrow_copy},
    {"aten.narrow_copy.default", along_axis, emit_narrow_copy},
    {"aten.select.int", layout_rule::fixed, emit_select},
    {"aten.select_copy.int", layout_rule::fixed, emit_select},
    {"aten.embedding.default", layout_rule::fixed, emit_embedding, 2},
    {"aten.index_select.default", layout_rule::fixed, emit_index_select, 2},
    {"aten.gather.default", layout_rule::fixed, emit_gather_along, 2},
    {"aten.scatter.src", layout_rule::fixed, emit_scatter_along<false>, 3},
    {"aten.scatter_add.default", layout_rule::fixed, emit_scatter_along<true>, 3},
    {"aten.index.Tensor", layout_rule::fixed, emit_index},
    {"aten.index_put.default", layout_rule::fixed, emit_index_put},
    {"aten.index_copy.default", layout_rule::fixed, emit_torch_index_copy, 3},
    {"aten.slice_scatter.default", layout_rule::fixed, emit_slice_scatter, 2},
    {"aten.select_scatter.default", layout_rule::fixed, emit_select_scatter, 2},
};

}  // namespace baton::detail
