// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The plan of a Winograd convolution: memory layouts, the supported layers, and the transformed weights.
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

/// A convolution in tiles of 2 × 2 outputs (S. Winograd, 1980; A. Lavin and S. Gray, Fast algorithms for convolutional neural networks,
/// 2016). The 4 × 4 inputs d of a tile are transformed along both axes to d0 - d2, d1 + d2, d2 - d1, d1 - d3. The 3 × 3 weights g are
/// transformed along both axes to 2 · g0, g0 + g1 + g2, g0 - g1 + g2, 2 · g2. The algorithm for real numbers halves these weights along
/// each axis. This kernel omits the halving, so all values are integers. A transformed tile has 4 × 4 positions. At each position, the
/// products are summed over the input channels. After the output transform, the sums are 4 times the sums of the convolution.
///
/// Transformed inputs (at most 4 · 128) and weights (at most 9 · 128) are halfwords. The layout of the transformed inputs of two tiles is
/// [position, group of four input channels, word]. A group has four words. Word 0 holds channels 0 and 2 of the first tile, word 1 the same
/// channels of the second tile. Words 2 and 3 hold channels 1 and 3 of the two tiles. After the inputs of a position, there is room for its
/// four sums: two tiles times two output channels. Weights have the layout of the inputs, with two output channels in place of the two
/// tiles, and without sums. The weights are stored in blocks (see `kernel_facts::prepared_blocks`) of two output channels. A block ends
/// with the initial sum, multiplier, offset and shift of each of its channels. The type is structural, so that layers of equal geometry
/// share their code.
///
/// To compute a single output row, a tile has 1 × 2 outputs, 3 × 4 inputs, and only the first three rows of positions.
struct winograd_layer {
  static constexpr std::int32_t scale_bits = 2;
  static constexpr std::int32_t weight_positions = 16;

  std::int32_t batches = 1;
  std::int32_t in_channels = 4;
  std::int32_t channels = 2;
  portable::window_axis rows{};
  portable::window_axis columns{};
  portable::flag corrects_ties = 1;  ///< 1 if the layer rounds twice, so that negative sums are corrected; 0 if it rounds once
  std::int32_t tile_rows = 2;        ///< the number of output rows of a tile: 2, or 1

  constexpr auto by_single_rows() const -> winograd_layer {
    auto result = *this;
    result.tile_rows = 1;
    return result;
  }
  constexpr auto tile_columns() const -> std::int32_t { return (columns.output + 1) / 2; }

  constexpr auto position_bytes() const -> std::int32_t { return 4 * in_channels + 16; }
  constexpr auto positions() const -> std::int32_t { return 4 * (tile_rows + 2); }
  /// Returns the size of the transformed inputs and of the sums of two tiles, in bytes.
  constexpr auto value_bytes() const -> std::int32_t { return positions() * position_bytes(); }
  constexpr auto pixel_row_bytes() const -> std::int32_t { return 4 * in_channels; }  ///< four pixels of one input row
  /// Returns the size of the outputs of two tiles, in bytes. The outputs are buffered if a tile extends beyond the computed outputs.
  constexpr auto pair_bytes() const -> std::int32_t { return 4 * tile_rows * channels; }
  /// Returns the size of scratch, in bytes. The copies of two pixel rows and the buffered outputs share memory, because the copies are no
  /// longer read when outputs are written.
  constexpr auto scratch_bytes() const -> std::int32_t { return value_bytes() + std::max(2 * pixel_row_bytes(), pair_bytes()); }
  constexpr auto weight_words() const -> std::int32_t { return weight_positions * in_channels; }
  constexpr auto block_words() const -> std::int32_t { return weight_words() + 8; }
};
static_assert(portable::has_no_padding<winograd_layer>);

/// The plan of a layer. Plans with the same `layer` share their code, even if the other members differ.
struct winograd_plan {
  winograd_layer layer{};
  std::int32_t input_zero_point = 0;
  quantized::bounds<std::int32_t> range{};
};

/// Returns the additional flash of the transformed weights, compared to the weights of `conv_2d`, in bytes. For each pair of an input and
/// an output channel, 16 halfwords replace 9 weights.
constexpr auto winograd_cost(const portable::detail::convolution& layer, const options& with) -> std::int64_t {
  const auto weights = std::int64_t{9} * layer.in_channels * layer.out.channels;
  return std::int64_t{32} * layer.in_channels * layer.out.channels - (weights <= with.max_wide_weights ? 2 : 1) * weights;
}

/// True if the filter is 3 × 3. This check comes first, because it takes less compile time than the description of the layer.
constexpr auto is_three_by_three(const program_view& program, const node& record) -> bool {
  if (record.inputs.size < 2) return false;
  const auto id = program.inputs(record)[1];
  if (id == none<value_id> || index(id) >= program.values.size()) return false;
  const auto shape = program.shape(id);
  return shape.size() == 4 && shape[1] == 3 && shape[2] == 3;
}

