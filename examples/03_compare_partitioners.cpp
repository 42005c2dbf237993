// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Compares four partitioners, one of them user-defined, for one model and two backends. The costs come from tables that a user has
// measured.
#include <baton/baton.hpp>
#include <baton/report.hpp>

#include "digits_int8.tflite.hpp"
#include "npu/npu.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>

using npu_example::npu;
using npu_example::npu_support;

// A second backend, for the operators after the convolutions.
struct dsp {
  static constexpr auto id = baton::name<"dsp">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
};
using dsp_support = baton::operator_names<"tfl.average_pool_2d", "tfl.reshape", "tfl.fully_connected", "tfl.softmax">;

// Costs in cycles: of a node, of a byte that crosses a boundary, of a call.
template <int MultiplyAddsACycle, int CyclesAByte>
struct cycles {
  static constexpr auto node(const baton::program_view& program, const baton::node& record) -> double {
    const auto output = baton::report::bytes_of(program, program.outputs_of(record)[0]);
    return static_cast<double>(baton::multiply_adds(program, record) / MultiplyAddsACycle + output * CyclesAByte);
  }
};
using cpu_cycles = cycles<1, 16>;
struct npu_cycles : cycles<32, 1> {
  static constexpr double byte = 2;
  static constexpr double call = 400;
};
struct dsp_cycles : cycles<4, 1> {
  static constexpr double byte = 0.5;
  static constexpr double call = 50;
};

using by_cost =
    baton::by_cost<cpu_cycles, baton::costed_backend<npu, npu_support, npu_cycles>, baton::costed_backend<dsp, dsp_support, dsp_cycles>>;

// A user-defined partitioner: the NPU computes the nodes with the most multiplications.
struct heavy_nodes {
  static constexpr auto partition(const baton::program_view& program) -> baton::partition_result {
    baton::partition_result tagged{program};
    const auto heavy = tagged.add_tag("heavy", baton::delegation_spec{baton::to_text(npu::id)});
    for (std::uint32_t n = 0; n < program.nodes.size(); ++n) {
      if (baton::multiply_adds(program, program.nodes[n]) > 8000) tagged.tag_node(baton::node_id{n}, heavy);
    }
    return tagged;
  }
};

constexpr auto target = baton::backends<npu, dsp>;
constexpr auto model = baton::tflite::read<digits_int8_tflite>;

struct row {
  const char* name;
  std::size_t delegates;
  std::size_t undelegated_nodes;
  std::size_t boundary_bytes;
  double cost;
};
// The compiler lowers the model with each partitioner and computes its cost.
template <class Partitioner>
constexpr auto lowered = baton::to_backend(target, model, Partitioner{});
template <class Partitioner>
constexpr double cost = by_cost::cost(baton::thaw(model), Partitioner{}).value;

template <class Partitioner>
constexpr auto compare(const char* name, Partitioner) -> row {
  const auto& program = lowered<Partitioner>;
  return {name, baton::delegates(program).size(), baton::undelegated(program).size(), baton::boundary_bytes(program), cost<Partitioner>};
}
constexpr row rows[] = {
    compare("nothing delegated", baton::archetypes::partitioner{}),
    compare("all supported by npu", npu_example::npu_partitioner{}),
    compare("all supported by dsp", baton::by_support<dsp, dsp_support>{}),
    compare("most multiply-adds", heavy_nodes{}),
    compare("by cost", by_cost{}),
};

// A contract. If it is violated, the compiler names the node and the reason.
static_assert(baton::fully_delegated(lowered<by_cost>));
static_assert(baton::max_boundary_bytes<128>(lowered<by_cost>));
static_assert(rows[4].cost <= rows[3].cost && rows[4].cost <= rows[2].cost && rows[4].cost <= rows[1].cost);

auto main() -> int {
  std::printf("%-20s  delegates  undelegated  boundary bytes  cycles\n", "partitioner");
  for (const auto& each : rows) {
    std::printf("%-20s  %9zu  %11zu  %14zu  %6.0f\n", each.name, each.delegates, each.undelegated_nodes, each.boundary_bytes, each.cost);
  }
}

// Output:
// partitioner           delegates  undelegated  boundary bytes  cycles
// nothing delegated             0            7               0  116800
// all supported by npu          1            1              74    6534
// all supported by dsp          1            3            1546  102923
// most multiply-adds            1            4            1600   24976
// by cost                       2            0              94    6444
