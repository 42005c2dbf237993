// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Computes which channels of int8 values a program needs; `dead_channels` removes the others.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/shared/is_shape_like.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/operators/find_definition.hpp>
#include <baton/operators/requantization.hpp>
#include <baton/transform/detail/channel_intervals.hpp>
#include <baton/transform/detail/quantized_layer.hpp>
#include <baton/transform/detail/same_type.hpp>
#include <baton/transform/rewriter.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::detail {

/// A channel of a value: element `i` of a value belongs to channel `i % channel_count`. `channel_count` is usually the size of the
/// last dimension. A flattened image has the channel count of the image, because a reshape does not move elements.
struct channel {
  interval<std::int16_t> possible_values;
  bool stays;
};

/// The analysis that finds the channels that stay. A forward sweep over the nodes finds constant channels by interval arithmetic
/// (`layer_intervals`). A backward sweep marks the channels that are needed, so that they stay:
/// - An operator that this class does not model needs all channels of its operands.
/// - An output channel that stays needs each input channel for which the output channel has a nonzero weight. A constant input channel is
///   not needed if its products are 0 or can be added to the bias.
/// - The operands and the output of a pool, a sum or a reshape keep the same channels.
/// - A depthwise convolution keeps or loses an input channel together with all output channels that are computed from it. Exception: if
///   only one input channel stays, its unneeded output channels are removed (`mark_depthwise`).
///
/// The forward sweep reads the weights of each layer once. The backward sweep reads only the weights of channels that are not yet known to
/// stay.
class live_channels {
 public:
  constexpr explicit live_channels(rewriter& change)
      : change_(change),
        program_(change.program()),
        first_(program_.values.size()),
        channel_counts_(program_.values.size()),
        staying_(program_.values.size()),
        all_stay_(program_.values.size()) {
    std::size_t channel_count = 0;
    for (std::uint32_t v = 0; v < channel_counts_.size(); ++v)
      channel_count += can_track(static_cast<value_id>(v)) ? last_size(static_cast<value_id>(v)) : 0;
    channels_.resize(channel_count);
    for (const auto& graph : program_.graphs) {
      for (const auto input : program_.inputs(graph)) {
        if (program_[input].kind == value_kind::user_input) track(input, 0, true);
      }
    }
    for (const auto id : change.nodes()) visit(id);
    do {
      has_changed_ = false;
      for (auto i = ties_.size(); i-- > 0;) share(ties_[i].one, ties_[i].other);
      for (auto i = layers_.size(); i-- > 0;) keep_needed(layers_[i], can_fold_[i] != 0);
    } while (has_changed_ || keep_some());
    for (std::uint32_t v = 0; v < staying_.size(); ++v) {
      staying_[v] = all_stay_[v] != 0 ? channel_counts_[v] : 0;
      if (staying_[v] != 0) continue;
      const channel* each = channels(static_cast<value_id>(v));
      for (const channel* const end = each + channel_counts_[v]; each != end; ++each) staying_[v] += each->stays ? 1 : 0;
    }
  }

  constexpr auto layers() const -> const vector<quantized_layer>& { return layers_; }
  /// Returns the `tfl.reshape` nodes that keep the channels of their input. If channels are removed, the shape operands of these nodes must
  /// be updated.
  constexpr auto reshapes() const -> const vector<node_id>& { return reshapes_; }

  /// Returns the number of channels of a value, or 0 if its channels are not tracked.
  constexpr auto channel_count(value_id id) const -> std::uint32_t { return channel_counts_[index(id)]; }
  /// Returns a pointer to the `channel_count(id)` channels of a value, which are contiguous.
  constexpr auto channels(value_id id) const -> const channel* { return channels_.data() + first_[index(id)]; }
  constexpr auto count_staying(value_id id) const -> std::uint32_t { return staying_[index(id)]; }
  /// Returns the indices of the channels that stay, ascending.
  constexpr auto staying(value_id id) const -> vector<std::uint32_t> {
    vector<std::uint32_t> result(count_staying(id));
    std::uint32_t* to = result.data();
    const channel* const all = channels(id);
    for (std::uint32_t c = 0, count = channel_count(id); c < count; ++c) {
      if (all[c].stays) *to++ = c;
    }
    return result;
  }
  /// True if a channel of a value is removed.
  constexpr auto loses_channels(value_id id) const -> bool { return count_staying(id) != channel_count(id); }

