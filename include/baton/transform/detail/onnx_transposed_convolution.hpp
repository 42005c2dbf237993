// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Replaces the ONNX transposed convolution.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/named_literal.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/operators/shared/dilated_filter.hpp>
#include <baton/operators/shared/window.hpp>
#include <baton/transform/detail/emission.hpp>
#include <baton/transform/detail/layout.hpp>
#include <baton/transform/detail/legalization_row.hpp>
#include <baton/transform/detail/onnx_image.hpp>
#include <baton/transform/detail/onnx_layers.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::detail {

/// One dimension of a transposed convolution. `before` is the number of elements that the padding removes in front of the output.
struct transposed_dimension {
  std::int64_t in = 1;
  std::int64_t taps = 1;
  std::int64_t dilation = 1;
  std::int64_t stride = 1;
  std::int64_t out = 1;
  std::int64_t before = 0;

  constexpr auto filter() const -> std::int64_t { return filter_span(taps, dilation); }
  /// Returns the size of the output that a layer without padding must compute: `before` + `out`, but at least the size of the filter.
  constexpr auto reach() const -> std::int64_t { return std::max(out + before, filter()); }
};

/// Reads spatial dimension `d` from the attributes, and from the shapes of the image, the weights and the output. Refuses the node (the
/// pass then fails with `unsupported_operator`) if a size, stride, dilation or padding is invalid.
constexpr auto transposed_dimension_of(emission& emitter, std::size_t d) -> transposed_dimension {
  const auto in = emitter.file_type(emitter.operand(0)), out = emitter.file_type(emitter.output()),
             weights = emitter.stored_type(emitter.operand(1));
  transposed_dimension axis{in.sizes[2 + d],  weights.sizes[2 + d],       emitter.entry("dilations", d, 1), emitter.entry("strides", d, 1),
                            out.sizes[2 + d], emitter.entry("pads", d, 0)};
  constexpr std::int64_t max_size = 1 << 20;
  const bool is_valid = axis.in > 0 && axis.in < max_size && axis.taps > 0 && axis.taps < max_size && axis.dilation > 0 &&
                        axis.dilation < max_size && axis.stride > 0 && axis.stride < max_size && axis.out > 0 && axis.out < max_size &&
                        axis.before >= 0 && axis.before < max_size;
  if (!is_valid) return emitter.refuse("a size, stride, dilation or padding is invalid"), axis;
  // As in the ONNX standard, `output_shape` or `auto_pad` determines the total padding, which is divided between both sides.
  const auto mode = emitter.text("auto_pad");
  const bool is_same = mode == "SAME_UPPER" || mode == "SAME_LOWER";
  if (mode == "VALID") axis.before = 0;
  if (!is_same && !emitter.has_attribute("output_shape")) return axis;
  const auto sum = axis.stride * (axis.in - 1) + emitter.entry("output_padding", d, 0) + axis.filter() - axis.out;
  if (sum < 0) return emitter.refuse("the output is too large for the operands"), axis;
  axis.before = mode == "SAME_UPPER" ? sum / 2 : sum - sum / 2;
  return axis;
}

/// A transposed convolution as layers of `tfl.transpose_conv`, which have no groups, dilation or padding. Each group becomes a layer with a
/// slice of the channels, the weights and the bias. For a dilation, zeros are inserted between the weights of the filter window. For a
/// padding, more rows and columns are computed, and removed by a slice.
class transposed_layers {
 public:
  /// The maximum number of groups, and the maximum size of the weights with inserted zeros, in bytes.
  static constexpr std::int64_t max_groups = 1024, max_dilated_bytes = 262144;

  constexpr explicit transposed_layers(emission& emitter)
      : emitter_(emitter),
        weights_(emitter.stored_type(emitter.operand(1))),
        groups_(emitter.integer("group", 1)) {}

  constexpr void emit() {
    const auto in = emitter_.file_type(emitter_.operand(0)), out = emitter_.output_type();
    const auto dimensions = in.rank < 2 ? 0 : in.rank - 2;
    if (dimensions < 1 || dimensions > 2 || weights_.rank != in.rank || out.rank != in.rank) {
      return emitter_.refuse("images of ", dimensions, " dimensions are not supported");
    }
    if (!can_move_weights(emitter_, 1, 1)) return;
    if (dimensions == 2) rows_ = transposed_dimension_of(emitter_, 0);
    columns_ = transposed_dimension_of(emitter_, dimensions - 1);
    if (emitter_.is_refused()) return;
    const auto channels = out.sizes[out.rank - 1];
    group_output_ = tensor(out.type, out.sizes[0], rows_.out, columns_.out, channels);
    check_groups(in.sizes[1], channels);
    if (emitter_.is_refused()) return;
    group_output_.sizes[3] /= groups_;
    const auto image = image_with_height(emitter_, dimensions);
    begin_image_output(emitter_, dimensions);
    if (groups_ == 1) {
      add_layer(image, 0);
    } else {
      add_groups(image);
    }
    end_image_output(emitter_, dimensions);
  }

