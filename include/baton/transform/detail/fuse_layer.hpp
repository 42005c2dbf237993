// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Fusion of a float32 layer with the dequantization of its operands and the quantization of its output.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/shared/little_endian.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/operators/requantization.hpp>
#include <baton/operators/shared/real_functions.hpp>
#include <baton/operators/shared/window.hpp>
#include <baton/transform/detail/centered_weights.hpp>
#include <baton/transform/detail/fused_output.hpp>
#include <baton/transform/detail/layer_operators.hpp>
#include <baton/transform/detail/quantization_fusion.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::detail {

/// Returns the four paddings of the node `id`, in the order of the attribute `pads`: top, left, bottom, right. If the node has no such
/// attribute, computes the paddings from SAME or VALID padding and the sizes of the image `in` and the filter.
constexpr auto pads_of(const quantization_fusion& fusion, node_id id, value_id in, std::int64_t filter_height, std::int64_t filter_width)
    -> std::array<std::int64_t, 4> {
  const auto program = fusion.change.program();
  const auto& record = fusion.change[id];
  std::array<std::int64_t, 4> pads{};
  if (const auto* const stored = program.find(record, "pads")) {
    const auto list = program.integer_list(stored->list);
    for (std::size_t i = 0; i < list.size() && i < pads.size(); ++i) pads[i] = list[i];
    return pads;
  }
  if (program.text(record, "padding") != "same") return pads;
  const auto set = [&](std::size_t axis, std::int64_t size, std::int64_t filter, std::int64_t stride, std::int64_t dilation) {
    const auto windows = window_size(true, size, filter, stride, dilation);
    const auto total = (windows - 1) * stride + filter_span(filter, dilation) - size;
    pads[axis] = padding_before(size, windows, filter, stride, dilation);
    pads[axis + 2] = total > pads[axis] ? total - pads[axis] : 0;
  };
  const auto shape = fusion.shape(in);
  set(0, shape[1], filter_height, program.integer(record, "stride_h", 1), program.integer(record, "dilation_h_factor", 1));
  set(1, shape[2], filter_width, program.integer(record, "stride_w", 1), program.integer(record, "dilation_w_factor", 1));
  return pads;
}

/// A fusion of a float32 layer, whose operands are dequantized and whose output is quantized.
class layer_fusion {
 public:
  constexpr layer_fusion(quantization_fusion& fusion, node_id id) : fusion_(fusion), id_(id), record_(fusion.change[id]) {}

  /// Fuses the layer. Returns false and sets `fusion.why` if that is not possible.
  constexpr auto run() -> bool {
    input_ = fusion_.dequantized(fusion_.change.input(id_, 0), record_.tag);
    if (input_ == none<value_id> || !fusion_.is_per_tensor(input_, dtype::int8))
      return fusion_.refuse("its input is not dequantized from int8 with a per-tensor scale");
    if (!find_weights()) return false;
    const auto output = fused_output::in_int8(fusion_, id_);
    if (!output || !find_bias()) return false;
    if (fusion_.is_dry_run) return true;
    if (!new_bias_.empty()) add_bias();
    if (has_zero_points_) center_weights();
    output.replace(fusion_, id_, insert(output.value));
    return true;
  }

 private:
  constexpr auto find_weights() -> bool {
    weights_ = fusion_.dequantized(fusion_.change.input(id_, 1), record_.tag);
    if (weights_ == none<value_id>) return fusion_.refuse("its weights are not dequantized");
    const auto& record = fusion_.change[weights_];
    const auto shape = fusion_.shape(weights_);
    const auto axis = channel_dimension(record_);
    const bool is_matrix = is_dense(record_);
    if (!is_owned_data(record.kind)) return fusion_.refuse("its weights are not a constant");
    if (record.type != dtype::int8) return fusion_.refuse("its weights are not int8");
    if (shape.size() != (is_matrix ? 2 : 4) || fusion_.shape(input_).size() < (is_matrix ? 1 : 4))
      return fusion_.refuse("its input or its weights have the wrong number of dimensions");
    channels_ = static_cast<std::uint32_t>(shape[axis]);
    if (record.quant.channels != 1 && (record.quant.channels != channels_ || record.quant.axis != static_cast<std::int32_t>(axis)))
      return fusion_.refuse("its weights are not quantized per tensor or per output channel");
    for (std::uint32_t c = 0; c < record.quant.channels; ++c) {
      const auto scale = fusion_.scale(weights_, c);
      if (!(scale > 0 && scale < 3e38f)) return fusion_.refuse("a scale of its weights is not positive");
      const auto zero_point = fusion_.zero_point(weights_, c);
      if (zero_point < -128 || zero_point > 127) return fusion_.refuse("a zero point of its weights is not an int8 number");
      zero_points_.push_back(zero_point);
      has_zero_points_ = has_zero_points_ || zero_point != 0;
    }
    if (has_zero_points_ && uncentered_bytes() > max_uncentered_bytes)
      return fusion_.refuse("the program has more than 65536 bytes of weights with zero points");
    return true;
  }

