// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Operators that keep samples from run to run: overlapping frames, stacks of frames, delays, estimates of noise. The kernels
// reproduce the arithmetic of files of TensorFlow Lite Micro, such as `signal/src/overlap_add.cc`.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernels/detail/geometry.hpp>
#include <baton/kernels/node_check.hpp>
#include <baton/kernels/signal/options.hpp>
#include <baton/kernels/unaligned.hpp>
#include <baton/operators/find_definition.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>
#include <type_traits>

namespace baton::portable {

namespace detail {

/// Requires that operand 1 is a state. The operator's definition returns the size of the state in bytes (`hidden_state`).
constexpr void check_signal_state(node_check& check, const program_view& program, const node& record) {
  if (!check.demand(record.inputs.size == 2, "state is missing")) return;
  const auto state = check.state(1, "state");
  if (!check.ok()) return;
  const auto bytes = find_definition(record.op).hidden_state(program, record);
  check.demand(state.type == dtype::uint8 && static_cast<std::uint64_t>(state.count) == bytes, "state has ", state.count, " elements of ",
               facts(state.type).name, "; ", bytes, " of uint8 are needed");
}

/// Appends `count` samples at `from` to the buffer at `kept_at`, which keeps the last `kept` samples. A sample has `sample_bytes` bytes.
inline void push_samples(char* kept_at, std::int32_t kept, const char* from, std::int32_t count, std::int32_t sample_bytes) {
  const auto bytes = [sample_bytes](std::int32_t samples) {
    return static_cast<std::size_t>(samples) * static_cast<std::size_t>(sample_bytes);
  };
  const auto stay = kept > count ? kept - count : 0;
  if (stay > 0) std::memmove(kept_at, kept_at + bytes(kept - stay), bytes(stay));
  std::memcpy(kept_at + bytes(stay), from + bytes(count - (kept - stay)), bytes(kept - stay));
}

/// The compile-time plan of a spectral subtraction.
struct signal_subtraction_plan {
  std::int32_t channels = 1;
  std::uint32_t smoothing[2] = {};  ///< smoothing factors of even and of odd channels
  std::uint32_t one_minus_smoothing[2] = {};
  std::uint32_t min_remaining = 0;  ///< the smallest fraction of a channel that remains
  std::int32_t smoothing_bits = 0;  ///< the left shift of a channel before smoothing
  std::int32_t bits = 0;            ///< the fraction bits of the other numbers: `smoothing`, `one_minus_smoothing`, `min_remaining`
  flag is_clamping = 0;             ///< whether the noise estimate is limited to the value of the channel
};

/// The compile-time plan of an operator on frames. `step` and `kept` count samples; for `signal_stacker`, they count frames.
struct signal_frames_plan {
  std::int32_t signals = 1;
  std::int32_t frames = 1;  ///< number of frames per signal (`signal_stacker`: per stack)
  std::int32_t size = 1;    ///< samples per frame (`signal_delay`: samples per signal)
  std::int32_t step = 1;    ///< the distance between the beginnings of adjacent frames (`signal_stacker`: of adjacent stacks)
  std::int32_t kept = 0;    ///< the samples per signal that the state keeps (`signal_stacker`: the option `stacker_left_context`)
  flag begins_full = 0;     ///< the option `prefill`
  flag is_float = 0;
};

/// `tfl.custom.SignalFilterBankSpectralSubtraction` on uint32: subtracts the estimated noise from each channel. The estimate is a moving
/// average of the channel's values. The second output is this estimate. The first output is at least a fraction of the channel
/// (`min_signal_remaining`). Numeric rule: `signal/src/filter_bank_spectral_subtraction.cc`; 32-bit numbers wrap around.
struct signal_spectral_subtraction {
  static constexpr literal_name operators[] = {"tfl.custom.SignalFilterBankSpectralSubtraction"};
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<detail::signal_subtraction_plan> {
    node_check check{program, record};
    check.conforms(2);
    const auto in = check.input(0, "input", 1);
    check.is_one_of(in, {dtype::uint32}, "input");
    const detail::signal_options options{check, program, record};
    const auto factor = [&options](std::string_view key) {
      return static_cast<std::uint32_t>(
          options.integer(key, std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()));
    };
    detail::signal_subtraction_plan plan;
    plan.channels = options.integer("num_channels", 1, in.count);
    check.demand(plan.channels == in.count, "option num_channels is ", plan.channels, " for ", in.count, " channels");
    plan.smoothing[0] = factor("smoothing");
    plan.smoothing[1] = factor("alternate_smoothing");
    plan.one_minus_smoothing[0] = factor("one_minus_smoothing");
    plan.one_minus_smoothing[1] = factor("alternate_one_minus_smoothing");
    plan.min_remaining = factor("min_signal_remaining");
    plan.smoothing_bits = options.integer("smoothing_bits", 0, 31);
    plan.bits = options.integer("spectral_subtraction_bits", 0, 63);
    plan.is_clamping = options.flag("clamping");
    detail::check_signal_state(check, program, record);
    return {check.verdict_so_far(), plan};
  }
  [[gnu::always_inline]] static void compute(const detail::signal_subtraction_plan& plan, const node_memory& memory) {
    for (std::int32_t i = 0; i < plan.channels; ++i) {
      const auto channel = load<std::uint32_t>(memory.inputs[0], i);
      const auto signal = channel << plan.smoothing_bits;
      const auto before = load<std::uint32_t>(memory.states[1], i);
      auto noise = static_cast<std::uint32_t>(
          (std::uint64_t{signal} * plan.smoothing[i % 2] + std::uint64_t{before} * plan.one_minus_smoothing[i % 2]) >> plan.bits);
      const auto subtracted = std::min(noise, signal);
      if (plan.is_clamping) noise = subtracted;
      const auto minimum = static_cast<std::uint32_t>((std::uint64_t{channel} * plan.min_remaining) >> plan.bits);
      store(memory.states[1], i, noise);
      store(memory.outputs[0], i, std::max((signal - subtracted) >> plan.smoothing_bits, minimum));
      store(memory.outputs[1], i, noise);
    }
  }
};
static_assert(kernel<signal_spectral_subtraction>);

/// `tfl.custom.SignalFramer` on int16: frames of `frame_size` samples along the last axis. A frame begins every `frame_step` samples. The
/// second output is true if all frames are full. All samples of a frame that is not full are 0; the reference (the kernel of
/// TensorFlow Lite Micro) leaves its memory unchanged. With `prefill`, zeros precede the first sample. All other output elements equal
/// those of `signal/micro/kernels/framer.cc`.
struct signal_framer {
  static constexpr literal_name operators[] = {"tfl.custom.SignalFramer"};
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<detail::signal_frames_plan> {
    node_check check{program, record};
    check.conforms(2);
    const auto in = check.input(0, "input");
    check.is_one_of(in, {dtype::int16}, "input");
    const detail::signal_options options{check, program, record};
    detail::signal_frames_plan plan;
    plan.size = options.integer("frame_size", 1, max_bytes / 4);
    plan.step = options.integer("frame_step", 1, in.last());
    plan.begins_full = options.flag("prefill");
    check.demand(!plan.begins_full || plan.size >= plan.step, "prefill needs frame_size ", plan.size, " to be at least frame_step ",
                 plan.step);
    plan.signals = in.count / in.last();
    plan.frames = in.last() / plan.step;
    plan.kept = plan.begins_full ? plan.size - plan.step : (plan.size - 1) / plan.step * plan.step;
    detail::check_signal_state(check, program, record);
    return {check.verdict_so_far(), plan};
  }
  [[gnu::always_inline]] static void compute(const detail::signal_frames_plan& plan, const node_memory& memory) {
    const auto* from = memory.inputs[0];
    auto* to = memory.outputs[0];
    const auto before = plan.begins_full ? plan.kept : load<std::int32_t>(memory.states[1]);
    auto sample_count = before;
    for (std::int32_t s = 0; s < plan.signals; ++s) {
      auto* const kept = memory.states[1] + 4 + 2 * s * plan.kept;
      sample_count = before;
      for (std::int32_t f = 0; f < plan.frames; ++f, from += 2 * plan.step, to += 2 * plan.size) {
        if (sample_count >= 0 && sample_count <= plan.kept - plan.step) {
          std::memset(to, 0, static_cast<std::size_t>(2 * plan.size));
          std::memcpy(kept + 2 * sample_count, from, static_cast<std::size_t>(2 * plan.step));
          sample_count += plan.step;
          continue;
        }
        const auto old = std::min(plan.kept, plan.size);
        std::memcpy(to, kept, static_cast<std::size_t>(2 * old));
        std::memcpy(to + 2 * old, from, static_cast<std::size_t>(2 * (plan.size - old)));
        detail::push_samples(kept, plan.kept, from, plan.step, 2);
      }
    }
    store(memory.states[1], 0, sample_count);
    store(memory.outputs[1], 0, static_cast<std::uint8_t>(before >= 0 && before <= plan.kept - plan.step ? 0 : 1));
  }
};
static_assert(kernel<signal_framer>);

/// `tfl.custom.SignalStacker` on int16: every `stacker_step` frames, concatenates `stacker_left_context` previous frames, the current frame
/// and `stacker_right_context` following frames. The second output is true if the run completes a stack. If not, the first output is filled
/// with zeros; the reference leaves its memory unchanged. Copies of the first frame replace the missing frames before it. All other output
/// elements equal those of `signal/micro/kernels/stacker.cc`.
struct signal_stacker {
  static constexpr literal_name operators[] = {"tfl.custom.SignalStacker"};
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<detail::signal_frames_plan> {
    node_check check{program, record};
    check.conforms(2);
    const auto in = check.input(0, "input", 1);
    const auto out = check.output();
    check.is_one_of(in, {dtype::int16}, "input");
    const detail::signal_options options{check, program, record};
    detail::signal_frames_plan plan;
    plan.size = options.integer("num_channels", 1, in.count);
    check.demand(plan.size == in.count, "option num_channels is ", plan.size, " for ", in.count, " channels");
    plan.kept = options.integer("stacker_left_context", 0, max_bytes / 4);
    plan.frames = out.count / plan.size;
    check.demand(options.integer("stacker_right_context", 0, max_bytes / 4) + plan.kept + 1 == plan.frames, "a stack has ", plan.frames,
                 " frames, not stacker_left_context + 1 + stacker_right_context");
    plan.step = options.integer("stacker_step", 1, plan.frames);
    detail::check_signal_state(check, program, record);
    return {check.verdict_so_far(), plan};
  }
  [[gnu::always_inline]] static void compute(const detail::signal_frames_plan& plan, const node_memory& memory) {
    const auto bytes = static_cast<std::size_t>(2 * plan.size);
    auto* const kept = memory.states[1] + 4;
    auto kept_frames = std::clamp<std::int32_t>(load<std::int32_t>(memory.states[1]), 0, plan.frames) - 1;
    if (kept_frames < 0) {
      for (kept_frames = 0; kept_frames < plan.kept; ++kept_frames)
        std::memcpy(kept + 2 * plan.size * kept_frames, memory.inputs[0], bytes);
    }
    const bool is_full = kept_frames + 1 >= plan.frames;
    auto* const last = is_full ? memory.outputs[0] + 2 * plan.size * kept_frames : kept + 2 * plan.size * kept_frames;
    if (is_full) {
      std::memcpy(memory.outputs[0], kept, bytes * static_cast<std::size_t>(kept_frames));
      std::memcpy(last, memory.inputs[0], bytes);
      kept_frames = plan.frames - plan.step;
      std::memcpy(kept, memory.outputs[0] + 2 * plan.size * plan.step, bytes * static_cast<std::size_t>(kept_frames));
    } else {
      std::memset(memory.outputs[0], 0, bytes * static_cast<std::size_t>(plan.frames));
      std::memcpy(last, memory.inputs[0], bytes);
      ++kept_frames;
    }
    store(memory.states[1], 0, kept_frames + 1);
    store(memory.outputs[1], 0, static_cast<std::uint8_t>(is_full ? 1 : 0));
  }
};
static_assert(kernel<signal_stacker>);

/// `tfl.custom.SignalDelay` on int16: the samples of the last axis, delayed by `delay_length` samples; zeros precede the first sample.
/// Numeric rule: `signal/micro/kernels/delay.cc`.
struct signal_delay {
  static constexpr literal_name operators[] = {"tfl.custom.SignalDelay"};
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<detail::signal_frames_plan> {
    node_check check{program, record};
    check.conforms();
    const auto in = check.input(0, "input");
    check.is_one_of(in, {dtype::int16}, "input");
    check.demand(!in.shape.empty(), "input has no axis");
    const detail::signal_options options{check, program, record};
    detail::signal_frames_plan plan;
    plan.size = in.last();
    plan.signals = in.count / in.last();
    plan.kept = options.integer("delay_length", 0, max_bytes / 4);
    detail::check_signal_state(check, program, record);
    return {check.verdict_so_far(), plan};
  }
  [[gnu::always_inline]] static void compute(const detail::signal_frames_plan& plan, const node_memory& memory) {
    const auto old = std::min(plan.kept, plan.size);
    for (std::int32_t s = 0; s < plan.signals; ++s) {
      const auto* const from = memory.inputs[0] + 2 * s * plan.size;
      auto* const to = memory.outputs[0] + 2 * s * plan.size;
      auto* const kept = memory.states[1] + 2 * s * plan.kept;
      std::memcpy(to, kept, static_cast<std::size_t>(2 * old));
      std::memcpy(to + 2 * old, from, static_cast<std::size_t>(2 * (plan.size - old)));
      detail::push_samples(kept, plan.kept, from, plan.size, 2);
    }
  }
};
static_assert(kernel<signal_delay>);

/// Adds overlapping frames; int16 saturates at each addition.
template <class T>
[[gnu::always_inline]] inline void overlap_add(const signal_frames_plan& plan, const node_memory& memory) {
  const auto* from = memory.inputs[0];
  auto* to = memory.outputs[0];
  constexpr auto sample_bytes = static_cast<std::int32_t>(sizeof(T));
  for (std::int32_t s = 0; s < plan.signals; ++s) {
    auto* const kept = memory.states[1] + sample_bytes * s * std::max(plan.kept, std::int32_t{1});
    for (std::int32_t f = 0; f < plan.frames; ++f, from += sample_bytes * plan.size, to += sample_bytes * plan.step) {
      for (std::int32_t i = 0; i < plan.size; ++i) {
        auto sum = load<T>(from, i);
        if constexpr (std::is_floating_point_v<T>) {
          sum += i < plan.kept ? load<T>(kept, i) : T{};
        } else {
          const std::int32_t wide = sum + (i < plan.kept ? load<T>(kept, i) : T{});
          sum = static_cast<T>(std::clamp<std::int32_t>(wide, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
        }
        // A kept sample is written to a lower index than all kept samples that are read later, so none is overwritten before it is read.
        if (i < plan.step) {
          store(to, i, sum);
        } else {
          store(kept, i - plan.step, sum);
        }
      }
    }
  }
}

/// `tfl.custom.SignalOverlapAdd` on int16 and float32: adds the frames along the second-to-last axis, which yields one signal. Each frame
/// begins `frame_step` samples after the previous frame. Numeric rule: `signal/src/overlap_add.cc`.
struct signal_overlap_add {
  static constexpr literal_name operators[] = {"tfl.custom.SignalOverlapAdd"};
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<detail::signal_frames_plan> {
    node_check check{program, record};
    check.conforms();
    const auto in = check.input(0, "input");
    check.is_one_of(in, {dtype::int16, dtype::float32}, "input");
    const detail::signal_options options{check, program, record};
    detail::signal_frames_plan plan;
    if (!check.ok()) return {check.verdict_so_far(), plan};
    plan.size = in.last();
    plan.frames = in.size(in.shape.size() - 2);
    plan.signals = in.count / plan.size / plan.frames;
    plan.step = options.integer("frame_step", 1, plan.size);
    plan.kept = plan.size - plan.step;
    plan.is_float = in.is_float();
    detail::check_signal_state(check, program, record);
    return {check.verdict_so_far(), plan};
  }
  [[gnu::always_inline]] static void compute(const detail::signal_frames_plan& plan, const node_memory& memory) {
    if (plan.is_float) return detail::overlap_add<float>(plan, memory);
    detail::overlap_add<std::int16_t>(plan, memory);
  }
};
static_assert(kernel<signal_overlap_add>);

}  // namespace detail

}  // namespace baton::portable
