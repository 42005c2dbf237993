// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton unknown_method: no program is given for this method; add its program, or correct the name
// EXPECT: in_method<baton::fixed_string<8>{"prefill"}>
#include <baton/core/static_program.hpp>
#include <baton/lower/methods.hpp>

#include "conformance/graphs.hpp"

constexpr auto model = baton::static_program{conformance::make<conformance::g_sin>{}};
#if defined(FIXED)
constexpr auto all = baton::methods(baton::method<"forward">(model), baton::method<"prefill">(model));
#else
constexpr auto all = baton::methods(baton::method<"forward">(model));
#endif
constexpr auto prefill = all[baton::name<"prefill">];
