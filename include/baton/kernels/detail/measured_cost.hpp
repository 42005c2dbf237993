// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The estimated cost of a node, from a table of measured costs.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/kernel_costs.hpp>
#include <baton/kernels/cortex_m/options.hpp>
#include <baton/kernels/declared_kernels.hpp>
#include <baton/kernels/kernels.hpp>
#include <baton/kernels/shared/cost_row.hpp>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace baton::detail {

/// The measured additional cost of slices (see `in_slices`), for one operator and one `kernel_form`.
struct call_row {
  /// The additional instructions of a node that is cut into slices: for each call, and for each element of the output.
  struct added {
    double call = 0;
    double output = 0;

    constexpr auto of(double outputs) const -> node_cost::cut {
      return {static_cast<std::uint64_t>(call), static_cast<std::uint64_t>(output * outputs)};
    }
  };

  literal_name op;
  cost_row::node_class is = cost_row::node_class::any;
  cost_row::kernel_form form = cost_row::kernel_form::portable;
  added by_rows{};
  added by_chunks{};
  /// The maximum number of instructions by which a small node exceeds the sum of its estimate and its margin. Measured with `sh
  /// tests/plan/stepped_networks/run.sh --measure`.
  double small_node = 0;
};

/// The measured costs of a core.
struct measured_table {
  span<const cost_row> rows;
  span<const call_row> calls;
  // The additional instructions for each output row of a node in a segment (a range of nodes that run row by row):
  std::uint64_t row_instructions = 0;           ///< for all kernels except those of the two members below
  std::uint64_t portable_row_instructions = 0;  ///< for the portable kernels
  std::uint64_t helium_row_instructions = 0;    ///< for the Helium kernels, except those of the form `helium_few_channels`
  /// The instructions per input element of a hybrid layer in which each call determines the range of the inputs. Measured on a Cortex-M4 by
  /// tests/budget/kernel_costs.sh: the additional instructions of chunks of fully connected layers, divided by the number of input
  /// elements.
  double ranged_input = 13;
  // The numbers below were measured on a Cortex-M4. `expanded_input` was measured in the first layer of `ad01_int8`: the instructions by
  // which the first slice exceeds each other slice, divided by the 640 inputs. `expanded_pixels` and `slice` were measured in random
  // networks (`sh tests/plan/stepped_networks/run.sh --measure 1 200`), with estimates that did not contain these two numbers.
  // `expanded_pixels` is the largest number of instructions by which a slice of chunks of a convolution exceeded its estimate. `slice` is
  // this number for the slices of other nodes. All other numbers cover the errors of the estimates for the layers in
  // tests/kernels/measured_cost_test.cpp.
  double expanded_input = 2.25;  ///< the instructions for an input that a Cortex-M kernel expands to 16 bits in scratch
  /// The instructions to begin two pixels of a Cortex-M convolution that is computed by chunks (see `kernel_facts::chunks`).
  double expanded_pixels = 670;
  double lone_channel = 20;   ///< the instructions per pixel for the last channel of a Cortex-M convolution with an odd number of channels
  double gathered_input = 9;  ///< the instructions with which a portable convolution copies an input to the stack
  /// The largest known error per pixel of a portable depthwise convolution with few channels, in instructions.
  double depthwise_pixel = 120;
  std::uint64_t slice = 100;  ///< the instructions of a slice outside of the kernel

  constexpr auto row_of(cost_row::kernel_form form) const -> std::uint64_t {
    if (form == cost_row::kernel_form::portable) return portable_row_instructions;
    return form == cost_row::kernel_form::helium ? helium_row_instructions : row_instructions;
  }
};

/// The costs of an operator that was not measured.
inline constexpr cost_row other_row{"", cost_row::node_class::any, cost_row::kernel_form::portable, {100, 30, 3, 0, 0}, 400};
inline constexpr call_row other_calls{"", cost_row::node_class::any, cost_row::kernel_form::portable, {1000, 0}, {1000, 0}};

/// The `kernel_form` of a kernel. A kernel without a specialization is portable, or unknown to the tables (`is_known_kernel`).
template <class Kernel>
inline constexpr cost_row::kernel_form form_of = cost_row::kernel_form::portable;
template <template <cortex_m::options> class Kernel, cortex_m::options Options>
inline constexpr cost_row::kernel_form form_of<Kernel<Options>> = cost_row::kernel_form::cortex_m;
template <cortex_m::options Options>
inline constexpr cost_row::kernel_form form_of<cortex_m::detail::packed_conv_2d<Options>> = cost_row::kernel_form::cortex_m_packed;
template <cortex_m::options Options>
inline constexpr cost_row::kernel_form form_of<cortex_m::detail::gathered_conv_2d<Options>> = cost_row::kernel_form::cortex_m_gathered;
template <cortex_m::options Options>
inline constexpr cost_row::kernel_form form_of<cortex_m::detail::depthwise_conv_2d_by_taps<Options>> =
    cost_row::kernel_form::cortex_m_by_taps;
