// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// An int8 convolution as the Cortex-M kernels compute it: its geometry, and the form of its sums, which is proved not to overflow.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/kernel/kernel_facts.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernels/cortex_m/detail/channel_numbers.hpp>
#include <baton/kernels/cortex_m/detail/scaled_sums.hpp>
#include <baton/kernels/cortex_m/detail/streams.hpp>
#include <baton/kernels/cortex_m/options.hpp>
#include <baton/kernels/detail/channels.hpp>
#include <baton/kernels/detail/distances.hpp>
#include <baton/kernels/detail/geometry.hpp>
#include <baton/kernels/detail/quantized.hpp>
#include <baton/kernels/node_check.hpp>
#include <baton/kernels/portable/convolution.hpp>
#include <baton/kernels/portable/depthwise.hpp>
#include <baton/kernels/window.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton::cortex_m::detail {

using portable::flag;

/// How the sums of a layer are scaled and requantized.
struct sum_form {
  flag is_wide = 0;        ///< weights of 16 bits, times a power of two, instead of packed ones
  std::int32_t scale = 0;  ///< the sums' power of two; 0: each channel has the one that makes its shift the common one
  std::int32_t shift = 0;  ///< of `scaled_requantization`, where all channels have the same; 0: each has its own
  flag is_corrected = 0;   ///< whether negative sums need the correction

  constexpr auto is_found() const -> bool { return scale != 0 || shift != 0; }
};

/// A convolution. Structural: layers of equal ones share their code.
struct convolution {
  std::int32_t batches = 1;
  std::int32_t in_channels = 1;
  std::int32_t out_channels = 1;
  portable::window_axis rows{};
  portable::window_axis columns{};
  std::int32_t row_pixels = 1;  ///< of an output row; not `columns.output` where all pixels are one row
  std::int32_t input_zero_point = 0;
  bounds<std::int32_t> range{};
  std::int32_t block = 4;  ///< the products of an output are rounded up to a multiple of it
  sum_form form{};

  constexpr auto run() const -> std::int32_t { return columns.filter * in_channels; }  ///< products of a row of the filter
  constexpr auto products() const -> std::int32_t { return rows.filter * run(); }
  constexpr auto depth() const -> std::int32_t { return (products() + block - 1) / block * block; }
  constexpr auto pixels() const -> std::int32_t { return batches * rows.output * columns.output; }
  constexpr auto pairs() const -> std::int32_t { return (out_channels + 1) / 2; }

  /// Whether no window lies in the padding, or beyond the image.
  constexpr auto is_inside() const -> bool { return !rows.has_padding() && !columns.has_padding(); }
  /// Whether rows of the filter are whole words that lie side by side; otherwise a pixel's inputs are gathered first.
  constexpr auto has_runs() const -> bool { return run() % 4 == 0 && columns.dilation == 1; }
  /// Bytes in which the inputs of one pixel are gathered.
  constexpr auto patch() const -> std::int32_t { return has_runs() ? 0 : depth(); }

  // Where windows lie in the padding, the input rows that they meet are copied with it around them.
  constexpr auto has_strip() const -> bool { return !is_inside(); }
  static constexpr auto span_of(const portable::window_axis& axis) -> std::int32_t { return (axis.filter - 1) * axis.dilation + 1; }
  /// Rows of the strip: those of one output row; of two where a pair of pixels may lie in both. 0: no strip.
  constexpr auto strip_rows() const -> std::int32_t {
    if (!has_strip()) return 0;
    return span_of(rows) + (columns.output % 2 != 0 && rows.output > 1 ? rows.stride : 0);
  }
  constexpr auto strip_columns() const -> std::int32_t { return (columns.output - 1) * columns.stride + span_of(columns); }
  /// Bytes from one row to the next where windows are read.
  constexpr auto pitch() const -> std::int32_t { return (has_strip() ? strip_columns() : columns.input) * in_channels; }
  constexpr auto strip_bytes() const -> std::int32_t { return strip_rows() * pitch(); }

  /// Words of the inputs of two pixels as they are multiplied; behind them lie both patches, and the strip.
  constexpr auto expanded_words() const -> std::int32_t { return depth(); }
  constexpr auto scratch_bytes() const -> std::int32_t { return 4 * expanded_words() + 2 * patch() + strip_bytes(); }

  /// Words of two output channels in the stream: two biases, the weights of both in turn, and multiplier, offset and shift of each.
  constexpr auto pair_words() const -> std::int32_t { return 8 + (form.is_wide != 0 ? depth() : depth() / 2); }
};
static_assert(portable::has_no_padding<convolution>);

/// Where the numbers of a convolution lie.
struct convolution_data {
  const char* weights = nullptr;
  std::int32_t channel_step = 1;  ///< from a channel's weights to the next one's
  std::int32_t product_step = 1;
  channel_numbers numbers{};

