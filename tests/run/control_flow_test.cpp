// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The executor runs branches and loops: its results equal those of the reference interpreter.
#include <baton/run/basic_executor.hpp>

#include "reference/interpreter.hpp"
#include "reference/kernels.hpp"
#include "run/control_flow_programs.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace {

using namespace baton;
using namespace control_flow_programs;
using reference::any_aten;

/// True if the executor of a static program computes the same as the reference, for several inputs in a row.
template <auto Program>
auto equals_reference() -> bool {
  static basic_executor<Program, any_aten> net;
  const program_view program = Program;
  reference::state buffers;
  for (std::uint64_t seed = 1; seed < 20; ++seed) {
    const auto inputs = reference::some_inputs(program, seed);
    if (reference::execute(net, program, inputs) != reference::evaluate(program, inputs, buffers)) return false;
  }
  return true;
}

/// Returns its first operand if the predicate of the dtype `Type` is true, otherwise its second operand.
template <dtype Type>
inline constexpr static_program selection{[] {
  constexpr auto flag = tensor(dtype::uint8);
  program_builder b;
  const auto predicate = b.user_input("predicate", tensor(Type));
  const auto x = b.user_input("x", flag);
  const auto y = b.user_input("y", flag);
  graph_id branches[2]{};
  for (const bool is_first : {true, false}) {
    branches[is_first ? 0 : 1] = b.add_graph(is_first ? "first" : "second");
    const auto first = b.user_input("x", flag);
    const auto second = b.user_input("y", flag);
    b.output(is_first ? first : second);
  }
  b.enter(graph_id{0});
  b.output(b.call_many("choice", "cond", {predicate, x, y}, {flag}, {}, {branches[0], branches[1]})[0]);
  return b.finish();
}};
/// True if a branch takes a predicate with these bytes for true.
template <dtype Type>
auto selects_first(const std::array<std::uint8_t, facts(Type).bits / 8>& predicate) -> bool {
  static basic_executor<selection<Type>, any_aten> net;
  const std::uint8_t choices[] = {1, 0};
  std::memcpy(net.template input<0>().data(), predicate.data(), predicate.size());
  std::memcpy(net.template input<1>().data(), &choices[0], 1);
  std::memcpy(net.template input<2>().data(), &choices[1], 1);
  net.run();
  return *reinterpret_cast<const std::uint8_t*>(net.template output<0>().data()) == 1;
}
/// True if zero and negative zero are false, and the numbers next to zero are true.
template <dtype Type>
auto has_negative_zero() -> bool {
  constexpr std::size_t bytes = facts(Type).bits / 8;
  std::array<std::uint8_t, bytes> zero{}, negative_zero{}, smallest{}, negative_smallest{};
  negative_zero[bytes - 1] = 0x80;
  smallest[0] = 1;
  negative_smallest[0] = 1;
  negative_smallest[bytes - 1] |= 0x80;
  return !selects_first<Type>(zero) && !selects_first<Type>(negative_zero) && selects_first<Type>(smallest) &&
         selects_first<Type>(negative_smallest);
}

}  // namespace

TEST_CASE("a branch matches the reference") {
  CHECK(equals_reference<cond_program>());
  CHECK(equals_reference<passing_program>());
}
TEST_CASE("a loop until a condition fails, with values that swap, matches the reference") { CHECK(equals_reference<while_program>()); }
TEST_CASE("a map over the slices of a stack matches the reference") { CHECK(equals_reference<map_program>()); }
TEST_CASE("graphs inside graphs inside graphs match the reference") { CHECK(equals_reference<nested_program>()); }
TEST_CASE("one graph with several callers matches the reference") { CHECK(equals_reference<shared_program>()); }
TEST_CASE("loops exchange a carried value and a mutable buffer by three copies") { CHECK(equals_reference<exchanging_program>()); }

TEST_CASE("a predicate that is a negative zero is false, for every type of real and complex numbers") {
  CHECK(has_negative_zero<dtype::float32>());
  CHECK(has_negative_zero<dtype::float64>());
  CHECK(has_negative_zero<dtype::float16>());
  CHECK(has_negative_zero<dtype::bfloat16>());
  CHECK(has_negative_zero<dtype::float8_e4m3>());
  CHECK(has_negative_zero<dtype::float8_e5m2>());
  CHECK(has_negative_zero<dtype::complex64>());
  CHECK(has_negative_zero<dtype::complex128>());
  CHECK(!selects_first<dtype::complex64>({0, 0, 0, 0x80, 0, 0, 0, 0x80}));
  CHECK(selects_first<dtype::complex64>({0, 0, 0, 0x80, 0, 0, 0x80, 0x3f}));
}
TEST_CASE("the highest bit of an integer predicate is not a sign of zero") {
  CHECK(selects_first<dtype::int8>({0x80}));
  CHECK(selects_first<dtype::uint16>({0, 0x80}));
  CHECK(!selects_first<dtype::uint16>({0, 0}));
}
