// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton to_backend: the partitioner of static methods has state; pass lambdas without captures that return partitioners, and names of methods as template arguments
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>

#include "conformance/demo_backends.hpp"
#include "conformance/graphs.hpp"

constexpr auto target = baton::backends<conformance::backend_with_compiler_demo>;
using everything = conformance::all_nodes_partitioner<conformance::backend_with_compiler_demo>;
constexpr auto model = baton::static_program{conformance::make<conformance::g_sin>{}};
constexpr auto all = baton::methods(baton::method<"forward">(model));
#if defined(FIXED)
constexpr auto lowered = baton::to_backend(target, all, baton::partitioners(baton::for_method<"forward">(everything{})));
#else
constexpr auto lowered = baton::to_backend(target, all, baton::partitioners(baton::for_method("forward", everything{})));
#endif
