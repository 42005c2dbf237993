// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/operators/shared/output_elements.hpp>

#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>

namespace {

using namespace baton;

/// Node 0 has two outputs, node 1 one output of unknown size. `omits_second` omits the second output of node 0.
constexpr auto program_of(bool omits_second) -> exported_program {
  program_builder b;
  const auto x = b.user_input("x", tensor(dtype::int8, 4));
  const auto two = b.call_many("two", "test.two", {x}, {tensor(dtype::int8, 2, 3), tensor(dtype::int32, 4)});
  b.output(two[0]);
  b.output(b.call("unknown", "test.unknown", {x}, tensor(dtype::int8, 2, -1)));
  auto program = b.finish();
  if (omits_second) program.operands[program.nodes[0].outputs.first + 1] = none<value_id>;
  return program;
}
constexpr auto elements(bool omits_second, std::size_t n) -> std::uint64_t {
  const auto program = program_of(omits_second);
  return output_elements(program, program_view(program).nodes[n]);
}
constexpr auto elements_of_all_outputs_are_counted() -> bool {
  return elements(false, 0) == 6 + 4 && elements(true, 0) == 6 && elements(false, 1) == 0;
}
static_assert(elements_of_all_outputs_are_counted());

}  // namespace

TEST_CASE("the elements of all outputs are counted, without omitted outputs and outputs of unknown size") {
  CHECK(elements_of_all_outputs_are_counted());
}
