// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/partition/shared/visible_graphs.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>

#include "conformance/graphs.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace {

using namespace baton;

constexpr auto type = conformance::two_by_two;

/// A program with a branch, and with a lowered module whose original graph calls a body graph.
constexpr auto with_branch_and_delegate() -> exported_program {
  program_builder b;
  const auto root = b.current();
  const auto branch = b.add_graph("branch");
  b.output(b.call("in_branch", "neg", {b.user_input("y", type)}, type));
  const auto body = b.add_graph("body");
  b.output(b.call("in_body", "neg", {b.user_input("w", type)}, type));
  const auto original = b.add_graph("original");
  b.output(b.call_many("in_original", "map", {b.user_input("z", type)}, {type}, {}, {body})[0]);
  b.enter(root);
  const auto chosen = b.call_many("cond", "cond", {b.user_input("x", type)}, {type}, {}, {branch})[0];
  const auto called = b.add_value(b.make_value("called", type, value_kind::intermediate));
  auto call = b.make_node("call", call_delegate.text);
  call.delegate = delegate_id{0};
  b.add_node(call, {&chosen, 1}, {&called, 1});
  b.output(called);
  auto program = b.finish();
  program.delegates.push_back({.original = original});
  return program;
}

template <class Id>
constexpr auto are_named(const program_view& program, const baton::vector<Id>& ids, std::string_view names) -> bool {
  text_buffer text;
  for (const auto id : ids) append(append(text, text.empty() ? "" : " "), program.text(program[id].name));
  return view(text) == names;
}

constexpr auto branches_are_visible_and_delegates_are_not() -> bool {
  const auto program = with_branch_and_delegate();
  return are_named(program, baton::visible_graphs(program), "forward branch") &&
         are_named(program, baton::visible_nodes(program), "cond call in_branch");
}
static_assert(branches_are_visible_and_delegates_are_not());

}  // namespace

TEST_CASE("partitioners see the nodes of branches, but not those of delegates") { CHECK(branches_are_visible_and_delegates_are_not()); }