 private:
  constexpr void check_groups(std::int64_t inputs, std::int64_t outputs) {
    const bool fits = groups_ > 0 && weights_.sizes[0] == inputs && inputs % groups_ == 0 && outputs == groups_ * weights_.sizes[1];
    if (!fits) return emitter_.refuse("the weights do not fit ", inputs, " input channels in ", groups_, " groups");
    if (groups_ > max_groups) return emitter_.refuse(groups_, " groups are not supported; the maximum is ", max_groups);
    if (groups_ > 1 && emitter_.has(2) && !emitter_.is_constant(emitter_.operand(2)))
      return emitter_.refuse("the bias of several groups is not a constant; export the model with a constant bias");
    const auto data = emitter_.data_of(emitter_.operand(1));
    const auto bits = facts(emitter_.record(data).type).bits;
    filter_ = {weights_.sizes[0] * weights_.sizes[1] / groups_,
               {rows_.taps, columns_.taps},
               {rows_.dilation, columns_.dilation},
               static_cast<std::int64_t>(bits / 8)};
    if (groups_ == 1 && !filter_.is_dilated()) return;
    if (bits == 0 || bits % 8 != 0) return emitter_.refuse("groups and dilations are not supported for weights of less than a byte");
    if (filter_.is_dilated() && (filter_.size() < 0 || filter_.size() > max_dilated_bytes / groups_))
      return emitter_.refuse("the weights with their dilation need more than ", max_dilated_bytes, " bytes");
  }

  /// Finishes the replacement with a concatenation of the outputs of all groups.
  constexpr void add_groups(value_id image) {
    auto type = emitter_.stored_type(image);
    type.sizes[3] /= groups_;
    vector<value_id> results;
    for (std::int64_t g = 0; g < groups_ && !emitter_.is_refused(); ++g) {
      const std::int64_t begin[] = {0, 0, 0, g * type.sizes[3]};
      const auto first = emitter_.integer_constant(view(name(g, "input_begin")), begin);
      const auto size = emitter_.integer_constant(view(name(g, "input_size")), type.shape());
      const auto in = emitter_.add(view(name(g, "input")), "tfl.slice", {image, first, size}, type);
      results.push_back(add_layer(in, g));
    }
    if (emitter_.is_refused()) return;
    const named_literal literals[] = {{"axis", 3}, {"fused_activation_function", "none"}};
    emitter_.finish("tfl.concatenation", results, literals);
  }

  /// Adds the layer of group `g`, and returns the output of the layer. If there is only one group, finishes the node instead, and returns
  /// `none`.
  constexpr auto add_layer(value_id image, std::int64_t g) -> value_id {
    const auto whole = tensor(group_output_.type, group_output_.sizes[0], rows_.reach(), columns_.reach(), group_output_.sizes[3]);
    const bool is_sliced = whole.sizes[1] != group_output_.sizes[1] || whole.sizes[2] != group_output_.sizes[2];
    const value_id operands[] = {emitter_.integer_constant(view(name(g, "shape")), whole.shape()), weights_of(g), image, bias_of(g)};
    const span<const value_id> used{operands, emitter_.has(2) ? std::size_t{4} : std::size_t{3}};
    const named_literal literals[] = {
        {"padding", "valid"}, {"stride_w", columns_.stride}, {"stride_h", rows_.stride}, {"fused_activation_function", "none"}};
    const std::int64_t begin[] = {0, rows_.before, columns_.before, 0};
    if (groups_ == 1) {
      if (is_sliced) emitter_.begin_inner("whole", whole);
      emitter_.finish("tfl.transpose_conv", used, literals);
      if (!is_sliced) return none<value_id>;
      const value_id others[] = {emitter_.integer_constant("begin", begin), emitter_.integer_constant("size", group_output_.shape())};
      emitter_.end_inner("slice", "tfl.slice", others);
      return none<value_id>;
    }
    const auto result = emitter_.add(view(name(g, "layer")), "tfl.transpose_conv", used, whole, literals);
    if (!is_sliced) return result;
    const auto first = emitter_.integer_constant(view(name(g, "begin")), begin),
               size = emitter_.integer_constant(view(name(g, "size")), group_output_.shape());
    return emitter_.add(view(name(g, "slice")), "tfl.slice", {result, first, size}, group_output_);
  }
  constexpr auto name(std::int64_t g, std::string_view suffix) const -> text_buffer {
    if (groups_ == 1) return join(suffix);
    return join("group_", g, "_", suffix);
  }

