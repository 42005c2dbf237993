// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A stream can be interrupted at any step and continued in another executor. After a reset it begins again.
#include <baton/core/builder.hpp>
#include <baton/core/static_program.hpp>
#include <baton/kernels/portable/pairwise.hpp>
#include <baton/lower/methods.hpp>
#include <baton/plan/memory_policies/no_reuse.hpp>
#include <baton/run/basic_executor.hpp>
#include <baton/run/basic_methods_executor.hpp>

#include <doctest/doctest.h>

#include <array>
#include <bit>
#include <cstddef>
#include <span>
#include <vector>

namespace {

using namespace baton;
using pair = std::array<float, 2>;

constexpr auto two = tensor(dtype::float32, 2);
constexpr float at_first[] = {100, 200};
constexpr auto add = [](program_builder& b, value_id x, value_id y) {
  return b.call("tfl.add", {x, y}, two, {{"fused_activation_function", "none"}});
};

/// sum = sum + x, with initial data; last = x, initially zero; y = sum + last.
constexpr auto running() -> exported_program {
  program_builder b;
  const auto last = b.mutable_buffer("last", two);
  const auto sum = b.mutable_buffer("sum", two, std::bit_cast<std::array<char, sizeof at_first>>(at_first));
  const auto x = b.user_input("x", two);
  const auto next = add(b, sum, x);
  b.mutation(next, "sum");
  b.mutation(x, "last");
  b.output(add(b, next, last));
  return b.finish();
}
/// A state that two graphs use: the root reads the value that the called graph has written in the run before.
constexpr auto shared() -> exported_program {
  program_builder b;
  const auto sum = b.mutable_buffer("sum", two);
  const auto x = b.user_input("x", two);
  const auto holds = b.user_input("holds", tensor(dtype::boolean));
  const auto plus = b.add_graph("plus");
  const auto inner = b.mutable_buffer("sum", two);
  const auto z = b.user_input("z", two);
  const auto next = add(b, inner, z);
  b.mutation(next, "sum");
  b.output(next);
  const auto plain = b.add_graph("plain");
  const auto w = b.user_input("w", two);
  b.output(add(b, w, w));
  b.enter(graph_id{0});
  const auto before = add(b, sum, x);
  b.output(b.call_many("chosen", "cond", {holds, before}, {two}, {}, {plus, plain})[0]);
  return b.finish();
}
constexpr static_program stream{[] { return running(); }};
constexpr static_program branching{[] { return shared(); }};
constexpr static_program stateless{[] {
  program_builder b;
  const auto x = b.user_input("x", two);
  b.output(add(b, x, x));
  return b.finish();
}};
constexpr auto list = kernels<portable::pairwise>;

using net = basic_executor<stream, list>;
using elsewhere = basic_executor<stream, list, plan_options{.alignment = 64}, planned_by<memory_policies::no_reuse>>;
static_assert(net::state_bytes == 16 && basic_executor<branching, list>::state_bytes == 8 &&
              basic_executor<stateless, list>::state_bytes == 0);

template <class Net>
auto step(Net& runner, int i) -> pair {
  pair y{};
  runner.run(pair{static_cast<float>(i), static_cast<float>(i * i)}, y);
  return y;
}

TEST_CASE("an interrupted stream continues in another executor with another plan") {
  for (int cut = 0; cut <= 6; ++cut) {
    net whole;
    net first;
    elsewhere second;
    std::array<char, net::state_bytes> kept{};
    for (int i = 0; i < cut; ++i) CHECK(step(first, i) == step(whole, i));
    first.save(kept);
    if (cut % 2 != 0) step(second, 77);  // an earlier run has no effect
    second.restore(kept);
    for (int i = cut; i < 6; ++i) CHECK(step(second, i) == step(whole, i));
  }
}

TEST_CASE("after a reset a stream begins again, with data and with zeros") {
  net runner;
  runner.reset();  // before the first run, too
  const auto once = step(runner, 3);
  CHECK(once == pair{103, 209});
  CHECK(step(runner, 3) != once);
  runner.reset();
  CHECK(step(runner, 3) == once);
}

TEST_CASE("a state that is saved before the first run is the initial state") {
  net runner;
  std::array<char, net::state_bytes> kept{};
  runner.save(kept);
  const auto once = step(runner, 4);
  step(runner, 5);
  runner.restore(kept);
  CHECK(step(runner, 4) == once);
}

TEST_CASE("a state of several graphs is saved once") {
  basic_executor<branching, list> runner;
  struct guarded {
    std::array<char, 8> kept{};
    std::array<char, 8> after{};
  } memory;
  auto& kept = memory.kept;
  memory.after.fill('\x5a');
  const auto guard = memory.after;
  const std::array<bool, 1> holds{true};
  pair first{};
  pair again{};
  runner.run(pair{1, 2}, holds, first);
  runner.save(kept);
  runner.run(pair{1, 2}, holds, first);
  runner.restore(kept);
  runner.run(pair{1, 2}, holds, again);
  CHECK(memory.after == guard);
  CHECK(first == again);
  CHECK(first == pair{3, 6});
}

constexpr auto both = methods(method<"one">(stream), method<"other">(static_program{[] { return running(); }}));

template <state_sharing Sharing>
void check_methods() {
  using all = basic_methods_executor<both, list, Sharing>;
  all runner;
  std::array<char, all::state_bytes> kept{};
  const auto run = [&runner](int i) {
    pair y{};
    pair z{};
    runner.template run<"one">(pair{static_cast<float>(i), 1}, y);
    runner.template run<"other">(pair{static_cast<float>(i), 2}, z);
    return std::array{y, z};
  };
  const auto first = run(1);
  runner.save(kept);
  const auto second = run(2);
  runner.restore(kept);
  CHECK(run(2) == second);
  CHECK(first != second);
  runner.reset();
  CHECK(run(1) == first);
}
TEST_CASE("methods are reset, saved and restored together") {
  check_methods<state_sharing::none>();
  check_methods<state_sharing::by_name>();
}

}  // namespace
