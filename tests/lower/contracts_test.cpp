// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/lower/contracts.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_support.hpp>

#include "conformance/demo_backends.hpp"
#include "conformance/graphs.hpp"
#include "core/refusals.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <string_view>

namespace {

using namespace baton;

constexpr auto target = backends<conformance::demo_backend, conformance::backend_with_compiler_demo>;
constexpr auto model = static_program{conformance::make<conformance::g_mmadd>{}};
constexpr auto whole = to_backend(target, model, conformance::all_nodes_partitioner<conformance::demo_backend>{});
constexpr auto halved = to_backend(target, model, conformance::add_mul_partitioner_demo{});
constexpr auto choosing =
    to_backend(target, static_program{conformance::make<conformance::g_cond>{}}, conformance::add_mul_partitioner_demo{});
using support = operator_names<"aten.add.Tensor", "aten.mm.default">;

static_assert(fully_delegated(whole));
static_assert(delegates(whole).size() == 1);
static_assert(max_boundary_bytes<64>(whole));

constexpr auto undelegated_nodes_are_counted() -> bool {
  return undelegated(whole).empty() && undelegated(halved).size() == 1 && index(undelegated(halved)[0]) == 1 &&
         undelegated(choosing).size() == 9;  // four before and including the conditional, one after it, two in each branch
}
static_assert(undelegated_nodes_are_counted());

/// Each of the two delegates has three arguments and a result, of 16 bytes each.
constexpr auto boundaries_are_measured() -> bool {
  return boundary_bytes(whole) == 64 && boundary_bytes(halved) == 128 && boundary_bytes(model) == 0;
}
static_assert(boundaries_are_measured());

/// Nodes that no delegate computes: `pairs` of each of two operators, with names that begin with `prefix`.
constexpr auto undelegated_program(std::size_t pairs, std::string_view prefix) -> exported_program {
  program_builder b;
  auto latest = b.user_input("x", conformance::two_by_two);
  for (std::size_t i = 0; i < pairs; ++i) {
    latest = b.call(view(join(prefix, "relu", i)), "aten.relu.default", {latest}, conformance::two_by_two);
    latest = b.call(view(join(prefix, "add", i)), "aten.add.Tensor", {latest, latest}, conformance::two_by_two);
  }
  b.output(latest);
  return b.finish();
}
constexpr auto reason_for(const program_view& program) -> text_buffer { return detail::check_delegated<support>(program).reason; }
constexpr auto a_few_are_all_named() -> bool {
  return view(reason_for(undelegated_program(2, ""))) ==
             "4 nodes are not delegated: relu0, relu1: the operator is not in the list; add0, add1: it is supported, but no partitioner "
             "selected it" &&
         reason_for(program_view(whole)).empty();
}
/// A partitioner explains its decisions itself.
constexpr auto partitioners_are_asked() -> bool {
  using pairs = by_support<conformance::backend_with_compiler_demo, support, partition_options{.min_nodes = 2}>;
  return view(detail::check_delegated<pairs>(undelegated_program(1, "")).reason) ==
         "2 nodes are not delegated: relu0: the operator is not in the list; add0: it is supported, but its part has fewer than 2 nodes";
}
static_assert(partitioners_are_asked());
constexpr auto many_are_counted() -> bool {
  return view(reason_for(undelegated_program(10, ""))) ==
         "20 nodes are not delegated: relu0, relu1, relu2, relu3, relu4, relu5: the operator is not in the list; add0, add1, add2, add3, "
         "add4, add5: it "
         "is supported, but no partitioner selected it; and 8 more";
}
/// Refuses each node with a different, long reason.
struct talkative {
  static constexpr auto supports(const program_view& program, const node& record) -> verdict {
    return refuse("of all the operators that this machine has, or may come to have when it is grown up, none does what ",
                  program.text(record.name), " does");
  }
};
constexpr auto reasons_that_do_not_fit_are_counted() -> bool {
  const auto reported = detail::check_delegated<talkative>(undelegated_program(7, "")).reason;
  return reported.size() <= static_failure::reason_capacity &&
         view(reported).starts_with("14 nodes are not delegated: relu0: of all the operators") &&
         view(reported).ends_with(" none does what relu2 does; and 9 more");
}
static_assert(a_few_are_all_named());
static_assert(many_are_counted());
static_assert(reasons_that_do_not_fit_are_counted());

}  // namespace

TEST_CASE("contracts: undelegated nodes are counted, also in branches") { CHECK(undelegated_nodes_are_counted()); }
TEST_CASE("contracts: bytes that cross the boundaries of delegates are limited") {
  CHECK(boundaries_are_measured());
  CHECK(max_boundary_bytes<128>(program_view(halved)));
  CHECK(refusals::text_thrown_by([] { max_boundary_bytes<100>(program_view(halved)); }) ==
        "baton too_many_boundary_bytes: more bytes cross the boundaries of delegates than the contract allows; change the partition, or "
        "raise the limit "
        "[128 bytes, the limit is 100; the largest values: x 32, b 32, a 16]");
}
TEST_CASE("contracts: undelegated nodes are named, with the reasons") {
  CHECK(fully_delegated(program_view(whole)));
  CHECK(a_few_are_all_named());
  CHECK(partitioners_are_asked());
  CHECK(many_are_counted());
  CHECK(reasons_that_do_not_fit_are_counted());
  CHECK(refusals::text_thrown_by([] { fully_delegated<support>(program_view(halved)); }) ==
        "baton undelegated_node: the program must be fully delegated, but this node is not; extend a backend or its partitioner, or "
        "remove the contract [node: sub] [operator: aten.sub.Tensor] [1 node is not delegated: sub: the operator is not in the list]");
}
