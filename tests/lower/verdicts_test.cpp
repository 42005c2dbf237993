// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/lower/verdicts.hpp>

#include <baton/core/builder.hpp>
#include <baton/core/vector.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_cost.hpp>
#include <baton/partition/by_support.hpp>

#include "conformance/demo_backends.hpp"
#include "conformance/graphs.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace {

using namespace baton;

using sums = operators<"aten.add.Tensor", "aten.mm.default">;
using demo = conformance::backend_with_compiler_demo;

struct expected {
  std::string_view name;
  std::string_view backend;
  std::string_view reason;
};
constexpr std::string_view refused = "the operator is not in the list";

/// Whether each verdict says what is expected of the node of that name, in order.
template <std::size_t N>
constexpr auto say(const baton::vector<node_verdict>& found, const program_view& program, const expected (&all)[N]) -> bool {
  if (found.size() != N) return false;
  for (std::size_t i = 0; i < N; ++i) {
    const auto& one = found[i];
    const bool is_taken = !all[i].backend.empty();
    if (program.text(program[one.node].name) != all[i].name || view(one.backend) != all[i].backend || view(one.reason) != all[i].reason ||
        one.is_taken != is_taken || one.tag.empty() == is_taken || one.debug_handle != program[one.node].debug_handle) {
      return false;
    }
  }
  return true;
}

constexpr expected after[] = {{"add", "BackendWithCompilerDemo", ""},
                              {"sel", "", refused},
                              {"sel_1", "", refused},
                              {"eq", "", refused},
                              {"cond", "", refused},
                              {"sub", "", refused},
                              {"sub", "", refused},
                              {"add", "BackendWithCompilerDemo", ""},
                              {"sub_1", "", refused},
                              {"sub", "", refused},
                              {"mm", "BackendWithCompilerDemo", ""},
                              {"sub_1", "", refused}};

constexpr auto every_node_has_a_verdict() -> bool {
  const auto program = conformance::g_cond();
  const auto found = verdicts_of(program, by_support<demo, sums>{});
  return found && say(found.value, program, after);
}
static_assert(every_node_has_a_verdict());
TEST_CASE("verdicts: every node has one, in branches too") { CHECK(every_node_has_a_verdict()); }

/// What lies inside a delegate has no verdict; its call does.
constexpr auto lowered_programs_have_verdicts() -> bool {
  const auto lowered = to_backend(backends<demo>, conformance::g_cond(), by_support<demo, sums>{});
  const auto found = verdicts_of(lowered, by_support<demo, sums>{});
  std::size_t taken = 0;
  for (const auto& one : found.value) {
    taken += one.is_taken ? 1u : 0u;
    if (one.is_taken && (view(one.backend) != "BackendWithCompilerDemo" || !view(one.tag).starts_with("lowered_module_"))) return false;
  }
  return found.value.size() == 12 && taken == 3;
}
static_assert(lowered_programs_have_verdicts());
TEST_CASE("verdicts: of a lowered program, not inside delegates") { CHECK(lowered_programs_have_verdicts()); }

/// A branch goes where the node goes that has it, whatever the support says of what is inside.
constexpr auto branches_are_taken_along() -> bool {
  const auto program = conformance::g_cond();
  const auto found = verdicts_of(program, by_support<demo, operators<"cond">>{});
  for (const auto& one : found.value) {
    const bool is_inside = index(one.node) >= program.graphs[0].nodes.size || program_view(program).text(program[one.node].name) == "cond";
    if (one.is_taken != is_inside || one.reason.empty() != is_inside) return false;
  }
  return found.value.size() == 12;
}
static_assert(branches_are_taken_along());
TEST_CASE("verdicts: branches are taken along") { CHECK(branches_are_taken_along()); }

constexpr auto loop_bodies_have_verdicts() -> bool {
  const auto program = conformance::g_map();
  const auto found = verdicts_of(program, by_support<demo, sums>{});
  return found.value.size() == program.nodes.size() && program.graphs.size() > 1;
}
static_assert(loop_bodies_have_verdicts());
TEST_CASE("verdicts: loop bodies have them") { CHECK(loop_bodies_have_verdicts()); }

/// A partitioner without reasons: the verdict says that.
constexpr auto who_says_nothing_is_told_of() -> bool {
  const auto found = verdicts_of(conformance::g_mmadd(), archetypes::partitioner{});
  for (const auto& one : found.value) {
    if (one.is_taken || view(one.reason) != "its partitioner left it and gives no reason") return false;
  }
  return found.value.size() == conformance::g_mmadd().nodes.size();
}
static_assert(who_says_nothing_is_told_of());
TEST_CASE("verdicts: of a partitioner that says nothing") { CHECK(who_says_nothing_is_told_of()); }

// Why what is supported stays.

constexpr auto left(const result<baton::vector<node_verdict>>& found, std::size_t at, std::string_view reason) -> bool {
  return found && !found.value[at].is_taken && view(found.value[at].reason) == reason;
}
constexpr auto parts_too_small_are_told() -> bool {
  const auto found = verdicts_of(conformance::g_mmadd(), by_support<demo, sums, partition_options{.least_nodes = 3}>{});
  return left(found, 0, "it is supported, but in a part smaller than the least of 3 nodes");
}
static_assert(parts_too_small_are_told());

struct host {
  static constexpr auto node(const program_view&, const baton::node&) -> double { return 1; }
};
struct dear {
  static constexpr auto node(const program_view&, const baton::node&) -> double { return 2; }
  static constexpr double byte = 1;
};
struct small : dear {
  static constexpr std::uint64_t capacity = 3;
};
constexpr auto with_weights() -> exported_program {
  program_builder b;
  const auto x = b.user_input("x", tensor(dtype::int8, 2));
  constexpr char bytes[] = {1, 2, 3, 4};
  const auto weights = b.parameter("w", tensor(dtype::int8, 4), bytes);
  const auto mm = b.call("mm", "aten.mm.default", {x, weights}, tensor(dtype::int8, 2));
  b.output(b.call("add", "aten.add.Tensor", {mm, x}, tensor(dtype::int8, 2)));
  return b.finish();
}
constexpr auto costs_and_capacities_are_told() -> bool {
  const auto by_price = verdicts_of(with_weights(), by_cost<host, costed_backend<demo, sums, dear>>{});
  const auto by_room = verdicts_of(with_weights(), by_cost<host, costed_backend<demo, sums, small>>{});
  const auto limited =
      verdicts_of(with_weights(), by_cost_within<cost_options{.least_nodes = 2}, host, costed_backend<demo, sums, dear>>{});
  return left(by_price, 0, "it is supported, but costs least on the kernels (the node alone 1, here 2)") &&
         left(by_room, 0, "it is supported, but its constants of 4 bytes are beyond the capacity") &&
         left(by_room, 1, "it is supported, but costs least on the kernels (the node alone 1, here 2)") &&
         left(limited, 0, "it is supported, but costs least on the kernels or in a part beyond the limits (the node alone 1, here 2)");
}
static_assert(costs_and_capacities_are_told());
TEST_CASE("verdicts: why a partitioner left what is supported") {
  CHECK(parts_too_small_are_told());
  CHECK(costs_and_capacities_are_told());
}

}  // namespace
