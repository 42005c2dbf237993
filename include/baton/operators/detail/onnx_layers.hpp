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
  std::size_t count = 0;  ///< the number of spatial dimensions (all dimensions except batch and channels)
  span<const std::int64_t> strides{}, dilations{}, pads{};
  bool is_same = false, is_valid = false, rounds_up = false;

  constexpr windows(const inference& node, std::size_t dimensions)
      : count(dimensions),
        strides(node.list("strides")),
        dilations(node.list("dilations")),
        pads(node.list("pads")),
        rounds_up(node.integer("ceil_mode") != 0) {
    const auto automatic = node.text("auto_pad");
    is_same = automatic == "SAME_UPPER" || automatic == "SAME_LOWER";
    is_valid = automatic == "VALID";
  }
  constexpr auto stride(std::size_t d) const -> std::int64_t { return number_or(strides, d, 1); }
  constexpr auto dilation(std::size_t d) const -> std::int64_t { return number_or(dilations, d, 1); }
  constexpr auto padding_before(std::size_t d) const -> std::int64_t { return is_valid ? 0 : number_or(pads, d, 0); }
  constexpr auto padding_after(std::size_t d) const -> std::int64_t { return is_valid ? 0 : number_or(pads, d + count, 0); }
  /// Returns the sum of the paddings before and after spatial dimension `d`, or -1 if one of the two paddings is unknown or negative.
  constexpr auto padding(std::size_t d) const -> std::int64_t {
    const auto before = padding_before(d), after = padding_after(d);
    return before < 0 || after < 0 ? -1 : before + after;
  }

  /// Returns the number of windows of `kernel` elements along spatial dimension `d`, which has `size` elements.
  constexpr auto along(std::size_t d, std::int64_t size, std::int64_t kernel) const -> std::int64_t {
    if (is_same) return padding(d) < 0 ? -1 : window_size(true, size, kernel, stride(d), dilation(d));
    return pooled_size(size, padding_before(d), padding_after(d), kernel, stride(d), dilation(d), rounds_up);
  }
};

