// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// E10
// Q2: the message names the method, and states that its program is missing.
// EXPECT: baton unknown_method: no program is given for this method; add its program, or correct the name
// EXPECT: in_method<baton::fixed_string<7>{"decode"}>
// EXPECT: because<baton::fixed_string<25>{"the methods are: sin add"}>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>

#include "conformance/demo_backends.hpp"
#include "conformance/graphs.hpp"

constexpr auto target = baton::backends<conformance::backend_with_compiler_demo>;
using everything = conformance::all_nodes_partitioner<conformance::backend_with_compiler_demo>;
constexpr auto model = baton::static_program{conformance::make<conformance::g_sin>{}};
constexpr auto both = baton::methods(baton::method<"sin">(model), baton::method<"add">(model));
#if defined(FIXED)
constexpr auto lowered = baton::to_backend(target, both, baton::partitioners(baton::for_method<"add">(everything{})));
#else
constexpr auto lowered = baton::to_backend(target, both, baton::partitioners(baton::for_method<"decode">(everything{})));
#endif
