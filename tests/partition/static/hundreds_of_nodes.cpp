// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Computes the cheapest assignments of hundreds of nodes in one constant each, within the default limits of the compilers.
#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/static_program.hpp>
#include <baton/partition/by_cost.hpp>
#include <baton/partition/operator_support.hpp>

#include <cstddef>

namespace {

using namespace baton;

struct npu {
  static constexpr auto id = name<"Npu">;
};
struct dsp {
  static constexpr auto id = name<"Dsp">;
};

/// Blocks of five nodes with a residual link around each block. Every seventh node is a `softmax`. Nodes other than `add` have a weight.
template <std::size_t Nodes>
constexpr auto make = [] {
  constexpr auto type = tensor(dtype::int8, 8);
  constexpr char weights[8] = {};
  program_builder b;
  const auto record = b.make_value("v", type, value_kind::intermediate);
  const auto convolution = b.make_node("n", "convolution");
  const auto softmax = b.make_node("n", "softmax_op");
  const auto add = b.make_node("n", "add_op");
  const auto weight = b.parameter("w", type, weights);
  auto latest = b.user_input("x", type);
  auto block_input = latest;
  for (std::size_t n = 0; n < Nodes; ++n) {
    const bool ends_block = n % 5 == 4;
    const value_id inputs[] = {latest, ends_block ? block_input : weight};
    latest = b.add_value(record);
    if (ends_block) block_input = latest;
    b.add_node(ends_block ? add : n % 7 == 0 ? softmax : convolution, inputs, baton::span{&latest, 1});
  }
  b.output(latest);
  return b.finish();
};
template <std::size_t Nodes>
constexpr auto model = static_program{make<Nodes>};

struct kernel_costs {
  static constexpr auto node(const program_view&, const baton::node& record) -> double { return record.is("convolution") ? 20 : 3; }
};
struct npu_costs {
  static constexpr auto node(const program_view&, const baton::node& record) -> double { return record.is("convolution") ? 2 : 4; }
  static constexpr double byte = 0.25;
};
struct npu_costs_with_calls : npu_costs {
  static constexpr double call = 3;
};
struct dsp_costs_with_calls {
  static constexpr auto node(const program_view&, const baton::node& record) -> double { return record.is("convolution") ? 10 : 1; }
  static constexpr double byte = 0.125;
  static constexpr double call = 2;
};
using npu_support = operator_names<"convolution", "add_op">;
using dsp_support = operator_names<"convolution", "softmax_op">;

using one = by_cost<kernel_costs, costed_backend<npu, npu_support, npu_costs>>;
using one_with_calls = by_cost<kernel_costs, costed_backend<npu, npu_support, npu_costs_with_calls>>;
using two_with_calls =
    by_cost<kernel_costs, costed_backend<npu, npu_support, npu_costs_with_calls>, costed_backend<dsp, dsp_support, dsp_costs_with_calls>>;

constexpr auto parts_of_one = one{}.partition(model<200>).value.partition_tags.size();
static_assert(parts_of_one > 1);
constexpr auto parts_of_one_with_calls = one_with_calls{}.partition(model<200>).value.partition_tags.size();
static_assert(parts_of_one_with_calls > 1);
constexpr auto parts_of_two_with_calls = two_with_calls{}.partition(model<100>).value.partition_tags.size();
static_assert(parts_of_two_with_calls > 1);

}  // namespace
