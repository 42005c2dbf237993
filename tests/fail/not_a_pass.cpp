// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton not_a_pass: the pass type has no function run; write: static constexpr auto run(const baton::program_view& program) -> baton::exported_program
#include <baton/core/static_program.hpp>
#include <baton/transform/transform.hpp>

#include "conformance/graphs.hpp"

#include <string_view>

struct tidy {
  static constexpr std::string_view name = "tidy";
#if defined(FIXED)
  static constexpr auto run(const baton::program_view& program) -> baton::exported_program { return baton::thaw(program); }
#endif
};

constexpr auto model = baton::static_program{conformance::make<conformance::g_sin>{}};
constexpr auto tidied = baton::transform(model, baton::passes<tidy>);
static_assert(tidied->nodes.size() == 1);
