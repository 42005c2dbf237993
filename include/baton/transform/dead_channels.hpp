// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The pass that takes out channels which never tell anything.
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

/// Carries out what `live_channels` found.
class channel_remover {
 public:
  constexpr channel_remover(rewriter& change, const live_channels& live) : change_(change), live_(live) {}

  constexpr void run() {
    const auto program = change_.program();
    const auto values = static_cast<std::uint32_t>(program.values.size());
    for (const auto& layer : live_.layers()) {
      if (live_.loses(layer.in) || live_.loses(layer.out)) layers_.push_back({&layer, live_.staying(layer.in), live_.staying(layer.out)});
    }
    if (layers_.empty()) return;
    make_bytes(program);
    const auto all = change_.own(baton::view(bytes_));
    for (const auto& each : placed_) {
      auto& record = change_.at(each.id);
      const byte_ref bytes{nullptr, all.first + each.run.first, each.run.size};
      if (each.is == part::data) {
        record.data = bytes;
      } else {  // zero points are 0, for which none stand
        record.quant.scales = bytes;
        record.quant.zero_points = {};
        record.quant.channels = bytes.size / 4;
      }
    }
    for (const auto& each : layers_) restate(each);
    for (const auto id : live_.reshapes()) {
      if (live_.loses(change_.output(id))) restate(id);
    }
    for (std::uint32_t v = 0; v < values; ++v) {
      const auto id = static_cast<value_id>(v);
      if (live_.loses(id)) set_shape(id, shape_of(id));
    }
  }

 private:
  /// A layer that loses channels, and which stay.
  struct smaller_layer {
    const quantized_layer* of;
    vector<std::uint32_t> inputs;
    vector<std::uint32_t> outputs;
  };
  /// New bytes of a value, all of which become the program's own at once.
  enum class part : std::uint8_t { data, scales };
  struct copied_bytes {
    value_id id;
    part is;
    range run;
  };

  // Bytes

  constexpr void make_bytes(const program_view& program) {
    std::size_t count = 0;
    for (const auto& each : layers_) {
      const auto& layer = *each.of;
      const auto weights = static_cast<std::size_t>(layer.taps()) * (layer.is_depthwise ? 1 : each.inputs.size());
      count += each.outputs.size() * (weights + 4 + 2 * 4);  // a bias, and twice a scale
    }
    for (const auto id : live_.reshapes()) count += 4 * program.shape(change_.output(id)).size();
    bytes_.resize(count);
    to_ = bytes_.data();
    for (const auto& each : layers_) {
      const char* const weights = program.data(program[each.of->filter].data).data();
      if (each.of->is_depthwise) {
        put_depthwise_weights(each, weights);
      } else {
        put_weights(each, weights);
      }
      note(each.of->filter, part::data);
      put_scales(program, each, each.of->filter);
      if (each.of->bias == none<value_id>) continue;
      put_bias(program, each, weights);
      note(each.of->bias, part::data);
      put_scales(program, each, each.of->bias);
    }
    for (const auto id : live_.reshapes()) {
      const auto stated = change_.input(id, 1);
      if (stated == none<value_id> || !live_.loses(change_.output(id))) continue;
      for (const auto size : shape_of(change_.output(id))) put(static_cast<std::uint32_t>(size));
      note(stated, part::data);
    }
    bytes_.resize(noted_);
  }
  /// What was put since the last time is a value's.
  constexpr void note(value_id id, part is) {
    const auto end = static_cast<std::uint32_t>(to_ - bytes_.data());
    placed_.push_back({id, is, {noted_, end - noted_}});
    noted_ = end;
  }
  constexpr void put(std::uint32_t bits) {
    *to_++ = static_cast<char>(bits & 0xff), *to_++ = static_cast<char>(bits >> 8 & 0xff);
    *to_++ = static_cast<char>(bits >> 16 & 0xff), *to_++ = static_cast<char>(bits >> 24);
  }
  /// Of a convolution or a fully connected layer. Several at once: a constant pays by the statement.
  constexpr void put_weights(const smaller_layer& of, const char* weights) {
    const std::ptrdiff_t inputs = of.of->inputs, taps = of.of->taps();
    const std::uint32_t* const end = of.inputs.end();
    char* to = to_;
    for (const auto o : of.outputs) {
      const char* tap = weights + static_cast<std::ptrdiff_t>(o) * taps * inputs;
      for (std::ptrdiff_t t = 0; t < taps; ++t, tap += inputs) {
        const std::uint32_t* c = of.inputs.begin();
        for (; end - c >= 5; c += 5) {
          *to++ = tap[c[0]], *to++ = tap[c[1]], *to++ = tap[c[2]], *to++ = tap[c[3]], *to++ = tap[c[4]];
        }
        for (; c != end; ++c) *to++ = tap[*c];
      }
    }
    to_ = to;
  }
  constexpr void put_depthwise_weights(const smaller_layer& of, const char* weights) {
    for (std::int32_t t = 0; t < of.of->taps(); ++t, weights += of.of->outputs) {
      for (const auto o : of.outputs) *to_++ = weights[o];
    }
  }
  /// The bias of the outputs that stay, with the products of the inputs that go.
  constexpr void put_bias(const program_view& program, const smaller_layer& of, const char* weights) {
    struct gone_input {
      std::uint32_t channel;
      std::int64_t number;
    };
    const auto& layer = *of.of;
    vector<gone_input> gone;
    const auto* each = live_.channels(layer.in);
    for (std::uint32_t c = 0, count = layer.is_depthwise ? 0 : live_.period(layer.in); c < count; ++c, ++each) {
      const auto number = each->can_be.low - layer.input_zero_point;
      if (!each->stays && each->can_be.low == each->can_be.high && number != 0) gone.push_back({c, number});
    }
    const char* const biases = program.data(program[layer.bias].data).data();
    for (const auto o : of.outputs) {
      std::int64_t bias = static_cast<std::int32_t>(portable::little_endian_32(biases + 4 * o));
      for (const auto& input : gone) {
        const char* weight = weights + static_cast<std::ptrdiff_t>(o) * layer.taps() * layer.inputs + input.channel;
        for (std::int32_t t = 0; t < layer.taps(); ++t) bias += static_cast<signed char>(weight[t * layer.inputs]) * input.number;
      }
      put(static_cast<std::uint32_t>(bias));
    }
  }
  /// The scales of the channels that stay, where each has its own.
  constexpr void put_scales(const program_view& program, const smaller_layer& of, value_id id) {
    const auto& quant = program[id].quant;
    if (quant.channels <= 1 || quant.channels != static_cast<std::uint32_t>(of.of->outputs)) return;
    const char* const packed = program.data(quant.scales).data();
    for (const auto o : of.outputs) put(portable::little_endian_32(packed + 4 * o));
    note(id, part::scales);
  }

