// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Replaces operators of torch.export that take parts of tensors, join tensors, or access elements at given positions.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/transform/detail/emission.hpp>
#include <baton/transform/detail/executorch_moves.hpp>
#include <baton/transform/detail/executorch_parts.hpp>
#include <baton/transform/detail/executorch_positions.hpp>
#include <baton/transform/detail/layout.hpp>
#include <baton/transform/detail/legalization_row.hpp>
#include <baton/transform/detail/onnx_gathering.hpp>
#include <baton/transform/detail/onnx_slicing.hpp>
#include <baton/transform/detail/torch_argument.hpp>
#include <baton/transform/detail/written_slices.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::detail {

/// `aten.stack.default`: operands and the position of the new dimension.
constexpr void emit_torch_stack(emission& to) {
  vector<value_id> operands;
  for (std::size_t i = 0; i < to.operand_count(); ++i) operands.push_back(to.in_file(i));
  const auto axis = dimension_argument(to, "arg_1", to.output_type().rank);
  if (to.is_refused()) return;
  const named_literal literals[] = {{"axis", axis}, {"values_count", operands.size()}};
  to.copy_quantization(operands[0], to.output());
  to.finish("tfl.pack", operands, literals);
}

/// Takes elements `start` to before `end` of a dimension, which may count from its end.
constexpr void take_slice(emission& to, std::int64_t start, std::int64_t end, std::int64_t step) {
  const std::int64_t starts[] = {start}, ends[] = {end}, axes[] = {to.integer("arg_1")}, steps[] = {step};
  to.set_operands({to.operand(0)});
  to.state({{"starts", span<const std::int64_t>{starts}},
            {"ends", span<const std::int64_t>{ends}},
            {"axes", span<const std::int64_t>{axes}},
            {"steps", span<const std::int64_t>{steps}}});
  emit_slice(to);
}
/// `aten.slice.Tensor`: input, dimension, start, end and step.
constexpr void emit_torch_slice(emission& to) {
  take_slice(to, to.integer("arg_2"), to.integer("arg_3", known_sizes::max), to.integer("arg_4", 1));
}
/// `aten.narrow.default`: input, dimension, start and length.
constexpr void emit_torch_narrow(emission& to) {
  const auto axis = dimension_argument(to, "arg_1", to.stored_type(to.operand(0)).rank);
  if (to.is_refused()) return;
  auto start = to.integer("arg_2");
  if (start < 0) start += to.file_type(to.operand(0)).sizes[axis];
  take_slice(to, start, start + to.integer("arg_3"), 1);
}

/// `aten.embedding.default`: rows of a table.
constexpr void emit_torch_embedding(emission& to) {
  to.state({{"axis", 0}});
  emit_gather(to);
}
/// `aten.index_select.default`: slices along a dimension.
constexpr void emit_torch_index_select(emission& to) {
  to.state({{"axis", to.integer("arg_1")}});
  emit_gather(to);
}
/// `aten.gather.default`: elements along a dimension.
constexpr void emit_torch_gather(emission& to) {
  to.state({{"axis", to.integer("arg_1")}});
  emit_gather_elements(to);
}
/// Returns the only operand among `first` to before `end` that is not omitted, or `end` if there are several.
constexpr auto only_positions(emission& to, std::size_t first, std::size_t end) -> std::size_t {
  auto result = end;
  for (auto i = first; i < end; ++i) {
    if (!to.has(i)) continue;
    if (result != end) return to.refuse("positions along several dimensions are not supported"), end;
    result = i;
  }
  if (result == end) to.refuse("there are no positions");
  return result;
}
/// `aten.index.Tensor`: input, and positions along one dimension; those along the dimensions before it are omitted.
constexpr void emit_torch_index(emission& to) {
  const auto at = only_positions(to, 1, to.operand_count());
  if (to.is_refused()) return;
  to.set_operands({to.operand(0), to.operand(at)});
  to.state({{"axis", static_cast<std::int64_t>(at) - 1}});
  emit_gather(to);
}

/// `aten.index_put.default`: input, positions along one dimension, elements, and whether they are added.
constexpr void emit_torch_index_put(emission& to) {
  const auto count = to.operand_count();
  if (count < 3) return to.refuse("the positions or the elements are missing");
  const auto at = only_positions(to, 1, count - 1);
  if (to.is_refused()) return;
  if (at > to.stored_type(to.operand(0)).rank) return to.refuse("there is no dimension ", at - 1);
  written_slices(to, at - 1).write(to.in_file(at), to.in_file(count - 1), to.integer("arg_3") != 0);
}
/// `aten.index_copy.default`: input, dimension, positions and elements.
constexpr void emit_torch_index_copy(emission& to) {
  const auto axis = dimension_argument(to, "arg_1", to.stored_type(to.operand(0)).rank);
  if (!to.is_refused()) written_slices(to, axis).write(to.in_file(1), to.in_file(2), false);
}

/// Operators that take parts of tensors, join tensors, or access elements at given positions.
inline constexpr legalization_row torch_parts[] = {
    {"aten.cat.default", along_axis, emit_cat},
    {"aten.concat.default", along_axis, emit_cat},
    {"aten.stack.default", manner::fixed, emit_torch_stack},
    {"aten.chunk.default", along_axis, emit_split_with_sizes, 1, 255},
    {"aten.split.Tensor", along_axis, emit_split_with_sizes, 1, 255},
    {"aten.split_copy.Tensor", along_axis, emit_split_with_sizes, 1, 255},
    {"aten.split.sizes", along_axis, emit_split_with_sizes, 1, 255},
    {"aten.split_with_sizes.default", along_axis, emit_split_with_sizes, 1, 255},
    {"aten.split_with_sizes_copy.default", along_axis, emit_split_with_sizes, 1, 255},
    {"aten.unbind.int", manner::fixed, emit_unbind, 1, 255},
    {"aten.unbind_copy.int", manner::fixed, emit_unbind, 1, 255},
    {"aten.slice.Tensor", along_axis, emit_torch_slice},
    {"aten.slice_copy.Tensor", along_axis, emit_torch_slice},
    {"aten.narrow.default", along_axis, emit_torch_narrow},
    {"aten.narrow_copy.default", along_axis, emit_torch_narrow},
    {"aten.select.int", manner::fixed, emit_select},
    {"aten.select_copy.int", manner::fixed, emit_select},
    {"aten.embedding.default", manner::fixed, emit_torch_embedding, 2},
    {"aten.index_select.default", manner::fixed, emit_torch_index_select, 2},
    {"aten.gather.default", manner::fixed, emit_torch_gather, 2},
    {"aten.scatter.src", manner::fixed, emit_scatter_along<false>, 3},
    {"aten.scatter_add.default", manner::fixed, emit_scatter_along<true>, 3},
    {"aten.index.Tensor", manner::fixed, emit_torch_index},
    {"aten.index_put.default", manner::fixed, emit_torch_index_put},
    {"aten.index_copy.default", manner::fixed, emit_torch_index_copy, 3},
    {"aten.slice_scatter.default", manner::fixed, emit_slice_scatter, 2},
    {"aten.select_scatter.default", manner::fixed, emit_select_scatter, 2},
};

}  // namespace baton::detail
