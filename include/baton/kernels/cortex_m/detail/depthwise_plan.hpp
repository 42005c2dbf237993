// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The compile-time plan of a depthwise convolution: the algorithm, and the constants of each channel.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/verdict.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernels/cortex_m/detail/channel_numbers.hpp>
#include <baton/kernels/cortex_m/detail/depthwise_columns.hpp>
#include <baton/kernels/cortex_m/detail/depthwise_strided_columns.hpp>
#include <baton/kernels/cortex_m/detail/scaled_sums.hpp>
#include <baton/kernels/detail/channels.hpp>
#include <baton/kernels/detail/geometry.hpp>
#include <baton/kernels/detail/quantized.hpp>
#include <baton/kernels/node_check.hpp>
#include <baton/kernels/portable/depthwise.hpp>
#include <baton/kernels/window.hpp>
#include <baton/operators/shared/baton_operators.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton::cortex_m::detail {

using portable::flag;
using portable::window_axis;

/// The algorithm of a depthwise convolution.
enum class depthwise_algorithm : std::int32_t {
  pairs,  ///< 3 × 3 windows: pairs of input rows are packed into words, four channels at a time
  taps,   ///< any window: vertically adjacent taps (positions in the window) are packed into words, four channels of a pixel at a time
};

/// The plan of a depthwise convolution. The type is structural, so that equal layers share their code.
struct depthwise_plan {
  depthwise_algorithm algorithm = depthwise_algorithm::taps;
  std::int32_t batches = 1;
  std::int32_t channels = 1;
  window_axis rows{};
  window_axis columns{};
  std::int32_t input_zero_point = 0;
  std::int32_t zero_point = 0;
  quantized::bounds<std::int32_t> range{};
  quantized::rounding round = quantized::rounding::twice;
  flag corrects_ties = 0;     ///< whether the rounding of negative sums can change the output
  std::int32_t shift = 10;    ///< `pairs`: the right shift of most channels; a constant in specialized routines (`pair_walk`)
  flag has_other_shifts = 0;  ///< whether some channels have a shift other than `shift`

  constexpr auto groups() const -> std::int32_t { return (channels + packed_channels - 1) / packed_channels; }
  /// Returns the first channel of group `g`. If there are more than four channels, but not a multiple of four, the last group overlaps the
  /// group before it.
  constexpr auto first_of_group(std::int32_t g) const -> std::int32_t {
    const auto first = g * packed_channels;
    return first + packed_channels <= channels || channels < packed_channels ? first : channels - packed_channels;
  }
  /// Returns the number of channels of a group.
  constexpr auto in_group() const -> std::int32_t { return channels < packed_channels ? channels : packed_channels; }
  constexpr auto output_rows() const -> std::int32_t { return batches * rows.output; }
  constexpr auto in_row_bytes() const -> std::int32_t { return columns.input * channels; }
  constexpr auto out_row_bytes() const -> std::int32_t { return columns.output * channels; }

  // `rows_per_step()` is the number of output rows that are computed together. For `pairs`, `packed_columns()` is the number of columns
  // that the windows of these rows cover. Packed columns [`first_inside()`, `last_inside()`) are in the image, the others in the padding.
  constexpr auto rows_per_step() const -> std::int32_t { return algorithm == depthwise_algorithm::pairs && rows.stride == 1 ? 2 : 1; }
  constexpr auto packed_columns() const -> std::int32_t { return (columns.output - 1) * columns.stride + columns.filter; }
  constexpr auto first_inside() const -> std::int32_t { return columns.before; }
  constexpr auto last_inside() const -> std::int32_t { return std::min(packed_columns(), columns.input + columns.before); }

  /// For `pairs` with stride 2: whether the pairs of columns that are packed together begin at the odd packed columns. A pair then begins
  /// at the first column of the image.
  constexpr auto begins_odd() const -> flag { return rows.stride == 2 && columns.before % 2 != 0 ? 1 : 0; }
  /// Returns the word at which a packed column begins. With stride 2, pairs of columns are packed together, and a column has half the words
  /// of its pair.
  constexpr auto word_of_column(std::int32_t column) const -> std::int32_t {
    return rows.stride == 1 ? column_words * column : strided_block_words / 2 * (column + begins_odd());
  }
  constexpr auto packed_words() const -> std::int32_t {
    return rows.stride == 1 ? column_words * packed_columns() : strided_block_words * (columns.output + 1);
  }
  constexpr auto words_per_channel() const -> std::int32_t { return rows.stride == 1 ? 2 : strided_channel_words; }

