// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The pass that takes out channels which never tell anything.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/transform/detail/live_channels.hpp>
#include <baton/transform/detail/quantized_layer.hpp>
#include <baton/transform/pass.hpp>
#include <baton/transform/rewriter.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace baton {

namespace detail {

/// Carries out what `live_channels` found.
class channel_remover {
 public:
  constexpr channel_remover(rewriter& change, const live_channels& live) : change_(change), live_(live) {}

  constexpr void run() {
    for (const auto& layer : live_.layers()) {
      const auto program = change_.program();
      if (live_.loses(layer.in) || live_.loses(layer.out)) shrink(program, layer);
    }
    for (const auto id : live_.reshapes()) {
      if (live_.loses(change_.output(id))) restate_shape(id);
    }
    const auto values = change_.program().values.size();
    for (std::uint32_t v = 0; v < values; ++v) {
      if (live_.loses(static_cast<value_id>(v))) shrink(static_cast<value_id>(v));
    }
  }

 private:
  /// A value's shape without the channels that go.
  constexpr auto shape_of(value_id id) const -> vector<std::int64_t> {
    const auto old = change_.program().shape(id);
    vector<std::int64_t> shape(old.begin(), old.end());
    shape.back() = shape.back() / live_.period(id) * static_cast<std::int64_t>(live_.staying(id).size());
    return shape;
  }
  constexpr void set_shape(value_id id, std::span<const std::int64_t> shape) {
    const auto run = change_.own(shape);
    change_.at(id).shape = run;
  }
  constexpr void set_data(value_id id, const text_buffer& bytes) {
    const auto data = change_.own(baton::view(bytes));
    change_.at(id).data = data;
  }
  constexpr void shrink(value_id id) { set_shape(id, shape_of(id)); }

  constexpr void restate_shape(node_id id) {
    const auto shape = shape_of(change_.output(id));
    if (change_.program().find(change_[id], "new_shape") != nullptr) {
      change_.set_attribute(id, {"new_shape", std::span<const std::int64_t>{shape}});
    }
    const auto stated = change_.input(id, 1);
    if (stated == none<value_id>) return;
    text_buffer bytes;
    for (const auto size : shape) put(bytes, size);
    set_data(stated, bytes);
  }
  static constexpr void put(text_buffer& bytes, std::int64_t number) {
    const auto bits = static_cast<std::uint32_t>(number);
    for (std::uint32_t b = 0; b < 32; b += 8) bytes.push_back(static_cast<char>(bits >> b & 0xff));
  }

  constexpr void shrink(const program_view& program, const quantized_layer& layer) {
    const auto inputs = live_.staying(layer.in), outputs = live_.staying(layer.out);
    const auto bias = folded_bias(program, layer, outputs);
    const auto weights = layer.is_depthwise ? depthwise_weights(program, layer, outputs) : weights_of(program, layer, inputs, outputs);
    const auto old = program.shape(layer.filter);
    vector<std::int64_t> shape(old.begin(), old.end());
    shape[layer.is_depthwise ? 3 : 0] = static_cast<std::int64_t>(outputs.size());
    if (!layer.is_depthwise) shape.back() = shape.back() / layer.inputs * static_cast<std::int64_t>(inputs.size());
    if (layer.is_depthwise && program.integer(program[layer.node], "depth_multiplier") != 0) {
      change_.set_attribute(layer.node, {"depth_multiplier", static_cast<std::int64_t>(outputs.size() / inputs.size())});
    }
    set_shape(layer.filter, shape);
    set_data(layer.filter, weights);
    keep_scales(layer.filter, layer, outputs);
    if (layer.bias == none<value_id>) return;
    const std::int64_t count[] = {static_cast<std::int64_t>(outputs.size())};
    set_shape(layer.bias, count);
    set_data(layer.bias, bias);
    keep_scales(layer.bias, layer, outputs);
  }