 private:
  /// Two values that keep the same channels.
  struct tie {
    value_id one;
    value_id other;
  };

  /// True if a value is int8, is not owned data (a parameter, buffer or constant), and has at least one dimension. All sizes of the value
  /// must be known and not 0. The last size must be at most `max_channels`.
  constexpr auto can_track(value_id id) const -> bool {
    const auto& record = change_[id];
    if (record.type != dtype::int8 || is_owned_data(record.kind)) return false;
    const auto shape = program_.shape(id);
    return !shape.empty() && element_count(shape) > 0 && shape.back() <= max_channels;
  }
  constexpr auto last_size(value_id id) const -> std::uint32_t { return static_cast<std::uint32_t>(program_.shape(id).back()); }
  /// Starts to track the channels of a value, each with the interval `any_int8`. Does nothing if `can_track` is false. `count` is the
  /// number of channels, or 0 for the size of the last dimension. All channels are marked as needed if `stays` is true, or if the value is
  /// an output of the graph or has no users.
  constexpr void track(value_id id, std::uint32_t count, bool stays) {
    if (!can_track(id)) return;
    first_[index(id)] = next_;
    channel_counts_[index(id)] = count == 0 ? last_size(id) : count;
    next_ += channel_counts_[index(id)];
    const channel unknown{any_int8, stays || change_.is_output(id) || change_.uses_of(id) == 0};
    channel* each = at(id);
    for (channel* const end = each + channel_counts_[index(id)]; each != end; ++each) *each = unknown;
  }
  constexpr auto at(value_id id) -> channel* { return channels_.data() + first_[index(id)]; }

  // Forward

  constexpr void visit(node_id id) {
    const auto& record = change_[id];
    if (record.tag == none<tag_id> && record.delegate == none<delegate_id> && change_.output(id) != none<value_id>) {
      const auto in = change_.input(id, 0);
      if (in != none<value_id> && channel_count(in) != 0) {
        if (visit_layer(id, in) || visit_pool(id, in) || visit_sum(id, in) || visit_reshape(id, in)) return;
      }
    }
    // An unknown node needs all channels of its operands, and the outputs of the node can have any value.
    for (std::uint32_t i = 0; i < record.inputs.size; ++i) {
      if (const auto in = change_.input(id, i); in != none<value_id>) keep_all(in);
    }
    const auto outputs = record.outputs;
    for (std::uint32_t i = 0; i < outputs.size; ++i) track(program_.outputs_of(change_[id])[i], 0, true);
  }

  constexpr auto visit_layer(node_id id, value_id in) -> bool {
    quantized_layer layer;
    if (!describe_layer(program_, id, channel_count(in), layer)) return false;
    // If the filter or the bias has another use, all channels of the layer's input and output stay.
    const bool owns_weights = change_.uses_of(layer.filter) == 1 && (layer.bias == none<value_id> || change_.uses_of(layer.bias) == 1);
    track(layer.out, 0, !owns_weights);
    if (channel_count(layer.out) != static_cast<std::uint32_t>(layer.outputs)) return false;
    layer_intervals intervals(program_, layer, channels(in));
    channel* to = at(layer.out);
    for (std::int32_t c = 0; c < layer.outputs; ++c, ++to) to->possible_values = intervals.of(c);
    if (owns_weights) {
      const bool has_room = intervals.largest_bias() + layer.max_products() <= INT32_MAX;  // bias + products fit 32 bits
      can_fold_.push_back(layer.bias != none<value_id> && !layer.has_padding() && has_room ? 1 : 0);
      layers_.push_back(static_cast<quantized_layer&&>(layer));
    } else {
      keep_all(in);
    }
    return true;
  }

