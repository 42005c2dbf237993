// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton then: the step has state; pass a lambda without captures
#include <baton/core/static_program.hpp>
#include <baton/core/then.hpp>

#include "conformance/graphs.hpp"

constexpr baton::static_program model{conformance::make<conformance::g_sin>{}};
constexpr int limit = 1;
#if defined(FIXED)
constexpr auto step = [](const baton::program_view& program) { return baton::thaw(program); };
#else
constexpr auto step = [max = limit](const baton::program_view& program) {
  return max > 0 ? baton::thaw(program) : baton::exported_program{};
};
#endif

constexpr auto transformed = baton::then(model, step);
