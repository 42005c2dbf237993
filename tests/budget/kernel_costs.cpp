// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Measures single nodes with CMSIS-NN, with the kernels for the core and with the portable kernels. Prints a line for each kernel: the
// table, the row, outputs, work, setups, instructions.
#include <baton/backends/cmsis_nn/cmsis_nn_kernels.hpp>
#include <baton/backends/cmsis_nn/measured_costs.hpp>
#include <baton/baton.hpp>
#include <baton/kernel.hpp>
#include <baton/kernels/cortex_m_kernels.hpp>
#include <baton/kernels/helium_kernels.hpp>

#include "kernels/costs/core_costs.hpp"
#include "kernels/costs/measured_node.hpp"
#include "kernels/layer.hpp"
#include "kernels/square_layers.hpp"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

namespace {

using namespace baton;
using one_layer::convolution;
using one_layer::dense;
using one_layer::depthwise;
using one_layer::layer;
using one_layer::op;
using one_layer::pool;

/// A node on two tensors, or rows of a softmax.
template <fixed_string Operator, int Rows, int Depth>
struct elements {
  constexpr auto operator()() const -> exported_program {
    program_builder b;
    const auto type = tensor(dtype::int8, Rows, Depth);
    const auto x = b.user_input("x", type);
    b.quantize(x, 0.05f, -3);
    auto y = x;
    if (std::string_view(Operator) == "tfl.reshape") {
      y = b.call(std::string_view(Operator), {x}, tensor(dtype::int8, Depth, Rows));
    } else if (std::string_view(Operator) == "tfl.softmax") {
      y = b.call(std::string_view(Operator), {x}, type, {{"beta", 1.0}});
      b.quantize(y, 1.0f / 256, -128);
    } else {
      const auto other = b.user_input("other", type);
      b.quantize(other, 0.02f, 7);
      y = b.call(std::string_view(Operator), {x, other}, type, {{"fused_activation_function", "none"}});
      b.quantize(y, 0.06f, 5);
    }
    b.output(y);
    return b.finish();
  }
};

/// The rows of CMSIS-NN, and the form of its kernels.
struct library_costs {
  static constexpr auto rows() -> span<const cost_row> { return {cmsis_nn::measured_rows, std::size(cmsis_nn::measured_rows)}; }
  template <class>
  static constexpr auto form = cost_row::kernel_form::cmsis_nn;
};

/// True if a row is about packed weights.
constexpr auto is_packed(const cost_row& row) -> bool {
  return row.form == cost_row::kernel_form::cortex_m_packed || row.is == cost_row::node_class::one_by_one_many_weights ||
         row.is == cost_row::node_class::many_weights;
}

/// Prints a line for a kernel that supports the program's only node, if its form has a row in a table and the row `is_packed`.
template <auto Program, class Table, class Kernel, bool IsPacked>
void measure(const char* table) {
  static constexpr program_view program = Program.value();
  if constexpr (ask_kernel<Kernel>(program, program.nodes[0]).support.accepted) {
    constexpr const auto* row = cost_row::find(Table::rows(), program, program.nodes[0], Table::template form<Kernel>);
    if constexpr (row != nullptr) {
      if constexpr (is_packed(*row) == IsPacked) {
        constexpr auto size = cost_row::size_of(program, program.nodes[0], row->form);
        measured_node::print_row(table, row - Table::rows().data(), size, measured_node::instructions_of<Program, Kernel>());
      }
    }
  }
}
template <auto Program, class Table, bool IsPacked, class... Kernels>
void measure_list(const char* table, kernel_list<Kernels...>) {
  (measure<Program, Table, Kernels, IsPacked>(table), ...);
}

/// Computes a node in calls for single rows, as a segment may do.
template <class Kernel>
struct by_single_rows : Kernel {
  template <class Call>
  struct row_call : Call {
    static constexpr bool computes_single_rows = true;
  };
  template <class Call>
  static void compute(const Call& call) {
    constexpr auto rows = static_cast<std::int32_t>(Call::program().shape(Call::output_id(0))[1]);
    for (std::int32_t row = 0; row < rows; ++row) Kernel::compute_rows(row_call<Call>{call}, row, row + 1);
  }
};
/// The rows of the Cortex-M kernels, and the form of `by_single_rows`.
struct single_row_costs {
  static constexpr auto rows() -> span<const cost_row> { return measured_core::costs::rows(); }
  template <class>
  static constexpr auto form = cost_row::kernel_form::winograd_by_single_rows;
};
/// Prints a line for a kernel that supports the program's only node and single rows.
template <auto Program, class Kernel>
void measure_kernel_by_single_rows() {
  static constexpr program_view program = Program.value();
  constexpr auto facts = ask_kernel<Kernel>(program, program.nodes[0]).facts;
  if constexpr (facts.single_row_scratch_bytes != npos)
    measure<Program, single_row_costs, by_single_rows<Kernel>, false>(measured_core::rows_name);
}
template <auto Program, class... Kernels>
void measure_single_rows(kernel_list<Kernels...>) {
  (measure_kernel_by_single_rows<Program, Kernels>(), ...);
}

template <auto Program>
void measure_all() {
  if constexpr (measured_core::has_library) measure_list<Program, library_costs, false>("measured_rows", cmsis_nn_kernels);
  measure_list<Program, measured_core::costs, false>(measured_core::rows_name, (measured_core::kernels + portable_kernels).with_forms());
  measure_single_rows<Program>(cortex_m_kernels);
}
// Without weights of -128, because the Cortex-M kernel rejects most fully connected layers that have them.
template <layer... Layers>
void measure_dense() {
  (measure_all<static_program{one_layer::make_symmetric<Layers>{}}>(), ...);
}
// Packed convolutions, without weights of -128, because layers that have them are computed with wide weights.
template <layer... Layers>
void measure_packed() {
  (measure_list<static_program{one_layer::make_symmetric<Layers>{}}, measured_core::costs, true>(measured_core::rows_name,
                                                                                                 cortex_m_kernels.with_forms()),
   ...);
}
template <layer... Layers>
void measure_layers() {
  (measure_all<static_program{one_layer::make<Layers>{}}>(), ...);
}
template <fixed_string Operator, int Rows, int... Depths>
void measure_elements() {
  (measure_all<static_program{elements<Operator, Rows, Depths>{}}>(), ...);
}

}  // namespace

