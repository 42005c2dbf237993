// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The table of `baton inspect --etdump` for a program with a delegate.
#include "executorch_times.hpp"

#include <baton/core/vector.hpp>
#include <baton/import/etdump.hpp>
#include <baton/import/pte.hpp>

#include "import/etdump_writer.hpp"
#include "import/pte_xnnpack_writer.hpp"

#include <doctest/doctest.h>

#include <string_view>

namespace {

/// y = -x, computed by a delegate of XNNPACK. Its node has the debug handle 7.
auto negation() -> baton::vector<char> {
  tests::xnnpack_writer write;
  write.value({.dims = {1, 2}, .input = 0});
  write.value({.dims = {1, 2}, .output = 0});
  write.node(static_cast<int>(baton::pte::xnnpack::operation::negate), {0, 1, 0});
  return tests::xnnpack_program(write.bytes(), {{1, 2}}, {1, 2});
}

}  // namespace

TEST_CASE("executorch times: the operators of a delegate are rows of its call, and its nodes belong to no instruction") {
  tests::etdump_writer write;
  for (int run = 0; run < 2; ++run) {
    write.block({{"", 0, 10, 40, 0, -1, "Negate #1"},
                 {"", 0, 40, 50, 0, 3},
                 {"DELEGATE_CALL", 0, 5, 55},
                 {"MOVE_CALL", 6, 60, 70},
                 {"Method::execute", 0, 0, 100, -1}});
  }
  const auto file = write.bytes(), model = negation();
  const auto times = baton::pte::instruction_times::read(file);
  const auto program = baton::pte::importer::read(model);
  REQUIRE(times);
  REQUIRE(program);
  const auto text = choices::executorch_times_text(times.value, {}, program.value);
  CHECK(baton::view(text) ==
        "times that ExecuTorch measured, in ticks of its clock, means of 2 runs:\n"
        "       ticks   share  instruction and its nodes\n"
        "          50  50.0 %  0  forward_node_0 (executorch_call_delegate)\n"
        "          30  30.0 %    Negate #1\n"
        "          10  10.0 %    operator 3\n"
        "          10  10.0 %  6  no node\n"
        "         100 100.0 %  the whole run\n");
}
