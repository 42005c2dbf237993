// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/partition/constant_tagging.hpp>
#include <baton/core/program.hpp>
#include <baton/partition/partitioner.hpp>

#include "conformance/graphs.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace {

using namespace baton;

/// The program with nodes tagged, in order; an empty name leaves a node alone.
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

// Tags are compared by name: `tag10` comes before `tag9`. What a copy costs is there to be read (U11).
constexpr auto the_smallest_name_wins() -> bool {
  const auto program = conformance::g_reuse();
  auto result = tagged(program, {"tag9", "tag10"});
  const auto shared = tag_constant_data(result, program, data_sharing::duplicate);
  return shared.size() == 1 && shared[0].tags == 2 && shared[0].bytes_each == 16 && tag_of(result, program, "b_const") == "tag10" &&
         result.value_tags()[index(shared[0].value)].sharing == data_sharing::duplicate;
}
static_assert(the_smallest_name_wins());

constexpr auto an_untagged_user_does_not_count() -> bool {
  const auto program = conformance::g_reuse();
  auto result = tagged(program, {"", "tag1"});
  return tag_constant_data(result, program).empty() && tag_of(result, program, "b_const") == "tag1";
}
static_assert(an_untagged_user_does_not_count());

// Q5: the signature says what changes. By node names, the original takes the constant that feeds the new state for a changing one too.
constexpr auto state_is_told_from_constants_by_the_signature() -> bool {
  const auto program = conformance::g_mut();
  auto constants = tagged(program, {"t", "t"});
  tag_constant_data(constants, program);
  auto state = tagged(program, {"t", "t"});
  tag_mutated_buffer(state, program);
  return tag_of(constants, program, "b_my_state") == "-" && tag_of(constants, program, "c_lifted_tensor_0") == "t" &&
         tag_of(state, program, "b_my_state") == "t" && tag_of(state, program, "c_lifted_tensor_0") == "-";
}
static_assert(state_is_told_from_constants_by_the_signature());

constexpr auto state_of_two_parts_is_told() -> bool {
  const auto program = conformance::g_mut();
  auto result = tagged(program, {"t", "s"});
  const auto shared = tag_mutated_buffer(result, program);
  return shared.size() == 1 && shared[0].tags == 2 && tag_of(result, program, "b_my_state") == "s" &&
         result.value_tags()[index(shared[0].value)].sharing == data_sharing::own;
}
static_assert(state_of_two_parts_is_told());

}  // namespace

TEST_CASE("constants get the tag of their users") {
  CHECK(constants_follow_their_users());
  CHECK(the_smallest_name_wins());
  CHECK(an_untagged_user_does_not_count());
}

TEST_CASE("a buffer that changes is told from a constant by the signature") {
  CHECK(state_is_told_from_constants_by_the_signature());
  CHECK(state_of_two_parts_is_told());
}
