// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton broken_by_pass: a pass returned an invalid program; see the reason and correct the pass
// EXPECT: in_method<baton::fixed_string<8>{"prefill"}>
// EXPECT: pass loses_a_node:
#include <baton/core/static_program.hpp>
#include <baton/lower/methods.hpp>
#include <baton/transform/transform.hpp>

#include "conformance/graphs.hpp"
#include "transform/small_passes.hpp"

constexpr auto model = baton::static_program{conformance::make<conformance::g_sin>{}};
constexpr auto both = baton::methods(baton::method<"prefill">(model));
#if defined(FIXED)
constexpr auto transformed = baton::transform(both, baton::passes<transform_tests::refuses_tan>);
static_assert(transformed[baton::name<"prefill">]->nodes.size() == 1);
#else
constexpr auto transformed = baton::transform(both, baton::passes<transform_tests::loses_a_node>);
#endif
