// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The plan of a layer on int16, and the requantization of its outputs in a few instructions, with constants for each channel. Outputs are
// bit-identical to those of `portable::detail::store_sum`.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/kernels/cortex_m/detail/instructions.hpp>
#include <baton/kernels/cortex_m/detail/scaled_sums.hpp>
#include <baton/kernels/detail/channel_numbers.hpp>
#include <baton/kernels/detail/channels.hpp>
#include <baton/kernels/detail/geometry.hpp>
#include <baton/kernels/detail/image_scale.hpp>
#include <baton/kernels/detail/layer.hpp>
#include <baton/kernels/unaligned.hpp>
#include <baton/operators/requantization.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::cortex_m::detail {

using portable::arithmetic;

/// The plan of a layer on int16. The layer reads the weights of the model without packing them.
struct int16_layer {
  portable::detail::layer layer{};
  /// Whether `finish` computes the outputs; if not, `store_sum` computes them. `finish` requires constant biases, and that each channel has
  /// a requantization that fits 32 bits (`scale_of_channel`).
  portable::flag has_constants = 0;
  std::int32_t bits = 0;        ///< log2 of the scale of the sums in `finish`
  std::int32_t correction = 0;  ///< the correction of negative scaled sums (`correction_of`)

  /// Returns the number of products of an output.
  constexpr auto products() const -> std::int32_t { return layer.rows.filter * layer.columns.filter * layer.group_channels; }
};

/// The number of constants of a channel. The constants are the start value of the scaled sum, the multiplier, the offset and the shift.
inline constexpr std::size_t constants_per_channel = 4;

/// Returns the bias of a channel of an int16 layer. The biases must be constants.
constexpr auto int16_layer_bias(const portable::channel_output& out, span<const char> biases, std::size_t channel) -> std::int64_t {
  if (out.has_bias == 0) return 0;
  if (out.by == arithmetic::int16) return static_cast<std::int32_t>(quantized::little_endian_32(biases, channel));
  const auto high = std::int64_t{static_cast<std::int32_t>(quantized::little_endian_32(biases, 2 * channel + 1))};
  return high * (std::int64_t{1} << 32) + quantized::little_endian_32(biases, 2 * channel);
}

/// The requantization of a channel. `fits` is false if the factor is not supported, or if sums or outputs may not fit 32 bits.
struct channel_scale {
  scaled_requantization by{};
  bool fits = false;
};
/// Returns the requantization of a channel. `magnitude` is the maximum magnitude of a sum, including the bias.
constexpr auto scale_of_channel(const int16_layer& plan, std::size_t channel, std::int64_t magnitude) -> channel_scale {
  const auto& out = plan.layer.out;
  const auto factor = plan.layer.numbers.factor_of(channel);
  if (out.by == arithmetic::int16) {
    const channel_requantization rule{.value = factor.value, .right = -factor.shift, .zero_point = out.zero_point, .range = out.range};
    if (rule.right < 1 || !fits_scaled({-magnitude, magnitude}, rule, plan.bits)) return {};
    return {scaled_by(rule, plan.bits), true};
  }
  // `requantize_wide` computes floor((x · m + 2^(b − 1)) / 2^b), where m has 15 bits and b is 15 − `factor.shift`. If b is at least 17, the
  // lowest 16 bits of x · m do not change this number, so they are omitted.
  const auto reduced = factor.value < 0x7fff0000 ? (factor.value + (1 << 15)) >> 16 : 0x7fff;
  const auto shift = -1 - factor.shift;
  if (factor.value < 0 || shift < 1 || shift > 30 || magnitude >= std::int64_t{1} << 31) return {};
  const auto offset = (std::int64_t{1} << (shift - 1)) + out.zero_point * (std::int64_t{1} << shift);
  if ((offset < 0 ? -offset : offset) + (magnitude * reduced >> 16) + 1 >= std::int64_t{1} << 31) return {};
  return {{reduced << 16, static_cast<std::int32_t>(offset), shift}, true};
}

