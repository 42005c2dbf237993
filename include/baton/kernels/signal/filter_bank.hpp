// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Filter banks on the energies of a spectrum, and functions of the channels of a filter bank. The kernels
// reproduce the arithmetic of files of TensorFlow Lite Micro, such as `signal/src/log.cc`.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernels/node_check.hpp>
#include <baton/kernels/signal/options.hpp>
#include <baton/kernels/unaligned.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace baton::portable {

namespace detail {

/// The compile-time plan of an operator on channels. `shift` is the option `input_correction_bits` or `snr_shift`, and `scale` is
/// `output_scale`. A member is 0 if the operator does not have the corresponding option.
struct signal_channels {
  std::int32_t count = 1;
  std::int32_t shift = 0;
  std::int32_t scale = 0;
};

/// Returns element `i` of an int16 constant.
constexpr auto int16_at(span<const char> bytes, std::int32_t i) -> std::int32_t {
  const auto at = static_cast<std::size_t>(2 * i);
  return static_cast<std::int16_t>(static_cast<unsigned char>(bytes[at]) | static_cast<unsigned char>(bytes[at + 1]) << 8);
}

/// Returns the square root of `number`, rounded to the nearest integer, but at most `limit`. Computes one bit of the root at a time, as in
/// `signal/src/square_root_{32,64}.cc`.
template <class T>
auto rounded_root(T number, T limit) -> T {
  if (number == 0) return 0;
  T root = 0;
  const auto high = static_cast<unsigned>(std::bit_width(number)) - 1;
  for (T bit = T{1} << (high - high % 2); bit != 0; bit >>= 2) {
    const bool is_in = number >= root + bit;
    if (is_in) number -= root + bit;
    root = (root >> 1) + (is_in ? bit : 0);
  }
  return root + (number > root && root != limit ? 1 : 0);
}

/// log2(1 + x) - x for x = 0, 1/128, 2/128, …, 1, times 65536.
constexpr auto log2_corrections = [] {
  std::array<std::int32_t, 129> table{};
  for (std::size_t i = 0; i < table.size(); ++i) {
    const auto x = static_cast<double>(i) / 128;
    const auto z = x / (2 + x);  // ln(1 + x) = 2 artanh(z)
    double sum = 0;
    auto power = z;
    for (int n = 1; n < 40; n += 2, power *= z * z) sum += power / n;
    table[i] = static_cast<std::int32_t>((sum * 2 / 0.693147180559945309417 - x) * 65536 + 0.5);
  }
  return table;
}();

/// Returns the natural logarithm of a number above 0, times `scale`, as in `Log32` of `signal/src/log.cc`.
inline auto scaled_log(std::uint32_t number, std::uint32_t scale) -> std::uint32_t {
  const auto whole = static_cast<std::uint32_t>(std::bit_width(number)) - 1;
  auto fraction = static_cast<std::int32_t>(number - (std::uint32_t{1} << whole));
  fraction = whole < 16 ? fraction << (16 - whole) : fraction >> (whole - 16);
  const auto piece = fraction >> 9;
  const auto correction = log2_corrections[static_cast<std::size_t>(piece)];
  const auto slope = log2_corrections[static_cast<std::size_t>(piece) + 1] - correction;
  const auto log2 = (whole << 16) + static_cast<std::uint32_t>(fraction + correction + ((slope * (fraction - (piece << 9))) >> 16));
  const auto log = static_cast<std::uint32_t>((std::uint64_t{45426} * log2 + 32768) >> 16);  // 45426: ln 2 times 65536
  return (scale * log + 32768) >> 16;
}

/// Returns the gain for `noise`. The table `gains` has one entry for each of the noises 0, 1 and 2. For each bit width of a larger noise,
/// it has the three coefficients of a parabola. Numeric rule: `WideDynamicFunction` of `signal/src/pcan_argc_fixed.cc`.
inline auto gain_of(std::uint32_t noise, const char* gains) -> std::uint32_t {
  const auto gain_at = [gains](std::int32_t i) { return static_cast<std::int32_t>(load<std::int16_t>(gains, i)); };
  if (noise <= 2) return static_cast<std::uint32_t>(gain_at(static_cast<std::int32_t>(noise)));
  const auto bits = static_cast<std::int32_t>(std::bit_width(noise));
  const auto at = 4 * bits - 6;
  const auto part = static_cast<std::int32_t>((bits < 11 ? noise << (11 - bits) : noise >> (bits - 11)) & 0x3ff);
  const auto slope = static_cast<std::uint32_t>((gain_at(at + 2) * part) >> 5) + (static_cast<std::uint32_t>(gain_at(at + 1)) << 5);
  const auto rise = static_cast<std::int32_t>(slope * static_cast<std::uint32_t>(part) + (1 << 14)) >> 15;
  return static_cast<std::uint32_t>(static_cast<std::int16_t>(rise + gain_at(at)));
}
/// Returns x · x / 4 if x is below 2, otherwise x - 1. `x` has 12 fraction bits; the result has 6 fraction bits.
inline auto shrink(std::uint32_t x) -> std::uint32_t { return x < 8192 ? (x * x) >> 20 : (x >> 6) - 64; }

/// `tfl.custom.SignalFilterBank`: each channel is a sum of energies, weighted by a triangle that rises where the triangle of the previous
/// channel falls. Weights and bands must be constants, so that they can be checked at compile time. Numeric rule:
/// `signal/src/filter_bank.cc`; 64-bit sums wrap around.
struct signal_filter_bank {
  static constexpr literal_name operators[] = {"tfl.custom.SignalFilterBank"};
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<detail::signal_channels> {
    node_check check{program, record};
    check.counts(6, 6);
    check.conforms();
    const auto in = check.input(0, "input", 1);
    const auto weights = check.input(1, "weights", 1);
    const auto unweights = check.input(2, "unweights", 1);
    const operand bands[] = {check.input(3, "frequency starts", 1), check.input(4, "weight starts", 1), check.input(5, "widths", 1)};
    check.is_one_of(in, {dtype::uint32}, "input");
    for (const auto& of : {weights, unweights}) {
      check.is_one_of(of, {dtype::int16}, "weights");
      check.constant_data(of, "weights");
    }
    const detail::signal_options options{check, program, record};
    detail::signal_channels plan;
    plan.count = options.integer("num_channels", 1, 32767);
    for (const auto& of : bands) {
      check.is_one_of(of, {dtype::int16}, "a list of frequency starts, weight starts or widths");
      check.demand(of.count > plan.count, of.count, " bands for ", plan.count, " channels; one more band than channels is needed");
      check.constant_data(of, "bands");
    }
    for (std::int32_t i = 0; check.ok() && i <= plan.count; ++i) {
      const auto of_band = [&](std::size_t n) { return detail::int16_at(program.data(bands[n].data), i); };
      const auto width = of_band(2);
      if (width <= 0) continue;
      check.demand(of_band(0) >= 0 && of_band(0) + width <= in.count, "band ", i, " is out of range of the spectrum");
      check.demand(of_band(1) >= 0 && of_band(1) + width <= std::min(weights.count, unweights.count), "band ", i,
                   " is out of range of the weights");
    }
    return {check.verdict_so_far(), plan};
  }
  [[gnu::always_inline]] static void compute(const detail::signal_channels& plan, const node_memory& memory) {
    std::uint64_t falling_sum = 0;  // the sum over the previous band, weighted by the falling side of its triangle (`unweights`)
    for (std::int32_t i = 0; i <= plan.count; ++i) {
      const auto frequency = load<std::int16_t>(memory.inputs[3], i);
      const auto weight = load<std::int16_t>(memory.inputs[4], i);
      const auto width = load<std::int16_t>(memory.inputs[5], i);
      auto sum = falling_sum;
      falling_sum = 0;
      for (std::int32_t j = 0; j < width; ++j) {
        const std::uint64_t energy = load<std::uint32_t>(memory.inputs[0], frequency + j);
        sum += static_cast<std::uint64_t>(load<std::int16_t>(memory.inputs[1], weight + j)) * energy;
        falling_sum += static_cast<std::uint64_t>(load<std::int16_t>(memory.inputs[2], weight + j)) * energy;
      }
      if (i > 0) store(memory.outputs[0], i - 1, sum);
    }
  }
};
static_assert(kernel<signal_filter_bank>);

/// `tfl.custom.SignalFilterBankSquareRoot`: rounded square roots of uint64, shifted right by the second operand, which is clamped to [0,
/// 31]. Numeric rule: `signal/src/{filter_bank_square_root,square_root_32,square_root_64}.cc`.
struct signal_square_root {
  static constexpr literal_name operators[] = {"tfl.custom.SignalFilterBankSquareRoot"};
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<std::int32_t> {
    node_check check{program, record};
    check.counts(2, 2);
    check.conforms();
    const auto in = check.input(0, "input", 1);
    const auto bits = check.input(1, "scale bits");
    check.is_one_of(in, {dtype::uint64}, "input");
    check.is_one_of(bits, {dtype::int32}, "scale bits");
    check.demand(bits.count == 1, "scale bits has ", bits.count, " elements, not 1");
    return {check.verdict_so_far(), in.count};
  }
  [[gnu::always_inline]] static void compute(std::int32_t count, const node_memory& memory) {
    const auto bits = std::clamp<std::int32_t>(load<std::int32_t>(memory.inputs[1]), 0, 31);
    for (std::int32_t i = 0; i < count; ++i) {
      const auto energy = load<std::uint64_t>(memory.inputs[0], i);
      // For an energy below 2^32, the reference (the kernel of TensorFlow Lite Micro) computes a 32-bit root, which is at most 65535.
      const auto root = (energy >> 32) == 0 ? detail::rounded_root(static_cast<std::uint32_t>(energy), std::uint32_t{0xffff})
                                            : static_cast<std::uint32_t>(detail::rounded_root(energy, std::uint64_t{0xffffffff}));
      store(memory.outputs[0], i, root >> bits);
    }
  }
};
static_assert(kernel<signal_square_root>);

/// `tfl.custom.SignalFilterBankLog`: scaled natural logarithms of uint32 as int16, saturated at 32767. Each input is first shifted left by
/// `input_correction_bits`. The result is 0 if the shifted input is 0 or 1. Numeric rule: `signal/src/{filter_bank_log,log}.cc`.
struct signal_log {
  static constexpr literal_name operators[] = {"tfl.custom.SignalFilterBankLog"};
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<detail::signal_channels> {
    node_check check{program, record};
    check.counts(1, 1);
    check.conforms();
    const auto in = check.input(0, "input", 1);
    check.is_one_of(in, {dtype::uint32}, "input");
    const detail::signal_options options{check, program, record};
    detail::signal_channels plan;
    plan.count = in.count;
    plan.shift = options.integer("input_correction_bits", 0, 31);
    plan.scale = options.integer("output_scale", std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max());
    return {check.verdict_so_far(), plan};
  }
  [[gnu::always_inline]] static void compute(const detail::signal_channels& plan, const node_memory& memory) {
    for (std::int32_t i = 0; i < plan.count; ++i) {
      const auto number = load<std::uint32_t>(memory.inputs[0], i) << plan.shift;
      const auto log = number > 1 ? detail::scaled_log(number, static_cast<std::uint32_t>(plan.scale)) : 0;
      store(memory.outputs[0], i, static_cast<std::int16_t>(std::min(log, std::uint32_t{32767})));
    }
  }
};
static_assert(kernel<signal_log>);

/// `tfl.custom.SignalPCAN`: multiplies each channel by a gain that falls as the estimated noise rises, and compresses the product. Numeric
/// rule: `signal/src/pcan_argc_fixed.cc`.
struct signal_pcan {
  static constexpr literal_name operators[] = {"tfl.custom.SignalPCAN"};
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<detail::signal_channels> {
    node_check check{program, record};
    check.counts(3, 3);
    check.conforms();
    const auto in = check.input(0, "input", 1);
    const auto noise = check.input(1, "noise estimate", 1);
    const auto gains = check.input(2, "gains", 1);
    check.is_one_of(in, {dtype::uint32}, "input");
    check.is_one_of(noise, {dtype::uint32}, "noise estimate");
    check.is_one_of(gains, {dtype::int16}, "gains");
    check.demand(noise.count == in.count, noise.count, " noise estimates for ", in.count, " channels");
    check.demand(gains.count >= 125, gains.count, " gains, 125 are needed");  // for a noise of 32 bits, `gain_of` reads entry 124
    const detail::signal_options options{check, program, record};
    detail::signal_channels plan;
    plan.count = in.count;
    plan.shift = options.integer("snr_shift", 0, 63);
    return {check.verdict_so_far(), plan};
  }
  [[gnu::always_inline]] static void compute(const detail::signal_channels& plan, const node_memory& memory) {
    for (std::int32_t i = 0; i < plan.count; ++i) {
      const std::uint64_t gain = detail::gain_of(load<std::uint32_t>(memory.inputs[1], i), memory.inputs[2]);
      store(memory.outputs[0], i,
            detail::shrink(static_cast<std::uint32_t>((load<std::uint32_t>(memory.inputs[0], i) * gain) >> plan.shift)));
    }
  }
};
static_assert(kernel<signal_pcan>);

}  // namespace detail

}  // namespace baton::portable
