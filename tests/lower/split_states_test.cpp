// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// States of several graphs in a program with parts: a state remains one and keeps the order of its uses, or the parts are refused.
#include <baton/lower/detail/split_states.hpp>

#include <baton/core/builder.hpp>
#include <baton/core/error.hpp>
#include <baton/core/shared/static_failure.hpp>
#include <baton/lower/shared/check_parts.hpp>
#include <baton/partition/partitioner.hpp>

#include "lower/tags.hpp"

#include <doctest/doctest.h>

#include <string_view>

namespace {

using namespace baton;

/// A conditional whose branches both write a state. Another conditional or the root graph may use the state, too.
enum class use { in_branches, in_the_root, in_two_choices };

constexpr auto counting_program(use kind) -> exported_program {
  constexpr auto type = tensor(dtype::float32, 4);
  program_builder b;
  const auto flag = b.user_input("flag", tensor(dtype::boolean));
  const auto x = b.user_input("x", type);
  if (kind == use::in_the_root) b.mutable_buffer("total", type);
  const auto branch = [&](std::string_view name) {
    const auto id = b.add_graph(name);
    const auto total = b.mutable_buffer("total", type);
    const auto next = b.call(name, "aten.add.Tensor", {total, b.user_input("x", type)}, type);
    b.mutation(next, "total");
    b.output(b.call(name == "yes" ? "twice" : "once", "aten.mul.Tensor", {next, next}, type));
    return id;
  };
  const auto yes = branch("yes");
  const auto no = branch("no");
  const auto plain = b.add_graph("plain");
  b.output(b.user_input("x", type));
  b.enter(graph_id{0});
  const bool has_two = kind == use::in_two_choices;
  const auto first = b.call_many("choice", "cond", {flag, x}, {type}, {}, {yes, has_two ? plain : no})[0];
  const auto second = b.call_many("other", "cond", {flag, x}, {type}, {}, {has_two ? no : plain, plain})[0];
  b.output(b.call("sum", "aten.add.Tensor", {first, second}, type));
  return b.finish();
}

template <class Partitioner>
constexpr auto error_of(use kind, Partitioner partitioner) -> text_buffer {
  const auto tagged = tag_program(counting_program(kind), partitioner);
  if (!tagged) return join("not tagged");
  const auto why = check_parts(tagged.value);
  if (!why) return {};
  return join(why.rule_name, " ", view(why.node_name), " ", view(why.reason));
}
constexpr tags::partitioner<tags::part<"tag0", "Npu", "sum">> a_sum{};
constexpr tags::partitioner<tags::part<"tag0", "Npu", "choice">> the_choice{};
constexpr tags::partitioner<tags::part<"tag0", "Npu", "yes no b_total">> branches_with_their_buffers{};
constexpr tags::partitioner<tags::part<"tag0", "Npu", "twice">> within_a_branch{};

constexpr auto a_state_below_one_node_is_accepted() -> bool {
  return error_of(use::in_branches, a_sum).empty() && error_of(use::in_branches, the_choice).empty() &&
         error_of(use::in_branches, within_a_branch).empty();
}
constexpr auto an_ordered_or_split_state_is_refused() -> bool {
  return view(error_of(use::in_the_root, a_sum)) == "split_state choice state total" &&
         view(error_of(use::in_two_choices, a_sum)) == "split_state other state total" &&
         view(error_of(use::in_branches, branches_with_their_buffers)) == "split_state  state total" &&
         error_of(use::in_the_root, tags::partitioner<>{}).empty();
}
static_assert(a_state_below_one_node_is_accepted());
static_assert(an_ordered_or_split_state_is_refused());

}  // namespace

TEST_CASE("with parts, a state of several graphs remains one and keeps its order, or the parts are refused") {
  CHECK(a_state_below_one_node_is_accepted());
  CHECK(an_ordered_or_split_state_is_refused());
}
