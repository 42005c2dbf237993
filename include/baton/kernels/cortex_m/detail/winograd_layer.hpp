// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A convolution by tiles: how its values and weights lie, which layers have the form, and their transformed weights.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/verdict.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernels/cortex_m/detail/channel_numbers.hpp>
#include <baton/kernels/cortex_m/detail/scaled_sums.hpp>
#include <baton/kernels/cortex_m/options.hpp>
#include <baton/kernels/detail/channels.hpp>
#include <baton/kernels/detail/geometry.hpp>
#include <baton/kernels/portable/convolution.hpp>
#include <baton/kernels/window.hpp>
#include <baton/operators/requantization.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton::cortex_m::detail {

/// A convolution by tiles of 2 by 2 outputs (S. Winograd, 1980; A. Lavin and S. Gray, Fast algorithms for convolutional neural networks,
/// 2016). A tile's 4 by 4 inputs are transformed along both axes by d0 - d2, d1 + d2, d2 - d1, d1 - d3, the 3 by 3 weights by
/// 2 · g0, g0 + g1 + g2, g0 - g1 + g2, 2 · g2, which is twice what real numbers take, so that all stays whole: at each of 16 positions the
/// products are summed over the input channels, and their sums transformed back are 4 times those of the convolution.
///
/// Transformed inputs (at most 4 · 128) and weights (at most 9 · 128) are halfwords. Two tiles and two output channels go together. Values
/// of a position lie by four input channels: channels 0 and 2 of the first tile in a word, those of the second, then 1 and 3 of both;
/// behind them is room for the four sums. Weights lie in the same order, those of two output channels where values are those of two tiles;
/// behind their 16 positions the constants of the channels: bias, multiplier, offset and shift.
///
/// Structural: layers of one geometry share their code.
struct winograd_layer {
  static constexpr std::int32_t scale_bits = 2;
  static constexpr std::int32_t positions = 16;

  std::int32_t batches = 1;
  std::int32_t in_channels = 4;
  std::int32_t channels = 2;
  portable::window_axis rows{};
  portable::window_axis columns{};

  constexpr auto tile_columns() const -> std::int32_t { return (columns.output + 1) / 2; }

  constexpr auto position_bytes() const -> std::int32_t { return 4 * in_channels + 16; }
  constexpr auto value_bytes() const -> std::int32_t { return positions * position_bytes(); }
  constexpr auto patch_bytes() const -> std::int32_t { return 16 * in_channels; }
  /// Two tiles' outputs, where one of them reaches over the rows that are made.
  constexpr auto part_bytes() const -> std::int32_t { return 8 * channels; }
  /// The pixels of a tile have become values when outputs need the memory.
  constexpr auto scratch_bytes() const -> std::int32_t { return value_bytes() + std::max(patch_bytes(), part_bytes()); }
  constexpr auto weight_words() const -> std::int32_t { return positions * in_channels; }
  constexpr auto block_words() const -> std::int32_t { return weight_words() + 8; }
};
static_assert(portable::has_no_padding<winograd_layer>);

/// What differs between layers of one geometry.
struct winograd_plan {
  winograd_layer layer{};
  std::int32_t input_zero_point = 0;
  bounds<std::int32_t> range{};
};

/// What the transformed weights take beyond those of the other form, in bytes: 16 halfwords where that has 9 weights.
constexpr auto winograd_cost(const portable::detail::convolution& of, const options& with) -> std::int64_t {
  const auto weights = std::int64_t{9} * of.in_channels * of.out.channels;
  return std::int64_t{32} * of.in_channels * of.out.channels - (weights <= with.wide_weights ? 2 : 1) * weights;
}

/// Whether a filter has the shape of this form: a look at it that saves the compiler the others' descriptions.
constexpr auto is_three_by_three(const program_view& program, const node& record) -> bool {
  if (record.inputs.size < 2) return false;
  const auto id = program.inputs(record)[1];
  if (id == none<value_id> || index(id) >= program.values.size()) return false;
  const auto shape = program.shape(id);
  return shape.size() == 4 && shape[1] == 3 && shape[2] == 3;
}

/// Whether the form is for a layer's geometry.
constexpr auto winograd_fits(const portable::detail::convolution& of, const options& with) -> verdict {
  const auto is_three = [](const portable::window_axis& axis) { return axis.filter == 3 && axis.stride == 1 && axis.dilation == 1; };
  if (of.out.by != portable::arithmetic::int8) return refuse("Winograd's form is for int8 with weights of 8 bits");
  if (!is_three(of.rows) || !is_three(of.columns) || of.groups() != 1) return refuse("Winograd's form is for 3 by 3 taps and stride 1");
  // Fewer channels do not pay for the transforms; of more, the loop over them would not be straight code.
  if (of.in_channels % 4 != 0 || of.in_channels < 8 || of.in_channels > 64)
    return refuse("Winograd's form is for 8 to 64 input channels, in fours, not for ", of.in_channels);
  if (of.out.channels % 2 != 0 || of.out.channels < 8 || of.out.channels > 4094)
    return refuse("Winograd's form is not for ", of.out.channels, " output channels");
  if (with.optimize == optimize_for::code_size) return refuse("Winograd's form is not for small code");
  const auto cost = winograd_cost(of, with);
  if (cost > with.winograd_bytes) return refuse("Winograd's weights take ", cost, " bytes more, and may take ", with.winograd_bytes);
  return accept();
}

