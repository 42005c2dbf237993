// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The pass that removes channels that are constant or unused.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/vector.hpp>
#include <baton/operators/find_definition.hpp>
#include <baton/operators/requantization.hpp>
#include <baton/transform/detail/live_channels.hpp>
#include <baton/transform/detail/quantized_layer.hpp>
#include <baton/transform/pass.hpp>
#include <baton/transform/rewriter.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton {

namespace detail {

/// A rewrite that removes the dead channels: all channels that `live_channels` (detail/live_channels.hpp) does not mark as needed.
class channel_remover {
 public:
  constexpr channel_remover(rewriter& change, const live_channels& live) : change_(change), live_(live) {}

  constexpr void run() {
    const auto program = change_.program();
    const auto values = static_cast<std::uint32_t>(program.value_count());
    for (const auto& layer : live_.layers()) {
      if (live_.loses_channels(layer.in) || live_.loses_channels(layer.out))
        layers_.push_back({&layer, live_.staying(layer.in), live_.staying(layer.out)});
    }
    if (layers_.empty()) return;
    build_bytes(program);
    const auto all = change_.own(baton::view(bytes_));
    for (const auto& each : copies_) {
      auto& record = change_.edit(each.id);
      const byte_ref bytes{nullptr, all.first + each.bytes.first, each.bytes.size};
      if (each.kind == bytes_kind::data) {
        record.data = bytes;
      } else {  // weights are symmetric: all zero points are 0, so the zero points are omitted
        record.quant.scales = bytes;
        record.quant.zero_points = {};
        record.quant.channels = bytes.size / 4;
      }
    }
    for (const auto& each : layers_) update(each);
    for (const auto id : live_.reshapes()) {
      if (live_.loses_channels(change_.output(id))) update(id);
    }
    for (std::uint32_t v = 0; v < values; ++v) {
      const auto id = static_cast<value_id>(v);
      if (live_.loses_channels(id)) set_shape(id, shape_of(id));
    }
  }

 private:
  /// A layer that loses channels, and the channels that stay.
  struct smaller_layer {
    const quantized_layer* source;
    vector<std::uint32_t> inputs;
    vector<std::uint32_t> outputs;
  };
  /// The kind of bytes that are replaced: the data of a value, or the scales of a value.
  enum class bytes_kind : std::uint8_t { data, scales };
  /// A range of `bytes_` that becomes the data or the scales of value `id`. `run` copies all of `bytes_` into the program at once.
  struct copied_bytes {
    value_id id;
    bytes_kind kind;
    range bytes;
  };

  // Bytes

