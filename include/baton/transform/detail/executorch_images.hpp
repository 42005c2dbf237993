// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Replaces ExecuTorch's operators that change the size of images. Comments list the arguments of an operator in parentheses after its name,
// in order.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/transform/detail/emission.hpp>
#include <baton/transform/detail/executorch_argument.hpp>
#include <baton/transform/detail/legalization_row.hpp>
#include <baton/transform/detail/onnx_pools.hpp>
#include <baton/transform/detail/onnx_resizing.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace baton::detail {

/// Returns the factor by which spatial dimension `d` (0 is the height) of an image grows. Returns 0 if only the sizes of the output are
/// stated. If the argument `height` is a list, the list has the factors of all dimensions. Otherwise, the arguments `height` and `width`
/// are the two factors.
constexpr auto scale_factor(emission& emitter, literal_name height, literal_name width, std::size_t d) -> double {
  const auto factors = emitter.reals(height);
  if (factors.empty()) return emitter.real(d == 0 ? height : width);
  return d < factors.size() ? factors[d] : 0;
}
/// True if operand 0 and the output are [batches, channels, ...] with `dimensions` spatial dimensions, and have equal batches and channels.
/// Otherwise, refuses the node (the pass then fails with `unsupported_operator`).
constexpr auto are_images(emission& emitter, std::size_t dimensions) -> bool {
  if (!has_batches(emitter, dimensions)) return false;
  const auto in = emitter.file_type(emitter.operand(0)), out = emitter.file_type(emitter.output());
  const bool fits = in.sizes[0] == out.sizes[0] && in.sizes[1] == out.sizes[1];
  if (!fits) emitter.refuse("input and output have different batches or channels");
  return fits;
}

