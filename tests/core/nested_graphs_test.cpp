// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/core/shared/nested_graphs.hpp>
#include <baton/lower/to_backend.hpp>

#include "conformance/demo_backends.hpp"
#include "conformance/graphs.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <initializer_list>

namespace {

using namespace baton;

constexpr auto root = graph_id{0};

constexpr auto branches_are_found() -> bool {
  const auto program = conformance::g_cond();
  return nested_graphs(program, root, reach::graph).size() == 1 && nested_graphs(program, root).size() == 3 &&
         nested_graphs(program, root)[0] == root && nested_graphs(program, graph_id{1}).size() == 1;
}
static_assert(branches_are_found());

constexpr auto originals_are_found_on_request() -> bool {
  constexpr auto target = backends<conformance::backend_with_compiler_demo>;
  const auto program = to_backend(target, conformance::g_cond(), conformance::add_mul_partitioner_demo{});
  return nested_graphs(program, root).size() == 3 && nested_graphs(program, root, reach::delegates).size() == 3 + program.delegates.size();
}
static_assert(originals_are_found_on_request());

/// Two levels that each call one graph twice. A traversal of calls, instead of graphs, would count seven.
constexpr auto a_graph_is_listed_once() -> bool {
  program_builder b;
  const auto inner = b.add_graph("inner");
  const auto middle = b.add_graph("middle");
  b.call_many("cond", "cond", {}, {}, {}, {inner, inner});
  b.enter(root);
  b.call_many("cond", "cond", {}, {}, {}, {middle, middle});
  const auto program = b.finish();
  const auto graphs = nested_graphs(program, root);
  return graphs.size() == 3 && graphs[1] == middle && graphs[2] == inner;
}
static_assert(a_graph_is_listed_once());

constexpr auto an_empty_program_has_no_nested_graphs() -> bool { return nested_graphs(exported_program{}, root).empty(); }
static_assert(an_empty_program_has_no_nested_graphs());

}  // namespace

TEST_CASE("nested_graphs lists branches breadth first, and the original graphs of delegates on request") {
  CHECK(branches_are_found());
  CHECK(originals_are_found_on_request());
  CHECK(a_graph_is_listed_once());
  CHECK(an_empty_program_has_no_nested_graphs());
}