  constexpr void build_bytes(const program_view& program) {
    std::size_t count = 0;
    for (const auto& each : layers_) {
      const auto& layer = *each.source;
      const auto weights = static_cast<std::size_t>(layer.taps()) * (layer.is_depthwise ? 1 : each.inputs.size());
      count += each.outputs.size() * (weights + 4 + 2 * 4);  // a bias and two scales
    }
    for (const auto id : live_.reshapes()) count += 4 * program.shape(change_.output(id)).size();
    bytes_.resize(count);
    to_ = bytes_.data();
    for (const auto& each : layers_) {
      const char* const weights = program.data(program[each.source->filter].data).data();
      if (each.source->is_depthwise) {
        put_depthwise_weights(each, weights);
      } else {
        put_weights(each, weights);
      }
      assign(each.source->filter, bytes_kind::data);
      put_scales(program, each, each.source->filter);
      if (each.source->bias == none<value_id>) continue;
      put_bias(program, each, weights);
      assign(each.source->bias, bytes_kind::data);
      put_scales(program, each, each.source->bias);
    }
    for (const auto id : live_.reshapes()) {
      const auto shape_operand = change_.input(id, 1);
      if (shape_operand == none<value_id> || !live_.loses_channels(change_.output(id))) continue;
      for (const auto size : shape_of(change_.output(id))) put(static_cast<std::uint32_t>(size));
      assign(shape_operand, bytes_kind::data);
    }
    bytes_.resize(assigned_);
  }
  /// Records that the bytes appended since the previous call become the data or the scales of value `id`.
  constexpr void assign(value_id id, bytes_kind kind) {
    const auto end = static_cast<std::uint32_t>(to_ - bytes_.data());
    copies_.push_back({id, kind, {assigned_, end - assigned_}});
    assigned_ = end;
  }
  constexpr void put(std::uint32_t bits) {
    *to_++ = static_cast<char>(bits & 0xff), *to_++ = static_cast<char>(bits >> 8 & 0xff);
    *to_++ = static_cast<char>(bits >> 16 & 0xff), *to_++ = static_cast<char>(bits >> 24);
  }
  /// Appends the weights that stay in a convolution or a fully connected layer. The loop is unrolled, because compilers limit the
  /// statements of a constant expression.
  constexpr void put_weights(const smaller_layer& smaller, const char* weights) {
    const std::ptrdiff_t inputs = smaller.source->inputs, taps = smaller.source->taps();
    const std::uint32_t* const end = smaller.inputs.end();
    char* to = to_;
    for (const auto o : smaller.outputs) {
      const char* tap = weights + static_cast<std::ptrdiff_t>(o) * taps * inputs;
      for (std::ptrdiff_t t = 0; t < taps; ++t, tap += inputs) {
        const std::uint32_t* c = smaller.inputs.begin();
        for (; end - c >= 5; c += 5) {
          *to++ = tap[c[0]], *to++ = tap[c[1]], *to++ = tap[c[2]], *to++ = tap[c[3]], *to++ = tap[c[4]];
        }
        for (; c != end; ++c) *to++ = tap[*c];
      }
    }
    to_ = to;
  }
  constexpr void put_depthwise_weights(const smaller_layer& smaller, const char* weights) {
    for (std::int32_t t = 0; t < smaller.source->taps(); ++t, weights += smaller.source->outputs) {
      for (const auto o : smaller.outputs) *to_++ = weights[o];
    }
  }
  /// Appends the biases of the outputs that stay. The removed constant input channels contribute to the sums of the layer. Adds this
  /// contribution to each bias: the sum of (constant - input zero point) * weight over these channels and all taps. A tap is an element of
  /// the filter window.
  constexpr void put_bias(const program_view& program, const smaller_layer& smaller, const char* weights) {
    struct removed_input {
      std::uint32_t channel;
      std::int64_t number;
    };
    const auto& layer = *smaller.source;
    vector<removed_input> removed;
    const auto* each = live_.channels(layer.in);
    for (std::uint32_t c = 0, count = layer.is_depthwise ? 0 : live_.channel_count(layer.in); c < count; ++c, ++each) {
      const auto number = each->possible_values.low - layer.input_zero_point;
      if (!each->stays && each->possible_values.low == each->possible_values.high && number != 0) removed.push_back({c, number});
    }
    const char* const biases = program.data(program[layer.bias].data).data();
    for (const auto o : smaller.outputs) {
      std::int64_t bias = static_cast<std::int32_t>(quantized::little_endian_32(biases + 4 * o));
      for (const auto& input : removed) {
        const char* weight = weights + static_cast<std::ptrdiff_t>(o) * layer.taps() * layer.inputs + input.channel;
        for (std::int32_t t = 0; t < layer.taps(); ++t) bias += static_cast<signed char>(weight[t * layer.inputs]) * input.number;
      }
      put(static_cast<std::uint32_t>(bias));
    }
  }
  /// Appends the scales of value `id` for the output channels that stay, and assigns the scales to `id`. Does nothing if the number of
  /// scales is at most 1, or differs from the number of output channels.
  constexpr void put_scales(const program_view& program, const smaller_layer& smaller, value_id id) {
    const auto& quant = program[id].quant;
    if (quant.channels <= 1 || quant.channels != static_cast<std::uint32_t>(smaller.source->outputs)) return;
    const char* const packed = program.data(quant.scales).data();
    for (const auto o : smaller.outputs) put(quantized::little_endian_32(packed + 4 * o));
    assign(id, bytes_kind::scales);
  }

  // Shapes

  /// Returns the shape of a value without the removed channels.
  constexpr auto shape_of(value_id id) const -> vector<std::int64_t> {
    const auto old = change_.program().shape(id);
    vector<std::int64_t> shape(old.begin(), old.end());
    shape.back() = shape.back() / live_.channel_count(id) * live_.count_staying(id);
    return shape;
  }
  constexpr void set_shape(value_id id, span<const std::int64_t> shape) {
    const auto sizes = change_.own(shape);
    change_.edit(id).shape = sizes;
  }
  constexpr void update(const smaller_layer& smaller) {
    const auto& layer = *smaller.source;
    const auto inputs = static_cast<std::int64_t>(smaller.inputs.size()), outputs = static_cast<std::int64_t>(smaller.outputs.size());
    const auto old = change_.program().shape(layer.filter);
    vector<std::int64_t> shape(old.begin(), old.end());
    shape[layer.is_depthwise ? 3 : 0] = outputs;
    if (!layer.is_depthwise) shape.back() = shape.back() / layer.inputs * inputs;
    set_shape(layer.filter, shape);
    if (layer.bias != none<value_id>) set_shape(layer.bias, {&outputs, 1});
    if (!layer.is_depthwise || outputs / inputs == layer.multiplier()) return;
    const auto program = change_.program();
    if (program.integer(program[layer.node], "depth_multiplier") == 0) return;  // not specified
    change_.set_attribute(layer.node, {"depth_multiplier", outputs / inputs});
  }
  constexpr void update(node_id reshape) {
    if (change_.program().find(change_[reshape], "new_shape") == nullptr) return;
    const auto shape = shape_of(change_.output(reshape));
    change_.set_attribute(reshape, {"new_shape", span<const std::int64_t>{shape}});
  }

