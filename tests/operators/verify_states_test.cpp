// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// States that several graphs use: which buffers are one, that they agree, and that none is used when it may be gone.
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
  bool is_used_behind = false;
  bool is_returned = false;
  bool root_writes_it = false;
  bool a_branch_writes_it = true;
  bool is_written_in_place = false;  ///< by a node of the branch
  bool is_two_deep = false;
  std::int64_t size = 4;
  std::string_view data = "";
};

constexpr auto program_of(const uses& how) -> exported_program {
  program_builder b;
  const auto flag = b.user_input("flag", truth);
  const auto x = b.user_input("x", four);
  const auto root = b.current();
  auto total = x;
  if (how.root_has_it) total = b.mutable_buffer("total", four);
  total = how.root_has_it ? total : x;
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
    const auto mine = b.mutable_buffer("total", tensor(dtype::int8, how.size), baton::span<const char>{how.data.data(), how.data.size()});
    const auto given = b.user_input("given", four);
    if (how.is_written_in_place) b.call("step", "tfl.custom.STEP", {mine}, four);
    if (how.a_branch_writes_it) b.mutation(b.call("next", "my.next", {given}, tensor(dtype::int8, how.size)), "total");
    b.output(given);
    static_cast<void>(mine);
  }
  if (how.is_two_deep) {
    const auto inner = yes;
    yes = b.add_graph("outer");
    const auto inner_flag = b.user_input("flag", truth);
    const auto given = b.user_input("given", four);
    const auto plain = b.add_graph("plain");
    b.user_input("flag", truth);
    b.output(b.user_input("given", four));
    b.enter(yes);
    b.output(b.call_many("inner", "cond", {inner_flag, inner_flag, given}, {four}, {}, {inner, plain})[0]);
  }
  b.enter(root);
  const auto given = how.is_operand_of_the_call ? total : before;
  auto made = b.call_many("choice", "cond", {flag, flag, given}, {four}, {}, {yes, no})[0];
  if (how.is_used_behind) made = b.call("behind", "my.add", {made, total}, four);
  if (how.root_writes_it) b.mutation(made, "total");
  b.output(made);
  if (how.is_returned) b.output(total);
  return b.finish();
}

constexpr auto reported(const uses& how) -> text_buffer {
  const auto why = verify(program_of(how));
  if (!why) return {};
  return join(why.rule_name, " ", view(why.node_name), " ", view(why.reason));
}
constexpr auto is_reported(const uses& how, std::string_view text) -> bool { return view(reported(how)) == text; }

constexpr auto sound_states_pass() -> bool {
  return is_reported({}, "") && is_reported({.root_has_it = false, .is_used_behind = true}, "") &&
         is_reported({.root_writes_it = true}, "") &&
         is_reported({.is_used_behind = true, .is_returned = true, .a_branch_writes_it = false}, "");
}
constexpr auto what_may_be_gone_is_not_used() -> bool {
  return is_reported({.is_operand_of_the_call = true}, "stale_state choice state total, which choice writes") &&
         is_reported({.is_used_behind = true}, "stale_state behind state total, which choice writes") &&
         is_reported({.is_returned = true}, "stale_state choice state total, which choice writes") &&
         is_reported({.is_used_behind = true, .a_branch_writes_it = false, .is_written_in_place = true},
                     "stale_state behind state total, which choice writes") &&
         is_reported({.is_used_behind = true, .is_two_deep = true}, "stale_state behind state total, which choice writes");
}
constexpr auto graphs_agree() -> bool {
  return is_reported({.size = 3}, "disagreeing_state  state total of graphs forward and yes") &&
         is_reported({.root_has_it = false, .data = "abcd"}, "disagreeing_state  state total of graphs no and yes");
}
static_assert(sound_states_pass());
static_assert(what_may_be_gone_is_not_used());
static_assert(graphs_agree());

/// Lowered modules keep states of their own, whatever they are called.
constexpr auto modules_have_names_of_their_own() -> bool {
  auto program = program_of({});
  const auto together = states_of_several_graphs(program);
  program.delegates.push_back({.original = graph_id{2}});
  const auto apart = states_of_several_graphs(program);
  return together.size() == 1 && together[0].size() == 3 && program.values[index(together[0][0])].graph == graph_id{0} &&
         apart.size() == 1 && apart[0].size() == 2 && modules_of_graphs(program)[2] == delegate_id{0};
}
static_assert(modules_have_names_of_their_own());

}  // namespace

TEST_CASE("states that several graphs use agree, and are not used where they may be gone") {
  CHECK(sound_states_pass());
  CHECK(what_may_be_gone_is_not_used());
  CHECK(graphs_agree());
  CHECK(modules_have_names_of_their_own());
}
