// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton static_program: the callable that builds a static program has state; pass a lambda without captures
#include <baton/core/static_program.hpp>

#include "conformance/graphs.hpp"

#include <type_traits>

constexpr int limit = 1;
#if defined(FIXED)
constexpr auto make = [] { return conformance::g_sin(); };
#else
constexpr auto make = [max = limit] { return max > 0 ? conformance::g_sin() : conformance::g_crt(); };
#endif

using model = baton::static_program<std::remove_const_t<decltype(make)>>;
static_assert(sizeof(model) == 1);
