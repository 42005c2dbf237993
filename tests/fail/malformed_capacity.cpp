// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton malformed_capacity: a capacity is negative or not a number; state a number of bytes, or omit it for no limit
// EXPECT: for_backend<baton::fixed_string<4>{"Npu"}>
// EXPECT: because<baton::fixed_string<25>{"the capacity is negative"}>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_cost.hpp>

#include "conformance/graphs.hpp"

struct npu {
  static constexpr auto id = baton::name<"Npu">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
};
struct host {
  static constexpr auto node(const baton::program_view&, const baton::node&) -> double { return 10; }
};
struct costs {
  static constexpr auto node(const baton::program_view&, const baton::node&) -> double { return 1; }
  static constexpr double byte = 1;
#if defined(FIXED)
  static constexpr int capacity = 1024;
#else
  static constexpr int capacity = -1;
#endif
};

using partitioner = baton::by_cost<host, baton::costed_backend<npu, baton::operator_names<"aten.add.Tensor">, costs>>;
constexpr auto model = baton::static_program{conformance::make<conformance::g_reuse>{}};
constexpr auto lowered = baton::to_backend(baton::backends<npu>, model, partitioner{});
