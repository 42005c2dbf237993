// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// E1
// EXPECT: baton unknown_backend: the backend was not found in the list of backends; add it to baton::backends<...>, or correct the id
// EXPECT: for_backend<baton::fixed_string<28>{"FakeBackendWithCompilerDemo"}>
// EXPECT: because<baton::fixed_string<15>{"the list has: "}, baton::fixed_string<24>{"BackendWithCompilerDemo"}>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>

#include "conformance/demo_backends.hpp"
#include "conformance/graphs.hpp"

constexpr auto target = baton::backends<conformance::backend_with_compiler_demo>;
constexpr auto model = baton::static_program{conformance::make<conformance::g_sin>{}};
#if defined(FIXED)
constexpr auto lowered = baton::to_backend(target, baton::name<"BackendWithCompilerDemo">, model);
#else
constexpr auto lowered = baton::to_backend(target, baton::name<"FakeBackendWithCompilerDemo">, model);
#endif
