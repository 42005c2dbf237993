// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What the output channels of an integer layer with weights differ in: factors and biases.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/kernels/detail/quantized.hpp>
#include <baton/operators/requantization.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>

namespace baton::portable {

/// Which product of scales is rounded to float: none, or that of input and filter where the filter has one scale.
/// TensorFlow Lite does the one in convolutions, the other in fully connected layers.
enum class channel_scaling : std::uint8_t { in_double, one_scale_in_float };

namespace detail {

/// What channels differ in, looked up once.
struct channel_numbers {
  span<const char> biases{};  ///< none: each is 0
  span<const char> scales{};  ///< of the filter: one, or one a channel
  float input_scale = 1;
  float output_scale = 1;
  bool rounds_product = false;  ///< of the scales of input and filter, to float

  constexpr auto has_one_scale() const -> bool { return scales.size() == 4; }
  constexpr auto filter_scale(std::size_t channel) const -> float {
    return std::bit_cast<float>(little_endian_32(scales, has_one_scale() ? 0 : channel));
  }

  /// Of 32 bits.
  constexpr auto bias_of(std::size_t channel) const -> std::int32_t {
    return biases.empty() ? 0 : static_cast<std::int32_t>(little_endian_32(biases, channel));
  }
  /// Scale of the input · scale of the filter / scale of the output.
  constexpr auto real_factor(float scale) const -> double {
    const auto product =
        rounds_product ? static_cast<double>(input_scale * scale) : static_cast<double>(input_scale) * static_cast<double>(scale);
    return product / static_cast<double>(output_scale);
  }
  /// The same as tables have it (`right_shift_of`).
  constexpr auto factor_of(std::size_t channel) const -> fixed_multiplier { return factor_from(filter_scale(channel)); }
  constexpr auto factor_from(float scale) const -> fixed_multiplier {
    const auto by = to_fixed(real_factor(scale));
    return {by.value, -right_shift_of(by)};
  }
};

/// Of a node of which `check_channels` holds; its operand `bias_at` may be absent.
constexpr auto numbers_of(const program_view& program, const node& record, channel_scaling scaling, std::size_t input_at = 0,
                          std::size_t bias_at = 2) -> channel_numbers {
  const auto operands = program.inputs(record);
  const auto& filter = program[operands[1]].quant;
  channel_numbers made;
  if (bias_at < operands.size() && operands[bias_at] != none<value_id>) made.biases = program.data(program[operands[bias_at]].data);
  made.scales = program.data(filter.scales);
  made.input_scale = program.scale(program[operands[input_at]].quant);
  made.output_scale = program.scale(program[program.outputs_of(record)[0]].quant);
  made.rounds_product = scaling == channel_scaling::one_scale_in_float && filter.channels == 1;
  return made;
}

/// Whether a layer's weights never change, so that the compiler can pack them.
constexpr auto has_constant_weights(const program_view& program, const node& record) -> bool {
  const auto kind = program[program.inputs(record)[1]].kind;
  return is_owned_data(kind) && kind != value_kind::mutable_buffer;
}

}  // namespace detail

/// The multipliers of a node of which `check_channels` holds, made in the compiler from its scales; `N` is `table_size()`.
template <std::size_t N>
constexpr auto table_of(const program_view& program, const node& record, channel_scaling scaling, std::size_t input_at = 0)
    -> detail::channel_table<N> {
  const auto numbers = detail::numbers_of(program, record, scaling, input_at, npos);
  detail::channel_table<N> table;
  const char* scale = numbers.scales.data();  // of each channel, where there are several
  for (std::size_t channel = 0; channel < N; ++channel, scale += 4) {
    detail::set_channel(table, channel, numbers.real_factor(std::bit_cast<float>(little_endian_32(scale))));
  }
  return table;
}

}  // namespace baton::portable
