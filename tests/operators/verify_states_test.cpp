// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// States that several graphs use: their buffers must agree, and must not be used after a call that writes them.
#include <baton/operators/detail/verify_states.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/error.hpp>
#include <baton/core/shared/states.hpp>
#include <baton/core/shared/static_failure.hpp>
#include <baton/core/span.hpp>
#include <baton/operators/verify.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace {

using namespace baton;

constexpr auto four = tensor(dtype::int8, 4);
constexpr auto truth = tensor(dtype::boolean);

/// How the root and the branches of a program use the state `total`.
struct uses {
  bool root_has_it = true;
  bool is_operand_of_the_call = false;
  bool is_used_after = false;
  bool is_returned = false;
  bool root_writes_it = false;
  bool a_branch_writes_it = true;
  bool is_written_in_place = false;  ///< by a node of the branch
  bool is_two_deep = false;
  std::int64_t size = 4;
  std::string_view data = "";
};

constexpr auto program_of(const uses& use) -> exported_program {
  program_builder b;
  const auto flag = b.user_input("flag", truth);
  const auto x = b.user_input("x", four);
  const auto root = b.current();
  auto total = x;
  if (use.root_has_it) total = b.mutable_buffer("total", four);
  total = use.root_has_it ? total : x;
  const auto before = b.call("before", "my.neg", {total}, four);
  const auto no = b.add_graph("no");
  {
    b.user_input("flag", truth);
    b.mutable_buffer("total", four);
    b.output(b.user_input("given", four));
  }
  auto yes = b.add_graph("yes");
  {
    b.user_input("flag", truth);
    const auto state = b.mutable_buffer("total", tensor(dtype::int8, use.size), baton::span<const char>{use.data.data(), use.data.size()});
    const auto operand = b.user_input("given", four);
    if (use.is_written_in_place) b.call("step", "tfl.custom.STEP", {state}, four);
    if (use.a_branch_writes_it) b.mutation(b.call("next", "my.next", {operand}, tensor(dtype::int8, use.size)), "total");
    b.output(operand);
    static_cast<void>(state);
  }
  if (use.is_two_deep) {
    const auto inner = yes;
    yes = b.add_graph("outer");
    const auto inner_flag = b.user_input("flag", truth);
    const auto operand = b.user_input("given", four);
    const auto plain = b.add_graph("plain");
    b.user_input("flag", truth);
    b.output(b.user_input("given", four));
    b.enter(yes);
    b.output(b.call_many("inner", "cond", {inner_flag, inner_flag, operand}, {four}, {}, {inner, plain})[0]);
  }
  b.enter(root);
  const auto operand = use.is_operand_of_the_call ? total : before;
  auto output = b.call_many("choice", "cond", {flag, flag, operand}, {four}, {}, {yes, no})[0];
  if (use.is_used_after) output = b.call("after", "my.add", {output, total}, four);
  if (use.root_writes_it) b.mutation(output, "total");
  b.output(output);
  if (use.is_returned) b.output(total);
  return b.finish();
}

constexpr auto reported(const uses& use) -> text_buffer {
  const auto why = verify(program_of(use));
  if (!why) return {};
  return join(why.rule_name, " ", view(why.node_name), " ", view(why.reason));
}
constexpr auto is_reported(const uses& use, std::string_view text) -> bool { return view(reported(use)) == text; }

constexpr auto valid_states_pass() -> bool {
  return is_reported({}, "") && is_reported({.root_has_it = false, .is_used_after = true}, "") &&
         is_reported({.root_writes_it = true}, "") &&
         is_reported({.is_used_after = true, .is_returned = true, .a_branch_writes_it = false}, "");
}
constexpr auto stale_states_are_reported() -> bool {
  return is_reported({.is_operand_of_the_call = true}, "stale_state choice state total, which choice writes") &&
         is_reported({.is_used_after = true}, "stale_state after state total, which choice writes") &&
         is_reported({.is_returned = true}, "stale_state choice state total, which choice writes") &&
         is_reported({.is_used_after = true, .a_branch_writes_it = false, .is_written_in_place = true},
                     "stale_state after state total, which choice writes") &&
         is_reported({.is_used_after = true, .is_two_deep = true}, "stale_state after state total, which choice writes");
}
constexpr auto disagreeing_states_are_reported() -> bool {
  return is_reported({.size = 3}, "disagreeing_state  state total of graphs forward and yes") &&
         is_reported({.root_has_it = false, .data = "abcd"}, "disagreeing_state  state total of graphs no and yes");
}
static_assert(valid_states_pass());
static_assert(stale_states_are_reported());
static_assert(disagreeing_states_are_reported());

/// States of a lowered module are separate from those of the program, even if they have the same name.
constexpr auto states_of_modules_are_separate() -> bool {
  auto program = program_of({});
  const auto with_graph = states_of_several_graphs(program);
  program.delegates.push_back({.original = graph_id{2}});
  const auto with_module = states_of_several_graphs(program);
  return with_graph.size() == 1 && with_graph[0].size() == 3 && program.values[index(with_graph[0][0])].graph == graph_id{0} &&
         with_module.size() == 1 && with_module[0].size() == 2 && modules_of_graphs(program)[2] == delegate_id{0};
}
static_assert(states_of_modules_are_separate());

}  // namespace

TEST_CASE("states of several graphs must agree, and must not be used after a call that writes them") {
  CHECK(valid_states_pass());
  CHECK(stale_states_are_reported());
  CHECK(disagreeing_states_are_reported());
  CHECK(states_of_modules_are_separate());
}