  /// The maximum result of `uncentered_bytes()` for which zero points are subtracted from weights. The compilers' limits for constant
  /// expressions suffice for this number of bytes.
  static constexpr std::uint64_t max_uncentered_bytes = 65536;
  /// Returns the total size in bytes of the weights from which zero points would be subtracted. Weights that several layers use count for
  /// each of these layers.
  constexpr auto uncentered_bytes() const -> std::uint64_t {
    const auto& source = fusion_.source;
    std::uint64_t bytes = 0;
    for (std::uint32_t v = 0; v < source.values.size(); ++v) {
      const auto& record = source.values[v];
      if (record.type != dtype::int8 || !is_owned_data(record.kind) || !has_zero_point(record.quant)) continue;
      for (const auto user : fusion_.source_users(value_id{v})) {
        if (source.nodes[user].is("tfl.dequantize"))
          bytes += layers_with_weights(source.outputs_of(source.nodes[user])[0]) * record.data.size;
      }
    }
    return bytes;
  }
  constexpr auto has_zero_point(const quantization& quant) const -> bool {
    for (std::uint32_t c = 0; quant.zero_points.size != 0 && c < quant.channels; ++c) {
      if (fusion_.source.zero_point(quant, c) != 0) return true;
    }
    return false;
  }
  /// Returns the number of layers whose weights are the value `weights`.
  constexpr auto layers_with_weights(value_id weights) const -> std::uint64_t {
    const auto& source = fusion_.source;
    std::uint64_t layers = 0;
    for (const auto user : fusion_.source_users(weights)) {
      const auto& layer = source.nodes[user];
      if (is_among(layer.op, layer_operators) && layer.inputs.size > 1 && source.inputs(layer)[1] == weights) ++layers;
    }
    return layers;
  }
  /// Subtracts the zero points from the weights. If a difference does not fit int8, splits every difference into int8 summands, and repeats
  /// the input once for each summand. A depthwise layer then becomes a convolution with groups. The sums that the layer computes do not
  /// change.
  constexpr void center_weights() {
    const auto old = fusion_.change[weights_];
    const auto shape = fusion_.shape(weights_);
    tensor_type type{dtype::int8, shape.size(), {}};
    for (std::size_t d = 0; d < type.rank; ++d) type.sizes[d] = shape[d];
    const auto count = static_cast<std::size_t>(element_count(type.shape()));
    const bool has_last_channels = is_depthwise(record_);
    const bool is_scalar = zero_points_.size() == 1;
    const centered_weights centered(fusion_.change.program().data(old.data), zero_points_,
                                    is_scalar           ? count
                                    : has_last_channels ? std::size_t{1}
                                                        : count / channels_);
    const auto summands = centered.summands();
    auto inner = type.sizes[type.rank - 1];
    is_split_depthwise_ = has_last_channels && summands != 1;
    text_buffer bytes;
    if (is_split_depthwise_) {
      inner = 1;
      type.sizes = {type.sizes[3], type.sizes[1], type.sizes[2], 1};
      bytes = centered.bytes_by_channel(channels_);
    } else {
      bytes = centered.bytes(static_cast<std::size_t>(inner));
    }
    type.sizes[type.rank - 1] = inner * summands;
    const auto name = join(fusion_.name_of(id_), "_centered_weights");
    weights_ = fusion_.change.add_constant(old.graph, view(name), type, view(bytes));
    fusion_.change.edit(weights_).quant = {
        .scales = old.quant.scales, .channels = old.quant.channels, .axis = is_split_depthwise_ ? 0 : old.quant.axis};
    if (summands != 1) repeat_input(inner, summands);
  }
  /// Replaces each group of `inner` input channels by `summands` copies of the group.
  constexpr void repeat_input(std::int64_t inner, std::int64_t summands) {
    const auto shape = fusion_.shape(input_);
    tensor_type whole{dtype::int8, shape.size(), {}};
    for (std::size_t d = 0; d < whole.rank; ++d) whole.sizes[d] = shape[d];
    auto& channels = whole.sizes[whole.rank - 1];
    auto rows = whole;
    const bool has_groups = channels != inner;
    if (has_groups) {
      rows = tensor(dtype::int8, element_count(whole.shape()) / inner, inner);
      input_ = insert_move("_rows", "tfl.reshape", {&input_, 1}, rows, {"new_shape", rows.shape()});
    }
    const vector<value_id> copies(static_cast<std::size_t>(summands), input_);
    rows.sizes[rows.rank - 1] = inner * summands;
    input_ = insert_move("_repeated", "tfl.concatenation", copies, rows, {"axis", static_cast<std::int64_t>(rows.rank) - 1});
    channels *= summands;
    if (has_groups) input_ = insert_move("_input", "tfl.reshape", {&input_, 1}, whole, {"new_shape", whole.shape()});
  }
  /// Inserts a node that moves elements of the input, and returns its output.
  constexpr auto insert_move(std::string_view suffix, std::string_view op, span<const value_id> inputs, const tensor_type& type,
                             const named_literal& literal) -> value_id {
    const auto quant = fusion_.change[input_].quant;
    const auto name = join(fusion_.name_of(id_), suffix);
    const auto result = fusion_.change.add_value(fusion_.change[input_].graph, view(name), type);
    fusion_.change.edit(result).quant = quant;
    fusion_.change.insert_before(
        id_, {.name = view(name), .op = op, .inputs = inputs, .outputs = {&result, 1}, .literals = {&literal, 1}, .tag_of = id_});
    return result;
  }