constexpr auto describe_winograd(const program_view& program, const node& record, const options& with) -> node_description<winograd_plan> {
  winograd_plan plan;
  if (!is_three_by_three(program, record)) return {refuse("Winograd's form is for 3 by 3 taps and stride 1"), plan};
  auto found = portable::detail::describe_convolution(program, record);
  if (!found.support) return {std::move(found.support), plan};
  const auto& of = found.plan;
  auto fits = winograd_fits(of, with);
  if (!fits) return {std::move(fits), plan};
  if (!has_constant_weights(program, record))
    return {refuse("Winograd's form transforms weights in the compiler, and the filter is computed"), plan};
  plan.layer = {of.batches, of.in_channels, of.out.channels, of.rows, of.columns};
  plan.input_zero_point = of.out.input_zero_point;
  plan.range = of.out.range;
  const auto numbers = numbers_of(program, record, of.out, portable::channel_scaling::in_double);
  const auto sums = bounds_of_sums(numbers, of.out, 9 * of.in_channels);
  for (std::size_t c = 0; c < of.out.table_size(); ++c) {
    const auto rule = numbers.rule_of(c);
    const bool is_taken = rule.right >= 1 && fits_scaled(sums, rule, winograd_layer::scale_bits);
    if (!is_taken) return {refuse("Winograd's form has no room for the factor or the sums of channel ", c), plan};
  }
  return {accept(), plan};
}

/// The transformed weights of an input and an output channel, rows of four positions.
constexpr auto winograd_weights(const char* taps, std::int32_t in_channels) -> std::array<std::int32_t, 16> {
  const auto tap = [&](std::int32_t i) -> std::int32_t { return static_cast<signed char>(taps[i * in_channels]); };
  std::array<std::int32_t, 12> rows{};  // each of three rows along the columns
  for (std::int32_t y = 0; y < 3; ++y) {
    const auto g0 = tap(3 * y);
    const auto g1 = tap(3 * y + 1);
    const auto g2 = tap(3 * y + 2);
    auto* row = rows.data() + 4 * y;
    row[0] = 2 * g0;
    row[1] = g0 + g1 + g2;
    row[2] = g0 - g1 + g2;
    row[3] = 2 * g2;
  }
  std::array<std::int32_t, 16> made{};
  for (std::size_t x = 0; x < 4; ++x) {
    made[x] = 2 * rows[x];
    made[4 + x] = rows[x] + rows[4 + x] + rows[8 + x];
    made[8 + x] = rows[x] - rows[4 + x] + rows[8 + x];
    made[12 + x] = 2 * rows[8 + x];
  }
  return made;
}

/// Writes blocks of two output channels from `first` on.
constexpr void pack_winograd(const program_view& program, const node& record, std::size_t first, span<std::uint32_t> to) {
  const auto of = portable::detail::describe_convolution(program, record).plan;
  const winograd_layer layer{.in_channels = of.in_channels};
  const char* weights = program.data(program[program.inputs(record)[1]].data).data();
  const auto numbers = numbers_of(program, record, of.out, portable::channel_scaling::in_double);
  const auto inputs = static_cast<std::size_t>(of.in_channels);
  const auto block_words = static_cast<std::size_t>(layer.block_words());
  for (std::size_t block = 0; (block + 1) * block_words <= to.size(); ++block) {
    auto* made = to.data() + block * block_words;
    for (std::size_t i = 0; i < 2; ++i) {
      const auto channel = 2 * (first + block) + i;
      const char* taps = weights + channel * 9 * inputs;
      std::int32_t sum = 0;
      for (std::size_t t = 0; t < 9 * inputs; ++t) sum += static_cast<signed char>(taps[t]);
      for (std::size_t k = 0; k < inputs; ++k) {
        const auto u = winograd_weights(taps + k, of.in_channels);
        auto* word = made + k / 4 * 4 + k % 2 * 2 + i;
        const auto up = k % 4 / 2 * 16;  // the top half
        for (std::size_t t = 0; t < 16; ++t) word[t * inputs] |= (static_cast<std::uint32_t>(u[t]) & 0xffffu) << up;
      }
      const auto by = scaled_by(numbers.rule_of(channel), winograd_layer::scale_bits);
      const auto bias = std::int64_t{numbers.bias_of(channel)} - std::int64_t{of.out.input_zero_point} * sum;
      auto* constants = made + layer.weight_words() + 4 * i;
      constants[0] = static_cast<std::uint32_t>(bias * 4);
      constants[1] = static_cast<std::uint32_t>(by.multiplier);
      constants[2] = static_cast<std::uint32_t>(by.offset);
      constants[3] = static_cast<std::uint32_t>(by.shift);
    }
  }
}

}  // namespace baton::cortex_m::detail
