// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// E12 E21
// EXPECT: baton tagged_user_input: a user input is tagged; tag only parameters, buffers and constants
// EXPECT: with_tag<baton::fixed_string<11>{"tag_inputs"}>
// EXPECT: for_backend<baton::fixed_string<4>{"Npu"}>
// EXPECT: because<baton::fixed_string<13>{"input inputs"}>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>

#include "conformance/graphs.hpp"
#include "lower/tags.hpp"

struct npu {
  static constexpr auto id = baton::name<"Npu">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
};

#if defined(FIXED)
using partitioner = tags::partitioner<tags::part<"tag_inputs", "Npu", "addmm">>;
#else
using partitioner = tags::partitioner<tags::part<"tag_inputs", "Npu", "inputs">>;
#endif

constexpr auto model = baton::static_program{conformance::make<conformance::g_mlp>{}};
constexpr auto lowered = baton::to_backend(baton::backends<npu>, model, partitioner{});
