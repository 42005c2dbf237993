// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: constexpr
// EXPECT: baton costly_pass: the compiler cannot evaluate a pass; see the compiler's message above, and omit the pass, or raise the limit if it names one (-fconstexpr-steps, -fconstexpr-ops-limit)
// EXPECT: pass looks_for_long
// FIRST: any
// LINES: 90
// The compiler first reports the limit, and the place where it was exceeded.
#include <baton/core/static_program.hpp>
#include <baton/transform/rewriter.hpp>
#include <baton/transform/transform.hpp>

#include "conformance/graphs.hpp"
#include "fail/long_work.hpp"

#include <string_view>

/// Runs a loop with many iterations.
struct looks_for_long {
  static constexpr std::string_view name = "looks_for_long";
  static constexpr auto run(const baton::program_view& program) -> baton::result<baton::exported_program> {
    baton::rewriter change(program);
    if (long_work(!program.nodes.empty()) == 1) change.erase_dead();
    return change.finish();
  }
};

constexpr auto model = baton::static_program{conformance::make<conformance::g_sin>{}};
constexpr auto transformed = baton::transform(model, baton::passes<looks_for_long>);
static_assert(transformed->nodes.size() == 1);