  constexpr auto bias_of(std::int32_t channel) const -> std::int32_t { return numbers.bias_of(static_cast<std::size_t>(channel)); }
  constexpr auto weights_of(std::int32_t channel) const -> const char* { return weights + channel * channel_step; }
};

/// What is known of a channel's sums.
struct channel_facts {
  channel_rule rule{};
  bounds<std::int64_t> sums{};
  std::int32_t constant = varies;

  constexpr auto fits(std::int32_t scale, bool is_corrected) const -> bool {
    return constant != varies || ((rule.right > 0 || !is_corrected) && fits_scaled(sums, rule, scale));
  }
};

// The most weights that are read to find the bounds of sums: in a constant of the layer's own, and beside all other layers.
inline constexpr std::int64_t most_weights_read = 98304;
inline constexpr std::int64_t most_weights_read_at_once = 8192;

/// A convolution before its weights are read.
struct convolution_facts {
  convolution plan{};
  convolution_data data{};
  vector<channel_facts> channels{};
  std::int64_t may_read = 0;  ///< so many weights

  /// The bounds of a channel's sums as its weights have them, and not as any weights might, if these do not tell that its output never
  /// varies: channels that training left without weights often have one so far from the range that no input changes it.
  constexpr void read(std::int32_t channel) {
    auto& of = channels[static_cast<std::size_t>(channel)];
    of.constant = constant_output(of.sums, of.rule);
    if (of.constant != varies || may_read < plan.products()) return;
    may_read -= plan.products();
    of.sums =
        sum_bounds(data.bias_of(channel), sum_weights(data.weights_of(channel), plan.products(), data.product_step), plan.input_zero_point);
    of.constant = constant_output(of.sums, of.rule);
  }
  constexpr auto is_corrected() const -> bool { return !channels[0].rule.hides_negative(); }

  constexpr auto all_fit(std::int32_t scale) const -> bool {
    const auto corrected = is_corrected();
    return std::all_of(channels.begin(), channels.end(), [&](const auto& each) { return each.fits(scale, corrected); });
  }
  /// Whether channels whose output is constant can have that shift: the output lies above it.
  constexpr auto constants_fit(std::int32_t shift) const -> bool {
    return shift < 24 || std::all_of(channels.begin(), channels.end(), [](const auto& each) { return each.constant == varies; });
  }
  /// The shift that all channels have at some scale; 0 if they differ.
  constexpr auto shift_at(std::int32_t scale) const -> std::int32_t {
    std::int32_t shift = 0;
    for (const auto& each : channels) {
      if (each.constant != varies) continue;
      const auto own = each.rule.right + scale - 1;
      if (shift != 0 && own != shift) return 0;
      shift = own;
    }
    return constants_fit(shift) ? shift : 0;
  }
  /// Scales by channel that give all of them the shift of the one with the largest right shift at scale 2; 0: none.
  constexpr auto common_shift() const -> std::int32_t {
    std::int32_t shift = 1;
    for (const auto& each : channels) {
      if (each.constant == varies && each.rule.right + 1 > shift) shift = each.rule.right + 1;
    }
    for (const auto& each : channels) {
      if (each.constant != varies) continue;
      const auto scale = shift - each.rule.right + 1;
      if (scale > 8 || !fits_scaled(each.sums, each.rule, scale)) return 0;
    }
    return constants_fit(shift) ? shift : 0;
  }

  constexpr auto packed_form(bool shares_code) const -> sum_form {
    if (!all_fit(packed_bits)) return {};
    return {.scale = packed_bits, .shift = shares_code ? 0 : shift_at(packed_bits), .is_corrected = is_corrected()};
  }
  constexpr auto wide_form(bool shares_code) const -> sum_form {
    const auto shift = common_shift();
    for (std::int32_t scale = 8; scale >= 2 && (shares_code || shift == 0); --scale) {
      if (all_fit(scale)) return {.is_wide = 1, .scale = scale, .is_corrected = is_corrected()};
    }
    if (shift == 0) return {};
    return {.is_wide = 1, .shift = shift, .is_corrected = is_corrected()};
  }
  /// A form that holds whatever the weights are, but those of channels that no weights would fit.
  constexpr auto safe_form(bool shares_code) -> sum_form {
    may_read = most_weights_read_at_once;
    const auto corrected = is_corrected();
    for (std::int32_t c = 0; c < plan.out_channels; ++c) {
      const auto& each = channels[static_cast<std::size_t>(c)];
      if (each.constant == varies && !each.fits(2, corrected)) read(c);
    }
    return wide_form(shares_code);
  }
};