  // For `taps`: the number of pairs of vertically adjacent taps in a window.
  constexpr auto tap_pairs() const -> std::int32_t { return (rows.filter + 1) / 2 * columns.filter; }

  // The stream of packed constants (`streams.hpp`) has one block for each channel (`pairs`), or for each group of four channels (`taps`).
  // Returns the number of words of a block.
  constexpr auto block_words() const -> std::int32_t {
    if (algorithm == depthwise_algorithm::taps) return packed_channels * (5 + tap_pairs());
    return (rows.stride == 1 ? 9 + corrects_ties : 8) + has_other_shifts;
  }
  constexpr auto blocks() const -> std::int32_t { return algorithm == depthwise_algorithm::pairs ? channels : groups(); }
};
static_assert(portable::has_no_padding<depthwise_plan>);

/// The weights, bias and requantization of a channel.
struct depthwise_channel {
  const char* weights = nullptr;  ///< the weights, `step` bytes apart
  std::int32_t step = 1;
  std::int32_t bias = 0;
  channel_requantization rule{};
  quantized::bounds<std::int64_t> sums{};
  std::int32_t constant = varies;  ///< the output if it does not depend on the inputs, else `varies`
  std::int32_t scale = 0;          ///< log2 of the scale of the sums; 0 if no scale is proved to fit

  constexpr auto weight(std::int32_t tap) const -> std::int32_t { return static_cast<signed char>(weights[tap * step]); }
  /// True if sums scaled by 2^j are requantized exactly. j is at most 8, so that scaled int8 weights fit 16 bits.
  constexpr auto fits(std::int32_t j) const -> bool { return j >= 2 && j <= 8 && fits_scaled(sums, rule, j); }
  constexpr auto fits_shift(std::int32_t shift) const -> bool { return fits(shift - rule.right + 1); }
  /// Returns log2 of the smallest scale that fits, or 0 if no scale fits.
  constexpr auto min_scale() const -> std::int32_t {
    for (std::int32_t j = 2; j <= 8; ++j) {
      if (fits(j)) return j;
    }
    return 0;
  }

  // A channel with a constant output is computed with all weights and the bias set to 0.
  constexpr auto factor() const -> std::int32_t { return constant == varies ? 1 << scale : 0; }
  constexpr auto correction() const -> std::int32_t {
    return constant == varies && !rule.rounds_once() ? correction_of(-1, rule.right, scale) : 0;
  }
  constexpr auto requantization(std::int32_t shift_of_constant) const -> scaled_requantization {
    return constant == varies ? scaled_by(rule, scale) : scaled_constant(constant, shift_of_constant);
  }
};

/// The numbers that the stream block of a channel contains, for `depthwise_algorithm::pairs`.
struct scaled_channel {
  std::int32_t weights[9]{};  ///< the weights times `depthwise_channel::factor()`
  std::int32_t bias = 0;      ///< bias · `factor()` - input zero point · (sum of these `weights`) + nudge
  scaled_requantization by{};

  constexpr scaled_channel(const depthwise_plan& plan, const depthwise_channel& channel) : by(channel.requantization(plan.shift)) {
    const auto factor = channel.factor();
    std::int32_t sum = 0;
    for (std::int32_t tap = 0; tap < 9; ++tap) sum += weights[tap] = channel.weight(tap) * factor;
    bias = channel.bias * factor - plan.input_zero_point * sum + by.nudge;
  }

  /// Writes the first word of a block: the shift of the channel, or 0 for the plan's shift. Writes nothing if all channels have the plan's
  /// shift. Returns the address of the next word of the block.
  constexpr auto put_shift(const depthwise_plan& plan, std::int32_t* to) const -> std::int32_t* {
    if (plan.has_other_shifts != 0) *to++ = by.shift == plan.shift ? 0 : by.shift;
    return to;
  }
};

/// The channels of a node, computed on demand.
class depthwise_channels {
 public:
  constexpr depthwise_channels(const program_view& program, const node& record, const depthwise_plan& plan)
      : taps_(plan.rows.filter * plan.columns.filter),
        step_(plan.channels),
        input_zero_point_(plan.input_zero_point),
        weights_(program.data(program[program.inputs(record)[1]].data).data()) {
    const portable::channel_output out{.has_bias = portable::node_check{program, record}.has_input(2),
                                       .input_zero_point = plan.input_zero_point,
                                       .zero_point = plan.zero_point,
                                       .range = plan.range,
                                       .round = plan.round};
    numbers_ = numbers_of(program, record, out, taps_, portable::channel_scaling::in_double);
  }

