// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/operators/shared/shared_states.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/lower/shared/check_parts.hpp>
#include <baton/lower/shared/rules.hpp>
#include <baton/partition/partitioner.hpp>

#include "lower/tags.hpp"

#include <doctest/doctest.h>

#include <string_view>
#include <utility>

namespace {

enum class calls { once, twice, twice_from_outside };

/// A program with a branch that counts its calls. With `twice_from_outside`, the branch is in a graph that is called twice.
constexpr auto counting(calls mode) -> baton::exported_program {
  constexpr auto type = baton::tensor(baton::dtype::float32, 1);
  baton::program_builder build;
  const auto x = build.user_input("x", type);
  const auto branch = [&](std::string_view name) {
    const auto id = build.add_graph(name);
    return std::pair{id, build.user_input("x", type)};
  };
  const auto [plain, plain_x] = branch("plain");
  build.output(plain_x);
  const auto [counter, counter_x] = branch("counter");
  const auto total = build.mutable_buffer("total", type);
  const auto next = build.call("next", "aten.add.Tensor", {total, counter_x}, type);
  build.mutation(next, "total");
  build.output(next);
  const auto [outer, outer_x] = branch("outer");
  auto inner = outer_x;
  if (mode == calls::twice_from_outside) inner = build.call_many("inner", "cond", {outer_x, outer_x}, {type}, {}, {counter, plain})[0];
  build.output(inner);
  build.enter(baton::graph_id{0});
  const auto called = mode == calls::twice_from_outside ? outer : counter;
  const auto first = build.call_many("cond", "cond", {x, x}, {type}, {}, {called, plain})[0];
  const auto second = build.call_many("cond_1", "cond", {x, x}, {type}, {}, {mode == calls::once ? plain : called, plain})[0];
  build.output(build.call("add", "aten.add.Tensor", {first, second}, type));
  return build.finish();
}

/// A program that calls a lowered module `times` times. The module counts its calls.
constexpr auto counting_module(int times) -> baton::exported_program {
  constexpr auto type = baton::tensor(baton::dtype::float32, 1);
  baton::program_builder build;
  const auto counter = build.add_graph("counter");
  const auto total = build.mutable_buffer("total", type);
  const auto next = build.call("next", "aten.add.Tensor", {total, build.user_input("x", type)}, type);
  build.mutation(next, "total");
  build.output(next);
  build.enter(baton::graph_id{0});
  auto last = build.user_input("y", type);
  for (int i = 0; i < times; ++i) {
    const auto input = last;
    last = build.add_value(build.make_value("called", type, baton::value_kind::intermediate));
    auto call = build.make_node("call", baton::call_delegate.text);
    call.delegate = baton::delegate_id{0};
    build.add_node(call, {&input, 1}, {&last, 1});
  }
  build.output(last);
  auto program = build.finish();
  program.delegates.push_back({.original = counter});
  return program;
}
constexpr auto a_module_with_state_is_called_from_one_place() -> bool {
  return !baton::check_shared_states(counting_module(1)) && baton::check_shared_states(counting_module(2)).is<"shared_state">();
}
static_assert(a_module_with_state_is_called_from_one_place());

constexpr auto text_of(calls mode) -> baton::text_buffer {
  const auto why = baton::check_shared_states(counting(mode));
  if (!why) return {};
  return baton::message(why);
}

/// Whether the program is valid with a part.
constexpr auto is_valid_with_a_part(calls mode) -> bool {
  const auto tagged = baton::tag_program(counting(mode), tags::partitioner<tags::part<"tag0", "Npu", "add">>{});
  return tagged && !baton::check_parts(tagged.value);
}
constexpr auto is_valid_without_parts(calls mode) -> bool {
  const auto tagged = baton::tag_program(counting(mode), tags::partitioner<>{});
  return tagged && !baton::check_parts(tagged.value);
}

constexpr std::string_view sentence =
    "baton shared_state: a graph with mutable buffers is called from several places; copy it for each caller";

static_assert(text_of(calls::once).empty() && is_valid_with_a_part(calls::once));
static_assert(baton::view(text_of(calls::twice)) ==
              baton::view(baton::join(sentence, " [node: cond_1] [operator: cond] [buffer b_total of graph counter]")));
static_assert(baton::view(text_of(calls::twice_from_outside)) ==
              baton::view(baton::join(sentence, " [node: cond_1] [operator: cond] [buffer b_total of graph outer]")));
static_assert(!is_valid_with_a_part(calls::twice) && is_valid_without_parts(calls::twice));

}  // namespace

TEST_CASE("a graph with state that several nodes call is rejected if there are parts, so that the state is not duplicated (Q12)") {
  CHECK(text_of(calls::once).empty());
  CHECK(is_valid_with_a_part(calls::once));
  CHECK(baton::view(text_of(calls::twice)).starts_with(sentence));
  CHECK(baton::view(text_of(calls::twice_from_outside)).starts_with(sentence));
  CHECK(!is_valid_with_a_part(calls::twice));
  CHECK(!is_valid_with_a_part(calls::twice_from_outside));
  CHECK(is_valid_without_parts(calls::twice));
}

TEST_CASE("a lowered module with state must be called from one place") { CHECK(a_module_with_state_is_called_from_one_place()); }
