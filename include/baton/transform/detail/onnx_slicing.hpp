// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Replaces ONNX operators that extract slices of tensors, or repeat tensors.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/named_literal.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/operators/inference.hpp>
#include <baton/operators/shared/strided_axis.hpp>
#include <baton/transform/detail/emission.hpp>
#include <baton/transform/detail/legalization_row.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace baton::detail {

/// Returns the integers of operand `at`, or of the attribute `key` if the operand is omitted. Refuses the node (the pass then fails with
/// `unsupported_operator`) if the operand is not a constant; `what` names the operand in the reason.
constexpr auto numbers_of(emission& emitter, std::size_t at, literal_name key, std::string_view what) -> vector<std::int64_t> {
  vector<std::int64_t> result;
  if (!emitter.has(at)) {
    for (const auto number : emitter.list(key)) result.push_back(number);
    return result;
  }
  const auto numbers = emitter.integers(at);
  if (!numbers.are_known) return emitter.refuse(what, " are not constant; export the model with constants"), result;
  for (std::size_t i = 0; i < numbers.count; ++i) result.push_back(numbers[i]);
  return result;
}

/// True if the node is the slice that an importer adds after a loop. A stacked output of a loop contains the results of all possible
/// iterations. The added slice selects the executed iterations. The stacked output and the number of iterations are outputs of one
/// `while_loop`.
constexpr auto is_stack_of_loop(emission& emitter) -> bool {
  const auto loop = emitter.producer_of(emitter.operand(0)), count = emitter.producer_of(emitter.operand(2));
  if (loop == none<node_id> || count == none<node_id> || !emitter.node_at(loop).is("while_loop")) return false;
  const auto counter = emitter.program().inputs(emitter.node_at(count));
  return emitter.node_at(count).is("tfl.reshape") && emitter.producer_of(counter[0]) == loop &&
         emitter.program().outputs_of(emitter.node_at(loop))[0] == counter[0] && emitter.operand(1) == emitter.operand(3);
}
/// Replaces `onnx.Slice`. The slice after a loop (`is_stack_of_loop`) is replaced by the whole stacked output, because the shape of the
/// output must be constant. The stacked output is 0 for iterations that are not executed; ONNX would omit these iterations.
constexpr void emit_slice(emission& emitter) {
  const auto in = emitter.in(0);
  const auto type = emitter.stored_type(in);
  if (is_stack_of_loop(emitter)) {
    emitter.set_shape(type);
    return emitter.finish_reshape(in);
  }
  const auto starts = numbers_of(emitter, 1, "starts", "the starts"), ends = numbers_of(emitter, 2, "ends", "the ends");
  const auto axes = numbers_of(emitter, 3, "axes", "the axes"), steps = numbers_of(emitter, 4, "steps", "the steps");
  if (emitter.is_refused()) return;
  const auto count = starts.size();
  const bool fits = ends.size() == count && (axes.empty() || axes.size() == count) && (steps.empty() || steps.size() == count);
  if (!fits || count > type.rank)
    return emitter.refuse("starts, ends, axes and steps have different lengths, or more than ", type.rank, " numbers");
  std::array<std::int64_t, tensor_type::max_rank> first{}, last{}, step{}, sizes{};
  std::int64_t to_end = 0;
  bool has_steps = false;
  for (std::size_t d = 0; d < type.rank; ++d) {
    last[d] = sizes[d] = type.sizes[d];
    step[d] = 1;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const auto axis = inference::dimension(axes.empty() ? static_cast<std::int64_t>(i) : axes[i], type.rank);
    if (axis == type.rank) return emitter.refuse("there is no dimension ", axes[i]);
    if (!steps.empty() && steps[i] == 0) return emitter.refuse("the step along dimension ", axis, " is 0");
    const auto at = static_cast<std::size_t>(emitter.dimension(static_cast<std::int64_t>(axis), type.rank));
    constexpr std::int64_t limit = 0x7fffffff;
    const strided_axis part{type.sizes[at], starts[i], ends[i], steps.empty() ? 1 : std::clamp(steps[i], -limit, limit)};
    first[at] = part.first();
    step[at] = part.stride;
    sizes[at] = part.count();
    last[at] = first[at] + sizes[at] * part.stride;
    if (last[at] < 0) to_end |= std::int64_t{1} << at;
    if (last[at] < 0 || last[at] > type.sizes[at]) last[at] = last[at] < 0 ? 0 : type.sizes[at];
    has_steps = has_steps || part.stride != 1;
  }
  emitter.copy_quantization(in, emitter.output());
  const auto begin = emitter.integer_constant("begin", {first.data(), type.rank});
  if (!has_steps) return emitter.finish("tfl.slice", {in, begin, emitter.integer_constant("size", {sizes.data(), type.rank})});
  const auto end = emitter.integer_constant("end", {last.data(), type.rank}),
             strides = emitter.integer_constant("strides", {step.data(), type.rank});
  const std::int64_t none_masked = 0;
  emitter.finish("tfl.strided_slice", {in, begin, end, strides},
                 {{"begin_mask", none_masked},
                  {"end_mask", to_end},
                  {"ellipsis_mask", none_masked},
                  {"new_axis_mask", none_masked},
                  {"shrink_axis_mask", none_masked}});
}

