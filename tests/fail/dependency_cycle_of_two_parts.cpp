// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// E14 E15
// EXPECT: baton dependency_cycle: a part depends on itself through nodes outside it; split the tag, or wrap the partitioner in split_cycles
// EXPECT: at_node<0, baton::fixed_string<3>{"mm"}>
// EXPECT: with_tag<baton::fixed_string<2>{"a"}>
// EXPECT: because<baton::fixed_string<32>{"mm of a -> add of b -> sub of a"}>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>

#include "conformance/graphs.hpp"
#include "lower/tags.hpp"

struct npu {
  static constexpr auto id = baton::name<"Npu">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
};

#if defined(FIXED)
using partitioner = tags::partitioner<tags::part<"a", "Npu", "mm add">, tags::part<"b", "Npu", "sub mm_1">>;
#else
using partitioner = tags::partitioner<tags::part<"a", "Npu", "mm sub">, tags::part<"b", "Npu", "add mm_1">>;
#endif

constexpr auto model = baton::static_program{conformance::make<conformance::g_mmadd>{}};
constexpr auto lowered = baton::to_backend(baton::backends<npu>, model, partitioner{});