  /// Of a convolution or a fully connected layer.
  constexpr auto weights_of(const program_view& program, const quantized_layer& layer, const vector<std::uint32_t>& inputs,
                            const vector<std::uint32_t>& outputs) const -> text_buffer {
    const auto taps = static_cast<std::uint32_t>(layer.taps());
    const auto channels = static_cast<std::uint32_t>(layer.inputs);
    const char* from = program.data(program[layer.filter].data).data();
    text_buffer made(outputs.size() * taps * inputs.size(), '\0');
    char* to = made.data();
    const std::uint32_t* const end = inputs.end();
    for (const auto o : outputs) {
      const char* tap = from + static_cast<std::size_t>(o) * taps * channels;
      for (std::uint32_t t = 0; t < taps; ++t, tap += channels) {
        for (const std::uint32_t* c = inputs.begin(); c != end; ++c) *to++ = tap[*c];
      }
    }
    return made;
  }
  constexpr auto depthwise_weights(const program_view& program, const quantized_layer& layer, const vector<std::uint32_t>& outputs) const
      -> text_buffer {
    const char* from = program.data(program[layer.filter].data).data();
    text_buffer made(static_cast<std::size_t>(layer.taps()) * outputs.size(), '\0');
    char* to = made.data();
    for (std::int32_t t = 0; t < layer.taps(); ++t, from += layer.outputs) {
      for (const auto o : outputs) *to++ = from[o];
    }
    return made;
  }

  /// The bias of the outputs that stay, with the products of the inputs that go.
  constexpr auto folded_bias(const program_view& program, const quantized_layer& layer, const vector<std::uint32_t>& outputs) const
      -> text_buffer {
    struct gone_input {
      std::uint32_t channel;
      std::int64_t number;
    };
    vector<gone_input> gone;
    const auto inputs = live_.channels(layer.in);
    for (std::uint32_t c = 0; c < inputs.size() && !layer.is_depthwise; ++c) {
      const auto number = inputs[c].can_be.low - layer.input_zero_point;
      if (!inputs[c].stays && inputs[c].can_be.is_constant() && number != 0) gone.push_back({c, number});
    }
    const auto taps = static_cast<std::uint32_t>(layer.taps());
    const auto channels = static_cast<std::uint32_t>(layer.inputs);
    const char* from = program.data(program[layer.filter].data).data();
    text_buffer made;
    for (const auto o : outputs) {
      auto bias = bias_of(program, layer, static_cast<std::int32_t>(o));
      const char* tap = from + static_cast<std::size_t>(o) * taps * channels;
      for (std::uint32_t t = 0; t < taps && !gone.empty(); ++t, tap += channels) {
        for (const auto& each : gone) bias += static_cast<signed char>(tap[each.channel]) * each.number;
      }
      put(made, bias);
    }
    return made;
  }

  /// The scales and zero points of the channels that stay, where each has its own.
  constexpr void keep_scales(value_id id, const quantized_layer& layer, const vector<std::uint32_t>& outputs) {
    auto quant = change_[id].quant;
    if (quant.channels <= 1 || quant.channels != static_cast<std::uint32_t>(layer.outputs)) return;
    quant.scales = kept(quant.scales, 4, outputs);
    if (quant.zero_points.size == 8 * quant.channels) quant.zero_points = kept(quant.zero_points, 8, outputs);
    quant.channels = static_cast<std::uint32_t>(outputs.size());
    change_.at(id).quant = quant;
  }
  constexpr auto kept(byte_ref packed, std::size_t width, const vector<std::uint32_t>& outputs) -> byte_ref {
    text_buffer made;
    const auto program = change_.program();
    const char* from = program.data(packed).data();
    for (const auto o : outputs) made.insert(made.end(), from + o * width, from + (o + 1) * width);
    return change_.own(baton::view(made));
  }

  rewriter& change_;
  const live_channels& live_;
};

}  // namespace detail

/// A pass that takes channels of int8 values out which are one number whatever the input is, or which nobody needs; outputs stay the same
/// in every byte. Which are constant is proved by the intervals of all sums, by the kernels' own rounding and activation: channels whose
/// weights, or multipliers, are 0, or which an activation always cuts. What a constant channel adds to a convolution or a fully
/// connected layer goes into its bias; where that differs between the border and the middle (a number that is not the zero point, in front
/// of padding) the channel stays, as it does where a channel of a value that shares its channels stays: of a depthwise convolution, a
/// pool, a sum, a reshape.
/// What is not touched: inputs and outputs of graphs, nodes of parts and lowered modules, weights that several nodes use, and what other
/// operators than the named are given and give.
/// In a constant each weight costs up to 7 statements of Clang and 60 operations of GCC, less where eight in a row are 0: a model of
/// DEAD_LIMIT.
struct dead_channels {
  static constexpr std::string_view name = "dead_channels";

  static constexpr auto run(const program_view& program) -> exported_program {
    rewriter change(program);
    const detail::live_channels live(change);
    detail::channel_remover(change, live).run();
    return change.finish();
  }
};
static_assert(pass<dead_channels>);

}  // namespace baton