/// Returns the geometry of a convolution and the places of its numbers, or the reason why these kernels do not compute it. The form of the
/// sums is not chosen yet, so `kernel_facts::prepared` is empty.
constexpr auto geometry_of(const program_view& program, const node& record, const options& with) -> node_description<convolution_facts> {
  node_description<convolution_facts> made;
  auto& plan = made.plan.plan;
  auto& data = made.plan.data;
  portable::channel_output out;
  const bool is_depthwise = record.is("tfl.depthwise_conv_2d");
  std::int32_t groups = 1;
  if (is_depthwise) {
    auto of = portable::detail::describe_depthwise(program, record);
    if (!of.support) return {std::move(of.support), {}};
    plan = {.batches = of.plan.batches, .in_channels = 1, .rows = of.plan.rows, .columns = of.plan.columns};
    out = of.plan.out;
    groups = of.plan.in_channels;
  } else {
    auto of = portable::detail::describe_convolution(program, record);
    if (!of.support) return {std::move(of.support), {}};
    plan = {.batches = of.plan.batches, .in_channels = of.plan.in_channels, .rows = of.plan.rows, .columns = of.plan.columns};
    out = of.plan.out;
    groups = of.plan.groups();
  }
  portable::node_check check{program, record};
  check.demand(out.by == portable::arithmetic::int8, "the layer's types are not int8");
  check.demand(groups == 1, "channels form ", groups, " groups");
  const auto filter = check.input(1, "filter");
  check.constant_data(filter, "filter");
  made.support = check.verdict_so_far();
  if (!made.support) return made;
  plan.out_channels = out.channels;
  plan.row_pixels = plan.columns.output;
  plan.input_zero_point = out.input_zero_point;
  plan.range = out.range;
  plan.block = with.optimize == optimize_for::code_size ? 8 : 4;
  auto& of_input = made.facts.operands[0];
  // The window is that of the image, whose rows may be joined below.
  if (plan.batches == 1) of_input.window = {plan.rows.reach(), plan.columns.reach()};
  if (plan.products() == plan.in_channels && plan.rows.stride == 1 && plan.columns.stride == 1 && plan.is_inside()) {
    // Each output pixel sees one of the input: all of them are one row.
    plan.columns = {.input = plan.pixels(), .output = plan.pixels()};
    plan.rows = {};
    plan.batches = 1;
  }
  data.weights = program.data(filter.data).data();
  data.channel_step = is_depthwise ? 1 : plan.products();
  data.product_step = is_depthwise ? out.channels : 1;
  data.numbers = numbers_of(program, record, out, portable::channel_scaling::in_double);
  made.facts.scratch_bytes = static_cast<std::uint32_t>(plan.scratch_bytes()) + 3;
  // The inputs of a pixel are read after at most all pixels before it are written, and before the pixel is.
  const portable::window_walk walk{.rows = plan.rows,
                                   .columns = plan.columns,
                                   .in_pixel_bytes = plan.in_channels,
                                   .out_pixel_bytes = plan.out_channels,
                                   .batches = plan.batches};
  of_input.distance = portable::upward(portable::distance_of(walk, 0));
  return made;
}

/// The same with what is known of its channels without their weights.
constexpr auto facts_of(const program_view& program, const node& record, const options& with) -> node_description<convolution_facts> {
  auto made = geometry_of(program, record, with);
  if (!made.support) return made;
  const auto& plan = made.plan.plan;
  const auto& data = made.plan.data;
  auto& channels = made.plan.channels;
  channels.assign(static_cast<std::size_t>(plan.out_channels), channel_facts{});
  const auto weights = most_weights(plan.products());
  for (std::int32_t c = 0; c < plan.out_channels; ++c) {
    auto& each = channels[static_cast<std::size_t>(c)];
    each.rule = c == 0 || !data.numbers.has_one_scale() ? data.numbers.rule_of(static_cast<std::size_t>(c)) : channels[0].rule;
    each.sums = sum_bounds(data.bias_of(c), weights, plan.input_zero_point);
    if (plan.range.lower == plan.range.upper) each.constant = plan.range.lower;
  }
  return made;
}

/// The form of a layer's sums, and what of its channels is known by then: packed weights where they are proved to do, and wide ones where
/// they are few or packed ones do not.
constexpr void choose_form(convolution_facts& facts, const options& with) {
  auto& plan = facts.plan;
  const bool shares_code = with.optimize == optimize_for::code_size;
  const auto weights = std::int64_t{plan.depth()} * plan.out_channels;
  facts.may_read = most_weights_read;
  if (weights <= with.wide_weights) {
    // The bounds tell constant channels, whose shift is any.
    if (facts.common_shift() == 0) {
      for (std::int32_t c = 0; c < plan.out_channels; ++c) facts.read(c);
    }
    plan.form = facts.wide_form(shares_code);
  } else if (all_fit_packed(facts.data.weights, plan.products() * plan.out_channels)) {
    const auto corrected = facts.is_corrected();
    for (std::int32_t c = 0; c < plan.out_channels; ++c) {
      if (!facts.channels[static_cast<std::size_t>(c)].fits(packed_bits, corrected)) facts.read(c);
    }
    plan.form = facts.packed_form(shares_code);
  }
  if (!plan.form.is_found()) plan.form = facts.safe_form(shares_code);
}

}  // namespace baton::cortex_m::detail
