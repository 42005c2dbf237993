// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/core/static_program.hpp>
#include <baton/lower/contracts.hpp>
#include <baton/lower/to_backend.hpp>

#include "conformance/demo_backends.hpp"
#include "conformance/graphs.hpp"

#include <doctest/doctest.h>

#include <string>

namespace {

using namespace baton;

constexpr auto target = backends<conformance::demo_backend, conformance::backend_with_compiler_demo>;
constexpr auto model = static_program{conformance::make<conformance::g_mmadd>{}};
constexpr auto whole = to_backend(target, model, conformance::all_nodes_partitioner<conformance::demo_backend>{});
constexpr auto halved = to_backend(target, model, conformance::add_mul_partitioner_demo{});
constexpr auto choosing =
    to_backend(target, static_program{conformance::make<conformance::g_cond>{}}, conformance::add_mul_partitioner_demo{});
using support = operators<"aten.add.Tensor", "aten.mm.default">;

static_assert(fully_delegated(whole));
static_assert(delegates(whole).size() == 1);
static_assert(boundary_within<64>(whole));

constexpr auto what_stays_is_counted() -> bool {
  return undelegated(whole).empty() && undelegated(halved).size() == 1 && index(undelegated(halved)[0]) == 1 &&
         undelegated(choosing).size() == 9;  // four before and at the choice, one behind it, two in each branch
}
static_assert(what_stays_is_counted());

/// Three arguments and a result of 16 bytes each; twice.
constexpr auto borders_are_measured() -> bool {
  return boundary_bytes(whole) == 64 && boundary_bytes(halved) == 128 && boundary_bytes(model) == 0;
}
static_assert(borders_are_measured());

auto sentence_of_a_node_that_stays() -> std::string {
  try {
    fully_delegated<support>(program_view(halved));
  } catch (const error& why) {
    return why.what();
  }
  return "";
}

}  // namespace

TEST_CASE("contracts: what stays is counted, also within branches") { CHECK(what_stays_is_counted()); }
TEST_CASE("contracts: bytes that cross borders") { CHECK(borders_are_measured()); }
TEST_CASE("contracts: a node that stays is named, with the reason") {
  CHECK(fully_delegated(program_view(whole)));
  CHECK(sentence_of_a_node_that_stays() ==
        "baton undelegated_node: this program must be delegated whole; a node stays; extend a backend or its partitioner, or take back the "
        "demand [node: sub] [operator: aten.sub.Tensor] [1 node stays: the operator is not in the list]");
}
