// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/partition/constant_tagging.hpp>

#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/lower/verdicts.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/partition/partitioner.hpp>

#include "conformance/graphs.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace {

using namespace baton;

/// Returns a result in which node `i` has the tag `names[i]`, or no tag if the name is empty.
constexpr auto tagged(const exported_program& program, std::initializer_list<std::string_view> names) -> partition_result {
  partition_result result{program};
  std::uint32_t n = 0;
  for (const auto name : names) {
    if (!name.empty()) result.tag_node(static_cast<node_id>(n), result.add_tag(name, delegation_spec{"Npu"}));
    ++n;
  }
  return result;
}

constexpr auto tag_of(const partition_result& result, const exported_program& program, std::string_view name) -> std::string_view {
  for (std::uint32_t v = 0; v < program.values.size(); ++v) {
    if (program_view(program).text(program.values[v].name) != name) continue;
    const auto tag = result.tag_of(value_id{v});
    return tag == none<tag_id> ? "-" : result.name_of(tag);
  }
  return "?";
}

constexpr auto constants_follow_their_users() -> bool {
  const auto program = conformance::g_add3();
  auto result = tagged(program, {"b", "", "a"});
  const auto shared = tag_constant_data(result, program);
  return shared.empty() && tag_of(result, program, "b_const1") == "b" && tag_of(result, program, "b_const2") == "-" &&
         tag_of(result, program, "p_const3") == "a" && tag_of(result, program, "x") == "-" && tag_mutated_buffer(result, program).empty();
}
static_assert(constants_follow_their_users());

// Tags are compared by name: `tag10` comes before `tag9`. The size of each copy is returned (U11).
constexpr auto the_smallest_name_wins() -> bool {
  const auto program = conformance::g_reuse();
  auto result = tagged(program, {"tag9", "tag10"});
  const auto shared = tag_constant_data(result, program, data_sharing::duplicate);
  return shared.size() == 1 && shared[0].tags == 2 && shared[0].bytes_each == 16 && tag_of(result, program, "b_const") == "tag10" &&
         result.value_tags()[index(shared[0].value)].sharing == data_sharing::duplicate;
}
static_assert(the_smallest_name_wins());

constexpr auto an_untagged_user_is_ignored() -> bool {
  const auto program = conformance::g_reuse();
  auto result = tagged(program, {"", "tag1"});
  return tag_constant_data(result, program).empty() && tag_of(result, program, "b_const") == "tag1";
}
static_assert(an_untagged_user_is_ignored());

// Q5: the signature determines which buffers are mutated. The original compares node names, so it treats the constant from which the new
// state is computed as mutated, too.
constexpr auto the_signature_distinguishes_states_from_constants() -> bool {
  const auto program = conformance::g_mut();
  auto constants = tagged(program, {"t", "t"});
  tag_constant_data(constants, program);
  auto state = tagged(program, {"t", "t"});
  tag_mutated_buffer(state, program);
  return tag_of(constants, program, "b_my_state") == "-" && tag_of(constants, program, "c_lifted_tensor_0") == "t" &&
         tag_of(state, program, "b_my_state") == "t" && tag_of(state, program, "c_lifted_tensor_0") == "-";
}
static_assert(the_signature_distinguishes_states_from_constants());

constexpr auto a_state_of_two_parts_is_reported() -> bool {
  const auto program = conformance::g_mut();
  auto result = tagged(program, {"t", "s"});
  const auto shared = tag_mutated_buffer(result, program);
  return shared.size() == 1 && shared[0].tags == 2 && tag_of(result, program, "b_my_state") == "s" &&
         result.value_tags()[index(shared[0].value)].sharing == data_sharing::own;
}
static_assert(a_state_of_two_parts_is_reported());

}  // namespace

TEST_CASE("a constant gets the tag of its users") {
  CHECK(constants_follow_their_users());
  CHECK(the_smallest_name_wins());
  CHECK(an_untagged_user_is_ignored());
}

TEST_CASE("the signature distinguishes states from constants") {
  CHECK(the_signature_distinguishes_states_from_constants());
  CHECK(a_state_of_two_parts_is_reported());
}

// `with_constants`: parts include their constants. Everything else is passed on from the partitioner.
namespace {

struct npu {
  static constexpr auto id = name<"Npu">;
};
using products = by_support<npu, operator_names<"mm">>;

/// A program with weights of a product, of a sum, and of both.
constexpr auto program() -> exported_program {
  constexpr char bytes[] = {1, 2, 3, 4};
  const auto four = tensor(dtype::int8, 4);
  program_builder b;
  const auto x = b.user_input("x", four);
  const auto a = b.parameter("a", four, bytes);
  const auto c = b.parameter("c", four, bytes);
  const auto both = b.parameter("both", four, bytes);
  const auto state = b.mutable_buffer("state", four);
  const auto product = b.call("mm", {x, a, both, state}, four);
  const auto sum = b.call("add", {product, c, both}, four);
  b.mutation(sum, "state");
  b.output(sum);
  return b.finish();
}
constexpr auto has_tag(const partition_result& tagged, std::string_view name) -> bool {
  const auto source = program();
  for (std::uint32_t v = 0; v < source.values.size(); ++v) {
    if (program_view(source).text(source.values[v].name) == name) return tagged.tag_of(value_id{v}) != none<tag_id>;
  }
  return false;
}

constexpr auto parts_have_the_constants_of_their_nodes() -> bool {
  const auto plain = products::partition(program());
  const auto result = with_constants<products>{}.partition(program());
  return result && !has_tag(plain, "p_a") && has_tag(result.value, "p_a") && has_tag(result.value, "p_both") &&
         !has_tag(result.value, "p_c") && !has_tag(result.value, "b_state") && !has_tag(result.value, "x");
}
static_assert(parts_have_the_constants_of_their_nodes());

constexpr auto reasons_are_passed_on() -> bool {
  const auto verdicts = verdicts_of(program(), with_constants<products>{});
  return verdicts.value[0].is_delegated && view(verdicts.value[1].reason) == "the operator is not in the list";
}
static_assert(reasons_are_passed_on());
static_assert(explaining_partitioner<with_constants<products>> && !explaining_partitioner<with_constants<archetypes::partitioner>>);

struct failing {
  static constexpr auto partition(const exported_program&) -> result<partition_result> {
    return broken<"malformed_cost">("a fixed reason");
  }
};
constexpr auto failures_are_passed_on() -> bool {
  const auto result = with_constants<failing>{}.partition(program());
  return !result && view(result.error.reason) == "a fixed reason";
}
static_assert(failures_are_passed_on());

}  // namespace

TEST_CASE("parts have the constants that their nodes use, and no states") { CHECK(parts_have_the_constants_of_their_nodes()); }
TEST_CASE("reasons of the partitioner are passed on") { CHECK(reasons_are_passed_on()); }
TEST_CASE("failures of the partitioner are passed on") { CHECK(failures_are_passed_on()); }
