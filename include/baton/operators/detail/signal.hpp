// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Operators of audio front ends: custom operators of TensorFlow Lite Micro (`signal/micro/kernels/*.cc`).
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/operators/flexbuffer.hpp>
#include <baton/operators/inference.hpp>
#include <baton/operators/known_integers.hpp>
#include <baton/operators/operator_definition.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::definitions {

inline constexpr operand_definition signal_operands[] = {{"input"}};
inline constexpr operand_definition signal_state_operands[] = {{"input"}, {"state", operand_definition::presence::optional}};
inline constexpr operand_definition signal_window_operands[] = {{"input"}, {"weights"}};
inline constexpr operand_definition signal_filter_bank_operands[] = {{"input"},         {"weights"}, {"unweights"}, {"frequency_starts"},
                                                                     {"weight_starts"}, {"widths"}};
inline constexpr operand_definition signal_root_operands[] = {{"input"}, {"scale_bits"}};
inline constexpr operand_definition signal_pcan_operands[] = {{"input"}, {"noise_estimate"}, {"gains"}};

/// Returns an integer option, clamped to [0, `known_sizes::max`]. Returns 0 if the option is absent.
constexpr auto signal_option(std::string_view options, std::string_view key) -> std::int64_t {
  const auto number = flexbuffer{options}[key].integer();
  return number < 0 ? 0 : number > known_sizes::max ? known_sizes::max : number;
}
constexpr auto signal_flag(std::string_view options, std::string_view key) -> bool { return flexbuffer{options}[key].flag(); }
constexpr auto signal_option(const inference& node, std::string_view key) -> std::int64_t {
  return signal_option(node.text("custom_options"), key);
}

/// Returns the shape of the input, with the last size replaced by `last`.
constexpr auto signal_shape(const inference& node, std::int64_t last) -> inferred_shape {
  inferred_shape shape{node.shape(0)};
  if (shape.rank > 0) shape.sizes[shape.rank - 1] = last;
  return shape;
}

constexpr void infer_signal_same(inference& node) { node.set_output(0, node.type(0), inferred_shape{node.shape(0)}); }
/// Infers the spectrum of a real signal. For an FFT of length n, the spectrum has n / 2 + 1 complex numbers, each of which is stored as two
/// elements.
constexpr void infer_signal_rfft(inference& node) {
  if (node.rank(0) == 0) return node.fail({"the signal has no dimension"});
  node.set_output(0, node.type(0), signal_shape(node, (signal_option(node, "fft_length") / 2 + 1) * 2));
}
constexpr void infer_signal_irfft(inference& node) {
  if (node.rank(0) == 0) return node.fail({"the spectrum has no dimension"});
  node.set_output(0, node.type(0), signal_shape(node, signal_option(node, "fft_length")));
}
constexpr void infer_signal_auto_scale(inference& node) {
  infer_signal_same(node);
  node.set_output(1, dtype::int32, {});
}
constexpr void infer_signal_energy(inference& node) {
  if (!node.require_rank(0, 1)) return;
  node.set_output(0, dtype::uint32, {node.size(0, 0) < 0 ? -1 : node.size(0, 0) / 2});
}
constexpr void infer_signal_filter_bank(inference& node) { node.set_output(0, dtype::uint64, {signal_option(node, "num_channels")}); }
constexpr void infer_signal_root(inference& node) { node.set_output(0, dtype::uint32, inferred_shape{node.shape(0)}); }
constexpr void infer_signal_subtraction(inference& node) {
  infer_signal_same(node);
  node.set_output(1, node.type(0), inferred_shape{node.shape(0)});
}
constexpr void infer_signal_log(inference& node) { node.set_output(0, dtype::int16, inferred_shape{node.shape(0)}); }
/// Infers the frames of a signal, and a flag that states whether all frames are full. Every `frame_step` samples of the input yield one
/// frame of `frame_size` samples. So the last dimension becomes two dimensions: the frames, and the samples of a frame.
constexpr void infer_signal_framer(inference& node) {
  const auto rank = node.rank(0);
  if (rank == 0) return node.fail({"the signal has no dimension"});
  const auto step = signal_option(node, "frame_step");
  const auto size = node.size(0, rank - 1);
  if (step == 0) return node.fail({"the step between frames is 0"});
  if (size >= 0 && size % step != 0) return node.fail({size, " samples are not a multiple of frame_step ", step});
  auto shape = signal_shape(node, size < 0 ? -1 : size / step);
  shape.add(signal_option(node, "frame_size"));
  node.set_output(0, node.type(0), shape);
  node.set_output(1, dtype::boolean, {});
}
constexpr void infer_signal_stacker(inference& node) {
  const auto frames = signal_option(node, "stacker_left_context") + signal_option(node, "stacker_right_context") + 1;
  const auto channels = signal_option(node, "num_channels");
  node.set_type(0, node.type(0));
  if (channels <= known_sizes::max / frames) node.set_shape(0, {channels * frames});
  node.set_output(1, dtype::boolean, {});
}
/// Infers signals from frames. Each frame begins `frame_step` samples after the previous frame, so n frames yield n · `frame_step` samples.
/// Frames may overlap; the overlapping samples are added.
constexpr void infer_signal_overlap_add(inference& node) {
  const auto rank = node.rank(0);
  if (rank < 2) return node.fail({"operand 0 has ", rank, " dimensions and needs two, the frames and their samples"});
  const auto frames = node.size(0, rank - 2);
  const auto step = signal_option(node, "frame_step");
  inferred_shape shape{node.shape(0).first(rank - 2)};
  shape.add(frames < 0 || (step != 0 && frames > known_sizes::max / step) ? -1 : frames * step);
  node.set_output(0, node.type(0), shape);
}

