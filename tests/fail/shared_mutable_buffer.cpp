// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The part owns the state, but a node outside the part also reads it (Q12).
// EXPECT: baton shared_mutable_buffer: a tagged mutable buffer has a user with another tag; use one tag for all users, or remove the tag of the buffer
// EXPECT: at_node<0, baton::fixed_string<4>{"add"}>
// EXPECT: with_tag<baton::fixed_string<5>{"tag0"}>
// EXPECT: for_backend<baton::fixed_string<4>{"Npu"}>
// EXPECT: because<baton::fixed_string<30>{"buffer b_my_state, used by a "}, baton::fixed_string<19>{"node with tag none"}>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>

#include "conformance/graphs.hpp"
#include "lower/tags.hpp"

struct npu {
  static constexpr auto id = baton::name<"Npu">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
};

#if defined(FIXED)
using partitioner = tags::partitioner<tags::part<"tag0", "Npu", "add add_1 b_my_state">>;
#else
using partitioner = tags::partitioner<tags::part<"tag0", "Npu", "add_1 b_my_state">>;
#endif

constexpr auto model = baton::static_program{conformance::make<conformance::g_mut>{}};
constexpr auto lowered = baton::to_backend(baton::backends<npu>, model, partitioner{});
