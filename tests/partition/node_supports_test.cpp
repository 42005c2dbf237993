// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/verdict.hpp>
#include <baton/partition/operator_support.hpp>

#include "conformance/graphs.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <string_view>

namespace {

using namespace baton;

/// How many of the five nodes of G-MMADD (mm, add, sub, mm_1, add_1) a support rejects, the first for this reason.
template <operator_support Support>
constexpr auto rejects(std::size_t count, std::string_view reason) -> bool {
  const auto program = conformance::g_mmadd();
  std::size_t rejected = 0;
  for (const auto& record : program.nodes) {
    const auto answer = Support::supports(program, record);
    if (answer) continue;
    if (rejected++ == 0 && view(answer.reason) != reason) return false;
  }
  return rejected == count;
}
constexpr auto is_sum(const program_view&, const node& one) -> bool { return one.is("aten.add.Tensor"); }
constexpr auto is_a_sum(const program_view& program, const node& one) -> verdict {
  if (is_sum(program, one)) return accept();
  return refuse("it makes no sum");
}

using floats = dtypes<dtype::float32>;
using bytes = dtypes<dtype::int8>;

constexpr auto ready_made_supports_say_why() -> bool {
  return rejects<operator_table<table_row<"aten.add.Tensor", floats, floats, bytes>, table_row<"aten.mm.default">>>(
             1, "the operator is not in the table") &&
         rejects<operator_table<table_row<"aten.mm.default", dtypes<>, bytes>>>(5, "operand 1 is float32") &&
         rejects<supported_if<is_sum>>(3, "the node does not meet the condition") && rejects<supported_if<is_a_sum>>(3, "it makes no sum");
}
static_assert(ready_made_supports_say_why());

}  // namespace

TEST_CASE("ready-made supports say why not") { CHECK(ready_made_supports_say_why()); }
