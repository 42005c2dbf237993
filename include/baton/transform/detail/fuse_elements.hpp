// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Fusion of float32 sums, differences, products and average pools with the quantization around them.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/named_literal.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/operators/known_integers.hpp>
#include <baton/transform/detail/fuse_layer.hpp>
#include <baton/transform/detail/fused_output.hpp>
#include <baton/transform/detail/quantization_fusion.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::detail {

/// Fuses a sum, a difference or a product of two dequantized operands. Returns false and sets `fusion.why` if that is not possible.
constexpr auto fuse_pair(quantization_fusion& fusion, node_id id) -> bool {
  const auto record = fusion.change[id];
  value_id operands[2]{};
  for (std::uint32_t i = 0; i < 2; ++i) {
    operands[i] = fusion.dequantized(fusion.change.input(id, i), record.tag);
    if (operands[i] == none<value_id> || !fusion.is_per_tensor(operands[i], dtype::int8))
      return fusion.refuse("its operands are not both dequantized from int8 with a per-tensor scale");
  }
  const auto output = fused_output::in_int8(fusion, id);
  if (!output || fusion.is_dry_run) return static_cast<bool>(output);
  const bool is_sum = record.is("tfl.add") || record.is("baton.add"), is_product = record.is("tfl.mul") || record.is("baton.mul");
  const auto fused = fusion.change.insert_before(id, fusion.name_of(id),
                                                 is_sum       ? "baton.add"
                                                 : is_product ? "baton.mul"
                                                              : "baton.sub",
                                                 {operands[0], operands[1]}, {output.value}, {}, id);
  output.replace(fusion, id, fused);
  return true;
}

/// The window of an average over an image.
struct average_window {
  std::int64_t height = 0;
  std::int64_t width = 0;
  bool is_valid = false;

  /// Returns the window of an average pool, or of a `tfl.mean` over height and width that keeps the dimensions. `is_valid` is false for all
  /// other means.
  static constexpr auto of(const quantization_fusion& fusion, node_id id, value_id in) -> average_window {
    const auto program = fusion.change.program();
    const auto& record = fusion.change[id];
    if (!record.is("tfl.mean")) return {program.integer(record, "filter_height"), program.integer(record, "filter_width"), true};
    const auto axes = known_integers::in(program, program.inputs(record)[1]);
    const auto shape = fusion.shape(in);
    const bool keeps_two_known_axes = program.integer(record, "keep_dims") != 0 && axes.are_known && axes.count == 2;
    const auto axis = [&](std::size_t at) { return axes[at] < 0 ? axes[at] + 4 : axes[at]; };
    if (!keeps_two_known_axes || !((axis(0) == 1 && axis(1) == 2) || (axis(0) == 2 && axis(1) == 1))) return {};
    return {shape[1], shape[2], true};
  }
};

/// Fuses an average pool, or a mean over height and width. Returns false and sets `fusion.why` if that is not possible.
constexpr auto fuse_average(quantization_fusion& fusion, node_id id) -> bool {
  const auto record = fusion.change[id];
  const auto in = fusion.dequantized(fusion.change.input(id, 0), record.tag);
  if (in == none<value_id> || !fusion.is_per_tensor(in, dtype::int8))
    return fusion.refuse("its input is not dequantized from int8 with a per-tensor scale");
  if (fusion.shape(in).size() != 4) return fusion.refuse("its input is not an image");
  const auto window = average_window::of(fusion, id, in);
  if (!window.is_valid) return fusion.refuse("it is not a mean with keep_dims over the height and width of an image");
  const auto output = fused_output::in_int8(fusion, id);
  if (!output || fusion.is_dry_run) return static_cast<bool>(output);
  const auto program = fusion.change.program();
  const auto pads = pads_of(fusion, id, in, window.height, window.width);
  const named_literal literals[] = {{"filter_height", window.height},
                                    {"filter_width", window.width},
                                    {"stride_h", program.integer(record, "stride_h", 1)},
                                    {"stride_w", program.integer(record, "stride_w", 1)},
                                    {"pads", span<const std::int64_t>{pads.data(), pads.size()}},
                                    {"fused_activation_function", "none"}};
  const bool is_baton_operator = record.is("baton.average_pool_2d");  // the new node keeps the other attributes of `record`
  const auto fused = fusion.change.insert_before(id, {.name = fusion.name_of(id),
                                                      .op = "baton.average_pool_2d",
                                                      .inputs = {&in, 1},
                                                      .outputs = {&output.value, 1},
                                                      .literals = literals,
                                                      .attributes_of = is_baton_operator ? id : none<node_id>,
                                                      .handle_of = id,
                                                      .tag_of = id});
  output.replace(fusion, id, fused);
  return true;
}

}  // namespace baton::detail