/// Replaces `aten.upsample_nearest2d.*` (input, sizes of the output or `None`, factors). Output position i reads input position floor(i ·
/// scale), computed in float32, but at most the last input position. `scale` is 1 / factor if a factor is given, else input size / output
/// size (`nearest_neighbor_compute_source_index` of kernels/portable/cpu/util/upsample_util.h).
constexpr void emit_upsample_nearest(emission& emitter) {
  if (!are_images(emitter, 2)) return;
  auto in = emitter.channels_last_operand(0);
  auto part = emitter.stored_type(in);
  const auto out = emitter.file_type(emitter.output());
  vector<std::int64_t> positions[2];
  bool is_of_tfl = true;
  constexpr std::int64_t max_size = 1 << 20;
  for (std::size_t d = 0; d < 2; ++d) {
    if (part.sizes[d + 1] > max_size || out.sizes[d + 2] > max_size) return emitter.refuse("an image of this size is not supported");
    const resized_dimension axis{part.sizes[d + 1], out.sizes[d + 2], 1, {}};
    const auto factor = scale_factor(emitter, "arg_2", "arg_3", d);
    const auto scale = factor > 0 ? static_cast<float>(1 / factor) : static_cast<float>(axis.in) / static_cast<float>(axis.out);
    if (!(scale <= static_cast<float>(max_size))) return emitter.refuse("the factor is too small");
    for (std::int64_t at = 0; at < axis.out; ++at) {
      const auto position = static_cast<std::int64_t>(static_cast<float>(at) * scale);
      positions[d].push_back(std::min(position, axis.in - 1));
      is_of_tfl = is_of_tfl && positions[d].back() == axis.nearest_of_tfl(at, false, false);
    }
  }
  emitter.copy_quantization(in, emitter.output());
  if (is_of_tfl) {
    const std::int64_t size[] = {out.sizes[2], out.sizes[3]};
    return emitter.finish("tfl.resize_nearest_neighbor", {in, emitter.integer_constant("size", size)},
                          {{"align_corners", false}, {"half_pixel_centers", false}});
  }
  part.sizes[1] = out.sizes[2];
  in = emitter.add("rows", "tfl.gather", {in, emitter.integer_constant("row_positions", positions[0])}, part,
                   {{"axis", 1}, {"batch_dims", 0}}, emitter.layout(in));
  emitter.finish("tfl.gather", {in, emitter.integer_constant("column_positions", positions[1])}, {{"axis", 2}, {"batch_dims", 0}});
}
/// Replaces `aten.upsample_bilinear2d.*` (input, sizes of the output or `None`, whether the corners are aligned, factors). Without aligned
/// corners, refuses a factor other than output size / input size, because the kernel computes the factor from both sizes.
constexpr void emit_upsample_bilinear(emission& emitter) {
  if (!are_images(emitter, 2)) return;
  const bool aligns_corners = emitter.integer("arg_2") != 0;
  const auto in = emitter.file_type(emitter.operand(0)), out = emitter.file_type(emitter.output());
  for (std::size_t d = 0; d < 2 && !aligns_corners; ++d) {
    const auto factor = scale_factor(emitter, "arg_3", "arg_4", d);
    const auto exact = static_cast<double>(out.sizes[d + 2]) / static_cast<double>(in.sizes[d + 2]);
    if (factor > 0 && (factor < exact ? exact - factor : factor - exact) > 1e-6 * exact)
      return emitter.refuse("a scale differs from output size / input size");
  }
  const std::int64_t size[] = {out.sizes[2], out.sizes[3]};
  emitter.finish("tfl.resize_bilinear", {emitter.channels_last_operand(0), emitter.integer_constant("size", size)},
                 {{"align_corners", aligns_corners}, {"half_pixel_centers", !aligns_corners}});
}
/// Replaces `aten._adaptive_avg_pool2d.out` and similar operators (input, sizes of the output). Refuses the node if an input size is not a
/// multiple of the output size.
template <bool IsMax, std::size_t Dimensions>
constexpr void emit_adaptive_pool(emission& emitter) {
  if (!are_images(emitter, Dimensions)) return;
  const auto in = emitter.file_type(emitter.operand(0)), out = emitter.file_type(emitter.output());
  std::array<std::int64_t, Dimensions> sizes{};
  for (std::size_t d = 0; d < Dimensions; ++d) {
    if (in.sizes[d + 2] % out.sizes[d + 2] != 0)
      return emitter.refuse("input size ", in.sizes[d + 2], " is not a multiple of output size ", out.sizes[d + 2],
                            "; use a pool with an explicit window size");
    sizes[d] = in.sizes[d + 2] / out.sizes[d + 2];
  }
  const span<const std::int64_t> window{sizes.data(), Dimensions};
  emitter.set_attributes({{"kernel_shape", window}, {"strides", window}});
  emit_pool<IsMax>(emitter);
}
/// Replaces `aten.pixel_shuffle.out` (input, factor). Each output channel is computed from factor · factor consecutive input channels (mode
/// CRD). The elements of these channels at one position become a block of factor · factor pixels.
constexpr void emit_pixel_shuffle(emission& emitter) {
  emitter.set_attributes({{"blocksize", emitter.integer("arg_1")}, {"mode", "CRD"}});
  emit_depth_to_space(emitter);
}

/// The rows (`legalization_row`) of operators that change the size of images.
inline constexpr legalization_row executorch_images[] = {
    {"aten.upsample_nearest2d.vec_out", fixed_if_reordered<layout_rule::image>, in_identity_order<emit_upsample_nearest, true>},
    {"aten.upsample_bilinear2d.vec_out", fixed_if_reordered<layout_rule::image>, in_identity_order<emit_upsample_bilinear, true>},
    {"aten._adaptive_avg_pool2d.out", fixed_if_reordered<layout_rule::image>, in_identity_order<emit_adaptive_pool<false, 2>, true>},
    {"aten.pixel_shuffle.out", fixed_if_reordered<layout_rule::image>, in_identity_order<emit_pixel_shuffle, true>},
};

}  // namespace baton::detail