// The sizes of hidden states, in the layout of the kernels in `kernels/signal/frames.hpp`.

/// A view of the options and the input of a node with a hidden state.
struct stateful_signal_node {
  const program_view& program;
  const node& record;

  constexpr auto option(std::string_view key) const -> std::uint64_t {
    return static_cast<std::uint64_t>(signal_option(program.text(record, "custom_options"), key));
  }
  constexpr auto input() const -> const value& { return program[program.inputs(record)[0]]; }
  /// Returns the number of signals in the input, or 0 if the number is unknown. A signal occupies the last `axes` dimensions of the input.
  /// If `axes` is 1, this dimension contains the samples. If `axes` is 2, these dimensions contain the frames and the samples of each
  /// frame.
  constexpr auto signals(std::size_t axes) const -> std::uint64_t {
    const auto shape = program.integer_list(input().shape);
    if (shape.size() < axes) return 0;
    const auto count = element_count(shape.first(shape.size() - axes));
    return count > 0 && count <= known_sizes::max ? static_cast<std::uint64_t>(count) : 0;
  }
  /// Returns the number of samples of a signal or a frame, or 0 if the number is unknown.
  constexpr auto samples() const -> std::uint64_t {
    const auto size = input().shape.size == 0 ? 0 : program.integer_list(input().shape).back();
    return size > 0 && size <= known_sizes::max ? static_cast<std::uint64_t>(size) : 0;
  }
  /// Returns `count * element_bytes + extra_bytes`. Returns 0 (unknown) if `count` is 0 (unknown), or if `count * element_bytes` exceeds
  /// 1 GiB, which is too much for any arena.
  static constexpr auto bytes(std::uint64_t count, std::uint64_t element_bytes, std::uint64_t extra_bytes = 0) -> std::uint64_t {
    constexpr std::uint64_t max_bytes = 1u << 30;
    if (count == 0 || (element_bytes != 0 && count > max_bytes / element_bytes)) return 0;
    return count * element_bytes + extra_bytes;
  }
};

