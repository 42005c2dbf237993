// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The program, the tables and the partitioners for measurements of partitioning, at compile time and at run time.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/partition/by_cost.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/partition/operator_support.hpp>

#include <cstddef>
#include <cstdint>

namespace budget {

struct npu {
  static constexpr auto id = baton::name<"Npu">;
};
struct dsp {
  static constexpr auto id = baton::name<"Dsp">;
};

/// Every node uses the previous one. Some nodes also add the earlier value `far(n)`, unless `far(n)` is `n`. Every seventh of the other
/// nodes has a different operator.
template <class Far>
constexpr auto chain_with_links(std::size_t nodes, Far far) -> baton::exported_program {
  constexpr auto type = baton::tensor(baton::dtype::int8, 8);
  baton::program_builder b;
  const auto value_record = b.make_value("v", type, baton::value_kind::intermediate);
  const auto convolution = b.make_node("n", "convolution");
  const auto softmax = b.make_node("n", "softmax_op");
  const auto add = b.make_node("n", "add_op");
  b.user_input("x", type);
  for (std::size_t n = 0; n < nodes; ++n) {
    const std::size_t other = far(n);
    const bool is_add = other != n;
    const baton::value_id inputs[] = {static_cast<baton::value_id>(n), static_cast<baton::value_id>(other)};
    const auto output = b.add_value(value_record);
    b.add_node(is_add       ? add
               : n % 7 == 0 ? softmax
                            : convolution,
               baton::span{inputs, is_add ? std::size_t{2} : std::size_t{1}}, baton::span{&output, 1});
  }
  b.output(static_cast<baton::value_id>(nodes));
  return b.finish();
}
/// Every fifth node adds the result of the previous such node, and every seventeenth a result at half that distance.
constexpr auto residual_program(std::size_t nodes) -> baton::exported_program {
  return chain_with_links(nodes, [](std::size_t n) { return n % 17 == 16 ? n / 2 : n % 5 == 4 ? n - 4 : n; });
}
/// Every third node adds an arbitrary earlier value.
constexpr auto tangled_program(std::size_t nodes) -> baton::exported_program {
  return chain_with_links(nodes, [random = std::uint64_t{1}](std::size_t n) mutable {
    random = random * 6364136223846793005u + 1442695040888963407u;
    return n % 3 == 2 ? static_cast<std::size_t>(random >> 33) % n : n;
  });
}

struct host {
  static constexpr auto node(const baton::program_view&, const baton::node& record) -> double { return record.is("convolution") ? 20 : 3; }
};
struct npu_costs {
  static constexpr auto node(const baton::program_view&, const baton::node& record) -> double { return record.is("convolution") ? 2 : 4; }
  static constexpr double byte = 0.25;
};
struct npu_costs_with_calls : npu_costs {
  static constexpr double call = 3;
};
struct dsp_costs_with_calls {
  static constexpr auto node(const baton::program_view&, const baton::node& record) -> double { return record.is("convolution") ? 10 : 1; }
  static constexpr double byte = 0.125;
  static constexpr double call = 2;
};
using npu_support = baton::operator_names<"convolution", "add_op">;
using dsp_support = baton::operator_names<"convolution", "softmax_op">;

using by_support = baton::by_support<npu, npu_support>;
using by_cost = baton::by_cost<host, baton::costed_backend<npu, npu_support, npu_costs>>;
using by_cost_of_two = baton::by_cost<host, baton::costed_backend<npu, npu_support, npu_costs_with_calls>,
                                      baton::costed_backend<dsp, dsp_support, dsp_costs_with_calls>>;

}  // namespace budget