  /// Reads the bias. The bias may be omitted, a dequantized int32 constant or a float32 constant. Returns false for any other bias. An
  /// int32 bias stays int32 if its zero points are 0 and its scales are the products of the input scale and the weight scales. A float32
  /// bias becomes int32 if its elements are multiples of these products. All other biases become or stay float32.
  constexpr auto find_bias() -> bool {
    const auto operand = fusion_.change.input(id_, 2);
    if (operand == none<value_id>) return true;
    const auto integers = fusion_.dequantized(operand, record_.tag);
    bias_ = integers == none<value_id> ? operand : integers;
    const auto& record = fusion_.change[bias_];
    if (!is_owned_data(record.kind) || record.kind == value_kind::mutable_buffer) return fusion_.refuse("its bias is not a constant");
    if (element_count(fusion_.shape(bias_)) != channels_ || record.data.size != 4 * std::uint64_t{channels_})
      return fusion_.refuse("its bias does not have one number for each output channel");
    if (integers == none<value_id>)
      return record.type == dtype::float32 ? scale_bias() : fusion_.refuse("its bias is neither float32 nor dequantized");
    if (record.type != dtype::int32 || (record.quant.channels != 1 && record.quant.channels != channels_))
      return fusion_.refuse("its bias is not int32");
    bool has_products = true;
    for (std::uint32_t c = 0; c < channels_; ++c) {
      const auto scale = fusion_.scale(bias_, c);
      const auto expected = product(c), difference = static_cast<double>(scale) - expected;
      if (!(scale > 0 && scale < 1e20f)) return fusion_.refuse("a scale of its bias is not positive");
      has_products = has_products && fusion_.zero_point(bias_, c) == 0 && is_float_error(difference, expected);
    }
    if (!has_products) dequantize_bias();
    return true;
  }
  constexpr auto product(std::uint32_t channel) const -> double {
    return static_cast<double>(fusion_.scale(input_)) * static_cast<double>(fusion_.scale(weights_, channel));
  }
  /// True if `difference` can be a rounding error of floats with the magnitude `size`.
  static constexpr auto is_float_error(double difference, double size) -> bool {
    constexpr double float_error = 1.0 / (1 << 22);
    return difference <= size * float_error && difference >= -size * float_error;
  }
  /// Divides a float32 bias by the products of the input scale and the weight scales. If all quotients are integers up to float rounding,
  /// the integers replace the bias. Returns false if the bias is not finite.
  constexpr auto scale_bias() -> bool {
    const auto data = fusion_.change.program().data(fusion_.change[bias_].data);
    vector<std::uint32_t> integers;
    for (std::uint32_t c = 0; c < channels_; ++c) {
      const auto bits = quantized::little_endian_32(data, c);
      constexpr std::uint32_t exponent = 0x7f800000u;
      if ((bits & exponent) == exponent) return fusion_.refuse("its bias is not finite");
      const auto quotient = static_cast<double>(std::bit_cast<float>(bits)) / product(c);
      const auto whole = real::round_half_to_even(quotient);
      const auto size = quotient < 0 ? -quotient : quotient;
      if (!(size < 2147483647.0) || !is_float_error(quotient - whole, size)) return true;
      integers.push_back(static_cast<std::uint32_t>(static_cast<std::int32_t>(whole)));
    }
    new_bias_ = integers;
    return true;
  }
  constexpr void dequantize_bias() {
    const auto data = fusion_.change.program().data(fusion_.change[bias_].data);
    for (std::uint32_t c = 0; c < channels_; ++c) {
      const auto steps = static_cast<std::int64_t>(static_cast<std::int32_t>(quantized::little_endian_32(data, c)));
      const auto real = static_cast<double>(fusion_.scale(bias_, c)) * static_cast<double>(steps - fusion_.zero_point(bias_, c));
      new_bias_.push_back(std::bit_cast<std::uint32_t>(static_cast<float>(real)));
    }
    is_new_bias_float_ = true;
  }
  /// Adds the constant that replaces the bias.
  constexpr void add_bias() {
    text_buffer bytes, scales;
    for (std::uint32_t c = 0; c < channels_; ++c) {
      append_little_endian(bytes, new_bias_[c], 4);
      append_little_endian(scales, std::bit_cast<std::uint32_t>(static_cast<float>(product(c))), 4);
    }
    const auto name = join(fusion_.name_of(id_), "_bias");
    const auto type = is_new_bias_float_ ? dtype::float32 : dtype::int32;
    bias_ = fusion_.change.add_constant(fusion_.change[input_].graph, view(name), tensor(type, channels_), view(bytes));
    if (is_new_bias_float_) return;
    const auto packed = fusion_.change.own(view(scales));
    fusion_.change.edit(bias_).quant = {.scales = packed, .channels = channels_};
  }

