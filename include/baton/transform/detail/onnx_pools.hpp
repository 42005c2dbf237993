// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Replaces the pooling operators of ONNX by operators of TensorFlow Lite and Baton.
#pragma once

#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/transform/detail/emission.hpp>
#include <baton/transform/detail/legalization_row.hpp>
#include <baton/transform/detail/onnx_image.hpp>
#include <baton/transform/detail/onnx_window.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::detail {

/// Inserts a pool: the operator of TensorFlow Lite if `is_plain` is true, otherwise the operator of the namespace `baton`. The operator of
/// TensorFlow Lite supports only SAME and VALID padding without dilation. The average pool of TensorFlow Lite excludes the padding from the
/// average (`lite/kernels/internal/reference/pooling.h`).
constexpr void finish_pool(emission& emitter, const onnx_window& window, bool is_max, bool is_plain, bool counts_padding) {
  const auto image = image_with_height(emitter, window.dimensions);
  if (is_max) emitter.copy_quantization(emitter.operand(0), emitter.output());
  begin_image_output(emitter, window.dimensions);
  const auto pads = window.pads();
  const auto& height = window.axes[0];
  const auto& width = window.axes[1];
  vector<named_literal> literals{{"stride_w", width.stride},
                                 {"stride_h", height.stride},
                                 {"filter_width", width.filter},
                                 {"filter_height", height.filter},
                                 {"fused_activation_function", "none"}};
  literals.push_back(is_plain ? named_literal{"padding", window.padding()} : named_literal{"pads", span{pads}});
  if (!is_plain && window.has_extra) literals.push_back({"ceil_mode", 1});
  if (!is_plain && !is_max) literals.push_back({"count_include_pad", counts_padding ? 1 : 0});
  if (height.dilation != 1 || width.dilation != 1) {
    literals.push_back({"dilation_h_factor", height.dilation});
    literals.push_back({"dilation_w_factor", width.dilation});
  }
  const std::string_view ops[] = {"tfl.average_pool_2d", "baton.average_pool_2d", "tfl.max_pool_2d", "baton.max_pool_2d"};
  emitter.finish(ops[(is_max ? 2 : 0) + (is_plain ? 0 : 1)], span<const value_id>{&image, 1}, literals);
  end_image_output(emitter, window.dimensions);
}

/// Replaces `onnx.MaxPool` and `onnx.AveragePool`.
template <bool IsMax>
constexpr void emit_pool(emission& emitter) {
  if (emitter.integer("channels_last") != 0) return emitter.refuse("the attribute channels_last is not supported");
  const auto window = window_of(emitter, emitter.list("kernel_shape"));
  if (emitter.is_refused()) return;
  const bool is_dilated = window.axes[0].dilation != 1 || window.axes[1].dilation != 1;
  const bool counts_padding = emitter.integer("count_include_pad") != 0 && !window.is_unpadded;
  const bool is_plain = !is_dilated && (window.is_unpadded || (window.is_same && (IsMax || !counts_padding)));
  finish_pool(emitter, window, IsMax, is_plain, counts_padding);
}

/// Replaces `onnx.GlobalAveragePool` and `onnx.GlobalMaxPool` by a pool whose window is as large as the image.
template <bool IsMax>
constexpr void emit_global_pool(emission& emitter) {
  if (emitter.integer("channels_last") != 0) return emitter.refuse("the attribute channels_last is not supported");
  const auto type = emitter.file_type(emitter.operand(0));
  if (type.rank < 3 || type.rank > 4) return emitter.refuse("only images of one or two dimensions are supported");
  const auto window = window_of(emitter, type.shape().subspan(2));
  if (!emitter.is_refused()) finish_pool(emitter, window, IsMax, true, false);
}

/// The rows (`legalization_row`) of pools over windows, and over whole images.
inline constexpr legalization_row onnx_pools[] = {
    {"onnx.MaxPool", layout_rule::image, emit_pool<true>},
    {"onnx.AveragePool", layout_rule::image, emit_pool<false>},
    {"onnx.GlobalMaxPool", layout_rule::image, emit_global_pool<true>},
    {"onnx.GlobalAveragePool", layout_rule::image, emit_global_pool<false>},
};

}  // namespace baton::detail
