// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Methods in one arena: states with the same name are shared on request, and separate otherwise.
#include <baton/run/basic_methods_executor.hpp>
#include <baton/compat/executorch/embedded_module.hpp>
#include <baton/core/span.hpp>
#include <baton/core/static_program.hpp>
#include <baton/lower/methods.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/plan/memory_policies/no_reuse.hpp>
#include <baton/plan/shared/method_states.hpp>
#include <baton/run/bound_buffers.hpp>
#include <baton/run/executor_backend.hpp>
#include <baton/run/in_slices.hpp>
#include <baton/run/status.hpp>

#include "reference/kernels.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>

namespace {

using namespace baton;
using four = std::array<float, 4>;

constexpr auto row = tensor(dtype::float32, 4);
constexpr char one_and_two[] = {0, 0, '\x80', '\x3f', 0, 0, 0, '\x40', 0, 0, 0, 0, 0, 0, 0, 0};

/// Adds to the cache, needs more memory than `decode`, and has a separate count.
constexpr auto prefill() -> exported_program {
  program_builder b;
  const auto count = b.mutable_buffer("count", row);
  const auto cache = b.mutable_buffer("layers.0.cache", row, one_and_two);
  const auto x = b.user_input("x", row);
  const auto twice = b.call("twice", "aten.add.Tensor", {x, x}, row);
  const auto square = b.call("square", "aten.mul.Tensor", {x, x}, row);
  const auto both = b.call("both", "aten.add.Tensor", {twice, square}, row);
  const auto next = b.call("next", "aten.add.Tensor", {cache, both}, row);
  const auto counted = b.call("counted", "aten.add.Tensor", {count, x}, row);
  b.mutation(counted, "count");
  b.mutation(next, "layers.0.cache");
  b.output(b.call("y", "aten.sub.Tensor", {counted, twice}, row));
  return b.finish();
}
/// Adds its input to the cache, and returns the cache.
constexpr auto decode() -> exported_program {
  program_builder b;
  const auto x = b.user_input("x", row);
  const auto cache = b.mutable_buffer("layers.0.cache", row, one_and_two);
  const auto next = b.call("next", "aten.add.Tensor", {cache, x}, row);
  b.mutation(next, "layers.0.cache");
  b.output(next);
  return b.finish();
}

constexpr auto both =
    methods(method<"prefill">(static_program{[] { return prefill(); }}), method<"decode">(static_program{[] { return decode(); }}));
constexpr auto lowered = to_backend(backends<executor_backend>, both,
                                    by_support<executor_backend, operator_names<"aten.add.Tensor">, partition_options{1, 1}>{});

/// The cache is in a branch of a conditional. In `step` it is in a part that the executor runs instead of a delegate.
constexpr auto choice() -> exported_program {
  constexpr auto truth = tensor(dtype::boolean);
  program_builder b;
  const auto holds = b.user_input("holds", truth);
  const auto x = b.user_input("x", row);
  const auto plain = b.add_graph("plain");
  const auto y = b.user_input("y", row);
  b.output(b.call("unchanged", "aten.add.Tensor", {y, y}, row));
  const auto cached = b.add_graph("cached");
  const auto cache = b.mutable_buffer("layers.0.cache", row, one_and_two);
  const auto z = b.user_input("z", row);
  const auto next = b.call("next", "aten.add.Tensor", {cache, z}, row);
  b.mutation(next, "layers.0.cache");
  b.output(next);
  b.enter(graph_id{0});
  const auto chosen = b.call_many("chosen", "cond", {holds, x}, {row}, {}, {cached, plain})[0];
  b.output(b.call("result", "aten.add.Tensor", {chosen, x}, row));
  return b.finish();
}
constexpr auto step() -> exported_program {
  program_builder b;
  const auto x = b.user_input("x", row);
  const auto cache = b.mutable_buffer("layers.0.cache", row, one_and_two);
  const auto next = b.call("next", "aten.add.Tensor", {cache, x}, row);
  b.mutation(next, "layers.0.cache");
  b.output(b.call("y", "aten.add.Tensor", {next, x}, row));
  return b.finish();
}
constexpr static_program prefilling{[] { return prefill(); }};
constexpr static_program choosing{[] { return choice(); }};
constexpr static_program stepping{[] { return step(); }};
constexpr auto nested =
    to_backend(backends<executor_backend>, methods(method<"prefill">(prefilling), method<"choice">(choosing), method<"decode">(stepping)),
               partitioners(for_method<"decode">(all_nodes<executor_backend>{})));
static_assert(delegates(nested[name<"decode">]).size() == 1 && nested[name<"decode">]->inputs(nested[name<"decode">]->root()).size() == 1);

using sharing = basic_methods_executor<both, reference::any_aten, state_sharing::by_name>;
using separate = basic_methods_executor<both, reference::any_aten>;
template <auto Method>
using alone = basic_executor<Method, reference::any_aten>;

// Shared states are stored once. The arena has the size of the larger method plus the states of both.
static_assert(sharing::state_bytes == 2 * 16 && separate::state_bytes == 3 * 16);
static_assert(sharing::arena_bytes == alone<both[name<"prefill">]>::arena_bytes);
static_assert(separate::arena_bytes == alone<both[name<"prefill">]>::arena_bytes + 16);
static_assert(sharing::arena_bytes < alone<both[name<"prefill">]>::arena_bytes + alone<both[name<"decode">]>::arena_bytes);
static_assert(std::remove_reference_t<decltype(sharing{}.method<"decode">())>::lower_bound == 2 * 16 + 2 * 16);

/// Returns the output of `decode` after some runs of both methods.
template <class Net>
auto after_both(Net& net) -> four {
  four ignored{};
  four output{};
  net.template run<"prefill">(four{1, 1, 1, 1}, ignored);
  net.template run<"decode">(four{10, 10, 10, 10}, output);
  net.template run<"prefill">(four{1, 2, 3, 4}, ignored);
  net.template run<"decode">(four{0, 0, 0, 0}, output);
  CHECK(ignored == four{0, -1, -2, -3});  // only prefill has the count
  return output;
}

// A policy plans each method, after the states.
using keeping_all =
    basic_methods_executor<both, reference::any_aten, state_sharing::by_name, plan_options{}, planned_by<memory_policies::no_reuse>>;
static_assert(keeping_all::state_bytes == sharing::state_bytes && keeping_all::arena_bytes > sharing::arena_bytes);

// Each method binds the tensors of a service.
using bound = basic_methods_executor<both, reference::any_aten, state_sharing::by_name, plan_options{}, in_slices, bound_inputs<0>>;
static_assert(bound::state_bytes == sharing::state_bytes);

sharing shared_net;
keeping_all keeping_net;
basic_methods_executor<lowered, reference::any_aten, state_sharing::by_name> lowered_net;
separate separate_net;
basic_methods_executor<nested, reference::any_aten, state_sharing::by_name> nested_net;

// Placements and refusals. At compile time they are constants here; tests/fail has the error messages.

/// A method with one state, which `Change` may modify.
template <auto Change = [](program_builder&, value_id) {}>
constexpr auto with_state(const tensor_type& type, baton::span<const char> data = {}) -> exported_program {
  program_builder b;
  const auto x = b.user_input("x", type);
  const auto cache = b.mutable_buffer("cache", type, data);
  Change(b, cache);
  const auto next = b.call("next", "aten.add.Tensor", {cache, x}, type);
  b.mutation(next, "cache");
  b.output(next);
  return b.finish();
}
constexpr auto placed(const exported_program& first, const exported_program& second, state_sharing mode = state_sharing::by_name)
    -> result<method_states> {
  const std::array<method_with_states, 2> all{method_with_states{"prefill", first, {}}, method_with_states{"decode", second, {}}};
  return plan_states(all, mode);
}

constexpr auto states_are_placed_once() -> bool {
  const auto shared = placed(prefill(), decode()).value;
  const auto own = placed(prefill(), decode(), state_sharing::none).value;
  return shared.bytes == 32 && shared.states.size() == 3 && shared.states[2].method == 1 && shared.states[2].offset == 16 &&
         !shared.states[2].is_first && shared.states[1].is_first && own.bytes == 48 && own.states[2].offset == 32 && own.states[2].is_first;
}
static_assert(states_are_placed_once());

/// Two lowered modules with a state of the same name, which the executor runs.
constexpr auto two_counters() -> exported_program {
  const auto counter = to_backend(backends<executor_backend>, "ExecutorBackend", with_state(row));
  program_builder b;
  embedded_module first(b, counter);
  embedded_module second(b, counter);
  b.output(second({first({b.user_input("x", row)})[0]})[0]);
  return b.finish();
}
constexpr auto modules_of_a_method_keep_separate_states() -> bool {
  const auto program = two_counters();
  const std::array<method_with_states, 2> all{method_with_states{"prefill", program, {1, 1}},
                                              method_with_states{"decode", program, {1, 1}}};
  const auto own = plan_states(baton::span{all}.first(1), state_sharing::by_name);
  const auto shared = plan_states(all, state_sharing::by_name);
  return own && own.value.bytes == 32 && own.value.states[1].offset == 16 && shared && shared.value.bytes == 32 &&
         shared.value.states[2].offset == 0 && shared.value.states[3].offset == 16;
}
static_assert(modules_of_a_method_keep_separate_states());

template <std::size_t N>
constexpr auto is_refused(const result<method_states>& states, const char (&property)[N]) -> bool {
  const auto text = join(rule<"conflicting_state">::sentence, " [method: decode] [cache has a different ", property, " in prefill]");
  return view(message(states.error)) == view(text);
}
constexpr auto states_that_differ_are_refused() -> bool {
  constexpr auto coarse = [](program_builder& b, value_id id) { b.quantize(id, 0.5f, 0); };
  constexpr auto fine = [](program_builder& b, value_id id) { b.quantize(id, 0.25f, 0); };
  constexpr auto bytes = tensor(dtype::int8, 16);
  return is_refused(placed(with_state(row), with_state(tensor(dtype::int32, 4))), "dtype") &&
         is_refused(placed(with_state(row), with_state(tensor(dtype::float32, 2, 2))), "shape") &&
         is_refused(placed(with_state<coarse>(bytes), with_state<fine>(bytes)), "quantization") &&
         is_refused(placed(with_state(row), with_state(row, one_and_two)), "initial value") &&
         placed(with_state<coarse>(bytes), with_state<coarse>(bytes)) &&
         placed(with_state(row, one_and_two), with_state(row, one_and_two)) &&
         placed(with_state(row), with_state(bytes), state_sharing::none);
}
static_assert(states_that_differ_are_refused());

}  // namespace

