// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Fully connected layers of ExecuTorch's XNNPACK backend whose 4-bit weights have a scale for each group of inputs.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/named_literal.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/little_endian.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/detail/pte_xnnpack_emission.hpp>
#include <baton/import/detail/pte_xnnpack_schema.hpp>
#include <baton/import/detail/pte_xnnpack_values.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::pte::detail {

/// Adds the weights of one group, with a scale for each output.
constexpr auto add_xnnpack_group(xnnpack_emission& emitter, const xnnpack_grouped_weights& all, std::int64_t group) -> value_id {
  text_buffer bytes, scales;
  const auto row = all.group_size / 2;
  for (std::int64_t output = 0; output < all.outputs; ++output) {
    const auto* const from = all.bytes.outside + (output * all.groups() + group) * row;
    for (std::int64_t i = 0; i < row; ++i) bytes.push_back(xnnpack_int4_pair(from[i]));
    const auto* const scale =
        all.scales.outside + (output * all.groups() + group) * (all.has_float_scales ? 4 : 2) + (all.has_float_scales ? 2 : 0);
    append_little_endian(scales, 0, 2);
    scales.push_back(scale[0]);
    scales.push_back(scale[1]);
  }
  const quantization by{.scales = emitter.own_data(scales), .channels = static_cast<std::uint32_t>(all.outputs), .axis = 0};
  return emitter.values.add_constant(tensor(dtype::int4, all.outputs, all.group_size), emitter.own_data(bytes), by);
}

/// Adds the nodes of an `XNNFullyConnected` whose weights have a scale for each group of inputs. Adds a layer for each group, and the sum
/// of all layers. Each layer quantizes its slice of an input row at run time, but XNNPACK quantizes the whole row. The range of a slice is
/// inside the range of the row, so the quantization step of a layer is at most the step of XNNPACK.
constexpr void add_xnnpack_grouped_layer(xnnpack_emission& emitter, std::uint32_t flags) {
  using slots = xnnpack::slot::fully_connected;
  if ((flags & xnnpack::flag::transposed_weights) != 0) {
    emitter.refuse("has transposed weights with a scale for each group; pass baton::pte::keep_processed_bytes to pte::read");
    return;
  }
  const auto weights = emitter.values.grouped_weights(emitter.number(slots::filter));
  const auto stored = emitter.operand(slots::input), bias = emitter.optional_operand(slots::bias), out = emitter.output(slots::output);
  if (emitter.is_refused()) return;
  if (emitter.values.type_of(emitter.number(slots::input)) != xnnpack::datatype::qdint8) {
    emitter.refuse("has weights with a scale for each group, and an input that is not quantized at run time; ",
                   "pass baton::pte::keep_processed_bytes to pte::read");
    return;
  }
  auto part = emitter.type(stored);
  if (part.rank == 0 || part.sizes[part.rank - 1] != weights.inputs) {
    emitter.refuse<"damaged_model">("has ", weights.inputs, " inputs in its weights, and an input of another size");
    return;
  }
  emitter.begin_layers(weights.groups(), 0);
  if (emitter.is_refused()) return;
  const auto in = emitter.dequantized(stored), real_bias = emitter.dequantized(bias);
  part.sizes[part.rank - 1] = weights.group_size;
  const named_literal literals[] = {{"keep_num_dims", emitter.type(out).rank != 2},
                                    {"weights_format", "default"},
                                    {"asymmetric_quantize_inputs", true},
                                    {"fused_activation_function", "none"}};
  vector<std::int64_t> begin(part.rank, 0);
  auto sum = none<value_id>;
  for (std::int64_t g = 0; g < weights.groups() && !emitter.is_refused(); ++g) {
    begin[part.rank - 1] = g * weights.group_size;
    const auto slice = emitter.temporary(part), product = emitter.temporary(emitter.type(out));
    emitter.add("tfl.slice", {in, emitter.integers(begin), emitter.integers(part.shape())}, slice);
    const value_id operands[] = {slice, add_xnnpack_group(emitter, weights, g), g == 0 ? real_bias : none<value_id>};
    emitter.add("tfl.fully_connected", operands, product, literals);
    if (g == 0) {
      sum = product;
    } else if (g + 1 < weights.groups()) {
      const auto next = emitter.temporary(emitter.type(out));
      emitter.add("tfl.add", {sum, product}, next, {{"fused_activation_function", "none"}});
      sum = next;
    } else {
      return emitter.add_real("tfl.add", {sum, product}, out, {}, true);
    }
  }
  // With several groups, `add_real` clamps and converts the sum. With a single group, the output of the layer is clamped and converted
  // here.
  if (emitter.is_refused()) return;
  const auto bounds = emitter.bounds();
  const bool is_clamped = bounds.has_lower() || bounds.has_upper();
  is_clamped || emitter.is_narrow(out) ? emitter.finish(sum, out, is_clamped) : emitter.copy(sum, out);
}

}  // namespace baton::pte::detail
