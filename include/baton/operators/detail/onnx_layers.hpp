// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// ONNX operators with windows and weights: convolutions, pools, products, normalizations and recurrent networks.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/operators/detail/onnx_rules.hpp>
#include <baton/operators/detail/work_rules.hpp>
#include <baton/operators/inference.hpp>
#include <baton/operators/operator_definition.hpp>
#include <baton/operators/shared/window.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::onnx::definitions {

inline constexpr operand_definition convolution_operands[] = {{"X"}, {"W"}, {"B", optional}};
inline constexpr operand_definition fused_convolution_operands[] = {{"X"}, {"W"}, {"B", optional}, {"Z", optional}};
inline constexpr operand_definition gemm_operands[] = {{"A"}, {"B"}, {"C", optional}};
inline constexpr operand_definition batch_normalization_operands[] = {{"X"}, {"scale"}, {"B"}, {"input_mean"}, {"input_var"}};
inline constexpr operand_definition normalization_operands[] = {{"X"}, {"scale"}, {"B", optional}};
inline constexpr operand_definition recurrent_operands[] = {
    {"X"}, {"W"}, {"R"}, {"B", optional}, {"sequence_lens", optional}, {"initial_h", optional}, {"initial_c", optional}, {"P", optional}};

/// The windows of a convolution or a pool.
struct windows {
  std::size_t count = 0;  ///< the number of dimensions of the image
  span<const std::int64_t> strides{}, dilations{}, pads{};
  bool is_same = false, is_valid = false, rounds_up = false;

  constexpr windows(const inference& at, std::size_t dimensions)
      : count(dimensions),
        strides(at.list("strides")),
        dilations(at.list("dilations")),
        pads(at.list("pads")),
        rounds_up(at.integer("ceil_mode") != 0) {
    const auto automatic = at.text("auto_pad");
    is_same = automatic == "SAME_UPPER" || automatic == "SAME_LOWER";
    is_valid = automatic == "VALID";
  }
  constexpr auto stride(std::size_t d) const -> std::int64_t { return number_or(strides, d, 1); }
  constexpr auto dilation(std::size_t d) const -> std::int64_t { return number_or(dilations, d, 1); }
  constexpr auto padding_before(std::size_t d) const -> std::int64_t { return is_valid ? 0 : number_or(pads, d, 0); }
  constexpr auto padding_after(std::size_t d) const -> std::int64_t { return is_valid ? 0 : number_or(pads, d + count, 0); }
  /// Returns the sum of the padding before and after the elements, or -1 if either is unknown or negative.
  constexpr auto padding(std::size_t d) const -> std::int64_t {
    const auto before = padding_before(d), after = padding_after(d);
    return before < 0 || after < 0 ? -1 : before + after;
  }

  /// Returns the number of windows of `kernel` elements along dimension `d`, which has `size` elements.
  constexpr auto along(std::size_t d, std::int64_t size, std::int64_t kernel) const -> std::int64_t {
    if (is_same) return padding(d) < 0 ? -1 : window_size(true, size, kernel, stride(d), dilation(d));
    return pooled_size(size, padding_before(d), padding_after(d), kernel, stride(d), dilation(d), rounds_up);
  }
};

