// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Layers and pooling operators of ExecuTorch's XNNPACK backend. Images are [N, H, W, C].
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/named_literal.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/detail/pte_xnnpack_emission.hpp>
#include <baton/import/detail/pte_xnnpack_groups.hpp>
#include <baton/import/detail/pte_xnnpack_schema.hpp>
#include <baton/operators/shared/window.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton::pte::detail {

/// The window of a convolution or a pooling operator, and its padding. Pairs are {height, width}. `compare` sets `is_same` and `is_valid`.
struct xnnpack_window {
  using slots = xnnpack::slot::window;
  static constexpr std::int64_t limit = 1 << 24;

  std::array<std::int64_t, 2> filter{}, stride{}, dilation{};
  std::array<std::int64_t, 4> pads{};  ///< top, left, bottom, right
  bool is_same = true;                 ///< true if the padding is SAME padding
  bool is_valid = true;                ///< true if there is no padding

  /// Reads the window of a node. An omitted stride or dilation is 1. Refuses the node if a number is not less than `limit`, or if the
  /// height or width of the window is 0.
  constexpr xnnpack_window(xnnpack_emission& emitter, std::uint32_t flags) {
    const auto positive = [&](std::size_t slot) { return std::max<std::int64_t>(1, emitter.number(slot)); };
    filter = {emitter.number(slots::height), emitter.number(slots::width)};
    stride = {positive(slots::stride_height), positive(slots::stride_width)};
    dilation = {positive(slots::dilation_height), positive(slots::dilation_width)};
    pads = {emitter.number(slots::top), emitter.number(slots::left), emitter.number(slots::bottom), emitter.number(slots::right)};
    states_same_ = (flags & xnnpack::flag::same_padding) != 0;
    bool is_in_range = true;
    for (const auto& numbers : {filter, stride, dilation}) {
      for (const auto number : numbers) is_in_range = is_in_range && number < limit;
    }
    for (const auto number : pads) is_in_range = is_in_range && number < limit;
    if (!is_in_range) emitter.refuse<"damaged_model">("has a window, a stride, a dilation or a padding that is too large");
    if (filter[0] == 0 || filter[1] == 0) emitter.refuse<"damaged_model">("has a window of ", filter[0], " by ", filter[1]);
  }

  /// Sets `is_same` and `is_valid`. If the node has the flag `same_padding`, computes the padding first. `in` and `out` are the types of
  /// images.
  constexpr void compare(xnnpack_emission& emitter, const tensor_type& in, const tensor_type& out) {
    if (emitter.is_refused()) return;
    if (in.rank != 4 || out.rank != 4) {
      emitter.refuse("has an image of ", in.rank, " dimensions instead of 4");
      return;
    }
    for (std::size_t d = 0; d < 2; ++d) {
      const auto reach = (out.sizes[1 + d] - 1) * stride[d] + filter_span(filter[d], dilation[d]);
      const auto missing = std::max<std::int64_t>(0, reach - in.sizes[1 + d]);
      if (states_same_) pads[d] = missing / 2, pads[2 + d] = missing - missing / 2;
      const bool has_windows = window_size(true, in.sizes[1 + d], filter[d], stride[d], dilation[d]) == out.sizes[1 + d];
      is_same = is_same && has_windows && pads[d] == missing / 2 && pads[2 + d] == missing - missing / 2;
      is_valid = is_valid && pads[d] == 0 && pads[2 + d] == 0;
    }
  }
  /// Appends the attributes of strides, dilations and padding. If `is_plain` is true, the padding must be SAME or VALID, and becomes the
  /// attribute `padding`. If `is_plain` is false, the padding becomes the attribute `pads`.
  constexpr void append_to(vector<named_literal>& literals, bool is_plain) const {
    literals.push_back({"stride_h", stride[0]});
    literals.push_back({"stride_w", stride[1]});
    literals.push_back({"dilation_h_factor", dilation[0]});
    literals.push_back({"dilation_w_factor", dilation[1]});
    if (is_plain) literals.push_back({"padding", is_valid ? "valid" : "same"});
    if (!is_plain) literals.push_back({"pads", span<const std::int64_t>{pads}});
  }

 private:
  bool states_same_ = false;
};

/// The operators of a layer. `plain` computes float32 values with SAME or VALID padding. `padded` also supports int8 values, other padding,
/// and max pooling with a dilation.
struct layer_names {
  literal_name plain;
  literal_name padded;
};

