// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton malformed_cost: a cost is not in the range [0, 10^9); correct the cost table
// EXPECT: for_backend<baton::fixed_string<4>{"Npu"}>
// EXPECT: because<baton::fixed_string<29>{"the cost of a byte is not a "}, baton::fixed_string<7>{"number"}>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_cost.hpp>

#include "conformance/graphs.hpp"

#include <limits>

struct npu {
  static constexpr auto id = baton::name<"Npu">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
};
struct host {
  static constexpr auto node(const baton::program_view&, const baton::node&) -> double { return 10; }
};
struct costs {
  static constexpr auto node(const baton::program_view&, const baton::node&) -> double { return 1; }
#if defined(FIXED)
  static constexpr double byte = 1;
#else
  static constexpr double byte = std::numeric_limits<double>::quiet_NaN();
#endif
};

using partitioner = baton::by_cost<host, baton::costed_backend<npu, baton::operator_names<"aten.add.Tensor">, costs>>;
constexpr auto model = baton::static_program{conformance::make<conformance::g_reuse>{}};
constexpr auto lowered = baton::to_backend(baton::backends<npu>, model, partitioner{});