  /// Visits a pool. Each output is between the smallest and the largest input, because pools do not requantize (lite/kernels/pooling.cc).
  constexpr auto visit_pool(node_id id, value_id in) -> bool {
    const auto& record = program_[id];
    const auto out = change_.output(id);
    if (!record.is("tfl.average_pool_2d") && !record.is("tfl.max_pool_2d")) return false;
    float scale = 1;
    std::int32_t zero_point = 0;
    const auto fused = quantized::activation_of(program_.text(record, "fused_activation_function", "none"));
    const bool fits = is_same_quantization(program_, in, out) && read_affine(program_, out, scale, zero_point) &&
                      program_.shape(in).size() == 4 && program_.shape(out).size() == 4 &&
                      program_.shape(out)[3] == program_.shape(in)[3] && program_.shape(in)[3] == std::int64_t{channel_count(in)} &&
                      fused != quantized::activation::unknown;
    if (!fits) return false;
    const auto range = quantized::quantized_bounds<std::int8_t>(fused, scale, zero_point);
    if (!track_with(in, out)) return false;
    for (std::size_t c = 0; c < channel_count(in); ++c) {
      const auto from = channels(in)[c].possible_values;
      at(out)[c].possible_values = {static_cast<std::int16_t>(range.clamp(from.low)), static_cast<std::int16_t>(range.clamp(from.high))};
    }
    return true;
  }

  /// Visits a sum of two values of the same shape. The sum (reference_ops::Add) is monotone in both operands, because the factors are
  /// positive. So the ends of the operands' intervals give the ends of the output's interval.
  constexpr auto visit_sum(node_id id, value_id in) -> bool {
    const auto& record = program_[id];
    const auto other = change_.input(id, 1), out = change_.output(id);
    if (!record.is("tfl.add") || record.inputs.size != 2 || other == none<value_id> || channel_count(other) != channel_count(in))
      return false;
    const auto shape = program_.shape(out);
    const bool is_alike = is_shape_like(shape, program_.shape(in)) && is_shape_like(shape, program_.shape(other));
    float left = 1, right = 1, to = 1;
    std::int32_t left_zero = 0, right_zero = 0, zero = 0;
    const auto fused = quantized::activation_of(program_.text(record, "fused_activation_function", "none"));
    const bool fits = is_alike && read_affine(program_, in, left, left_zero) && read_affine(program_, other, right, right_zero) &&
                      read_affine(program_, out, to, zero) && fused != quantized::activation::unknown;
    if (!fits) return false;
    const auto doubled = 2 * static_cast<double>(left < right ? right : left);
    const auto sum_scale = doubled / (1048576 * static_cast<double>(to));
    if (!(sum_scale > 0 && sum_scale < 1) || !track_with(in, out)) return false;
    const auto left_factor = quantized::to_fixed(static_cast<double>(left) / doubled),
               right_factor = quantized::to_fixed(static_cast<double>(right) / doubled);
    const auto sum_factor = quantized::to_fixed(sum_scale);
    const auto range = quantized::quantized_bounds<std::int8_t>(fused, to, zero);
    const auto sum = [&](std::int32_t a, std::int32_t b) {
      const auto total =
          quantized::requantize((a - left_zero) * 1048576, left_factor) + quantized::requantize((b - right_zero) * 1048576, right_factor);
      return static_cast<std::int16_t>(range.clamp(quantized::requantize(total, sum_factor) + zero));
    };
    for (std::size_t c = 0; c < channel_count(in); ++c) {
      const auto a = at(in)[c].possible_values, b = at(other)[c].possible_values;
      at(out)[c].possible_values = {sum(a.low, b.low), sum(a.high, b.high)};
    }
    ties_.push_back({other, out});
    return true;
  }