/// Adds a layer with the operands input, filter and bias. A layer with an int8 output rounds once, and its bounds are quantized values. In
/// other layers, the input and the bias are converted to float32; `xnnpack_filter` has already converted the filter, if necessary.
/// `can_be_plain` is true if `names.plain` supports the window.
constexpr void add_xnnpack_layer(xnnpack_emission& emitter, const layer_names& names, span<const value_id> operands, value_id out,
                                 vector<named_literal> literals, bool can_be_plain) {
  if (emitter.is_refused()) return;
  if (emitter.is_int8(out)) {
    emitter.append_bounds_in_steps(out, literals);
    return emitter.add(names.padded, operands, out, literals);
  }
  const auto bounds = emitter.bounds();
  const auto* const fused = bounds.activation();
  const bool is_clamped = fused == nullptr;
  literals.push_back({"fused_activation_function", is_clamped ? "none" : fused});
  const auto result = is_clamped || emitter.is_narrow(out) ? emitter.temporary(emitter.type(out)) : out;
  vector<value_id> inputs;
  for (std::size_t i = 0; i < operands.size(); ++i) inputs.push_back(i == 1 ? operands[i] : emitter.dequantized(operands[i]));
  emitter.add(can_be_plain ? names.plain : names.padded, inputs, result, literals);
  if (result != out) emitter.finish(result, out, is_clamped);
}

/// Returns the filter of a layer, converted to float32 unless the input is int8 or is quantized at run time. Refuses the layer if no kernel
/// supports its operand types.
constexpr auto xnnpack_filter(xnnpack_emission& emitter, value_id in, value_id filter, value_id out, bool is_dynamic) -> value_id {
  if (emitter.is_refused()) return filter;
  if (emitter.is_int8(in) != emitter.is_int8(out)) {
    emitter.refuse("has an input and an output of different types");
    return filter;
  }
  if (emitter.is_int8(in) && !emitter.is_int8(filter)) emitter.refuse("has an int8 input, but weights of another type");
  return emitter.is_int8(in) || is_dynamic ? filter : emitter.dequantized(filter);
}
/// True if the input that the field `slot` states is quantized at run time.
constexpr auto has_dynamic_input(xnnpack_emission& emitter, std::size_t slot) -> bool {
  return emitter.values.type_of(emitter.number(slot)) == xnnpack::datatype::qdint8;
}

/// Adds the layer of `XNNConv2d` or `XNNDepthwiseConv2d`. Filters are [outputs, h, w, inputs of a group], or [1, h, w, outputs] if
/// `IsDepthwise` is set.
template <bool IsDepthwise>
constexpr void add_xnnpack_convolution(xnnpack_emission& emitter) {
  using slots = xnnpack::slot::convolution;
  const auto flags = emitter.flags(slots::flags, xnnpack::flag::same_padding | (IsDepthwise ? xnnpack::flag::depthwise_filter : 0u));
  xnnpack_window window(emitter, flags);
  const bool is_dynamic = has_dynamic_input(emitter, slots::input);
  const auto in = emitter.operand(slots::input), stored = emitter.operand(slots::filter), bias = emitter.optional_operand(slots::bias);
  const auto out = emitter.output(slots::output);
  if (emitter.is_refused()) return;
  const auto image = emitter.type(in), weights = emitter.type(stored);
  window.compare(emitter, image, emitter.type(out));
  const std::int64_t groups = emitter.number(slots::groups);
  const bool fits = weights.rank == 4 && weights.sizes[1] == window.filter[0] && weights.sizes[2] == window.filter[1] &&
                    (IsDepthwise ? groups == image.sizes[3] && weights.sizes[0] == 1
                                 : weights.sizes[3] > 0 && groups * weights.sizes[3] == image.sizes[3]);
  if (!fits)
    emitter.refuse("has weights that do not fit ", groups, " groups of the ", image.sizes[3], " input channels, or do not fit its window");
  const auto filter = xnnpack_filter(emitter, in, stored, out, is_dynamic);
  if (emitter.is_refused()) return;
  const bool is_plain = !emitter.is_int8(in) && (window.is_valid || window.is_same);
  vector<named_literal> literals;
  window.append_to(literals, is_plain);
  if (IsDepthwise) literals.push_back({"depth_multiplier", image.sizes[3] > 0 ? weights.sizes[3] / image.sizes[3] : 1});
  if (is_dynamic) literals.push_back({"asymmetric_quantize_inputs", true});
  const value_id operands[] = {in, filter, bias};
  add_xnnpack_layer(
      emitter, IsDepthwise ? layer_names{"tfl.depthwise_conv_2d", "baton.depthwise_conv_2d"} : layer_names{"tfl.conv_2d", "baton.conv_2d"},
      operands, out, literals, is_plain);
}