  rewriter& change_;
  const live_channels& live_;
  vector<smaller_layer> layers_;
  text_buffer bytes_;
  char* to_ = nullptr;          ///< the position in `bytes_` of the next byte to write
  std::uint32_t assigned_ = 0;  ///< the number of bytes that are assigned to values
  vector<copied_bytes> copies_;
};

/// Returns the number of multiply-adds that the removal of dead channels saves.
constexpr auto saved_multiply_adds(const program_view& program, const live_channels& live) -> std::uint64_t {
  std::uint64_t saved = 0;
  for (const auto& layer : live.layers()) {
    if (!live.loses_channels(layer.in) && !live.loses_channels(layer.out)) continue;
    const auto all = multiply_adds(program, program[layer.node]);
    const std::uint64_t inputs = layer.is_depthwise ? 1 : live.channel_count(layer.in), outputs = live.channel_count(layer.out);
    const std::uint64_t remaining = (layer.is_depthwise ? 1 : live.count_staying(layer.in)) * std::uint64_t{live.count_staying(layer.out)};
    saved += all - all / (inputs * outputs) * remaining;
  }
  return saved;
}

}  // namespace detail

/// A pass that removes channels of int8 values. A channel can be removed if no node uses its elements, or if all its elements equal one
/// constant for every input of the model. The outputs of the program are bit-exact. An interval analysis with the rounding of the kernels
/// finds the constant channels. For example, a channel is constant if its weights are 0, if its requantization factor is 0, or if an
/// activation always clamps it.
///
/// If the constant of a channel is not the zero point, the channel contributes to the sums of each convolution or fully connected layer
/// that reads it. This contribution is added to the bias of the layer. Such a channel stays if the layer has no bias, or if a sum could
/// overflow. It also stays if the layer pads, because the contribution then differs at the border.
///
/// The operands and the output of a pool, a sum or a reshape keep the same channels. A depthwise convolution keeps or loses an input
/// channel together with all output channels that are computed from it. Exception: if only one input channel stays, its unneeded output
/// channels are removed. The pass does not change graph inputs and outputs, or weights with several users. It also changes neither nodes
/// with a tag nor delegate calls. A tag assigns a node to a delegate. The operands and outputs of operators that this comment does not name
/// keep all channels.
///
/// In constant evaluation, the search for constant channels usually reads only about 20 nonzero weights per output channel, and the zero
/// weights before them. The removal evaluates one operation per remaining weight. Models of up to 264 KB fit the compilers' default limits
/// (docs/transform.md). Transform larger models at run time.
struct dead_channels {
  static constexpr std::string_view name = "dead_channels";

  static constexpr auto run(const program_view& program) -> exported_program {
    rewriter change(program);
    const detail::live_channels live(change);
    detail::channel_remover(change, live).run();
    return change.finish();
  }

  /// A pass that applies `dead_channels` if the removal saves at least `Percent` percent of the program's multiply-adds. Vector kernels
  /// process a fixed number of channels per step, so a layer with slightly fewer channels can be slower. If the removal saves less, the
  /// pass returns the program unchanged. In this case, the pass still evaluates the search for dead channels.
  template <std::uint32_t Percent>
  struct saving_at_least {
    static constexpr std::string_view name = "dead_channels::saving_at_least";

    static constexpr auto run(const program_view& program) -> exported_program {
      rewriter change(program);
      const detail::live_channels live(change);
      std::uint64_t all = 0;
      for (const auto& record : program.nodes) all += multiply_adds(program, record);
      if (100 * detail::saved_multiply_adds(program, live) >= Percent * all) detail::channel_remover(change, live).run();
      return change.finish();
    }
  };
};
static_assert(pass<dead_channels> && pass<dead_channels::saving_at_least<25>>);

}  // namespace baton
