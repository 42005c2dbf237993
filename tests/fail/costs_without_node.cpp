// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton not_costs: the struct of costs has no function node; write: static constexpr auto node(const baton::program_view&, const
// baton::node&) -> double
#include <baton/partition/by_cost.hpp>

struct npu {
  static constexpr auto id = baton::name<"Npu">;
};
struct host {
#if defined(FIXED)
  static constexpr auto node(const baton::program_view&, const baton::node&) -> double { return 10; }
#endif
};
struct costs {
  static constexpr auto node(const baton::program_view&, const baton::node&) -> double { return 1; }
  static constexpr double byte = 0.25;
};

using partitioner = baton::by_cost<host, baton::costed_backend<npu, baton::operator_names<"aten.add.Tensor">, costs>>;