/// Returns the number of image dimensions of operand `operand`: all but batch and channels. If there are none, calls `misfit` and returns
/// 0.
constexpr auto image_rank(inference& at, std::size_t operand) -> std::size_t {
  if (at.rank(operand) >= 3) return at.rank(operand) - 2;
  at.misfit({"operand ", operand, " has ", at.rank(operand), " dimensions and needs three or more"});
  return 0;
}
/// Sets the shape of output 0 of a convolution of operand `input` with the weights in operand `filter`, which have the shape [output
/// channels, channels per group, kernel...].
constexpr void give_convolution(inference& at, std::size_t input, std::size_t filter) {
  const auto count = image_rank(at, input);
  if (count == 0 || !at.needs_rank(filter, count + 2)) return;
  const auto groups = at.integer("group", 1);
  const auto channels = at.size(input, 1), each = at.size(filter, 1), outputs = at.size(filter, 0);
  if (groups <= 0) return at.misfit({"group is ", groups});
  if (channels >= 0 && each >= 0 && channels != each * groups)
    return at.misfit({"the filter needs ", each * groups, " input channels, the input has ", channels});
  if (outputs >= 0 && outputs % groups != 0) return at.misfit({outputs, " filters cannot be divided into ", groups, " groups"});
  const windows window(at, count);
  inferred_shape shape{at.size(input, 0), outputs};
  for (std::size_t d = 0; d < count; ++d) shape.add(window.along(d, at.size(input, d + 2), at.size(filter, d + 2)));
  at.give_shape(0, shape);
}
constexpr void infer_conv(inference& at) {
  at.give_type(0, at.type(0));
  return give_convolution(at, 0, 1);
}
constexpr void infer_conv_integer(inference& at) {
  at.give_type(0, dtype::int32);
  return give_convolution(at, 0, 1);
}
/// The weights have the shape [channels, output channels per group, kernel...]. An explicit `output_shape` has the sizes of the image.
constexpr void infer_conv_transpose(inference& at) {
  at.give_type(0, at.type(0));
  const auto count = image_rank(at, 0);
  if (count == 0 || !at.needs_rank(1, count + 2)) return;
  const auto groups = at.integer("group", 1);
  const auto channels = at.size(0, 1), inputs = at.size(1, 0);
  if (groups <= 0) return at.misfit({"group is ", groups});
  if (channels >= 0 && inputs >= 0 && channels != inputs)
    return at.misfit({"the filter needs ", inputs, " input channels, the input has ", channels});
  const windows window(at, count);
  const auto stated = at.list("output_shape"), more = at.list("output_padding");
  inferred_shape shape{at.size(0, 0), at.size(1, 1) < 0 ? -1 : at.size(1, 1) * groups};
  for (std::size_t d = 0; d < count; ++d) {
    const auto size = at.size(0, d + 2), kernel = at.size(1, d + 2), stride = window.stride(d), dilation = window.dilation(d);
    const auto extra = number_or(more, d, 0);
    const bool is_known = size > 0 && kernel > 0 && stride > 0 && dilation > 0 && extra >= 0 && window.padding(d) >= 0;
    const auto whole = is_known ? (size - 1) * stride + extra + filter_span(kernel, dilation) - window.padding(d) : -1;
    const auto same = size < 0 || stride <= 0 ? -1 : size * stride;
    shape.add(stated.size() >= count ? number_or(stated, stated.size() - count + d, -1) : window.is_same ? same : whole);
  }
  at.give_shape(0, shape);
}
/// Outputs of a pool: the values, and for MaxPool their positions.
constexpr void infer_pool(inference& at) {
  at.give_type(0, at.type(0));
  at.give_type(1, dtype::int64);
  const auto count = image_rank(at, 0);
  const auto kernel = at.list("kernel_shape");
  if (count == 0) return;
  if (kernel.size() != count) return at.misfit({"kernel_shape has ", kernel.size(), " sizes, the image ", count, " dimensions"});
  const windows window(at, count);
  inferred_shape shape{at.size(0, 0), at.size(0, 1)};
  for (std::size_t d = 0; d < count; ++d) shape.add(window.along(d, at.size(0, d + 2), number_or(kernel, d, -1)));
  at.give_shape(0, shape);
  at.give_shape(1, shape);
}
constexpr void infer_global_pool(inference& at) {
  at.give_type(0, at.type(0));
  const auto count = image_rank(at, 0);
  if (count == 0) return;
  inferred_shape shape{at.size(0, 0), at.size(0, 1)};
  for (std::size_t d = 0; d < count; ++d) shape.add(1);
  at.give_shape(0, shape);
}