/// Returns the number of spatial dimensions of operand `operand`. If the operand has fewer than three dimensions, calls `fail` and returns
/// 0.
constexpr auto image_rank(inference& node, std::size_t operand) -> std::size_t {
  if (node.rank(operand) >= 3) return node.rank(operand) - 2;
  node.fail({"operand ", operand, " has ", node.rank(operand), " dimensions and needs three or more"});
  return 0;
}
/// Sets the shape of output 0 of a convolution of operand `input` with the weights in operand `filter`. The weights have the shape [output
/// channels, channels per group, kernel...].
constexpr void set_convolution(inference& node, std::size_t input, std::size_t filter) {
  const auto count = image_rank(node, input);
  if (count == 0 || !node.require_rank(filter, count + 2)) return;
  const auto groups = node.integer("group", 1);
  const auto channels = node.size(input, 1), each = node.size(filter, 1), outputs = node.size(filter, 0);
  if (groups <= 0) return node.fail({"group is ", groups, "; it must be positive"});
  if (channels >= 0 && each >= 0 && channels != each * groups)
    return node.fail({"the filter needs ", each * groups, " input channels, the input has ", channels});
  if (outputs >= 0 && outputs % groups != 0) return node.fail({outputs, " filters cannot be divided into ", groups, " groups"});
  const windows window(node, count);
  inferred_shape shape{node.size(input, 0), outputs};
  for (std::size_t d = 0; d < count; ++d) shape.add(window.along(d, node.size(input, d + 2), node.size(filter, d + 2)));
  node.set_shape(0, shape);
}
constexpr void infer_conv(inference& node) {
  node.set_type(0, node.type(0));
  return set_convolution(node, 0, 1);
}
constexpr void infer_conv_integer(inference& node) {
  node.set_type(0, dtype::int32);
  return set_convolution(node, 0, 1);
}
/// Infers the output of a transposed convolution. The weights have the shape [channels, output channels per group, kernel...]. The
/// attribute `output_shape`, if the node has it, lists the sizes of the output image.
constexpr void infer_conv_transpose(inference& node) {
  node.set_type(0, node.type(0));
  const auto count = image_rank(node, 0);
  if (count == 0 || !node.require_rank(1, count + 2)) return;
  const auto groups = node.integer("group", 1);
  const auto channels = node.size(0, 1), inputs = node.size(1, 0);
  if (groups <= 0) return node.fail({"group is ", groups, "; it must be positive"});
  if (channels >= 0 && inputs >= 0 && channels != inputs)
    return node.fail({"the filter needs ", inputs, " input channels, the input has ", channels});
  const windows window(node, count);
  const auto stated = node.list("output_shape"), output_padding = node.list("output_padding");
  inferred_shape shape{node.size(0, 0), node.size(1, 1) < 0 ? -1 : node.size(1, 1) * groups};
  for (std::size_t d = 0; d < count; ++d) {
    const auto size = node.size(0, d + 2), kernel = node.size(1, d + 2), stride = window.stride(d), dilation = window.dilation(d);
    const auto extra = number_or(output_padding, d, 0);
    const bool is_known = size > 0 && kernel > 0 && stride > 0 && dilation > 0 && extra >= 0 && window.padding(d) >= 0;
    const auto whole = is_known ? (size - 1) * stride + extra + filter_span(kernel, dilation) - window.padding(d) : -1;
    const auto same = size < 0 || stride <= 0 ? -1 : size * stride;
    shape.add(stated.size() >= count ? number_or(stated, stated.size() - count + d, -1) : window.is_same ? same : whole);
  }
  node.set_shape(0, shape);
}
/// Infers the outputs of a pool: the pooled values and, for MaxPool, the positions of the maxima.
constexpr void infer_pool(inference& node) {
  node.set_type(0, node.type(0));
  node.set_type(1, dtype::int64);
  const auto count = image_rank(node, 0);
  const auto kernel = node.list("kernel_shape");
  if (count == 0) return;
  if (kernel.size() != count) return node.fail({"kernel_shape has ", kernel.size(), " sizes, but the image has ", count, " dimensions"});
  const windows window(node, count);
  inferred_shape shape{node.size(0, 0), node.size(0, 1)};
  for (std::size_t d = 0; d < count; ++d) shape.add(window.along(d, node.size(0, d + 2), number_or(kernel, d, -1)));
  node.set_shape(0, shape);
  node.set_shape(1, shape);
}
constexpr void infer_global_pool(inference& node) {
  node.set_type(0, node.type(0));
  const auto count = image_rank(node, 0);
  if (count == 0) return;
  inferred_shape shape{node.size(0, 0), node.size(0, 1)};
  for (std::size_t d = 0; d < count; ++d) shape.add(1);
  node.set_shape(0, shape);
}

/// Sets the shape of output 0 of the product of the matrices in operands `a` and `b`. `transA` and `transB` state whether the matrices are
/// transposed.
constexpr void set_matrix_product(inference& node, std::size_t a, std::size_t b) {
  if (!node.require_rank(a, 2) || !node.require_rank(b, 2)) return;
  const std::size_t ta = node.integer("transA") != 0 ? 1 : 0, tb = node.integer("transB") != 0 ? 1 : 0;
  const auto row = node.size(a, 1 - ta), column = node.size(b, tb);
  if (row >= 0 && column >= 0 && row != column) return node.fail({"rows of ", row, " elements do not match columns of ", column});
  node.set_shape(0, {node.size(a, ta), node.size(b, 1 - tb)});
}
constexpr void infer_gemm(inference& node) {
  node.set_type(0, node.type(0));
  return set_matrix_product(node, 0, 1);
}
/// Sets the shape of output 0 of a batched matrix product, as in `numpy.matmul`. A vector is treated as a matrix of one row or one column.
/// The output does not have the added dimension of size 1. Matrices may be transposed; vectors are not.
constexpr void set_stacked_product(inference& node, std::size_t a, std::size_t b) {
  const auto left = node.rank(a), right = node.rank(b);
  if (left == 0 || right == 0) return node.fail({"an operand is a scalar"});
  const std::size_t ta = left > 1 && node.integer("transA") != 0 ? 1 : 0, tb = right > 1 && node.integer("transB") != 0 ? 1 : 0;
  const auto row = node.size(a, left - 1 - ta), column = node.size(b, right == 1 ? 0 : right - 2 + tb);
  if (row >= 0 && column >= 0 && row != column) return node.fail({"rows of ", row, " elements do not match columns of ", column});
  inferred_shape shape;
  if (!broadcast(node.shape(a).first(left < 2 ? 0 : left - 2), node.shape(b).first(right < 2 ? 0 : right - 2), shape))
    return node.fail({"the batch dimensions of operands ", a, " and ", b, " cannot be broadcast"});
  if (left > 1) shape.add(node.size(a, left - 2 + ta));
  if (right > 1) shape.add(node.size(b, right - 1 - tb));
  node.set_shape(0, shape);
}
constexpr void infer_matmul(inference& node) {
  node.set_type(0, node.type(0));
  if (node.integer("transBatchA") != 0 || node.integer("transBatchB") != 0) return;
  return set_stacked_product(node, 0, 1);
}
constexpr void infer_matmul_integer(inference& node) {
  node.set_type(0, dtype::int32);
  return set_stacked_product(node, 0, 1);
}

