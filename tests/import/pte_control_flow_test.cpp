// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/import/detail/pte_control_flow.hpp>

#include <baton/core/print.hpp>
#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/pte.hpp>

#include "import/pte_writer.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace {

using tests::pte_writer;
using file = baton::vector<char>;

auto printed(const file& bytes) -> std::string {
  const auto program = baton::pte::try_read_bytes(bytes);
  auto text = baton::message(program.error);
  if (program) text = baton::print(program.value);
  return {text.data(), text.size()};
}
auto contains(const std::string& text, std::string_view part) -> bool { return text.find(part) != std::string::npos; }

/// Writes loops with a body that the caller adds.
struct loop_writer : pte_writer {
  std::int32_t zero = integer(0), one = integer(1), no = boolean(false);

  /// Begins a loop over a stack of two rows at `place`. Returns the number of the row.
  auto begin(std::int32_t stack, std::int32_t counter, std::int32_t count, std::int32_t place, std::int32_t dimension) -> std::int32_t {
    const auto row = tensor({.sizes = {2}, .offset = place});
    call("aten::sym_size", "int", {stack, zero, count});
    call("aten::select_copy", "int_out", {stack, dimension, counter, row, row});
    return row;
  }
  void end(std::int32_t counter, std::int32_t count, std::int32_t begin) {
    const auto is_done = boolean(false);
    call("executorch_prim::add", "Scalar", {counter, one, counter});
    call("executorch_prim::eq", "Scalar", {counter, count, is_done});
    jump_false(is_done, begin);
    call("executorch_prim::sub", "Scalar", {counter, count, counter});
  }
};

// if (p) state += x, else y = x; returns y
auto state_in_branch() -> file {
  pte_writer write;
  const auto p = write.tensor({.sizes = {}, .offset = 0, .type = 11}), x = write.tensor({.sizes = {2}, .offset = 16});
  const auto state = write.tensor({.sizes = {2}, .offset = 32, .name = "total"}), sum = write.tensor({.sizes = {2}, .offset = 48});
  const auto y = write.tensor({.sizes = {2}, .offset = 64});
  const auto no = write.boolean(false), one = write.integer(1);
  write.jump_false(p, 5);                                     // 0
  write.call("aten::add", "out", {state, x, one, sum, sum});  // 1
  write.call("aten::copy_", "", {state, sum, no, state});     // 2
  write.move(sum, y);                                         // 3
  write.jump_false(no, 6);                                    // 4
  write.move(x, y);                                           // 5
  write.method({p, x}, {y});
  return write.file();
}

// if (p) for row in stack: rows.append(relu(row)), else rows = stack
auto loop_in_branch(bool resets_counter) -> file {
  loop_writer write;
  const auto p = write.tensor({.sizes = {}, .offset = 0, .type = 11}), stack = write.tensor({.sizes = {2, 2}, .offset = 16});
  const auto rows = write.tensor({.sizes = {2, 2}, .offset = 32}), y = write.tensor({.sizes = {2, 2}, .offset = 48});
  const auto counter = write.integer(0), count = write.integer(0), a = write.tensor({.sizes = {2}, .offset = 80});
  write.jump_false(p, resets_counter ? 11 : 10);                               // 0
  const auto row = write.begin(stack, counter, count, 64, write.zero);         // 1, 2
  write.call("aten::relu", "out", {row, a, a});                                // 3
  write.call("executorch_prim::et_copy_index", "tensor", {rows, a, counter});  // 4
  const auto is_done = write.boolean(false);
  write.call("executorch_prim::add", "Scalar", {counter, write.one, counter});  // 5
  write.call("executorch_prim::eq", "Scalar", {counter, count, is_done});       // 6
  write.jump_false(is_done, 2);                                                 // 7
  if (resets_counter) write.call("executorch_prim::sub", "Scalar", {counter, count, counter});
  write.move(rows, y);
  write.jump_false(write.no, resets_counter ? 12 : 11);
  write.move(stack, y);
  write.method({p, stack}, {y});
  return write.file();
}

// for row in stack: [other += 1]; rows.append(relu(row))
auto loop(std::int32_t dimension, bool counts_otherwise, bool uses_counter) -> file {
  loop_writer write;
  const auto stack = write.tensor({.sizes = {2, 2}, .offset = 16}), rows = write.tensor({.sizes = {2, 2}, .offset = 32});
  const auto counter = write.integer(0), count = write.integer(0), other = write.integer(0), a = write.tensor({.sizes = {2}, .offset = 80});
  const auto row = write.begin(stack, counter, count, 64, dimension == 0 ? write.zero : write.one);
  if (counts_otherwise) write.call("executorch_prim::add", "Scalar", {other, write.one, other});
  if (uses_counter) {
    write.call("aten::add", "Scalar_out", {row, counter, a, a});
  } else {
    write.call("aten::relu", "out", {row, a, a});
  }
  write.call("executorch_prim::et_copy_index", "tensor", {rows, a, counter});
  write.end(counter, count, 1);
  write.method({stack}, {rows});
  return write.file();
}

}  // namespace

TEST_CASE("pte: a branch returns the new value of a mutable buffer") {
  const auto text = printed(state_in_branch());
  CAPTURE(text);
  CHECK(contains(text, "%value_4_0, %value_2_0 = call_function[target=cond](%input_0, %total, %input_1, subgraphs="));
  CHECK(contains(text, "return (%value_2_0, %value_4_0)  # %value_2_0 mutates total"));
}

TEST_CASE("pte: a branch may contain a loop that resets its counter") {
  const auto text = printed(loop_in_branch(true));
  CAPTURE(text);
  CHECK(contains(text, "= call_function[target=map](%input_1, mapped=1, subgraphs=[forward_node_7_body])"));
  CHECK(contains(text, "= call_function[target=cond](%input_0, %input_1, subgraphs=[forward_node_0_then, forward_node_0_else])"));
  CHECK(contains(printed(loop_in_branch(false)), "the branch or loop from instruction 1 changes the number 7"));
}

TEST_CASE("pte: loops with other numbers or dimensions are refused") {
  CHECK(contains(printed(loop(0, false, false)), "= call_function[target=map](%input_0, mapped=1, subgraphs="));
  CHECK(contains(printed(loop(1, false, false)), "instruction 1 reads a stack along another dimension than 0"));
  CHECK(contains(printed(loop(0, true, false)), "the branch or loop from instruction 1 changes the number 7"));
  CHECK(contains(printed(loop(0, false, true)), "instruction 2 uses the counter of a loop, value 5, as argument 1"));
}