/// Returns the data of the biases of a layer, or an empty span if the layer has no biases.
constexpr auto biases_of(const int16_layer& plan, const program_view& program, const node& record) -> span<const char> {
  if (plan.layer.out.has_bias == 0) return {};
  return program.data(program[program.inputs(record)[static_cast<std::size_t>(plan.layer.bias_at)]].data);
}
/// Sets `has_constants` if all biases are constants, and all sums and outputs provably fit 32 bits. `finish` then computes the outputs. The
/// proof assumes the largest inputs and weights.
constexpr void choose_constants(int16_layer& plan, const program_view& program, const node& record) {
  const auto& out = plan.layer.out;
  if (out.has_bias != 0) {
    const auto kind = program[program.inputs(record)[static_cast<std::size_t>(plan.layer.bias_at)]].kind;
    if (!is_owned_data(kind) || kind == value_kind::mutable_buffer) return;
  }
  plan.bits = out.by == arithmetic::int16 ? 2 : 0;
  plan.correction = out.by == arithmetic::int16 ? correction_of(-1, 1, plan.bits) : 0;
  const auto biases = biases_of(plan, program, record);
  for (std::size_t channel = 0; channel < static_cast<std::size_t>(out.channels); ++channel) {
    const auto bias = int16_layer_bias(out, biases, channel);
    if (!scale_of_channel(plan, channel, plan.products() * (std::int64_t{1} << 22) + (bias < 0 ? -bias : bias)).fits) return;
  }
  plan.has_constants = 1;
}

/// Writes the constants of the channels from `first` on.
constexpr void write_constants(const int16_layer& plan, const program_view& program, const node& record, std::size_t first,
                               span<std::int32_t> to) {
  const auto biases = biases_of(plan, program, record);
  for (std::size_t i = 0; constants_per_channel * i < to.size(); ++i) {
    auto* const constants = to.data() + constants_per_channel * i;
    const auto requantization = scale_of_channel(plan, first + i, 0).by;
    constants[0] = static_cast<std::int32_t>(int16_layer_bias(plan.layer.out, biases, first + i) * (std::int64_t{1} << plan.bits));
    constants[1] = requantization.multiplier;
    constants[2] = requantization.offset;
    constants[3] = requantization.shift;
  }
}

/// Stores an int16 output, computed from its sum with the constants of its channel.
[[gnu::always_inline]] inline void finish(const int16_layer& plan, const char* constants, std::int32_t sum, std::int32_t channel, char* to,
                                          std::int32_t at) {
  const char* const own = constants + 16 * std::ptrdiff_t{channel};
  const auto scaled =
      plain::sum_of(static_cast<std::int32_t>(static_cast<std::uint32_t>(sum) << plan.bits), portable::load<std::int32_t>(own));
  auto high = smmla(scaled, portable::load<std::int32_t>(own, 1), portable::load<std::int32_t>(own, 2));
  if (scaled < 0) high += plan.correction;
  auto output = ssat16(high >> portable::load<std::int32_t>(own, 3));
  const auto range = plan.layer.out.range;
  if (range.lower > -32768 && output < range.lower) output = range.lower;
  if (range.upper < 32767 && output > range.upper) output = range.upper;
  portable::store(to, at, static_cast<std::int16_t>(output));
}

/// The addresses of a layer's operands and constants.
struct int16_memory {
  const char* input;
  const char* weights;
  const char* bias;       ///< null if the layer has no bias; may be null if `int16_layer::has_constants` is set
  const char* constants;  ///< the constants of the channels; only valid if `int16_layer::has_constants` is set
  char* scratch;
  char* output;
};

/// Stores the output of a sum of products as element `at` of the output.
template <arithmetic By, class Sum>
[[gnu::always_inline]] inline void store_output(const int16_layer& plan, const int16_memory& memory, Sum sum, std::int32_t channel,
                                                std::int32_t at) {
  if (plan.has_constants != 0) return finish(plan, memory.constants, static_cast<std::int32_t>(sum), channel, memory.output, at);
  portable::detail::store_sum<By>(plan.layer, {}, static_cast<portable::detail::layer_sum<By>>(sum), memory.bias, channel, memory.output,
                                  at);
}

}  // namespace baton::cortex_m::detail