  /// Returns channel `c` with bounds of its sums for arbitrary int8 weights. These bounds nearly always prove that a scale fits.
  constexpr auto operator[](std::int32_t c) const -> depthwise_channel {
    return channel(c, numbers_.constants_of(static_cast<std::size_t>(c)));
  }
  /// Like `operator[]`, but keeps the exact remainder of a float32 bias (`plain_constants_of`) instead of an interval of equivalent
  /// remainders. Costs less at compile time.
  constexpr auto outline(std::int32_t c) const -> depthwise_channel {
    return channel(c, numbers_.plain_constants_of(static_cast<std::size_t>(c)));
  }
  /// Returns `channel` with bounds of its sums for its actual weights, and with its output if the output is constant.
  constexpr auto read(depthwise_channel channel) const -> depthwise_channel {
    channel.sums = sum_bounds(channel.bias, sum_weights(channel.weights, taps_, step_), input_zero_point_);
    channel.constant = constant_output(channel.sums, channel.rule);
    return channel;
  }
  /// Returns channel `c` with its scale. Reads the weights only if the bounds for arbitrary weights do not prove that a scale fits. For
  /// `pairs`, also reads them if this scale does not lead to the plan's shift.
  constexpr auto channel_with_scale(std::int32_t c, const depthwise_plan& plan) const -> depthwise_channel {
    auto channel = (*this)[c];
    channel.scale = scale_of(channel, plan);
    if (channel.scale != 0 && has_plan_shift(channel, plan)) return channel;
    channel = read(channel);
    if (channel.constant == varies) channel.scale = scale_of(channel, plan);
    return channel;
  }
  /// True if the scale of `channel` leads to the plan's shift, or if the algorithm has no common shift.
  static constexpr auto has_plan_shift(const depthwise_channel& channel, const depthwise_plan& plan) -> bool {
    return plan.algorithm != depthwise_algorithm::pairs || channel.rule.right + channel.scale - 1 == plan.shift;
  }

 private:
  constexpr auto channel(std::int32_t c, const channel_constants& constants) const -> depthwise_channel {
    return {.weights = weights_ + c,
            .step = step_,
            .bias = constants.bias,
            .rule = constants.rule,
            .sums = sum_bounds(constants.bias, max_weights(taps_), input_zero_point_)};
  }
  /// For `pairs`, returns log2 of the scale that leads to the plan's shift, if that scale fits. Otherwise returns `min_scale()`.
  static constexpr auto scale_of(const depthwise_channel& channel, const depthwise_plan& plan) -> std::int32_t {
    if (plan.algorithm == depthwise_algorithm::pairs && channel.fits_shift(plan.shift)) return plan.shift - channel.rule.right + 1;
    return channel.min_scale();
  }

  std::int32_t taps_;
  std::int32_t step_;
  std::int32_t input_zero_point_;
  const char* weights_;
  channel_numbers numbers_{};
};

/// Returns the shift that the largest number of channels can have. If several shifts qualify, prefers the shift that is usual in most
/// networks, so that layers share code.
constexpr auto common_shift(const depthwise_channels& all, std::int32_t channels) -> std::int32_t {
  constexpr std::int32_t usual = 10;
  constexpr std::int32_t max_shift = 22;  // every int8 number times 2^22 fits 32 bits with headroom
  // Indexed by shift: the number of channels that can have this shift, minus the number that can have the previous shift.
  std::array<std::int32_t, 48> deltas{};
  for (std::int32_t c = 0; c < channels; ++c) {
    const auto channel = all.outline(c);
    const auto bits = static_cast<std::int32_t>(std::bit_width(static_cast<std::uint64_t>(magnitude_of(channel.sums))));
    const auto first = channel.rule.right + 1;  // for sums scaled by 2^2
    const auto last = channel.rule.right + std::min<std::int32_t>(8, 31 - bits) - 1;
    if (first < 1 || last < first || last > 40) continue;
    ++deltas[static_cast<std::size_t>(first)];
    --deltas[static_cast<std::size_t>(last) + 1];
  }
  std::int32_t best = usual;
  std::int32_t count_of_usual = 0;
  for (std::int32_t shift = 0; shift <= usual; ++shift) count_of_usual += deltas[static_cast<std::size_t>(shift)];
  auto max_count = count_of_usual;
  std::int32_t count = 0;
  for (std::int32_t shift = 0; shift <= max_shift; ++shift) {
    count += deltas[static_cast<std::size_t>(shift)];
    if (count > max_count) {
      max_count = count;
      best = shift;
    }
  }
  return best;
}

