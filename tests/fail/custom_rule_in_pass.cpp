// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: acme no_tangents: a model for Acme must have no tangents; this one has; train it without
// EXPECT: because<baton::fixed_string<28>{"pass acme_dialect: use sine"}>
// EXPECT: at_node<0, baton::fixed_string<4>{"sin"}>
#include <baton/core/static_program.hpp>
#include <baton/transform/transform.hpp>

#include "conformance/graphs.hpp"
#include "transform/acme_dialect.hpp"

constexpr auto model = baton::static_program{conformance::make<conformance::g_sin>{}};
#if defined(FIXED)
constexpr auto transformed = baton::transform(model, baton::passes<acme::dialect<"aten.tan.default">>);
#else
constexpr auto transformed = baton::transform(model, baton::passes<acme::dialect<"aten.sin.default">>);
#endif
