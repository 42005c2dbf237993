// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton not_a_costed_backend: an argument of by_cost is not a costed backend; write: baton::by_cost<my_host_costs, baton::costed_backend<my_npu, my_support, my_npu_costs>>
#include <baton/partition/by_cost.hpp>

struct npu {
  static constexpr auto id = baton::name<"Npu">;
};
struct host {
  static constexpr auto node(const baton::program_view&, const baton::node&) -> double { return 10; }
};
struct costs {
  static constexpr auto node(const baton::program_view&, const baton::node&) -> double { return 1; }
  static constexpr double byte = 0.25;
};

#if defined(FIXED)
using partitioner = baton::by_cost<host, baton::costed_backend<npu, baton::operator_names<"aten.add.Tensor">, costs>>;
#else
using partitioner = baton::by_cost<host, npu>;
#endif
constexpr partitioner by_cost_of_npu{};