/// Checks the types, the geometry and the options of a layer, but not the factors of its channels.
constexpr auto winograd_fits(const portable::detail::convolution& layer, const options& with) -> verdict {
  const auto is_three = [](const portable::window_axis& axis) { return axis.filter == 3 && axis.stride == 1 && axis.dilation == 1; };
  if (!is_supported(layer.out.by)) return refuse("the Winograd kernel supports only int8 with 8-bit weights");
  if (!is_three(layer.rows) || !is_three(layer.columns) || layer.groups() != 1)
    return refuse("the Winograd kernel supports only 3 x 3 filters with stride 1, without dilation and groups");
  // With fewer than 8 input channels, the transforms cost more than they save. With more than 64, the offset of the last position would not
  // fit the 12 bits of a load instruction (`convolve_two_tiles`). The number of output channels is the offset of a store instruction, so it
  // is limited to 4094.
  if (layer.in_channels % 4 != 0 || layer.in_channels < 8 || layer.in_channels > 64)
    return refuse("the Winograd kernel supports 8 to 64 input channels, in multiples of 4, not ", layer.in_channels);
  if (layer.out.channels % 2 != 0 || layer.out.channels < 8 || layer.out.channels > 4094)
    return refuse("the Winograd kernel supports 8 to 4094 output channels, in multiples of 2, not ", layer.out.channels);
  if (with.optimize == optimize_for::code_size) return refuse("the Winograd kernel is disabled by optimize_for::code_size");
  const auto cost = winograd_cost(layer, with);
  if (cost > with.max_winograd_bytes) return refuse("Winograd weights need ", cost, " more bytes; the limit is ", with.max_winograd_bytes);
  return accept();
}

constexpr auto describe_winograd(const program_view& program, const node& record, const options& with) -> node_description<winograd_plan> {
  winograd_plan plan;
  if (!is_three_by_three(program, record))
    return {refuse("the Winograd kernel supports only 3 x 3 filters with stride 1, without dilation and groups"), plan};
  auto description = portable::detail::describe_convolution(program, record);
  if (!description.support) return {std::move(description.support), plan};
  const auto& source = description.plan;
  auto fits = winograd_fits(source, with);
  if (!fits) return {std::move(fits), plan};
  if (!has_constant_weights(program, record))
    return {refuse("the Winograd kernel transforms weights at compile time, but the filter is not a constant"), plan};
  plan.layer = {source.batches, source.in_channels, source.out.channels, source.rows, source.columns, source.out.rounds_once() ? 0 : 1};
  plan.input_zero_point = source.out.input_zero_point;
  plan.range = source.out.range;
  const auto numbers = numbers_of(program, record, source.out, 9 * source.in_channels, portable::channel_scaling::in_double);
  const auto sums = bounds_of_sums(numbers, source.out.channels);
  const auto rules = numbers.has_one_rule() ? 1 : static_cast<std::size_t>(source.out.channels);
  for (std::size_t c = 0; c < rules; ++c) {
    const auto rule = numbers.rule_of(c);
    const bool fits_rule = rule.right >= 1 && fits_scaled(sums, rule, winograd_layer::scale_bits);
    if (!fits_rule) return {refuse("the Winograd kernel does not support the requantization factor or the sums of channel ", c), plan};
  }
  return {accept(), plan};
}

/// Returns the transformed weights, [4, 4], of one input channel and one output channel.
constexpr auto winograd_weights(const char* taps, std::int32_t in_channels) -> std::array<std::int32_t, 16> {
  const auto tap = [&](std::int32_t i) -> std::int32_t { return static_cast<signed char>(taps[i * in_channels]); };
  std::array<std::int32_t, 12> rows{};  // three filter rows, each transformed to four columns
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
  std::array<std::int32_t, 16> result{};
  for (std::size_t x = 0; x < 4; ++x) {
    result[x] = 2 * rows[x];
    result[4 + x] = rows[x] + rows[4 + x] + rows[8 + x];
    result[8 + x] = rows[x] - rows[4 + x] + rows[8 + x];
    result[12 + x] = 2 * rows[8 + x];
  }
  return result;
}

/// Fills `to` with blocks of two output channels, starting at block `first`.
constexpr void pack_winograd(const program_view& program, const node& record, std::size_t first, span<std::uint32_t> to) {
  const auto source = portable::detail::describe_convolution(program, record).plan;
  const winograd_layer layer{.in_channels = source.in_channels};
  const char* weights = program.data(program[program.inputs(record)[1]].data).data();
  const auto numbers = numbers_of(program, record, source.out, 9 * source.in_channels, portable::channel_scaling::in_double);
  const auto inputs = static_cast<std::size_t>(source.in_channels);
  const auto block_words = static_cast<std::size_t>(layer.block_words());
  for (std::size_t block = 0; (block + 1) * block_words <= to.size(); ++block) {
    auto* block_data = to.data() + block * block_words;
    for (std::size_t i = 0; i < 2; ++i) {
      const auto channel = 2 * (first + block) + i;
      const char* taps = weights + channel * 9 * inputs;
      std::int32_t sum = 0;
      for (std::size_t t = 0; t < 9 * inputs; ++t) sum += static_cast<signed char>(taps[t]);
      for (std::size_t k = 0; k < inputs; ++k) {
        const auto u = winograd_weights(taps + k, source.in_channels);
        auto* word = block_data + k / 4 * 4 + k % 2 * 2 + i;
        const auto up = k % 4 / 2 * 16;  // channels 2 and 3 of a group are in the top halfwords
        for (std::size_t t = 0; t < 16; ++t) word[t * inputs] |= (static_cast<std::uint32_t>(u[t]) & 0xffffu) << up;
      }
      const auto [channel_bias, rule] = numbers.constants_of(channel);
      const auto by = scaled_by(rule, winograd_layer::scale_bits);
      const auto bias = std::int64_t{channel_bias} - std::int64_t{source.out.input_zero_point} * sum;
      auto* constants = block_data + layer.weight_words() + 4 * i;
      constants[0] = static_cast<std::uint32_t>(bias * 4 + by.nudge);
      constants[1] = static_cast<std::uint32_t>(by.multiplier);
      constants[2] = static_cast<std::uint32_t>(by.offset);
      constants[3] = static_cast<std::uint32_t>(by.shift);
    }
  }
}

}  // namespace baton::cortex_m::detail
