// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton duplicate_method: two methods have the same name; rename one
// EXPECT: in_method<baton::fixed_string<8>{"forward"}>
#include <baton/core/static_program.hpp>
#include <baton/lower/methods.hpp>

#include "conformance/graphs.hpp"

constexpr auto model = baton::static_program{conformance::make<conformance::g_sin>{}};
#if defined(FIXED)
constexpr auto both = baton::methods(baton::method<"forward">(model), baton::method<"forward_copy">(model));
#else
constexpr auto both = baton::methods(baton::method<"forward">(model), baton::method<"forward">(model));
#endif
