// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/operators/shared/state_order.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/graph/def_use.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace {

using namespace baton;

constexpr auto four = tensor(dtype::float32, 4);

constexpr auto may_write(std::string_view op) -> bool {
  program_builder b;
  const auto state = b.mutable_buffer("state", four);
  b.output(b.call("n", op, {state}, four));
  const auto program = b.finish();
  return writes_a_state(program, program.nodes[0]);
}
constexpr auto known_readers_do_not_write() -> bool {
  return !may_write("aten.neg.default") && !may_write("tfl.neg") && !may_write("tfl.reshape");
}
static_assert(known_readers_do_not_write());
constexpr auto others_may_write() -> bool {
  return may_write("tfl.svdf") && may_write("tfl.unidirectional_sequence_lstm") && may_write("tfl.custom.CIRCULAR_BUFFER") &&
         may_write("tfl.custom.mine") && may_write("tfl.builtin_250") && may_write("my.step");
}
static_assert(others_may_write());

/// A program with two states and one node per character: 's' and 't' read a state, 'S' and 'T' write it, 'B' writes both, 'x' reads the
/// input.
constexpr auto program_of(std::string_view accesses) -> exported_program {
  program_builder b;
  const auto x = b.user_input("x", four);
  const auto s = b.mutable_buffer("s", four);
  const auto t = b.mutable_buffer("t", four);
  for (const auto access : accesses) {
    const auto operand = access == 'x' ? x : access == 's' || access == 'S' || access == 'B' ? s : t;
    const bool is_write = access == 'S' || access == 'T' || access == 'B';
    const auto result = access == 'B' ? b.call("both", "tfl.custom.STEP", {operand, t}, four)
                                      : b.call("n", is_write ? "tfl.custom.STEP" : "tfl.neg", {operand}, four);
    b.output(result);
  }
  return b.finish();
}
constexpr auto is_order(std::string_view accesses, std::initializer_list<edge> expected) -> bool {
  const auto program = program_of(accesses);
  const program_view view = program;
  const auto order = state_order(view, view.root());
  const auto dependencies = dependencies_between(view, view.root(), producers_of(view));
  return std::equal(order.begin(), order.end(), expected.begin(), expected.end()) &&
         std::equal(dependencies.begin(), dependencies.end(), expected.begin(), expected.end());
}
constexpr auto reads_have_no_order() -> bool { return is_order("ssxs", {}) && is_order("st", {}); }
static_assert(reads_have_no_order());
constexpr auto a_write_follows_the_accesses_since_the_last_write() -> bool {
  return is_order("ssS", {{0, 2}, {1, 2}}) && is_order("sSsS", {{0, 1}, {1, 2}, {1, 3}, {2, 3}}) && is_order("SS", {{0, 1}});
}
static_assert(a_write_follows_the_accesses_since_the_last_write());
constexpr auto states_are_independent() -> bool {
  return is_order("stS", {{0, 2}}) && is_order("sBt", {{0, 1}, {1, 2}}) && is_order("STBst", {{0, 2}, {1, 2}, {2, 3}, {2, 4}});
}
static_assert(states_are_independent());

/// The third node writes a state that the first one reads. It also depends on the first one through its operands.
constexpr auto uses_and_states_are_merged() -> bool {
  program_builder b;
  const auto state = b.mutable_buffer("state", four);
  const auto read = b.call("read", "tfl.neg", {state}, four);
  const auto other = b.call("other", "tfl.neg", {read}, four);
  const auto written = b.call("written", "tfl.custom.STEP", {state, other}, four);
  b.output(written);
  const auto program = b.finish();
  const program_view view = program;
  const auto dependencies = dependencies_between(view, view.root(), producers_of(view));
  const edge expected[] = {{0, 1}, {1, 2}, {0, 2}};
  text_buffer text;
  add_state_steps(text, view, dependencies);
  return std::equal(dependencies.begin(), dependencies.end(), std::begin(expected), std::end(expected)) &&
         baton::view(text) == "; written accesses a state after read";
}
static_assert(uses_and_states_are_merged());

}  // namespace

TEST_CASE("only unknown operators and operators that keep state may write a state in place") {
  CHECK(known_readers_do_not_write());
  CHECK(others_may_write());
}

TEST_CASE("state_order orders the accesses to a state that is written in place") {
  CHECK(reads_have_no_order());
  CHECK(a_write_follows_the_accesses_since_the_last_write());
  CHECK(states_are_independent());
  CHECK(uses_and_states_are_merged());
}
