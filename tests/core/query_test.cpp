// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The range-v3 views over owning and static programs.
#include "conformance/graphs.hpp"
#include "lower/tags.hpp"

#include <baton/core/query.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/vector.hpp>
#include <baton/partition/partitioner.hpp>

#include <doctest/doctest.h>
#include <range/v3/algorithm/equal.hpp>
#include <range/v3/range/conversion.hpp>

#include <initializer_list>
#include <string_view>

namespace {

using namespace baton;
using name_list = baton::vector<std::string_view>;

template <class View>
auto listed(View view) -> name_list {
  return view | query::names | ranges::to<baton::vector>();
}

}  // namespace

TEST_CASE("the nodes of an owning program are selected by operator") {
  const auto program = conformance::g_mmadd();
  CHECK(listed(program | query::nodes) == name_list{"mm", "add", "sub", "mm_1", "add_1"});
  CHECK(listed(program | query::nodes | query::with_operator("aten.mm.default")) == name_list{"mm", "mm_1"});
  CHECK(listed(program | query::nodes | query::with_operator("aten.cos.default")).empty());
  CHECK(listed(program | query::nodes | query::delegate_calls).empty());
}

TEST_CASE("the values of a static program are selected by kind") {
  constexpr static_program model{conformance::make<conformance::g_crt>{}};
  CHECK(listed(program_view(model) | query::values | query::of_kind(value_kind::user_input)) == name_list{"x"});
  CHECK(listed(program_view(model) | query::values | query::of_kind(value_kind::parameter)).size() == 4);
}

TEST_CASE("the nodes of a graph are selected by tag") {
  partition_result tagged{conformance::g_mmadd()};
  const auto mine = tagged.add_tag("mine");
  tagged.tag_node(node_id{1}, mine);
  tagged.tag_node(node_id{4}, mine);
  const auto program = tags::written(tagged, conformance::g_mmadd());
  CHECK(listed(program | query::nodes | query::with_tag("mine")) == name_list{"add", "add_1"});
  CHECK(listed(program | query::nodes_of{graph_id{0}} | query::with_tag("yours")).empty());
}
