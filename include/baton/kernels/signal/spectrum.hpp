// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Operators on a signal before its Fourier transform, and on the spectrum after it. The kernels reproduce the arithmetic of files
// of TensorFlow Lite Micro, such as `signal/src/window.cc`.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernels/node_check.hpp>
#include <baton/kernels/signal/options.hpp>
#include <baton/kernels/unaligned.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>

namespace baton::portable {

namespace detail {

/// The compile-time plan of a window.
struct signal_window_plan {
  std::int32_t count = 1;    ///< samples
  std::int32_t weights = 1;  ///< the number of weights
  std::int32_t shift = 0;    ///< the right shift of a product
};

/// The compile-time plan of energies. Only the energies in [`first`, `end`) are computed.
struct signal_energy_plan {
  std::int32_t count = 1;
  std::int32_t first = 0;
  std::int32_t end = 1;
};

/// Returns the number of bits by which a signal can be shifted left without clipping; 0 for a silent signal. As in the reference (the
/// kernel of TensorFlow Lite Micro), the largest magnitude is an int16, so an element of -32768 sets it to -32768. The next element that is
/// not -32768 replaces it, even if that element is small. The shift may then clip the signal.
inline auto signal_headroom(const char* from, std::int32_t count) -> std::int32_t {
  std::int16_t largest = 0;
  for (std::int32_t i = 0; i < count; ++i) {
    const auto sample = load<std::int16_t>(from, i);
    if (sample > largest) {
      largest = sample;
    } else if (-sample > largest) {
      largest = static_cast<std::int16_t>(-sample);
    }
  }
  return largest <= 0 ? 0 : 15 - static_cast<std::int32_t>(std::bit_width(static_cast<std::uint32_t>(largest)));
}

/// `tfl.custom.SignalWindow` on int16. Multiplies each group of consecutive samples by the weights; a group has as many samples as there
/// are weights. Products are shifted right, which rounds down, and saturated. Numeric rule: `signal/src/window.cc`.
struct signal_window {
  static constexpr literal_name operators[] = {"tfl.custom.SignalWindow"};
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<detail::signal_window_plan> {
    node_check check{program, record};
    check.counts(2, 2);
    check.conforms();
    const auto in = check.input(0, "input");
    const auto weights = check.input(1, "weights", 1);
    check.is_one_of(in, {dtype::int16}, "input");
    check.is_one_of(weights, {dtype::int16}, "weights");
    check.demand(in.count % weights.count == 0, in.count, " samples are not a multiple of ", weights.count, " weights");
    const detail::signal_options options{check, program, record};
    const detail::signal_window_plan plan{in.count, weights.count, options.integer("shift", 0, 31)};
    return {check.verdict_so_far(), plan};
  }
  [[gnu::always_inline]] static void compute(const detail::signal_window_plan& plan, const node_memory& memory) {
    for (std::int32_t first = 0; first < plan.count; first += plan.weights) {
      for (std::int32_t i = 0; i < plan.weights; ++i) {
        const std::int32_t product = load<std::int16_t>(memory.inputs[0], first + i) * load<std::int16_t>(memory.inputs[1], i);
        store(memory.outputs[0], first + i, static_cast<std::int16_t>(std::clamp<std::int32_t>(product >> plan.shift, -32768, 32767)));
      }
    }
  }
};
static_assert(kernel<signal_window>);

/// `tfl.custom.SignalFftAutoScale` on int16: multiplies the signal by the power of two whose exponent `signal_headroom` returns. The second
/// output is this exponent. Numeric rule: `signal/src/{fft_auto_scale,max_abs}.cc`.
struct signal_auto_scale {
  static constexpr literal_name operators[] = {"tfl.custom.SignalFftAutoScale"};
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<std::int32_t> {
    node_check check{program, record};
    check.conforms(2);
    const auto in = check.input(0, "input", 1);
    check.is_one_of(in, {dtype::int16}, "input");
    return {check.verdict_so_far(), in.count};
  }
  [[gnu::always_inline]] static void compute(std::int32_t count, const node_memory& memory) {
    const auto bits = detail::signal_headroom(memory.inputs[0], count);
    for (std::int32_t i = 0; i < count; ++i) {
      store(memory.outputs[0], i, static_cast<std::int16_t>(load<std::int16_t>(memory.inputs[0], i) * (1 << bits)));
    }
    store(memory.outputs[1], 0, bits);
  }
};
static_assert(kernel<signal_auto_scale>);

/// `tfl.custom.SignalEnergy`: the squared magnitudes of the complex int16 numbers in [`start_index`, `end_index`). Outside of this range,
/// the output is 0; the reference leaves these elements unchanged. Numeric rule: `signal/src/energy.cc`.
struct signal_energy {
  static constexpr literal_name operators[] = {"tfl.custom.SignalEnergy"};
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<detail::signal_energy_plan> {
    node_check check{program, record};
    check.counts(1, 1);
    check.conforms();
    const auto in = check.input(0, "input", 1);
    const auto out = check.output(1);
    check.is_one_of(in, {dtype::int16}, "input");
    const detail::signal_options options{check, program, record};
    detail::signal_energy_plan plan;
    plan.count = out.count;
    plan.end = options.integer("end_index", 0, out.count);
    plan.first = options.integer("start_index", 0, plan.end);
    return {check.verdict_so_far(), plan};
  }
  [[gnu::always_inline]] static void compute(const detail::signal_energy_plan& plan, const node_memory& memory) {
    const auto square = [&](std::int32_t i) {
      const auto part = load<std::int16_t>(memory.inputs[0], i);
      return static_cast<std::uint32_t>(part * part);
    };
    for (std::int32_t i = 0; i < plan.count; ++i) {
      store(memory.outputs[0], i, i >= plan.first && i < plan.end ? square(2 * i) + square(2 * i + 1) : 0);
    }
  }
};
static_assert(kernel<signal_energy>);

}  // namespace detail

}  // namespace baton::portable
