// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton not_a_pass: the pass type has no name; write: static constexpr std::string_view name = "...";
#include <baton/core/static_program.hpp>
#include <baton/transform/transform.hpp>

#include "conformance/graphs.hpp"

#include <string_view>

struct tidy {
#if defined(FIXED)
  static constexpr std::string_view name = "tidy";
#endif
  static constexpr auto run(const baton::program_view& program) -> baton::exported_program { return baton::thaw(program); }
};

const auto tidied = baton::transform(conformance::g_sin(), baton::passes<tidy>);