TEST_CASE("methods that share states use one memory for states with the same name") {
  CHECK(after_both(shared_net) == four{17, 23, 28, 37});
  CHECK(after_both(lowered_net) == four{17, 23, 28, 37});
  CHECK(after_both(keeping_net) == four{17, 23, 28, 37});
}

TEST_CASE("states in branches, and in parts that the executor runs, are shared, too") {
  four output{};
  const std::array<char, 1> holds{1};
  nested_net.run<"prefill">(four{1, 1, 1, 1}, output);
  nested_net.run<"choice">(holds, four{10, 10, 10, 10}, output);
  CHECK(output == four{24, 25, 23, 23});
  nested_net.run<"decode">(four{0, 1, 0, 0}, output);
  CHECK(output == four{14, 17, 13, 13});
  nested_net.run<"choice">(std::array<char, 1>{0}, four{1, 1, 1, 1}, output);
  nested_net.run<"choice">(holds, four{}, output);
  CHECK(output == four{14, 16, 13, 13});
}

TEST_CASE("without sharing, methods have separate states, as with separate executors") {
  CHECK(after_both(separate_net) == four{11, 12, 10, 10});
  static alone<both[name<"decode">]> net;
  four output{};
  net.run(four{10, 10, 10, 10}, output);
  CHECK(output == four{11, 12, 10, 10});
}

