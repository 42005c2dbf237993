// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// E13
// EXPECT: baton shared_constant: a constant that a part owns has a user with another tag; allow sharing (data_sharing), or remove the tag of the constant
// EXPECT: at_node<1, baton::fixed_string<4>{"sub"}>
// EXPECT: of_operator<baton::fixed_string<16>{"aten.sub.Tensor"}>
// EXPECT: with_tag<baton::fixed_string<5>{"tag0"}>
// EXPECT: because<baton::fixed_string<29>{"constant b_const, used by a "}, baton::fixed_string<19>{"node with tag none"}>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>

#include "conformance/graphs.hpp"
#include "lower/tags.hpp"

struct npu {
  static constexpr auto id = baton::name<"Npu">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
};

#if defined(FIXED)
constexpr auto sharing = baton::data_sharing::share;
#else
constexpr auto sharing = baton::data_sharing::own;
#endif
using partitioner = tags::partitioner<tags::part<"tag0", "Npu", "add b_const", sharing>>;

constexpr auto model = baton::static_program{conformance::make<conformance::g_reuse>{}};
constexpr auto lowered = baton::to_backend(baton::backends<npu>, model, partitioner{});