/// Sets the shape of output 0 of a product of two matrices in operands `a` and `b`, which may be transposed.
constexpr void give_matrix_product(inference& at, std::size_t a, std::size_t b) {
  if (!at.needs_rank(a, 2) || !at.needs_rank(b, 2)) return;
  const std::size_t ta = at.integer("transA") != 0 ? 1 : 0, tb = at.integer("transB") != 0 ? 1 : 0;
  const auto row = at.size(a, 1 - ta), column = at.size(b, tb);
  if (row >= 0 && column >= 0 && row != column) return at.misfit({"rows of ", row, " elements do not match columns of ", column});
  at.give_shape(0, {at.size(a, ta), at.size(b, 1 - tb)});
}
constexpr void infer_gemm(inference& at) {
  at.give_type(0, at.type(0));
  return give_matrix_product(at, 0, 1);
}
/// Sets the shape of output 0 of a stacked product as in `numpy.matmul`: a vector is a matrix of one row or one column, and the output does
/// not have the dimension of size 1. Matrices may be transposed, vectors are not.
constexpr void give_stacked_product(inference& at, std::size_t a, std::size_t b) {
  const auto left = at.rank(a), right = at.rank(b);
  if (left == 0 || right == 0) return at.misfit({"an operand is a scalar"});
  const std::size_t ta = left > 1 && at.integer("transA") != 0 ? 1 : 0, tb = right > 1 && at.integer("transB") != 0 ? 1 : 0;
  const auto row = at.size(a, left - 1 - ta), column = at.size(b, right == 1 ? 0 : right - 2 + tb);
  if (row >= 0 && column >= 0 && row != column) return at.misfit({"rows of ", row, " elements do not match columns of ", column});
  inferred_shape shape;
  if (!broadcast(at.shape(a).first(left < 2 ? 0 : left - 2), at.shape(b).first(right < 2 ? 0 : right - 2), shape))
    return at.misfit({"the stacks of operands ", a, " and ", b, " differ"});
  if (left > 1) shape.add(at.size(a, left - 2 + ta));
  if (right > 1) shape.add(at.size(b, right - 1 - tb));
  at.give_shape(0, shape);
}
constexpr void infer_matmul(inference& at) {
  at.give_type(0, at.type(0));
  if (at.integer("transBatchA") != 0 || at.integer("transBatchB") != 0) return;
  return give_stacked_product(at, 0, 1);
}
constexpr void infer_matmul_integer(inference& at) {
  at.give_type(0, dtype::int32);
  return give_stacked_product(at, 0, 1);
}

/// In training mode there are more outputs: means and variances of the channels.
constexpr void infer_batch_normalization(inference& at) {
  infer_same(at);
  for (std::size_t o = 1; o < at.output_count(); ++o) at.give(o, at.type(3), inferred_shape(at.shape(3)));
}
/// Outputs: the values, the means and the reciprocal deviations. The latter two have size 1 in the normalized dimensions, and the type that
/// `stash_type` names.
constexpr void infer_layer_normalization(inference& at) {
  infer_same(at);
  const auto rank = at.rank(0);
  const auto first = at.needs_dimension(at.integer("axis", -1), rank);
  const auto stash = element_type_of(at.integer("stash_type", 1));
  if (first == rank) return;
  inferred_shape shape;
  for (std::size_t d = 0; d < rank; ++d) shape.add(d < first ? at.size(0, d) : 1);
  for (std::size_t o = 1; o < at.output_count(); ++o) {
    if (stash.is_known) at.give_type(o, stash.type);
    at.give_shape(o, shape);
  }
}

/// Outputs: the results of all steps, the result of the last step and, for an LSTM, the last cell state. W has the shape [directions, gates
/// · units, inputs], R the shape [directions, gates · units, units]. The input is [steps, batch, inputs], or [batch, steps, inputs] if
/// `layout` is 1.
constexpr void infer_recurrent(inference& at) {
  for (std::size_t o = 0; o < at.output_count(); ++o) at.give_type(o, at.type(0));
  if (!at.needs_rank(0, 3) || !at.needs_rank(1, 3) || !at.needs_rank(2, 3)) return;
  const bool is_batch_first = at.integer("layout") != 0;
  const auto directions = at.size(1, 0), units = at.size(2, 2);
  const auto steps = at.size(0, is_batch_first ? 1 : 0), batch = at.size(0, is_batch_first ? 0 : 1);
  const auto columns = at.size(1, 2), given = at.size(0, 2);
  if (columns >= 0 && given >= 0 && columns != given)
    return at.misfit({"the weights have ", columns, " columns, the rows of the input have ", given});
  if (is_batch_first) {
    at.give_shape(0, {batch, steps, directions, units});
  } else {
    at.give_shape(0, {steps, directions, batch, units});
  }
  for (std::size_t o = 1; o < at.output_count(); ++o) {
    if (is_batch_first) at.give_shape(o, {batch, directions, units});
    if (!is_batch_first) at.give_shape(o, {directions, batch, units});
  }
}