  /// Returns the weights of group `g`, permuted from [inputs, outputs, height, width] to [outputs, height, width, inputs].
  constexpr auto weights_of(std::int64_t g) -> value_id {
    auto id = emitter_.operand(1);
    auto type = weights_;
    type.sizes[0] /= groups_;
    if (groups_ != 1 || filter_.is_dilated()) {
      auto bytes = bytes_of_group(emitter_.settled(emitter_.data_of(id)), g);
      for (std::size_t d = 2; d < type.rank; ++d) type.sizes[d] = filter_.span_of(d + 2 - type.rank);
      const auto quant = emitter_.record(emitter_.data_of(id)).quant;
      if (filter_.is_dilated()) {
        text_buffer zeros(std::max<std::size_t>(1, quant.channels), '\0');
        for (std::uint32_t c = 0; c < quant.channels; ++c) zeros[c] = static_cast<char>(emitter_.program().zero_point(quant, c));
        bytes = emitter_.own(view(filter_.bytes(emitter_.program().data(bytes), zeros)));
      }
      id = constant_of(id, "weights", g, type, bytes, quant);
    }
    const permutation by{tensor(type.type, type.sizes[0], type.sizes[1], rows_.filter(), columns_.filter()), {1, 2, 3, 0}};
    return emitter_.moved(id, by, by.result(), 0);
  }
  constexpr auto bias_of(std::int64_t g) -> value_id {
    const auto id = emitter_.operand(2);
    if (groups_ == 1 || !emitter_.has(2)) return id;
    const auto data = emitter_.data_of(id);
    auto quant = emitter_.record(data).quant;
    if (quant.channels > 1) {
      quant.channels /= static_cast<std::uint32_t>(groups_);
      quant.scales = bytes_of_group(quant.scales, g);
      if (quant.zero_points.size > 8) quant.zero_points = bytes_of_group(quant.zero_points, g);
    }
    return constant_of(id, "bias", g, tensor(emitter_.record(id).type, group_output_.sizes[3]), bytes_of_group(emitter_.settled(data), g),
                       quant);
  }
  /// Returns the bytes of group `g` in `whole`. All groups have the same number of bytes.
  constexpr auto bytes_of_group(byte_ref whole, std::int64_t g) const -> byte_ref {
    whole.size /= static_cast<std::uint32_t>(groups_);
    const auto first = static_cast<std::uint32_t>(g) * whole.size;
    if (whole.outside != nullptr) whole.outside += first;
    if (whole.outside == nullptr) whole.first += first;
    return whole;
  }
  /// Adds a constant for group `g`. Returns the constant, or a dequantization of the constant if `like` is the dequantization of a
  /// constant.
  constexpr auto constant_of(value_id like, std::string_view suffix, std::int64_t g, const tensor_type& type, byte_ref bytes,
                             quantization quant) -> value_id {
    const auto data = emitter_.data_of(like);
    auto stored = type;
    stored.type = emitter_.record(data).type;
    const auto result = emitter_.constant(view(name(g, suffix)), stored, "");
    emitter_.value_at(result).data = bytes;
    emitter_.value_at(result).quant = quant;
    if (data == like) return result;
    return emitter_.add(view(join(view(name(g, suffix)), "_dequantized")), "tfl.dequantize", {result}, type, {}, {.is_constant = true});
  }

  emission& emitter_;
  tensor_type weights_;
  std::int64_t groups_;
  transposed_dimension rows_;
  transposed_dimension columns_;
  tensor_type group_output_;  ///< the type of the output of one group
  dilated_filter filter_;
};

/// Replaces `onnx.ConvTranspose`. Weights are [inputs, outputs of a group, height, width].
constexpr void emit_transposed_convolution(emission& emitter) { transposed_layers(emitter).emit(); }

/// The row (`legalization_row`) of the transposed convolution.
inline constexpr legalization_row onnx_transposed_convolution[] = {
    {"onnx.ConvTranspose", layout_rule::image, emit_transposed_convolution, 2},
};

}  // namespace baton::detail