template <cortex_m::options Options>
inline constexpr cost_row::kernel_form form_of<cortex_m::detail::fully_connected_from_bytes<Options>> =
    cost_row::kernel_form::cortex_m_from_bytes;
template <cortex_m::options Options>
inline constexpr cost_row::kernel_form form_of<cortex_m::detail::winograd_conv_2d<Options>> = cost_row::kernel_form::winograd;
template <>
inline constexpr cost_row::kernel_form form_of<helium::detail::few_channel_depthwise> = cost_row::kernel_form::helium_few_channels;

template <class Kernel, class... Kernels>
constexpr auto is_in(kernel_list<Kernels...>) -> bool {
  return (std::is_same_v<Kernel, Kernels> || ...);
}
template <class Kernel>
  requires(is_in<Kernel>(helium_kernels) && !std::is_same_v<Kernel, helium::detail::few_channel_depthwise>)
inline constexpr cost_row::kernel_form form_of<Kernel> = cost_row::kernel_form::helium;

/// True if a table can contain rows for `Kernel`: `form_of` has a specialization for `Kernel`, or `Kernel` is a portable kernel.
template <class Kernel>
inline constexpr bool is_known_kernel = form_of<Kernel> != cost_row::kernel_form::portable || is_in<Kernel>(portable_kernels);

constexpr auto name_of(cost_row::kernel_form form) -> std::string_view {
  switch (form) {
    case cost_row::kernel_form::portable:
      return "portable";
    case cost_row::kernel_form::cortex_m:
      return "cortex_m";
    case cost_row::kernel_form::cortex_m_packed:
      return "cortex_m_packed";
    case cost_row::kernel_form::cortex_m_gathered:
      return "cortex_m_gathered";
    case cost_row::kernel_form::cortex_m_by_taps:
      return "cortex_m_by_taps";
    case cost_row::kernel_form::cortex_m_from_bytes:
      return "cortex_m_from_bytes";
    case cost_row::kernel_form::winograd:
    case cost_row::kernel_form::winograd_by_single_rows:
      return "winograd";
    case cost_row::kernel_form::cmsis_nn:
      return "cmsis_nn";
    case cost_row::kernel_form::helium:
    case cost_row::kernel_form::helium_few_channels:
      return "helium";
  }
  return "";
}

/// Returns the first row in `measured_table::calls` that matches a node and `form`, or null if no row matches. In the table, the rows of
/// narrow classes precede the rows of wider classes.
constexpr auto find_calls(const measured_table& table, const program_view& program, const node& record, cost_row::kernel_form form)
    -> const call_row* {
  const cost_row::node_operator own(program, record);
  for (const auto& each : table.calls) {
    if (each.form == form && own.is(each.op) && cost_row::is_of_class(program, record, each.is)) return &each;
  }
  return nullptr;
}

/// Returns the number of inputs of a batch item of a fully connected layer, an SVDF layer or another node with outputs [batch, channels].
constexpr auto inputs_of_item(const program_view& program, const node& record) -> double {
  if (record.inputs.size == 0 || record.outputs.size == 0 || program.inputs(record)[0] == none<value_id>) return 0;
  const auto to = program.shape(program.outputs_of(record)[0]);
  if (to.empty() || to[to.size() - 1] <= 0) return 0;
  const auto batches = std::max<std::int64_t>(1, element_count(to) / to[to.size() - 1]);
  return static_cast<double>(std::max<std::int64_t>(0, element_count(program.shape(program.inputs(record)[0]))) / batches);
}

/// Returns the number of inputs from which a convolution computes an output pixel, or a depthwise convolution computes an output element.
constexpr auto inputs_of_pixel(const program_view& program, const node& record) -> double {
  if (record.inputs.size < 2 || program.inputs(record)[1] == none<value_id>) return 0;
  const auto filter = program.shape(program.inputs(record)[1]);
  if (filter.size() != 4 || filter[0] <= 0 || filter[3] <= 0) return 0;
  return static_cast<double>(element_count(filter) / (cost_row::is_depthwise(record) ? filter[3] : filter[0]));
}