/// Each element of the input is multiplied by all weights of its channel. Dimension 0 of operand 1 is the number of channels.
constexpr auto work_of_conv_transpose(const program_view& program, const node& record) -> std::uint64_t {
  const auto shape = program.shape(program.inputs(record)[1]);
  const auto elements = element_count(program.shape(program.inputs(record)[0]));
  if (shape.empty() || elements <= 0) return 0;
  return static_cast<std::uint64_t>(elements) * static_cast<std::uint64_t>(work_rules::detail::filter_size(shape, shape.front()));
}
/// Each element of the output is the dot product of a row of operand 0 and a column of operand 1.
constexpr auto work_of_product(const program_view& program, const node& record) -> std::uint64_t {
  return work_rules::detail::each_sum(program, record, "transA");
}

/// Definitions of convolutions and pools.
inline constexpr operator_definition windowed[] = {
    {.name = "onnx.Conv",
     .operands = convolution_operands,
     .is_functional = true,
     .infer = infer_conv,
     .multiply_adds = work_rules::filter},
    {.name = "onnx.com.microsoft.FusedConv",
     .operands = fused_convolution_operands,
     .is_functional = true,
     .infer = infer_conv,
     .multiply_adds = work_rules::filter},
    {.name = "onnx.ConvTranspose",
     .operands = convolution_operands,
     .is_functional = true,
     .infer = infer_conv_transpose,
     .multiply_adds = work_of_conv_transpose},
    {.name = "onnx.MaxPool", .operands = one_operand, .is_functional = true, .infer = infer_pool},
    {.name = "onnx.AveragePool", .operands = one_operand, .is_functional = true, .infer = infer_pool},
    {.name = "onnx.LpPool", .operands = one_operand, .is_functional = true, .infer = infer_pool},
    {.name = "onnx.GlobalAveragePool", .operands = one_operand, .is_functional = true, .infer = infer_global_pool},
    {.name = "onnx.GlobalMaxPool", .operands = one_operand, .is_functional = true, .infer = infer_global_pool},
    {.name = "onnx.GlobalLpPool", .operands = one_operand, .is_functional = true, .infer = infer_global_pool},
};

/// Definitions of products of matrices, and of recurrent networks.
inline constexpr operator_definition products[] = {
    {.name = "onnx.Gemm", .operands = gemm_operands, .is_functional = true, .infer = infer_gemm, .multiply_adds = work_of_product},
    {.name = "onnx.MatMul", .operands = two_operands, .is_functional = true, .infer = infer_matmul, .multiply_adds = work_of_product},
    {.name = "onnx.com.microsoft.FusedMatMul",
     .operands = two_operands,
     .is_functional = true,
     .infer = infer_matmul,
     .multiply_adds = work_of_product},
    {.name = "onnx.LSTM",
     .operands = recurrent_operands,
     .is_functional = true,
     .infer = infer_recurrent,
     .multiply_adds = work_rules::rnn},
    {.name = "onnx.GRU", .operands = recurrent_operands, .is_functional = true, .infer = infer_recurrent, .multiply_adds = work_rules::rnn},
    {.name = "onnx.RNN", .operands = recurrent_operands, .is_functional = true, .infer = infer_recurrent, .multiply_adds = work_rules::rnn},
};

/// Definitions of normalizations.
inline constexpr operator_definition normalizations[] = {
    {.name = "onnx.BatchNormalization",
     .operands = batch_normalization_operands,
     .is_functional = true,
     .is_versioned = true,
     .infer = infer_batch_normalization},
    {.name = "onnx.LayerNormalization", .operands = normalization_operands, .is_functional = true, .infer = infer_layer_normalization},
    {.name = "onnx.RMSNormalization", .operands = normalization_operands, .is_functional = true, .infer = infer_same},
    {.name = "onnx.InstanceNormalization", .operands = normalization_operands, .is_functional = true, .infer = infer_same},
    {.name = "onnx.GroupNormalization",
     .operands = normalization_operands,
     .is_functional = true,
     .is_versioned = true,
     .infer = infer_same},
    {.name = "onnx.LpNormalization", .operands = one_operand, .is_functional = true, .infer = infer_same},
    {.name = "onnx.MeanVarianceNormalization", .operands = one_operand, .is_functional = true, .infer = infer_same},
    {.name = "onnx.LRN", .operands = one_operand, .is_functional = true, .infer = infer_same},
};

}  // namespace baton::onnx::definitions