/// Replaces `onnx.Split`. The shapes of the outputs determine the sizes.
constexpr void emit_split(emission& emitter) {
  const auto in = emitter.in(0);
  const auto rank = emitter.stored_type(in).rank;
  const auto axis = inference::dimension(emitter.integer("axis"), rank);
  if (axis == rank) return emitter.refuse("there is no dimension ", emitter.integer("axis"));
  const auto stored = emitter.dimension(static_cast<std::int64_t>(axis), rank);
  vector<std::int64_t> sizes;
  for (std::size_t i = 0; i < emitter.output_count(); ++i) {
    sizes.push_back(emitter.stored_type(emitter.output(i)).sizes[static_cast<std::size_t>(stored)]);
    emitter.copy_quantization(in, emitter.output(i));
  }
  if (sizes.size() == 1) return emitter.finish_reshape(in);
  const value_id operands[] = {in, emitter.integer_constant("sizes", sizes), emitter.integer_constant("axis", {&stored, 1})};
  emitter.finish("tfl.split_v", operands);
}

/// Replaces `onnx.Expand`. The new shape is the shape of the output.
constexpr void emit_expand(emission& emitter) {
  const auto in = emitter.operand_in_file_layout(0);
  const auto type = emitter.output_type(), from = emitter.stored_type(in);
  emitter.copy_quantization(in, emitter.output());
  if (element_count(type.shape()) == element_count(from.shape())) return emitter.finish_reshape(in);
  emitter.finish("tfl.broadcast_to", {in, emitter.integer_constant("shape", type.shape())});
}
/// Replaces `onnx.Tile`. The shapes of operand and output determine the number of copies.
constexpr void emit_tile(emission& emitter) {
  const auto in = emitter.operand_in_file_layout(0);
  const auto type = emitter.output_type(), from = emitter.stored_type(in);
  if (type.rank != from.rank) return emitter.refuse("input and output have different numbers of dimensions");
  vector<std::int64_t> multiples;
  for (std::size_t d = 0; d < type.rank; ++d) multiples.push_back(from.sizes[d] <= 0 ? 1 : type.sizes[d] / from.sizes[d]);
  emitter.copy_quantization(in, emitter.output());
  emitter.finish("tfl.tile", {in, emitter.integer_constant("multiples", multiples)});
}

/// The rows (`legalization_row`) of operators that extract slices of tensors, or repeat tensors.
inline constexpr legalization_row onnx_slicing[] = {
    {"onnx.Slice", along_axis, emit_slice},
    {"onnx.Split", along_axis, emit_split, 1, 255},
    {"onnx.Expand", layout_rule::fixed, emit_expand},
    {"onnx.Tile", layout_rule::fixed, emit_tile},
};

}  // namespace baton::detail
