// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Transposed convolutions of ExecuTorch's XNNPACK backend. Images are [N, H, W, C], and filters [outputs, h, w, inputs of a group].
#pragma once

#include <baton/core/named_literal.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/detail/pte_xnnpack_emission.hpp>
#include <baton/import/detail/pte_xnnpack_layers.hpp>
#include <baton/import/detail/pte_xnnpack_schema.hpp>
#include <baton/operators/shared/window.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace baton::pte::detail {

/// The operands and the output types of one group of a transposed convolution.
struct transposed_group {
  value_id in, filter, bias;
  tensor_type whole;    ///< the output type of `tfl.transpose_conv`, before cropping
  tensor_type cropped;  ///< the output type after cropping
};

/// Adds one group: a `tfl.transpose_conv` with VALID padding. If `group.whole` and `group.cropped` differ, a slice crops the output.
constexpr void add_transposed_group(xnnpack_emission& emitter, const xnnpack_window& window, const transposed_group& group, value_id out,
                                    const char* activation) {
  const bool is_sliced = group.whole.sizes[1] != group.cropped.sizes[1] || group.whole.sizes[2] != group.cropped.sizes[2];
  // The layer computes in float32, so that the output is rounded only once.
  const auto shape = emitter.integers(group.whole.shape());
  const value_id operands[] = {shape, emitter.dequantized(group.filter), emitter.dequantized(group.in), emitter.dequantized(group.bias)};
  const auto all = is_sliced ? emitter.temporary(group.whole) : out;
  const named_literal literals[] = {
      {"padding", "valid"}, {"stride_h", window.stride[0]}, {"stride_w", window.stride[1]}, {"fused_activation_function", activation}};
  emitter.add("tfl.transpose_conv", {operands, group.bias == none<value_id> ? std::size_t{3} : std::size_t{4}}, all, literals);
  if (!is_sliced) return;
  const std::int64_t begin[] = {0, window.pads[0], window.pads[1], 0};
  emitter.add("tfl.slice", {all, emitter.integers(begin), emitter.integers(group.cropped.shape())}, out);
}

/// Adds the nodes of `XNNConvTranspose2d`: one `tfl.transpose_conv` for each group. The filter of a group is a slice of the operator's
/// filter. With a dilation, zeros are inserted between the elements of the filter.
constexpr void add_xnnpack_transposed_convolution(xnnpack_emission& emitter) {
  using slots = xnnpack::slot::convolution;
  emitter.flags(slots::flags);
  const xnnpack_window window(emitter, 0);
  const auto in = emitter.operand(slots::input), stored = emitter.operand(slots::filter), bias = emitter.optional_operand(slots::bias);
  const auto out = emitter.output(slots::output);
  if (emitter.is_refused()) return;
  const auto image = emitter.type(in), result = emitter.type(out), weights = emitter.type(stored);
  if (image.rank != 4 || result.rank != 4 || weights.rank != 4 || emitter.is_int8(in) != emitter.is_int8(out) ||
      weights.type == dtype::int4 || has_dynamic_input(emitter, slots::input)) {
    emitter.refuse("has operand types that no kernel for transposed convolutions supports");
    return;
  }
  const auto groups = std::max<std::int64_t>(1, emitter.number(slots::groups));
  const bool is_dilated = window.dilation[0] != 1 || window.dilation[1] != 1;
  if ((groups > 1 || is_dilated) && !(emitter.is_constant(stored) && (bias == none<value_id> || emitter.is_constant(bias)))) {
    emitter.refuse("has groups or dilations, and weights or biases that are not constants");
    return;
  }
  if (weights.sizes[3] * groups != image.sizes[3] || weights.sizes[0] != result.sizes[3] || weights.sizes[0] % groups != 0 ||
      weights.sizes[1] != window.filter[0] || weights.sizes[2] != window.filter[1]) {
    emitter.refuse("has weights that do not fit ", groups, " groups of the ", image.sizes[3], " input channels, or do not fit its window");
    return;
  }
  if (groups > 1 || is_dilated) {
    auto spread = weights;
    for (std::size_t d = 0; d < 2; ++d) spread.sizes[1 + d] = filter_span(weights.sizes[1 + d], window.dilation[d]);
    const auto bytes = byte_count(spread.type, spread.shape());
    emitter.begin_layers(groups, is_dilated ? bytes < 0 ? std::int64_t{1} << 40 : bytes : 0);
    if (emitter.is_refused()) return;
  }
  transposed_group group{.in = in, .filter = stored, .bias = bias, .whole = result, .cropped = result};
  for (std::size_t d = 0; d < 2; ++d)
    group.whole.sizes[1 + d] = std::max(result.sizes[1 + d] + window.pads[d], filter_span(window.filter[d], window.dilation[d]));
  group.whole.sizes[3] = group.cropped.sizes[3] = result.sizes[3] / groups;
  const auto bounds = emitter.bounds();
  const auto* const fused = bounds.activation();
  const auto* const activation = fused == nullptr ? "none" : fused;
  const bool has_more = fused == nullptr || emitter.is_narrow(out);
  const auto joined = has_more ? emitter.temporary(result) : out;
  auto filter_type = weights;
  filter_type.sizes[0] /= groups;
  auto image_type = image;
  image_type.sizes[3] /= groups;
  vector<value_id> results;
  const auto real_image = groups == 1 ? in : emitter.dequantized(in);
  for (std::int64_t g = 0; g < groups && !emitter.is_refused(); ++g) {
    if (groups > 1) {
      const std::int64_t begin[] = {0, 0, 0, g * image_type.sizes[3]};
      group.in = emitter.temporary(image_type);
      emitter.add("tfl.slice", {real_image, emitter.integers(begin), emitter.integers(image_type.shape())}, group.in);
      if (bias != none<value_id>) group.bias = emitter.part_of(bias, tensor(emitter.type(bias).type, filter_type.sizes[0]), g);
    }
    if (groups > 1 || is_dilated) group.filter = emitter.part_of(stored, filter_type, g, window.dilation);
    results.push_back(groups == 1 ? joined : emitter.temporary(group.cropped));
    add_transposed_group(emitter, window, group, results.back(), activation);
  }
  if (groups > 1) {
    const named_literal literals[] = {{"axis", 3}, {"fused_activation_function", "none"}};
    emitter.add("tfl.concatenation", results, joined, literals);
  }
  if (has_more) emitter.finish(joined, out, fused == nullptr);
}

}  // namespace baton::pte::detail