/// Infers the outputs of a batch normalization. In training mode there are more outputs: means and variances of the channels.
constexpr void infer_batch_normalization(inference& node) {
  infer_same(node);
  for (std::size_t o = 1; o < node.output_count(); ++o) node.set_output(o, node.type(3), inferred_shape(node.shape(3)));
}
/// Infers the outputs of a layer normalization: the normalized values, the means and the reciprocal standard deviations. Means and
/// reciprocals have size 1 in the normalized dimensions, and the type that `stash_type` names.
constexpr void infer_layer_normalization(inference& node) {
  infer_same(node);
  const auto rank = node.rank(0);
  const auto first = node.require_dimension(node.integer("axis", -1), rank);
  const auto stash = element_type_of(node.integer("stash_type", 1));
  if (first == rank) return;
  inferred_shape shape;
  for (std::size_t d = 0; d < rank; ++d) shape.add(d < first ? node.size(0, d) : 1);
  for (std::size_t o = 1; o < node.output_count(); ++o) {
    if (stash.is_known) node.set_type(o, stash.type);
    node.set_shape(o, shape);
  }
}

/// Infers the outputs of a recurrent network: the results of all time steps, and the result of the last one. An LSTM also has the last cell
/// state. W has the shape [directions, gates · units, inputs], R the shape [directions, gates · units, units]. The input is [steps, batch,
/// inputs], or [batch, steps, inputs] if `layout` is 1.
constexpr void infer_recurrent(inference& node) {
  for (std::size_t o = 0; o < node.output_count(); ++o) node.set_type(o, node.type(0));
  if (!node.require_rank(0, 3) || !node.require_rank(1, 3) || !node.require_rank(2, 3)) return;
  const bool is_batch_first = node.integer("layout") != 0;
  const auto directions = node.size(1, 0), units = node.size(2, 2);
  const auto steps = node.size(0, is_batch_first ? 1 : 0), batch = node.size(0, is_batch_first ? 0 : 1);
  const auto columns = node.size(1, 2), elements = node.size(0, 2);
  if (columns >= 0 && elements >= 0 && columns != elements)
    return node.fail({"the weights have ", columns, " columns, the rows of the input have ", elements, " elements"});
  if (is_batch_first) {
    node.set_shape(0, {batch, steps, directions, units});
  } else {
    node.set_shape(0, {steps, directions, batch, units});
  }
  for (std::size_t o = 1; o < node.output_count(); ++o) {
    if (is_batch_first) node.set_shape(o, {batch, directions, units});
    if (!is_batch_first) node.set_shape(o, {directions, batch, units});
  }
}

/// Returns the number of multiply-adds. Each element of the input is multiplied by all weights of the element's channel. Dimension 0 of
/// operand 1 is the number of channels.
constexpr auto work_of_conv_transpose(const program_view& program, const node& record) -> std::uint64_t {
  const auto shape = program.shape(program.inputs(record)[1]);
  const auto elements = element_count(program.shape(program.inputs(record)[0]));
  if (shape.empty() || elements <= 0) return 0;
  return static_cast<std::uint64_t>(elements) * static_cast<std::uint64_t>(work_rules::detail::filter_size(shape, shape.front()));
}
/// Returns the number of multiply-adds. Each element of the output is the dot product of a row of operand 0 and a column of operand 1.
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
