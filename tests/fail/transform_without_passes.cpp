// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton transform: the second argument is not a list of passes; write: baton::transform(model, baton::passes<my_pass>)
#include <baton/core/static_program.hpp>
#include <baton/transform/transform.hpp>

#include "conformance/graphs.hpp"
#include "transform/small_passes.hpp"

constexpr auto model = baton::static_program{conformance::make<conformance::g_sin>{}};
#if defined(FIXED)
constexpr auto transformed = baton::transform(model, baton::passes<transform_tests::refuses_tan>);
#else
constexpr auto transformed = baton::transform(model, transform_tests::refuses_tan{});
#endif
