// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Measures single nodes, and nodes that are cut into slices of rows and of chunks. Prints two kinds of lines: the table, the row, outputs,
// work, setups, instructions; and the table of calls, the row, "rows" or "chunks", outputs, calls, instructions of the whole node,
// instructions of all slices.
#pragma once

#include <baton/baton.hpp>
#include <baton/kernel.hpp>
#include <baton/kernels/cortex_m_kernels.hpp>
#include <baton/kernels/helium_kernels.hpp>
#include <baton/plan/shared/row_operands.hpp>

#include "budget/measured_instructions.hpp"
#include "cortex_m/semihosting.hpp"
#include "kernels/costs/core_costs.hpp"
#include "kernels/layer.hpp"
#include "kernels/square_layers.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace measured_node {

using namespace baton;
using one_layer::convolution;
using one_layer::dense;
using one_layer::depthwise;
using one_layer::layer;
using one_layer::op;
using one_layer::pool;

/// Computes a node in slices of one step of rows.
template <class Kernel, std::int32_t Rows, std::int32_t Step>
struct in_rows : Kernel {
  template <class Call>
  static void compute(const Call& call) {
    for (std::int32_t row = 0; row < Rows; row += Step) Kernel::compute_rows(call, row, std::min(row + Step, Rows));
  }
};
/// Computes a node in slices of one chunk.
template <class Kernel, std::int32_t Chunks>
struct in_chunks : Kernel {
  template <class Call>
  static void compute(const Call& call) {
    for (std::int32_t chunk = 0; chunk < Chunks; ++chunk) Kernel::compute_chunks(call, chunk, chunk + 1);
  }
};

template <auto Program, class Kernel>
auto instructions_of() -> std::uint64_t {
  return measured_instructions<basic_executor<Program, kernel_list<Kernel>{}>>();
}
inline void print_all(std::uint64_t last) { firmware::print(" ", last, "\n"); }
template <class... Numbers>
void print_all(std::uint64_t first, Numbers... others) {
  firmware::print(" ", first);
  print_all(others...);
}

/// Prints the line of a whole node: the table, the row, outputs, work, setups, instructions.
inline void print_row(const char* table, std::ptrdiff_t row, const cost_row::node_size& size, std::uint64_t instructions) {
  firmware::print(table);
  print_all(static_cast<std::uint64_t>(row), static_cast<std::uint64_t>(size.outputs), static_cast<std::uint64_t>(size.work),
            static_cast<std::uint64_t>(size.setups), instructions);
}

/// Prints the lines of a kernel that supports the program's only node. The line of the whole node is omitted unless
/// `PrintsWhole`.
template <auto Program, bool PrintsWhole, class Kernel>
void measure() {
  static constexpr program_view program = Program.value();
  static constexpr const auto& record = program.nodes[0];
  constexpr auto form = detail::form_of<Kernel>;
  if constexpr (ask_kernel<Kernel>(program, record).support.accepted) {
    constexpr auto size = cost_row::size_of(program, record, form);
    constexpr auto outputs = static_cast<std::uint64_t>(size.outputs);
    const auto whole = instructions_of<Program, Kernel>();
    constexpr const auto* row = cost_row::find(measured_core::table.rows, program, record, form);
    if constexpr (PrintsWhole && row != nullptr) print_row(measured_core::rows_name, row - measured_core::table.rows.data(), size, whole);
    constexpr const auto* calls = detail::find_calls(measured_core::table, program, record, form);
    if constexpr (calls != nullptr) {
      constexpr auto at = static_cast<std::uint64_t>(calls - measured_core::table.calls.data());
      constexpr auto facts = ask_kernel<Kernel>(program, record).facts;
      const auto print_slices = [&](const char* kind, std::uint64_t count, std::uint64_t instructions) {
        firmware::print(measured_core::calls_name, " ", at);
        firmware::print(" ");
        firmware::print(kind);
        print_all(outputs, count, whole, instructions);
      };
      constexpr auto ignore = [](auto&&...) {};
      if constexpr (visit_row_operands(program, record, facts, ignore)) {
        constexpr auto rows = image_of(program, program.outputs_of(record)[0]).rows;
        constexpr auto step = std::clamp<std::int32_t>(facts.rows_per_step, 1, rows);
        if constexpr (step < rows) print_slices("rows", (rows + step - 1) / step, instructions_of<Program, in_rows<Kernel, rows, step>>());
      }
      if constexpr (facts.chunks > 1) {
        // The first call determines the range that the whole node determines.
        constexpr auto count = static_cast<std::uint64_t>(facts.chunks);
        constexpr auto of_ranges = (count - 1) * detail::cost_of_range(measured_core::table, program, record);
        const auto instructions = instructions_of<Program, in_chunks<Kernel, facts.chunks>>();
        print_slices("chunks", count, instructions - std::min(instructions, of_ranges));
      }
    }
  }
}
template <auto Program, bool PrintsWhole, class... Kernels>
void measure_list(kernel_list<Kernels...>) {
  (measure<Program, PrintsWhole, Kernels>(), ...);
}
template <class Make, bool PrintsWhole = true>
void measure_node() {
  measure_list<static_program{Make{}}, PrintsWhole>((measured_core::kernels + portable_kernels).with_forms());
}
template <layer... Layers>
void measure_layers() {
  (measure_node<one_layer::make_symmetric<Layers>, false>(), ...);
}
/// Layers without weights of -128, which some kernels need.
template <layer... Layers>
void measure_symmetric() {
  (measure_node<one_layer::make_symmetric<Layers>>(), ...);
}

/// Layers with the kernels for the core only.
template <layer... Layers>
void measure_fast() {
  (measure_list<static_program{one_layer::make_symmetric<Layers>{}}, true>(measured_core::kernels.with_forms()), ...);
}

/// A layer whose window is the whole image.
constexpr auto whole(op is, int height, int width, int in, int out) -> layer {
  return {.is = is,
          .height = height,
          .width = width,
          .channels = in,
          .out_channels = out,
          .filter_height = height,
          .filter_width = width,
          .is_same = false};
}

}  // namespace measured_node
