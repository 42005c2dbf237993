// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton not_costs: the costs of the backend have no cost of a byte that crosses its boundary; write: static constexpr double byte =
// 0.5;
#include <baton/partition/by_cost.hpp>

struct npu {
  static constexpr auto id = baton::name<"Npu">;
};
struct host {
  static constexpr auto node(const baton::program_view&, const baton::node&) -> double { return 10; }
};
struct costs {
  static constexpr auto node(const baton::program_view&, const baton::node&) -> double { return 1; }
#if defined(FIXED)
  static constexpr double byte = 0.25;
#endif
};

using partitioner = baton::by_cost<host, baton::costed_backend<npu, baton::operator_names<"aten.add.Tensor">, costs>>;