/// Returns the geometry and the algorithm of a supported node. Does not read the weights or the scales of the channels.
constexpr auto geometry_and_algorithm_of(const program_view& program, const node& record) -> depthwise_plan {
  portable::node_check check{program, record};
  const auto in = check.input(0, "input", 4);
  const auto filter = check.input(1, "filter", 4);
  const auto out = check.output(4);
  const auto padding = check.padding();
  depthwise_plan plan;
  plan.batches = in.size(0);
  plan.channels = out.size(3);
  plan.rows = check.axis("height", padding.rows, in.size(1), out.size(1), filter.size(1),
                         check.option("stride_h", 1, 1, portable::max_bytes), check.option("dilation_h_factor", 1, 1, portable::max_bytes));
  plan.columns =
      check.axis("width", padding.columns, in.size(2), out.size(2), filter.size(2), check.option("stride_w", 1, 1, portable::max_bytes),
                 check.option("dilation_w_factor", 1, 1, portable::max_bytes));
  portable::channel_output outputs;
  portable::read_zero_points(check, program, record, in, out, check.fused(), outputs);
  plan.input_zero_point = outputs.input_zero_point;
  plan.zero_point = outputs.zero_point;
  plan.range = outputs.range;
  plan.round = check.rounding_rule();
  plan.corrects_ties = plan.range.lower < plan.zero_point && plan.round == quantized::rounding::twice;
  const bool is_square = plan.rows.filter == 3 && plan.columns.filter == 3 && plan.rows.stride == plan.columns.stride &&
                         plan.rows.stride <= 2 && plan.rows.dilation == 1 && plan.columns.dilation == 1;
  // An iteration stores at least one pair of adjacent outputs, and can then advance the output address by 2 · channels bytes or more
  // (`pair_walk::unrolled`). The instruction that advances the address adds at most 4,095 bytes.
  const bool is_wide = plan.columns.output >= 2 && plan.channels < 2048;
  if (is_square && is_wide && plan.range == quantized::bounds<std::int32_t>{-128, 127}) plan.algorithm = depthwise_algorithm::pairs;
  return plan;
}

/// The plan of a node, and the first channel whose sums are not proved to fit, or -1.
struct depthwise_facts {
  depthwise_plan plan{};
  std::int32_t unproved = -1;
};
/// Returns the facts of a node. With `only_taps`, the algorithm is `depthwise_algorithm::taps` for every window.
constexpr auto facts_of(const program_view& program, const node& record, bool only_taps = false) -> depthwise_facts {
  depthwise_facts facts{geometry_and_algorithm_of(program, record)};
  auto& plan = facts.plan;
  if (only_taps) plan.algorithm = depthwise_algorithm::taps;
  const depthwise_channels all(program, record, plan);
  const bool is_pairs = plan.algorithm == depthwise_algorithm::pairs;
  if (is_pairs) plan.shift = common_shift(all, plan.channels);
  for (std::int32_t c = 0; c < plan.channels; ++c) {
    const auto channel = all.channel_with_scale(c, plan);
    if (channel.constant != varies) continue;
    if (facts.unproved < 0 && channel.scale == 0) facts.unproved = c;
    if (!depthwise_channels::has_plan_shift(channel, plan)) plan.has_other_shifts = 1;
  }
  return facts;
}

/// Returns the plan of a node, or the reason why the node is not supported. `only_taps` has the same meaning as in `facts_of`.
constexpr auto describe_depthwise(const program_view& program, const node& record, bool only_taps = false)
    -> node_description<depthwise_plan> {
  auto layer = portable::detail::describe_depthwise(program, record);
  if (!layer.support) return {std::move(layer.support)};
  if (!is_supported(layer.plan.out.by)) return {refuse("the Cortex-M kernel supports only int8")};
  if (layer.plan.multiplier != 1) return {refuse("the Cortex-M kernel supports only one output channel per input channel")};
  if (!layer.plan.rows.meets_input() || !layer.plan.columns.meets_input()) return {refuse("a window is completely in the padding")};
  if (!has_constant_weights(program, record)) return {refuse("weights are not a constant")};
  const auto facts = facts_of(program, record, only_taps);
  if (facts.unproved >= 0) return {refuse("sums of channel ", facts.unproved, " may not fit 32 bits after scaling")};
  return {accept(), facts.plan};
}

}  // namespace baton::cortex_m::detail
