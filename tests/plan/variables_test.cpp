// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Memory of variables, which handles refer to, and of scratch, which has no producer.
#include <baton/plan/detail/variables.hpp>
#include <baton/core/builder.hpp>
#include <baton/operators/verify.hpp>
#include <baton/plan/arena.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace {

using namespace baton;

constexpr auto handle_type = tensor(dtype::resource);
constexpr auto frame = tensor(dtype::int8, 16);
constexpr auto history = tensor(dtype::int8, 48);

constexpr auto handle(program_builder& b, std::string_view name, const char* variable, const char* container = "") -> value_id {
  return b.call(name, "tfl.var_handle", {}, handle_type, {{"container", container}, {"shared_name", variable}});
}
constexpr void assign(program_builder& b, value_id to, value_id value) { b.call_many("assign", "tfl.assign_variable", {to, value}, {}); }

// history = concatenation(history, x); y = its sum. A second variable has the same name in another container; a third has no reader.
constexpr auto streaming() -> exported_program {
  program_builder b;
  const auto x = b.user_input("x", frame);
  const auto h = handle(b, "h", "stream");
  const auto h_again = handle(b, "h_again", "stream");
  const auto other = handle(b, "other", "stream", "elsewhere");
  handle(b, "unused", "nobody");
  const auto old = b.call("old", "tfl.read_variable", {h}, history);
  const auto now = b.call("now", "tfl.concatenation", {old, x}, history);
  assign(b, h_again, now);
  assign(b, other, x);
  b.output(b.call("y", "tfl.sum", {now}, frame));
  return b.finish();
}

constexpr auto id_of(const program_view& program, std::string_view name) -> value_id {
  std::uint32_t v = 0;
  while (program.text(program.values[v].name) != name) ++v;
  return static_cast<value_id>(v);
}
constexpr auto lifetime_of(const memory_plan& plan, value_id id) -> lifetime {
  return plan.needs.lifetimes[plan.needs.value_entries[index(id)]];
}

constexpr auto handles_of_one_name_are_one_variable() -> bool {
  const auto program = streaming();
  const auto calls = graphs_that_run(program);
  const auto all = variables_of(program, calls.value);
  return all.variables.size() == 3 && all.handles.size() == 4 && all.variables[1].handles.size == 2 &&
         all.variables[1].largest == id_of(program, "old") && all.variables[2].largest == id_of(program, "x") &&
         all.variables[0].largest == none<value_id>;
}
static_assert(handles_of_one_name_are_one_variable());

constexpr auto variables_live_always_and_handles_have_no_bytes() -> bool {
  const auto program = streaming();
  const auto planned = plan_memory(program);
  if (verify(program) || !planned || verify_plan(planned.value)) return false;
  const auto& plan = planned.value;
  const auto h = id_of(program, "h");
  const auto end = program.root().nodes.size;
  const auto life = lifetime_of(plan, h);
  return plan.offset_of(h) == plan.offset_of(id_of(program, "h_again")) && plan.offset_of(h) != plan.offset_of(id_of(program, "other")) &&
         life.first == 0 && life.last == end && life.bytes == 48 && lifetime_of(plan, id_of(program, "other")).bytes == 16 &&
         plan.needs.value_entries[index(id_of(program, "unused"))] == npos && plan.lower_bound == 16 + 48 + 48 + 48 + 16;
}
static_assert(variables_live_always_and_handles_have_no_bytes());

// A branch that reads a variable; the memory of the variable is in the root's plan.
constexpr auto in_a_branch() -> exported_program {
  program_builder b;
  const auto root = b.current();
  const auto branch = b.add_graph("branch");
  const auto y = b.user_input("y", frame);
  b.output(b.call("sum", "tfl.add", {y, b.call("read", "tfl.read_variable", {handle(b, "inner", "stream")}, frame)}, frame));
  b.enter(root);
  const auto flag = b.user_input("flag", tensor(dtype::boolean, 1));
  const auto x = b.user_input("x", frame);
  assign(b, handle(b, "outer", "stream"), x);
  b.output(b.call_many("choice", "tfl.if", {flag, x}, {frame}, {}, {branch, branch})[0]);
  return b.finish();
}
constexpr auto variables_of_branches_are_in_the_arena() -> bool {
  const auto program = in_a_branch();
  const auto planned = plan_memory(program);
  if (verify(program) || !planned || verify_plan(planned.value)) return false;
  const auto inner = id_of(program, "inner");
  return planned.value.offset_of(inner) == planned.value.offset_of(id_of(program, "outer")) &&
         lifetime_of(planned.value, inner).last == program.root().nodes.size;
}
static_assert(variables_of_branches_are_in_the_arena());

constexpr auto a_variable_of_unknown_size_is_reported() -> bool {
  program_builder b;
  b.output(b.call("old", "tfl.read_variable", {handle(b, "h", "stream")}, tensor(dtype::int8, -1)));
  const auto planned = plan_memory(b.finish());
  return !planned && planned.error.is<"dynamic_shape">() && view(planned.error.reason) == "value old";
}
static_assert(a_variable_of_unknown_size_is_reported());

// Scratch: x -> first (with scratch `s` as two operands) -> between -> second (with scratch `t`) -> output
constexpr auto accelerated() -> exported_program {
  program_builder b;
  const auto x = b.user_input("x", frame);
  const auto s = b.scratch("s", history);
  const auto t = b.scratch("t", tensor(dtype::uint8, 32));
  const auto first = b.call("first", "tfl.custom.npu", {x, s, s}, frame);
  const auto between = b.call("between", "tfl.relu", {first}, frame);
  b.output(b.call("second", "my_company.npu", {between, t}, frame));
  return b.finish();
}
constexpr auto scratch_lives_at_its_node() -> bool {
  const auto program = accelerated();
  const auto planned = plan_memory(program);
  if (verify(program) || !planned || verify_plan(planned.value)) return false;
  const auto s = lifetime_of(planned.value, id_of(program, "s"));
  const auto t = lifetime_of(planned.value, id_of(program, "t"));
  return s.first == 0 && s.last == 0 && s.bytes == 48 && t.first == 2 && t.last == 2 && t.bytes == 32 &&
         planned.value.arena_bytes == 16 + 16 + 48;
}
static_assert(scratch_lives_at_its_node());

}  // namespace

TEST_CASE("variables: all handles with the same name share one variable") { CHECK(handles_of_one_name_are_one_variable()); }
TEST_CASE("variables are always live, and handles have no bytes") {
  CHECK(variables_live_always_and_handles_have_no_bytes());
  CHECK(variables_of_branches_are_in_the_arena());
  CHECK(a_variable_of_unknown_size_is_reported());
}
TEST_CASE("scratch is live while its node runs") { CHECK(scratch_lives_at_its_node()); }