int main() {
  measure_layers<convolution(8, 4, 8, 3), convolution(10, 8, 16, 3, 2), convolution(6, 16, 16, 3), convolution(12, 3, 8, 3),
                 convolution(7, 8, 24, 5), convolution(8, 32, 8, 3), convolution(24, 3, 16, 3), convolution(32, 16, 16, 3)>();
  measure_layers<convolution(16, 32, 32, 3), convolution(8, 64, 64, 3), convolution(32, 16, 32, 3, 2), convolution(16, 32, 64, 3, 2),
                 convolution(9, 12, 64, 3)>();
  measure_layers<convolution(8, 16, 16, 1), convolution(4, 64, 32, 1), convolution(10, 8, 24, 1), convolution(3, 32, 96, 1),
                 convolution(12, 16, 8, 1), convolution(24, 32, 32, 1), convolution(12, 64, 64, 1)>();
  measure_layers<convolution(6, 128, 128, 1), convolution(3, 256, 256, 1), convolution(6, 64, 128, 1), convolution(10, 70, 70, 1)>();
  measure_layers<depthwise(10, 8, 1, 3), depthwise(8, 32, 1, 3), depthwise(16, 16, 1, 3, 2), depthwise(5, 64, 1, 3), depthwise(20, 4, 1, 3),
                 depthwise(48, 8, 1, 3), depthwise(24, 32, 1, 3, 2), depthwise(3, 256, 1, 3), depthwise(12, 64, 1, 3)>();
  measure_layers<depthwise(48, 16, 1, 3, 2), depthwise(12, 64, 1, 3, 2), depthwise(6, 128, 1, 3, 2)>();
  measure_layers<depthwise(24, 1, 8, 3, 2), depthwise(12, 1, 16, 5), depthwise(16, 1, 4, 3), depthwise(30, 1, 8, 7, 2),
                 depthwise(96, 1, 8, 3, 2)>();
  measure_layers<depthwise(8, 8, 2, 3), depthwise(6, 16, 2, 3), depthwise(9, 3, 2, 5), depthwise(9, 6, 3, 3), depthwise(4, 2, 2, 3),
                 depthwise(5, 4, 3, 2)>();
  measure_layers<depthwise(8, 4, 4, 3), depthwise(10, 2, 8, 3), depthwise(7, 3, 4, 5), depthwise(6, 12, 4, 3)>();
  measure_layers<depthwise(8, 8, 1, 5), depthwise(10, 16, 1, 4), depthwise(6, 32, 1, 5), depthwise(9, 12, 1, 2)>();
  measure_dense<dense(64, 10), dense(256, 32), dense(128, 128), dense(16, 64), dense(300, 4), dense(640, 128), dense(128, 640)>();
  measure_layers<pool(op::average_pool_2d, 8, 16, 2, 2), pool(op::average_pool_2d, 8, 32, 8, 1), pool(op::average_pool_2d, 9, 24, 3, 1),
                 pool(op::average_pool_2d, 5, 64, 5, 1)>();
  measure_layers<pool(op::max_pool_2d, 8, 16, 2, 2), pool(op::max_pool_2d, 8, 32, 8, 1), pool(op::max_pool_2d, 9, 24, 3, 1),
                 pool(op::max_pool_2d, 5, 64, 5, 1)>();
  measure_packed<convolution(8, 4, 8, 3), convolution(10, 8, 16, 3, 2), convolution(6, 16, 16, 3), convolution(12, 3, 8, 3),
                 convolution(7, 8, 24, 5), convolution(8, 32, 8, 3), convolution(24, 3, 16, 3), convolution(32, 16, 16, 3)>();
  measure_packed<convolution(16, 32, 32, 3), convolution(8, 64, 64, 3), convolution(32, 16, 32, 3, 2), convolution(16, 32, 64, 3, 2),
                 convolution(9, 12, 64, 3)>();
  measure_packed<convolution(8, 16, 16, 1), convolution(4, 64, 32, 1), convolution(10, 8, 24, 1), convolution(3, 32, 96, 1),
                 convolution(12, 16, 8, 1), convolution(24, 32, 32, 1), convolution(12, 64, 64, 1)>();
  measure_packed<convolution(6, 128, 128, 1), convolution(3, 256, 256, 1), convolution(6, 64, 128, 1), convolution(10, 70, 70, 1)>();
  measure_packed<depthwise(24, 1, 8, 3, 2), depthwise(12, 1, 16, 5), depthwise(16, 1, 4, 3), depthwise(30, 1, 8, 7, 2)>();
  measure_elements<"tfl.add", 4, 16, 64, 200, 1000, 2000, 4000>();
  measure_elements<"tfl.mul", 4, 16, 64, 200, 1000>();
  measure_elements<"tfl.maximum", 4, 16, 64, 200, 1000>();
  measure_elements<"tfl.minimum", 4, 16, 64, 200, 1000>();
  measure_elements<"tfl.softmax", 1, 2, 10, 35, 100, 200>();
  measure_elements<"tfl.reshape", 1, 10, 64>();
}