/// Returns the size of the state in bytes. The state has a noise estimate of 4 bytes for each channel.
constexpr auto state_of_signal_subtraction(const program_view& program, const node& record) -> std::uint64_t {
  return stateful_signal_node::bytes(stateful_signal_node{program, record}.option("num_channels"), 4);
}
/// Returns the size of the state in bytes. The state begins with a 4-byte count of received samples. The kernel uses this count while
/// frames are incomplete. After the count, the state contains the first samples of the next frame of each signal, with 2 bytes per sample.
constexpr auto state_of_signal_framer(const program_view& program, const node& record) -> std::uint64_t {
  const stateful_signal_node state_node{program, record};
  const auto size = state_node.option("frame_size");
  const auto step = state_node.option("frame_step");
  if (step == 0 || size == 0) return 0;
  const bool begins_full = signal_flag(program.text(record, "custom_options"), "prefill");
  const auto kept_samples = !begins_full ? (size - 1) / step * step : size < step ? 0 : size - step;
  return stateful_signal_node::bytes(state_node.signals(1), 2 * kept_samples, 4);
}
/// Returns the size of the state in bytes. The state begins with a 4-byte counter: 0 before the first frame, then the number of stored
/// frames plus one. After the counter, the state contains `stacker_left_context` + `stacker_right_context` frames. A frame has
/// `num_channels` elements of 2 bytes.
constexpr auto state_of_signal_stacker(const program_view& program, const node& record) -> std::uint64_t {
  const stateful_signal_node state_node{program, record};
  return stateful_signal_node::bytes(state_node.option("num_channels"),
                                     2 * (state_node.option("stacker_left_context") + state_node.option("stacker_right_context")), 4);
}
/// Returns the size of the state in bytes. The state has the delayed samples of each signal, 2 bytes each. The state has at least one
/// sample per signal, because a size of 0 means that the size is unknown.
constexpr auto state_of_signal_delay(const program_view& program, const node& record) -> std::uint64_t {
  const stateful_signal_node state_node{program, record};
  const auto length = state_node.option("delay_length");
  return stateful_signal_node::bytes(state_node.signals(1), 2 * (length == 0 ? 1 : length));
}
/// Returns the size of the state in bytes. The state has the partial sums of each signal, to which the next frames are added. The state has
/// at least one sample per signal, because a size of 0 means that the size is unknown.
constexpr auto state_of_signal_overlap_add(const program_view& program, const node& record) -> std::uint64_t {
  const stateful_signal_node state_node{program, record};
  const auto size = state_node.samples();
  const auto step = state_node.option("frame_step");
  const std::uint64_t sample_bytes = state_node.input().type == dtype::int16 ? 2 : 4;
  return stateful_signal_node::bytes(state_node.signals(2), sample_bytes * (size > step ? size - step : 1));
}

/// Definitions of TensorFlow Lite Micro's signal operators. Their options are FlexBuffers in the attribute `custom_options`.
inline constexpr operator_definition signal[] = {
    {.name = "tfl.custom.SignalWindow", .operands = signal_window_operands, .infer = infer_signal_same},
    {.name = "tfl.custom.SignalRfft", .operands = signal_operands, .infer = infer_signal_rfft},
    {.name = "tfl.custom.SignalIrfft", .operands = signal_operands, .infer = infer_signal_irfft},
    {.name = "tfl.custom.SignalFftAutoScale", .operands = signal_operands, .infer = infer_signal_auto_scale},
    {.name = "tfl.custom.SignalEnergy", .operands = signal_operands, .infer = infer_signal_energy},
    {.name = "tfl.custom.SignalFilterBank", .operands = signal_filter_bank_operands, .infer = infer_signal_filter_bank},
    {.name = "tfl.custom.SignalFilterBankSquareRoot", .operands = signal_root_operands, .infer = infer_signal_root},
    {.name = "tfl.custom.SignalFilterBankSpectralSubtraction",
     .operands = signal_state_operands,
     .keeps_state = true,
     .infer = infer_signal_subtraction,
     .hidden_state = state_of_signal_subtraction},
    {.name = "tfl.custom.SignalPCAN", .operands = signal_pcan_operands, .infer = infer_signal_same},
    {.name = "tfl.custom.SignalFilterBankLog", .operands = signal_operands, .infer = infer_signal_log},
    {.name = "tfl.custom.SignalFramer",
     .operands = signal_state_operands,
     .keeps_state = true,
     .infer = infer_signal_framer,
     .hidden_state = state_of_signal_framer},
    {.name = "tfl.custom.SignalStacker",
     .operands = signal_state_operands,
     .keeps_state = true,
     .infer = infer_signal_stacker,
     .hidden_state = state_of_signal_stacker},
    {.name = "tfl.custom.SignalDelay",
     .operands = signal_state_operands,
     .keeps_state = true,
     .infer = infer_signal_same,
     .hidden_state = state_of_signal_delay},
    {.name = "tfl.custom.SignalOverlapAdd",
     .operands = signal_state_operands,
     .keeps_state = true,
     .infer = infer_signal_overlap_add,
     .hidden_state = state_of_signal_overlap_add},
};

}  // namespace baton::definitions
