// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton broken_by_pass: a pass returned an invalid program; see the reason and correct the pass
// EXPECT: pass loses_a_node:
// ERRORS: 1
#include <baton/core/static_program.hpp>
#include <baton/transform/transform.hpp>

#include "conformance/graphs.hpp"
#include "transform/small_passes.hpp"

constexpr auto model = baton::static_program{conformance::make<conformance::g_sin>{}};
#if defined(FIXED)
constexpr auto transformed = baton::transform(model, baton::passes<transform_tests::refuses_tan>);
#else
constexpr auto transformed = baton::transform(model, baton::passes<transform_tests::loses_a_node>);
#endif
#if defined(FIXED)
static_assert(transformed->nodes.size() == 1);
#else
static_assert(!transformed.is_valid);
#endif