  /// Visits a reshape. Ties the channels of its input and output if the removal of channels makes only the last dimension of the output
  /// smaller. This requires that the last dimension of the output is a multiple of the number of input channels. A shape operand must be a
  /// constant without other uses.
  constexpr auto visit_reshape(node_id id, value_id in) -> bool {
    const auto& record = program_[id];
    const auto out = change_.output(id);
    const auto shape = program_.shape(out);
    const bool is_reshape = record.is("tfl.reshape");
    if (!is_reshape && !record.is("tfl.expand_dims") && !(record.is("tfl.squeeze") && has_named_axes(program_, record))) return false;
    if (program_[out].type != dtype::int8 || shape.empty() || element_count(shape) != element_count(program_.shape(in)) ||
        shape.back() % std::int64_t{channel_count(in)} != 0) {
      return false;
    }
    const auto shape_operand = is_reshape ? change_.input(id, 1) : none<value_id>;
    if (shape_operand != none<value_id> &&
        (!is_plain_constant(program_, shape_operand, dtype::int32) || change_.uses_of(shape_operand) != 1))
      return false;
    if (!track_with(in, out)) return false;
    for (std::size_t c = 0; c < channel_count(in); ++c) at(out)[c].possible_values = at(in)[c].possible_values;
    if (is_reshape) reshapes_.push_back(id);
    return true;
  }
  static constexpr auto has_named_axes(const program_view& program, const node& record) -> bool {
    const auto* const axes = program.find(record, "squeeze_dims");
    return axes != nullptr && axes->list.size != 0;
  }

  /// Tracks `out` with the channels of `in`, and ties both values, so that `in` and `out` keep the same channels. Returns false if `out`
  /// cannot be tracked.
  constexpr auto track_with(value_id in, value_id out) -> bool {
    track(out, channel_count(in), false);
    if (channel_count(out) != channel_count(in)) return false;
    ties_.push_back({in, out});
    return true;
  }

  // Backward

  constexpr void keep(channel& which) {
    if (which.stays) return;
    which.stays = true;
    has_changed_ = true;
  }
  constexpr void keep_all(value_id id) {
    channel* each = at(id);
    for (channel* const end = each + channel_count(id); each != end; ++each) each->stays = true;
  }
  /// True if all channels of a value are known to stay. Caches only a positive result, because further channels may be marked later.
  constexpr auto all_stay(value_id id) -> bool {
    if (all_stay_[index(id)] != 0) return true;
    const channel* each = at(id);
    for (const channel* const end = each + channel_count(id); each != end; ++each) {
      if (!each->stays) return false;
    }
    all_stay_[index(id)] = 1;
    return true;
  }
  constexpr void share(value_id one, value_id other) {
    if (all_stay(one) && all_stay(other)) return;
    channel* a = at(one);
    channel* b = at(other);
    for (channel* const end = a + channel_count(one); a != end; ++a, ++b) {
      if (a->stays == b->stays) continue;
      keep(*a);
      keep(*b);
    }
  }