/// Adds the layer of `XNNFullyConnected`. Filters are [outputs, inputs], or [inputs, outputs] if `flag::transposed_weights` is set.
constexpr void add_xnnpack_fully_connected(xnnpack_emission& emitter) {
  using slots = xnnpack::slot::fully_connected;
  const auto flags = emitter.flags(slots::flags, xnnpack::flag::transposed_weights | xnnpack::flag::reshape_to_matrix);
  const bool is_dynamic = has_dynamic_input(emitter, slots::input);
  if (emitter.values.type_of(emitter.number(slots::filter)) == xnnpack::datatype::qbint4) return add_xnnpack_grouped_layer(emitter, flags);
  const auto in = emitter.operand(slots::input), stored = emitter.operand(slots::filter), bias = emitter.optional_operand(slots::bias);
  const auto out = emitter.output(slots::output);
  if (emitter.is_refused()) return;
  auto filter = xnnpack_filter(emitter, in, stored, out, is_dynamic);
  if (emitter.is_refused()) return;
  if (emitter.type(filter).rank != 2) {
    emitter.refuse("has weights of ", emitter.type(filter).rank, " dimensions");
    return;
  }
  if ((flags & xnnpack::flag::transposed_weights) != 0) {
    if (emitter.type(filter).type != dtype::float32) {
      emitter.refuse("has transposed int8 weights; pass baton::pte::keep_processed_bytes to pte::read");
      return;
    }
    auto transposed = emitter.type(filter);
    std::swap(transposed.sizes[0], transposed.sizes[1]);
    const auto result = emitter.temporary(transposed);
    const std::int64_t order[] = {1, 0};
    emitter.add("tfl.transpose", {filter, emitter.integers(order)}, result);
    filter = result;
  }
  vector<named_literal> literals;
  literals.push_back({"keep_num_dims", emitter.type(out).rank != 2});
  if (!emitter.is_int8(in)) literals.push_back({"weights_format", "default"});
  if (is_dynamic) literals.push_back({"asymmetric_quantize_inputs", true});
  const value_id operands[] = {in, filter, bias};
  add_xnnpack_layer(emitter, {"tfl.fully_connected", "baton.fully_connected"}, operands, out, literals, true);
}

/// Adds the nodes of `XNNBatchMatrixMultiply`. The second operand is [..., inputs, outputs], or [..., outputs, inputs] if
/// `flag::transposed_weights` is set.
constexpr void add_xnnpack_matrix_product(xnnpack_emission& emitter) {
  using slots = xnnpack::slot::binary;
  const auto flags = emitter.flags(slots::flags, xnnpack::flag::transposed_weights);
  if (has_dynamic_input(emitter, slots::first)) emitter.refuse("has an input that is quantized at run time");
  const auto first = emitter.operand(slots::first), second = emitter.operand(slots::second), out = emitter.output(slots::output);
  emitter.add_real("tfl.batch_matmul", {first, second}, out,
                   {{"adj_x", false}, {"adj_y", (flags & xnnpack::flag::transposed_weights) != 0}});
}

/// Adds the nodes of `XNNMaxPooling2d` or `XNNAvgPooling2d`. An average does not include the padding.
template <bool IsMax>
constexpr void add_xnnpack_pool(xnnpack_emission& emitter) {
  using slots = xnnpack::slot::pool;
  const auto flags = emitter.flags(slots::flags, xnnpack::flag::same_padding | xnnpack::flag::keep_dims);
  xnnpack_window window(emitter, flags);
  const auto in = emitter.operand(slots::input), out = emitter.output(slots::output);
  if (emitter.is_refused()) return;
  window.compare(emitter, emitter.type(in), emitter.type(out));
  if (emitter.is_int8(in) != emitter.is_int8(out)) emitter.refuse("has an input and an output of different types");
  if (emitter.is_refused()) return;
  const bool is_dilated = window.dilation[0] != 1 || window.dilation[1] != 1;
  if (!IsMax && is_dilated) {
    emitter.refuse("has a dilation");
    return;
  }
  const bool is_plain = !emitter.is_int8(in) && !is_dilated && (window.is_valid || window.is_same);
  vector<named_literal> literals;
  literals.push_back({"filter_height", window.filter[0]});
  literals.push_back({"filter_width", window.filter[1]});
  window.append_to(literals, is_plain);
  add_xnnpack_layer(
      emitter, IsMax ? layer_names{"tfl.max_pool_2d", "baton.max_pool_2d"} : layer_names{"tfl.average_pool_2d", "baton.average_pool_2d"},
      {&in, 1}, out, literals, is_plain);
}

/// Adds the nodes of `XNNGlobalAvgPooling2d`: the mean of each channel of an image.
constexpr void add_xnnpack_global_average_pool(xnnpack_emission& emitter) {
  using slots = xnnpack::slot::unary;
  emitter.flags(slots::flags, xnnpack::flag::keep_dims);
  const auto in = emitter.operand(slots::input), out = emitter.output(slots::output);
  if (emitter.is_refused()) return;
  if (emitter.type(in).rank != 4) {
    emitter.refuse("has an image of ", emitter.type(in).rank, " dimensions instead of 4");
    return;
  }
  const std::int64_t axes[] = {1, 2};
  emitter.add_real("tfl.mean", {in, emitter.integers(axes)}, out, {{"keep_dims", emitter.type(out).rank == 4}});
}

}  // namespace baton::pte::detail
