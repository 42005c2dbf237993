// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The requantization factors and biases of the output channels of an integer layer.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/kernels/detail/quantized.hpp>
#include <baton/operators/requantization.hpp>
#include <baton/operators/shared/baton_operators.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace baton::portable {

/// The precision of the product of input scale and filter scale. `in_double`: the product is computed in double, as in convolutions of
/// TensorFlow Lite. `one_scale_in_float`: the product is rounded to float if the filter has a single scale, as in TensorFlow Lite's fully
/// connected layers. `one_scale_in_float` applies only to operators of the namespace `tfl`.
enum class channel_scaling : std::uint8_t { in_double, one_scale_in_float };

namespace detail {

/// The factors and biases of a layer, as views of the program's data, so that the program is searched only once for all channels.
struct channel_numbers {
  span<const char> biases{};       ///< if empty, every bias is 0
  span<const char> scales{};       ///< the scales of the filter: one, or one per channel
  span<const char> multipliers{};  ///< the values of the factors: one, or one per channel; if empty, the scales determine the factors
  span<const char> shifts{};       ///< the shifts of the factors, as many as `multipliers`
  float input_scale = 1;
  float output_scale = 1;
  bool rounds_product = false;  ///< whether the product of input scale and filter scale is rounded to float

  constexpr auto has_one_scale() const -> bool { return (multipliers.empty() ? scales : multipliers).size() == 4; }
  constexpr auto filter_scale(std::size_t channel) const -> float {
    return std::bit_cast<float>(quantized::little_endian_32(scales, has_one_scale() ? 0 : channel));
  }

  /// Returns the 32-bit bias of a channel, or 0 if the layer has no bias.
  constexpr auto bias_of(std::size_t channel) const -> std::int32_t {
    return biases.empty() ? 0 : static_cast<std::int32_t>(quantized::little_endian_32(biases, channel));
  }
  /// Returns input scale · `scale` / output scale; `scale` is the scale of the filter.
  constexpr auto real_factor(float scale) const -> double {
    const auto product =
        rounds_product ? static_cast<double>(input_scale * scale) : static_cast<double>(input_scale) * static_cast<double>(scale);
    return product / static_cast<double>(output_scale);
  }
  /// Returns a channel's float32 bias at the scale of the product (sum · `multiplier.value`) to which the bias is added: bias / output
  /// scale · 2^(31 − `multiplier.shift`), not rounded.
  constexpr auto real_addend_of(std::size_t channel, quantized::fixed_multiplier multiplier) const -> double {
    const auto bias = std::bit_cast<float>(quantized::little_endian_32(biases, channel));
    return static_cast<double>(bias) / static_cast<double>(output_scale) * static_cast<double>(std::int64_t{1} << (31 - multiplier.shift));
  }
  /// Returns the argument `addend` of `output_with_addend` for a channel with a float32 bias. The addend is `real_addend_of`, rounded half
  /// away from zero, plus 1/2 at the scale of the output. So the bias is not rounded to the scale of the sums. PyTorch's reference does not
  /// round biases either, because its additions of biases are in float32.
  constexpr auto addend_of(std::size_t channel) const -> std::int64_t { return addend_of(channel, factor_of(channel)); }
  constexpr auto addend_of(std::size_t channel, quantized::fixed_multiplier multiplier) const -> std::int64_t {
    const auto real = real_addend_of(channel, multiplier);
    const auto whole = static_cast<std::int64_t>(real);
    const auto fraction = real - static_cast<double>(whole);
    return whole + (fraction >= 0.5 ? 1 : fraction <= -0.5 ? -1 : 0) + (std::int64_t{1} << (30 - multiplier.shift));
  }
  /// Returns the fixed-point factor of a channel. The shift is limited as in `channel_table` (see `right_shift_of`).
  constexpr auto factor_of(std::size_t channel) const -> quantized::fixed_multiplier {
    const auto factor = unlimited_factor_of(channel);
    return {factor.value, -right_shift_of(factor)};
  }
  /// Returns the fixed-point factor of a channel, from the operands or computed from the scales. The shift is not limited.
  constexpr auto unlimited_factor_of(std::size_t channel) const -> quantized::fixed_multiplier {
    if (multipliers.empty()) return quantized::to_fixed(real_factor(filter_scale(channel)));
    const auto at = has_one_scale() ? 0 : channel;
    return {static_cast<std::int32_t>(quantized::little_endian_32(multipliers, at)),
            static_cast<std::int32_t>(quantized::little_endian_32(shifts, at))};
  }
};

/// Returns the factors and biases of a node that has passed `check_channels`. Operand `bias_at`, the bias, may be absent.
constexpr auto numbers_of(const program_view& program, const node& record, channel_scaling scaling, std::size_t input_at = 0,
                          std::size_t bias_at = 2) -> channel_numbers {
  const auto operands = program.inputs(record);
  const auto& filter = program[operands[1]].quant;
  channel_numbers result;
  if (bias_at < operands.size() && operands[bias_at] != none<value_id>) result.biases = program.data(program[operands[bias_at]].data);
  if (factor_operands::are_in(program, record)) {
    result.multipliers = program.data(program[operands[factor_operands::multipliers]].data);
    result.shifts = program.data(program[operands[factor_operands::shifts]].data);
    return result;
  }
  result.scales = program.data(filter.scales);
  result.input_scale = program.scale(program[operands[input_at]].quant);
  result.output_scale = program.scale(program[program.outputs_of(record)[0]].quant);
  result.rounds_product = scaling == channel_scaling::one_scale_in_float && filter.channels == 1 && !is_baton_layer(record);
  return result;
}

/// Computes, at compile time, the addends of the float32 biases of a node that has passed `check_channels`.
template <std::size_t N>
constexpr auto addends_of(const channel_numbers& numbers) -> std::array<std::int64_t, N> {
  std::array<std::int64_t, N> addends{};
  auto* to = addends.data();
  for (std::size_t channel = 0; channel < N; ++channel) *to++ = numbers.addend_of(channel);
  return addends;
}

/// True if the weights of a layer are constant, so that they can be packed at compile time.
constexpr auto has_constant_weights(const program_view& program, const node& record) -> bool {
  const auto kind = program[program.inputs(record)[1]].kind;
  return is_owned_data(kind) && kind != value_kind::mutable_buffer;
}

}  // namespace detail

/// Returns the fixed-point factors of a node that has passed `check_channels`. At compile time, the factors are computed from the scales or
/// read from the operands. `N` is `channel_output::table_size()`.
template <std::size_t N>
constexpr auto table_of(const program_view& program, const node& record, channel_scaling scaling, std::size_t input_at = 0)
    -> detail::channel_table<N> {
  const auto numbers = detail::numbers_of(program, record, scaling, input_at, npos);
  detail::channel_table<N> table;
  if (!numbers.multipliers.empty()) {
    for (std::size_t channel = 0; channel < N; ++channel) detail::set_channel(table, channel, numbers.unlimited_factor_of(channel));
    return table;
  }
  const char* scale = numbers.scales.data();  // one per channel if N > 1
  for (std::size_t channel = 0; channel < N; ++channel, scale += 4) {
    const auto real = numbers.real_factor(std::bit_cast<float>(quantized::little_endian_32(scale)));
    detail::set_channel(table, channel, quantized::to_fixed(real));
  }
  return table;
}

}  // namespace baton::portable
