// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/core/locate.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rules.hpp>

#include <doctest/doctest.h>

#include "conformance/graphs.hpp"

namespace {

using namespace baton;

constexpr auto a_failure_at_a_node_names_the_node() -> bool {
  const auto program = conformance::g_mmadd();
  const auto why = broken_at<"misplaced_index">(program, node_id{2}, "operand ", 1);
  return why.is<"misplaced_index">() && why.node == 2 && view(why.node_name) == "sub" && view(why.op) == "aten.sub.Tensor" &&
         view(why.reason) == "operand 1" && locate({}, program, node_id{0}).node == 0;
}
static_assert(a_failure_at_a_node_names_the_node());

}  // namespace

TEST_CASE("a failure at a node names the node and its operator") { CHECK(a_failure_at_a_node_names_the_node()); }