TEST_CASE("a method's executor has its inputs, outputs and observer in the shared arena") {
  static sharing net;
  auto& decoding = net.method<"decode">();
  const four ones{1, 1, 1, 1};
  std::memcpy(decoding.input().data(), ones.data(), sizeof ones);
  int seen = 0;
  net.run<"decode">([&](auto) { ++seen; });
  four output{};
  std::memcpy(output.data(), std::as_const(net).method<"decode">().output().data(), sizeof output);
  CHECK(output == four{2, 3, 1, 1});
  CHECK(seen == 1);
}

TEST_CASE("each method has its own bound buffers") {
  static bound net;
  alignas(16) const four tokens{1, 2, 3, 4};
  alignas(16) four token{10, 10, 10, 10};
  auto& prefilling_net = net.method<"prefill">();
  auto& decoding = net.method<"decode">();
  CHECK(net.run<"decode">() == status::invalid_state);
  CHECK(decoding.bind_input<0>(token) == status::ok);
  CHECK(net.run<"prefill">() == status::invalid_state);
  CHECK(prefilling_net.bind_input<0>(tokens) == status::ok);
  four in_arena{};
  four expected{};
  static sharing whole;
  for (int round = 0; round < 3; ++round) {
    CAPTURE(round);
    token[0] = static_cast<float>(round);
    whole.run<"prefill">(tokens, expected);
    CHECK(net.run<"prefill">() == status::ok);
    std::memcpy(in_arena.data(), prefilling_net.output().data(), sizeof in_arena);
    CHECK(in_arena == expected);
    whole.run<"decode">(token, expected);
    CHECK(decoding.start() == status::ok);
    while (decoding.step() == status::ok) CHECK(tokens == four{1, 2, 3, 4});
    std::memcpy(in_arena.data(), decoding.output().data(), sizeof in_arena);
    CHECK(in_arena == expected);
  }
  net.reset();
  whole.reset();
  whole.run<"decode">(token, expected);
  CHECK(net.run<"decode">() == status::ok);
  std::memcpy(in_arena.data(), decoding.output().data(), sizeof in_arena);
  CHECK(in_arena == expected);
  // The arena, and so the states and the outputs of the other method, are in `net`.
  CHECK(decoding.bind_input<0>(std::span{prefilling_net.output()}) == status::ok);
  CHECK(net.run<"decode">() == status::invalid_state);
  CHECK(decoding.start() == status::invalid_state);
  CHECK(decoding.bind_input<0>(token) == status::ok);
  CHECK(net.run<"decode">() == status::ok);
}

TEST_CASE("states are placed once, and refused if they differ") {
  CHECK(states_are_placed_once());
  CHECK(modules_of_a_method_keep_separate_states());
  CHECK(states_that_differ_are_refused());
}
