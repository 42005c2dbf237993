// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/graph/shared/operand_users.hpp>

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>

#include "conformance/drawn_graph.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string_view>

namespace {

using namespace baton;

/// Returns the names of the nodes of operator `op` whose operand `position` is the first placeholder.
constexpr auto users(const exported_program& program, std::string_view op, std::uint32_t position) -> text_buffer {
  operand_users finder;
  text_buffer names;
  for (const auto& use : finder.of(program, program_view(program).inputs(program.graphs[0])[0], hash_of(op), position))
    append(append(names, names.empty() ? "" : " "), program_view(program).text(program[use.user].name));
  return names;
}
constexpr auto users_are_found_by_operator_and_position() -> bool {
  const auto program = conformance::draw("sub(x,y) neg(x) sub_1(y,x) sub_2(x,x) -> sub neg sub_1 sub_2");
  return view(users(program, "sub", 0)) == "sub sub_2" && view(users(program, "sub", 1)) == "sub_1 sub_2" &&
         view(users(program, "neg", 0)) == "neg" && users(program, "neg", 1).empty() && users(program, "add", 0).empty() &&
         users(conformance::draw("neg(y) -> neg"), "sub", 0).empty();
}
static_assert(users_are_found_by_operator_and_position());

}  // namespace

TEST_CASE("operand_users finds users by operator and operand position, in program order") {
  CHECK(users_are_found_by_operator_and_position());
}