  constexpr auto insert(value_id out) -> node_id {
    const auto program = fusion_.change.program();
    const auto name = fusion_.name_of(id_);
    if (is_dense(record_)) {
      const bool keeps = program.integer(record_, "keep_num_dims") != 0;
      return fusion_.change.insert_before(id_, name, "baton.fully_connected", {input_, weights_, bias_}, {out}, {{"keep_num_dims", keeps}},
                                          id_);
    }
    const auto number = [&](literal_name key) { return program.integer(record_, key, 1); };
    const auto filter = fusion_.shape(weights_);
    const auto pads = pads_of(fusion_, id_, input_, filter[1], filter[2]);
    const auto stride_h = number("stride_h"), stride_w = number("stride_w");
    const auto dilation_h = number("dilation_h_factor"), dilation_w = number("dilation_w_factor");
    const span<const std::int64_t> list{pads.data(), pads.size()};
    if (is_depthwise(record_) && !is_split_depthwise_) {
      const auto multiplier = fusion_.shape(input_)[3] > 0 ? filter[3] / fusion_.shape(input_)[3] : 1;
      return fusion_.change.insert_before(id_, name, "baton.depthwise_conv_2d", {input_, weights_, bias_}, {out},
                                          {{"stride_h", stride_h},
                                           {"stride_w", stride_w},
                                           {"dilation_h_factor", dilation_h},
                                           {"dilation_w_factor", dilation_w},
                                           {"depth_multiplier", multiplier},
                                           {"pads", list}},
                                          id_);
    }
    return fusion_.change.insert_before(id_, name, "baton.conv_2d", {input_, weights_, bias_}, {out},
                                        {{"stride_h", stride_h},
                                         {"stride_w", stride_w},
                                         {"dilation_h_factor", dilation_h},
                                         {"dilation_w_factor", dilation_w},
                                         {"pads", list}},
                                        id_);
  }

  quantization_fusion& fusion_;
  node_id id_;
  node record_;  // a copy: inserted nodes may move the records
  value_id input_ = none<value_id>;
  value_id weights_ = none<value_id>;
  value_id bias_ = none<value_id>;
  std::uint32_t channels_ = 0;
  vector<std::int64_t> zero_points_;  ///< the zero points of the weights
  bool has_zero_points_ = false;
  bool is_split_depthwise_ = false;  ///< whether a depthwise layer becomes a convolution with groups
  vector<std::uint32_t> new_bias_;   ///< the bits of the integers or floats that replace the bias
  bool is_new_bias_float_ = false;
};

}  // namespace baton::detail