/// Returns the instructions by which the longest slice of chunks can exceed its share of the node's instructions (`node_cost::cut`). The
/// first slice of a Cortex-M `fully_connected` or `svdf` expands the inputs of a batch item, which the later slices read. A Cortex-M
/// convolution computes pairs of pixels; the first chunk of a pair expands the inputs of both pixels. Includes `measured_table::slice`.
constexpr auto cost_at_first_chunk(const measured_table& table, const program_view& program, const node& record, cost_row::kernel_form form)
    -> std::uint64_t {
  const cost_row::node_operator own(program, record);
  double instructions = 0;
  if (form == cost_row::kernel_form::cortex_m && (own.is("tfl.fully_connected") || own.is("tfl.svdf"))) {
    instructions = table.expanded_input * inputs_of_item(program, record);
  } else if (cost_row::is_convolution(record) &&
             (form == cost_row::kernel_form::cortex_m || form == cost_row::kernel_form::cortex_m_packed ||
              form == cost_row::kernel_form::cortex_m_gathered)) {
    instructions = table.expanded_pixels + table.expanded_input * 2 * inputs_of_pixel(program, record);
  }
  return static_cast<std::uint64_t>(instructions) + table.slice;
}

/// Returns the additional instructions of a call of `compute_rows`. If `form` computes pairs of pixels and a row has an odd number of
/// pixels, a call may compute one pixel more than it needs. In this case, returns the instructions of one pixel, otherwise 0.
/// `instructions` is the cost of the whole node.
constexpr auto cost_of_odd_row(const program_view& program, const node& record, cost_row::kernel_form form, std::uint64_t instructions)
    -> std::uint64_t {
  if (record.outputs.size == 0 || !cost_row::computes_pixel_pairs(program, record, form)) return 0;
  const auto image = program.shape(program.outputs_of(record)[0]);
  if (image.size() != 4 || image[2] % 2 == 0) return 0;
  const std::int64_t pixels = std::int64_t{image[0]} * image[1] * image[2];
  return pixels <= 0 ? 0 : instructions / static_cast<std::uint64_t>(pixels) + 1;
}

/// Returns the instructions by which an int8 layer of few output channels can exceed the fitted cost. Convolutions were measured with at
/// least eight channels, but the inputs of each pixel are copied or converted to 16 bits, even if the pixel has few output channels. If a
/// Cortex-M convolution has an odd number of channels, it writes the last channel to a buffer first.
constexpr auto margin_of_few_channels(const measured_table& table, const program_view& program, const node& record,
                                      cost_row::kernel_form form) -> double {
  if (record.outputs.size == 0) return 0;
  const auto output = program.outputs_of(record)[0];
  const auto image = program.shape(output);
  if (program[output].type != dtype::int8 || image.size() != 4) return 0;
  const auto pixels = static_cast<double>(image[0] * image[1] * image[2]);
  const auto missing = [](double channels, double min_channels) { return std::max(0.0, 1 - channels / min_channels); };
  const auto inputs = inputs_of_pixel(program, record);
  if (cost_row::computes_pixel_pairs(program, record, form)) {
    const auto of_inputs = table.expanded_input * inputs * missing(static_cast<double>(cost_row::round_up(image[3], 2)), 8);
    return pixels * (of_inputs + (image[3] % 2 != 0 ? table.lone_channel : 0));
  }
  if (form != cost_row::kernel_form::portable) return 0;
  const auto channels = static_cast<double>(image[3]);
  if (cost_row::is_convolution(record)) return pixels * table.gathered_input * inputs * missing(channels, 8);
  return cost_row::is_depthwise(record) ? pixels * table.depthwise_pixel * missing(channels, 16) : 0;
}

/// Returns the instructions with which a call of `compute_chunks` determines the range of its inputs. In a hybrid fully connected layer,
/// each call determines the range. For all other nodes, returns 0, because chunks of other hybrid layers determine the range only once.
constexpr auto cost_of_range(const measured_table& table, const program_view& program, const node& record) -> std::uint64_t {
  const bool repeats = cost_row::node_operator(program, record).is("tfl.fully_connected") &&
                       cost_row::is_of_class(program, record, cost_row::node_class::hybrid);
  return repeats ? static_cast<std::uint64_t>(table.ranged_input * inputs_of_item(program, record)) : 0;
}

