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

constexpr auto tag_of(const partition_result& result, std::string_view name) -> std::string_view {
  const program_view program = result.tagged_program;
  for (const auto& record : program.values) {
    if (program.text(record.name) == name) return record.tag == none<tag_id> ? "-" : program.text(program[record.tag].name);
  }
  return "?";
}

constexpr auto constants_follow_their_users() -> bool {
  auto result = tagged(conformance::g_add3(), {"b", "", "a"});
  const auto shared = tag_constant_data(result);
  return shared.empty() && tag_of(result, "b_const1") == "b" && tag_of(result, "b_const2") == "-" && tag_of(result, "p_const3") == "a" &&
         tag_of(result, "x") == "-" && tag_mutated_buffer(result).empty();
}
static_assert(constants_follow_their_users());

// Tags are compared by name: `tag10` comes before `tag9`.
constexpr auto the_smallest_name_wins() -> bool {
  auto result = tagged(conformance::g_reuse(), {"tag9", "tag10"});
  const auto shared = tag_constant_data(result, data_sharing::duplicate);
  return shared.size() == 1 && shared[0].tags == 2 && shared[0].bytes_each == 16 && tag_of(result, "b_const") == "tag10" &&
         result.tagged_program[shared[0].value].sharing == data_sharing::duplicate;
}
static_assert(the_smallest_name_wins());

constexpr auto an_untagged_user_does_not_count() -> bool {
  auto result = tagged(conformance::g_reuse(), {"", "tag1"});
  return tag_constant_data(result).empty() && tag_of(result, "b_const") == "tag1";
}
static_assert(an_untagged_user_does_not_count());

// Q5: the signature says what changes. By node names, the original takes the constant that feeds the new state for a changing one too.
constexpr auto state_is_told_from_constants_by_the_signature() -> bool {
  auto constants = tagged(conformance::g_mut(), {"t", "t"});
  tag_constant_data(constants);
  auto state = tagged(conformance::g_mut(), {"t", "t"});
  tag_mutated_buffer(state);
  return tag_of(constants, "b_my_state") == "-" && tag_of(constants, "c_lifted_tensor_0") == "t" && tag_of(state, "b_my_state") == "t" &&
         tag_of(state, "c_lifted_tensor_0") == "-";
}
static_assert(state_is_told_from_constants_by_the_signature());

constexpr auto state_of_two_parts_is_told() -> bool {
  auto result = tagged(conformance::g_mut(), {"t", "s"});
  const auto shared = tag_mutated_buffer(result);
  return shared.size() == 1 && shared[0].tags == 2 && tag_of(result, "b_my_state") == "s" &&
         result.tagged_program[shared[0].value].sharing == data_sharing::own;
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
