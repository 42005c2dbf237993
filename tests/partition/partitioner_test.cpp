// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/partition/partitioner.hpp>
#include <baton/core/compare.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/partition/operator_support.hpp>

#include "conformance/graphs.hpp"
#include "laws/partitioner.hpp"

#include <doctest/doctest.h>

#include <string_view>

namespace {

using namespace baton;

struct npu {
  static constexpr auto id = name<"Npu">;
};
using everything = by_support<npu, not_of<no_support>>;

constexpr auto a_new_result_has_no_tags() -> bool {
  const partition_result result(conformance::g_crt());
  return result.is_of(conformance::g_crt()) && !result.is_of(conformance::g_sin()) && result.partition_tags.empty() &&
         result.tag_count() == 0 && result.tag_of(node_id{0}) == none<tag_id> && result.tag_of(value_id{0}) == none<tag_id>;
}
static_assert(a_new_result_has_no_tags());

constexpr auto tags_keep_their_order_specs_and_duplicates() -> bool {
  partition_result result(conformance::g_sin());
  const auto second = result.add_tag("second");
  const auto first = result.add_tag("first", delegation_spec{"Npu", {{"key", "a"}, {"key", std::string_view{"\0b", 2}}}});
  result.tag_node(node_id{0}, first);
  result.tag_value(value_id{0}, second);
  const auto& [tag, spec] = result.partition_tags[0];
  return result.partition_tags.size() == 1 && tag == first && result.name_of(first) == "first" && result.name_of(second) == "second" &&
         result.tag_of(node_id{0}) == first && result.tag_of(value_id{0}) == second && spec.compile_specs.size() == 2 &&
         view(spec.compile_specs[0].key) == "key" && view(spec.compile_specs[1].value) == std::string_view{"\0b", 2};
}
static_assert(tags_keep_their_order_specs_and_duplicates());

constexpr auto the_laws_hold() -> bool {
  return laws::partitioner::all(conformance::g_mut(), archetypes::partitioner{}) &&
         laws::partitioner::all(conformance::g_mut(), everything{}) &&
         laws::partitioner::all(conformance::g_mmadd(), by_support<npu, operator_names<"aten.add.Tensor">>{});
}
static_assert(the_laws_hold());

// Types that satisfy the concept, but break a law.
struct adds_a_node {
  static constexpr auto partition(const exported_program& program) -> partition_result {
    auto other = program;
    other.nodes.push_back(other.nodes[0]);
    return partition_result(other);
  }
};
struct tags_without_a_backend {
  static constexpr auto partition(const exported_program& program) -> partition_result {
    partition_result result(program);
    result.tag_node(node_id{0}, result.add_tag("t", delegation_spec{""}));
    return result;
  }
};
struct tags_both_ends {
  static constexpr auto partition(const exported_program& program) -> partition_result {
    partition_result result(program);
    const auto tag = result.add_tag("t", delegation_spec{"Npu"});
    result.tag_node(node_id{0}, tag);
    result.tag_node(static_cast<node_id>(program.nodes.size() - 1), tag);
    return result;
  }
};

constexpr auto the_laws_detect_violations() -> bool {
  const auto program = conformance::g_mmadd();
  return !laws::partitioner::result_matches_program(program, adds_a_node{}) &&
         !laws::partitioner::is_deterministic(program, adds_a_node{}) &&
         !laws::partitioner::tags_have_backends(program, tags_without_a_backend{}) &&
         !laws::partitioner::parts_are_extractable(program, tags_both_ends{});
}
static_assert(the_laws_detect_violations());

struct may_fail {
  static constexpr auto partition(const program_view& program) -> result<partition_result> {
    if (program.nodes.empty()) return refuse_part_of_nothing();
    return partition_result(program);
  }

 private:
  static constexpr auto refuse_part_of_nothing() -> failure { return broken<"malformed_operator">("nothing to partition"); }
};
struct returns_nothing {
  static constexpr void partition(const exported_program&) {}
};
static_assert(partitioner<archetypes::partitioner> && partitioner<everything> && partitioner<may_fail>);
static_assert(!partitioner<int> && !partitioner<returns_nothing> && !partitioner<no_support>);

}  // namespace

TEST_CASE("a partition result holds tags and their specs") {
  CHECK(a_new_result_has_no_tags());
  CHECK(tags_keep_their_order_specs_and_duplicates());
}

TEST_CASE("the laws of partitioners hold, and detect violations") {
  CHECK(the_laws_hold());
  CHECK(the_laws_detect_violations());
}