/// Returns the instructions by which a small node can exceed the sum of its fitted cost and its margin in percent. A fully connected layer
/// converts its inputs to 16 bits. The form `cortex_m` also computes outputs in blocks, and the last block may compute outputs that do not
/// exist. Both costs grow with the number of inputs. Includes `measured_table::slice`.
constexpr auto margin_of_small_node(const measured_table& table, const call_row& calls, const program_view& program, const node& record,
                                    cost_row::kernel_form form) -> std::uint64_t {
  double instructions = calls.small_node;
  if (cost_row::node_operator(program, record).is("tfl.fully_connected")) {
    const bool has_blocks = form == cost_row::kernel_form::cortex_m;
    instructions += (table.expanded_input + (has_blocks ? 1 : 0)) * inputs_of_item(program, record);
  }
  instructions += margin_of_few_channels(table, program, record, form);
  return static_cast<std::uint64_t>(instructions) + table.slice;
}

/// Returns the cost of a node from a table. If no row of the table matches the node and `form`, the cost is computed from `other_row`.
constexpr auto measured_cost(const measured_table& table, const program_view& program, const node& record, cost_row::kernel_form form)
    -> node_cost {
  const auto* row = cost_row::find(table.rows, program, record, form);
  node_cost result;
  result.form = name_of(form);
  result.is_known = row != nullptr;
  if (row == nullptr) row = &other_row;
  const auto size = cost_row::size_of(program, record, form);
  auto instructions = row->instructions.at(size);
  // For some sizes, the fitted cost of one of these forms (alternative kernels that only `within` selects) is below the fitted cost of its
  // kernel. A form is never faster than its kernel, so its estimate is at least the estimate of the kernel.
  const bool is_form = form == cost_row::kernel_form::cortex_m_packed || form == cost_row::kernel_form::cortex_m_gathered ||
                       form == cost_row::kernel_form::cortex_m_by_taps || form == cost_row::kernel_form::cortex_m_from_bytes;
  if (is_form) {
    const auto of_kernel = measured_cost(table, program, record, cost_row::kernel_form::cortex_m).instructions;
    instructions = std::max(instructions, static_cast<double>(of_kernel));
  }
  // A small layer may cost less than the constant part of the fitted cost. A Cortex-M kernel with a row in the table costs at most half as
  // much as portable code. So the estimate is half the cost of portable code, but at least the fitted cost without its constant part, and
  // at most the fitted cost.
  if (form == cost_row::kernel_form::cortex_m && result.is_known) {
    const auto of_portable = measured_cost(table, program, record, cost_row::kernel_form::portable).instructions;
    instructions = std::min(instructions, std::max(instructions - row->instructions.call, static_cast<double>(of_portable) / 2));
  }
  if (form == cost_row::kernel_form::winograd) {
    const auto* const single = cost_row::find(table.rows, program, record, cost_row::kernel_form::winograd_by_single_rows);
    if (single != nullptr) {
      result.single_row_instructions = static_cast<std::uint64_t>(std::max(0.0, single->instructions.at(size) - instructions));
    }
  }
  result.instructions = static_cast<std::uint64_t>(instructions);
  // The margin of a table row is the largest error on the samples to which the row was fitted. Other layers can exceed it, so the margin is
  // at least 3 percent.
  result.margin_percent = std::max(std::uint32_t{3}, static_cast<std::uint32_t>(100 * row->instructions.margin + 0.999));
  result.instructions_per_row = table.row_of(form);
  result.code_bytes = static_cast<std::uint64_t>(row->code_bytes);
  const auto* const calls = find_calls(table, program, record, form);
  const auto& added = calls == nullptr ? other_calls : *calls;
  result.by_rows = added.by_rows.of(size.outputs);
  result.by_chunks = added.by_chunks.of(size.outputs);
  result.by_rows.per_call += cost_of_odd_row(program, record, form, result.instructions);
  result.by_chunks.per_call += cost_of_range(table, program, record);
  result.by_rows.at_first = table.slice;
  result.by_chunks.at_first = cost_at_first_chunk(table, program, record, form);
  result.margin_instructions = margin_of_small_node(table, added, program, record, form);
  return result;
}

/// The cost table of a core (`kernel_costs`) with the measured costs `Table`.
template <const measured_table& Table>
struct measured_costs_of {
  /// The measured rows. The rows of narrow node classes precede the rows of wider classes (see `cost_row::find`).
  static constexpr auto rows() -> span<const cost_row> { return Table.rows; }
  /// The form of a kernel: only the rows with this `cost_row::kernel_form` apply to the kernel.
  template <class Kernel>
  static constexpr cost_row::kernel_form form = form_of<Kernel>;

  template <class Kernel>
  static constexpr auto node(const program_view& program, const baton::node& record) -> node_cost {
    auto result = measured_cost(Table, program, record, form_of<Kernel>);
    result.is_known = result.is_known && is_known_kernel<Kernel>;
    return result;
  }
};

}  // namespace baton::detail
