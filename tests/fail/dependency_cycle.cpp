// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// E14
// EXPECT: baton dependency_cycle: a part depends on itself through nodes outside it; split the tag, or wrap the partitioner in split_cycles
// EXPECT: at_node<0, baton::fixed_string<3>{"mm"}>
// EXPECT: of_operator<baton::fixed_string<16>{"aten.mm.default"}>
// EXPECT: with_tag<baton::fixed_string<5>{"tag0"}>
// EXPECT: for_backend<baton::fixed_string<4>{"Npu"}>
// EXPECT: because<baton::fixed_string<29>{"mm of tag0 -> add -> sub -> "}, baton::fixed_string<13>{"mm_1 of tag0"}>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>

#include "conformance/graphs.hpp"
#include "lower/tags.hpp"

struct npu {
  static constexpr auto id = baton::name<"Npu">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
};

#if defined(FIXED)
using partitioner = tags::partitioner<tags::part<"tag0", "Npu", "mm">, tags::part<"tag1", "Npu", "mm_1">>;
#else
using partitioner = tags::partitioner<tags::part<"tag0", "Npu", "mm mm_1">>;
#endif

constexpr auto model = baton::static_program{conformance::make<conformance::g_mmadd>{}};
constexpr auto lowered = baton::to_backend(baton::backends<npu>, model, partitioner{});
