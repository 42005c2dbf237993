// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// E47
// EXPECT: baton to_backend_multiple: the argument is not a partitioner; pass one for all methods, or partitioners(for_method<...>(...))
#include <baton/compat/executorch/to_backend_multiple.hpp>
#include <baton/core/static_program.hpp>

#include "conformance/demo_backends.hpp"
#include "conformance/graphs.hpp"

constexpr auto target = baton::backends<conformance::backend_with_compiler_demo>;
constexpr auto model = baton::static_program{conformance::make<conformance::g_sin>{}};
constexpr auto all = baton::methods(baton::method<"forward">(model));
#if defined(FIXED)
constexpr auto lowered =
    baton::to_backend_multiple(target, all, conformance::all_nodes_partitioner<conformance::backend_with_compiler_demo>{});
#else
constexpr auto lowered = baton::to_backend_multiple(target, all, conformance::backend_with_compiler_demo{});
#endif