  // Shapes

  /// A value's shape without the channels that go.
  constexpr auto shape_of(value_id id) const -> vector<std::int64_t> {
    const auto old = change_.program().shape(id);
    vector<std::int64_t> shape(old.begin(), old.end());
    shape.back() = shape.back() / live_.period(id) * live_.count_staying(id);
    return shape;
  }
  constexpr void set_shape(value_id id, span<const std::int64_t> shape) {
    const auto run = change_.own(shape);
    change_.at(id).shape = run;
  }
  constexpr void restate(const smaller_layer& of) {
    const auto& layer = *of.of;
    const auto inputs = static_cast<std::int64_t>(of.inputs.size()), outputs = static_cast<std::int64_t>(of.outputs.size());
    const auto old = change_.program().shape(layer.filter);
    vector<std::int64_t> shape(old.begin(), old.end());
    shape[layer.is_depthwise ? 3 : 0] = outputs;
    if (!layer.is_depthwise) shape.back() = shape.back() / layer.inputs * inputs;
    set_shape(layer.filter, shape);
    if (layer.bias != none<value_id>) set_shape(layer.bias, {&outputs, 1});
    if (!layer.is_depthwise || outputs / inputs == layer.multiplier()) return;
    const auto program = change_.program();
    if (program.integer(program[layer.node], "depth_multiplier") == 0) return;  // which says nothing
    change_.set_attribute(layer.node, {"depth_multiplier", outputs / inputs});
  }
  constexpr void restate(node_id reshape) {
    if (change_.program().find(change_[reshape], "new_shape") == nullptr) return;
    const auto shape = shape_of(change_.output(reshape));
    change_.set_attribute(reshape, {"new_shape", span<const std::int64_t>{shape}});
  }

  rewriter& change_;
  const live_channels& live_;
  vector<smaller_layer> layers_;
  text_buffer bytes_;
  char* to_ = nullptr;       ///< where the next byte is put
  std::uint32_t noted_ = 0;  ///< bytes that are some value's
  vector<copied_bytes> placed_;
};

/// The multiply-adds that a program does no more without its dead channels.
constexpr auto saved_multiply_adds(const program_view& program, const live_channels& live) -> std::uint64_t {
  std::uint64_t saved = 0;
  for (const auto& layer : live.layers()) {
    if (!live.loses(layer.in) && !live.loses(layer.out)) continue;
    const auto all = multiply_adds(program, program[layer.node]);
    const std::uint64_t inputs = layer.is_depthwise ? 1 : live.period(layer.in), outputs = live.period(layer.out);
    const std::uint64_t left = (layer.is_depthwise ? 1 : live.count_staying(layer.in)) * std::uint64_t{live.count_staying(layer.out)};
    saved += all - all / (inputs * outputs) * left;
  }
  return saved;
}

}  // namespace detail

/// A pass that takes channels of int8 values out which are one number whatever the input is, or which nobody needs; outputs stay the same
/// in every byte. Which are constant is proved by the intervals of all sums, by the kernels' own rounding and activation: channels whose
/// weights, or multipliers, are 0, or which an activation always cuts. What a constant channel adds to a convolution or a fully
/// connected layer goes into its bias; where that differs between the border and the middle (a number that is not the zero point, in front
/// of padding) the channel stays, as it does where a channel of a value that shares its channels stays: of a depthwise convolution, a
/// pool, a sum, a reshape.
/// What is not touched: inputs and outputs of graphs, nodes of parts and lowered modules, weights that several nodes use, and what other
/// operators than the named are given and give.
/// In a constant, looking costs some twenty weights an output channel, and all of those that are 0; what is taken out costs by the weight
/// that stays. Measured with GCC 12 and Clang 16: models of 208 to 264 KB (`vww_96_int8`, `person_detect`, `ad01_int8`) fit three quarters
/// of the default limits. Larger ones are for run time.
struct dead_channels {
  static constexpr std::string_view name = "dead_channels";

  static constexpr auto run(const program_view& program) -> exported_program {
    rewriter change(program);
    const detail::live_channels live(change);
    detail::channel_remover(change, live).run();
    return change.finish();
  }

  /// A pass that does the same where it saves at least `Percent` of the multiply-adds: kernels make vectors of whole channel counts, so
  /// that a few channels less can take longer. What is not taken out costs only the search.
  template <std::uint32_t Percent>
  struct that_save {
    static constexpr std::string_view name = "dead_channels::that_save";

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
static_assert(pass<dead_channels> && pass<dead_channels::that_save<25>>);

}  // namespace baton