  constexpr void keep_needed(const quantized_layer& layer, bool can_fold) {
    if (all_stay(layer.in) && (!layer.is_depthwise || all_stay(layer.out))) return;
    channel* const in = at(layer.in);
    channel* const out = at(layer.out);
    if (layer.is_depthwise) return mark_depthwise(in, out, layer);
    // The input channels that are not yet known to stay, except removable constants.
    vector<std::int32_t> candidates(static_cast<std::size_t>(layer.inputs));
    std::int32_t* to = candidates.data();
    for (std::int32_t c = 0; c < layer.inputs; ++c) {
      if (!in[c].stays && (!in[c].possible_values.is_constant() || !is_removable_constant(layer, can_fold, in[c].possible_values.low)))
        *to++ = c;
    }
    candidates.resize(static_cast<std::size_t>(to - candidates.data()));
    const char* row = program_.data(change_[layer.filter].data).data();
    const auto taps = layer.taps();
    const std::ptrdiff_t last_tap = std::ptrdiff_t{taps - 1} * layer.inputs;
    for (std::int32_t o = 0; o < layer.outputs && !candidates.empty(); ++o, row += static_cast<std::ptrdiff_t>(taps) * layer.inputs) {
      if (!out[o].stays) continue;
      std::size_t left = 0;
      for (const auto c : candidates) {
        const char* weight = row + c;
        while (*weight == 0 && weight - row < last_tap) weight += layer.inputs;
        if (*weight != 0) {
          keep(in[c]);
        } else {
          candidates[left++] = c;
        }
      }
      candidates.resize(left);
    }
  }
  /// Marks the channels of a depthwise convolution. Every input channel must have the same number of output channels. So if an input
  /// channel stays, all its output channels stay. If only one input channel stays, its unneeded output channels can be removed.
  constexpr void mark_depthwise(channel* in, channel* out, const quantized_layer& layer) {
    const std::int32_t multiplier = layer.outputs / layer.inputs;
    std::int32_t staying_inputs = 0;
    const channel* output = out;
    for (std::int32_t c = 0; c < layer.inputs; ++c) {
      for (const channel* const end = output + multiplier; output != end; ++output) {
        if (output->stays) keep(in[c]);
      }
      if (in[c].stays) ++staying_inputs;
    }
    for (std::int32_t c = 0; c < layer.inputs && staying_inputs > 1; ++c) {
      for (channel* const end = out + multiplier; out != end; ++out) {
        if (in[c].stays) keep(*out);
      }
    }
  }
  /// True if a constant input channel whose elements are `number` can be removed. If `number` is the zero point of the input, the channel
  /// adds 0 to the layer's sums. For any other `number`, the channel adds the same amount at every position, but nothing in the padding.
  /// Its removal then requires `can_fold`: the bias can absorb the amount without overflow, and there is no padding.
  static constexpr auto is_removable_constant(const quantized_layer& layer, bool can_fold, std::int32_t number) -> bool {
    return can_fold || number == layer.input_zero_point;
  }

  /// Keeps at least one channel of the input and of the output of each layer. Returns true if a channel was marked. A fully connected layer
  /// with several scales keeps two output channels. With one channel, the layer would have one scale, whose factor is rounded
  /// differently (`factor_of`).
  constexpr auto keep_some() -> bool {
    for (const auto& layer : layers_) {
      const std::uint32_t min_count = layer.is_fully_connected && change_[layer.filter].quant.channels > 1 ? 2 : 1;
      keep_at_least(min_count, layer.out);
      keep_at_least(1, layer.in);
    }
    return has_changed_;
  }

  constexpr void keep_at_least(std::uint32_t min_count, value_id id) {
    channel* each = at(id);
    std::uint32_t stay = 0;
    for (const channel* const end = each + channel_count(id); each != end && stay < min_count; ++each) stay += each->stays ? 1 : 0;
    each = at(id);
    for (const channel* const end = each + channel_count(id); each != end && stay < min_count; ++each) {
      if (each->stays) continue;
      keep(*each);
      stay += 1;
    }
  }

  static constexpr std::int64_t max_channels = 1 << 20;

  rewriter& change_;
  program_view program_;                  ///< valid because this class does not change the program
  vector<std::uint32_t> first_;           ///< indexed by value: the index of the value's first channel in `channels_`
  vector<std::uint32_t> channel_counts_;  ///< indexed by value: the number of channels
  vector<std::uint32_t> staying_;         ///< indexed by value: the number of channels that stay
  vector<char> all_stay_;                 ///< indexed by value: whether all channels are known to stay
  vector<channel> channels_;
  vector<quantized_layer> layers_;
  vector<char> can_fold_;  ///< indexed by layer: whether the layer's bias can absorb constant channels
  vector<tie> ties_;
  vector<node_id> reshapes_;
  std::uint32_t next_ = 0;  ///< the index in `channels_` of the first channel that is not assigned to a value
  bool has_changed_ = false;
};

}  // namespace baton::detail
