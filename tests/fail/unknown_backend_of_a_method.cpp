// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// E2
// EXPECT: baton unknown_backend: the backend was not found in the list of backends; add it to baton::backends<...>, or correct the id
// EXPECT: in_method<baton::fixed_string<4>{"sin"}>
// EXPECT: for_backend<baton::fixed_string<8>{"Invalid"}>
// EXPECT: because<baton::fixed_string<15>{"the list has: "}, baton::fixed_string<24>{"BackendWithCompilerDemo"}>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>

#include "conformance/demo_backends.hpp"
#include "conformance/graphs.hpp"

struct invalid : conformance::backend_with_compiler_demo {
  static constexpr auto id = baton::name<"Invalid">;
};

#if defined(FIXED)
constexpr auto target = baton::backends<invalid>;
#else
constexpr auto target = baton::backends<conformance::backend_with_compiler_demo>;
#endif
constexpr auto model = baton::static_program{conformance::make<conformance::g_sin>{}};
constexpr auto both = baton::methods(baton::method<"sin">(model), baton::method<"add">(model));
constexpr auto lowered =
    baton::to_backend(target, both, baton::partitioners(baton::for_method<"sin">(conformance::all_nodes_partitioner<invalid>{})));
