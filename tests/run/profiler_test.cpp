// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The profiler measures each node that runs, with and without the nodes inside, in loops, delegates and failed runs.
#include <baton/run/profiler.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/run/basic_executor.hpp>
#include <baton/run/executor_backend.hpp>

#include <doctest/doctest.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <string_view>

namespace {

using namespace baton;

std::uint32_t ticks = 0;
bool device_fails = false;

// Only kernels and backends advance the time. The narrow counter overflows within a run, and so does the wide one.
struct ticking {
  static auto now() -> std::uint16_t { return static_cast<std::uint16_t>(ticks); }
};

struct wide {
  static auto now() -> std::uint32_t { return ticks + 0xffff0000u; }
};

/// Subtracts 1 from its operand, and advances the time by its attribute.
struct decrement {
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<std::uint32_t> {
    if (!record.is("test.decrement")) return {refuse()};
    return {accept(), static_cast<std::uint32_t>(program.integer(record, "ticks"))};
  }
  static void compute(std::uint32_t its_ticks, const node_memory& memory) {
    memory.outputs[0][0] = static_cast<char>(memory.inputs[0][0] - 1);
    ticks += its_ticks;
  }
};
struct is_positive {
  static constexpr auto describe(const program_view&, const node& record) -> node_description<> {
    return {record.is("test.is_positive") ? accept() : refuse()};
  }
  static void compute(const no_plan&, const node_memory& memory) {
    memory.outputs[0][0] = memory.inputs[0][0] > 0 ? 1 : 0;
    ticks += 2;
  }
};
struct device {
  static constexpr auto id = name<"Device">;
  static constexpr auto preprocess(const exported_program&, const compile_specs&) -> preprocess_result {
    return preprocess_result{"bytes"};
  }
  static auto execute(const delegate_call& call) -> status {
    if (device_fails) return status::internal;
    call.outputs[0][0] = static_cast<char>(call.inputs[0][0] - 1);
    ticks += 30000 + static_cast<std::uint32_t>(call.outputs[0][0]);
    return status::ok;
  }
};

// do { x -= 1 on the device, x -= 1 } while (x > 0), between a node and a part that the executor backend runs.
constexpr auto counting_down() -> exported_program {
  constexpr auto one = tensor(dtype::int8, 1);
  program_builder build;
  const auto x = build.user_input("x", one);
  const auto started = build.call("begin", "test.decrement", {x}, one, {{"ticks", 7}});
  const auto condition = build.add_graph("condition");
  build.output(build.call("test.is_positive", {build.user_input("at", one)}, tensor(dtype::boolean)));
  const auto body = build.add_graph("body");
  const auto on_device = build.call("device", "test.device", {build.user_input("at", one)}, one);
  build.output(build.call("turn", "test.decrement", {on_device}, one, {{"ticks", 5}}));
  build.enter(graph_id{0});
  const auto counted = build.call_many("loop", "while_loop", {started}, {one}, {}, {condition, body});
  build.output(build.call("end", "test.decrement", {counted[0]}, one, {{"ticks", 11}}));
  return build.finish();
}
struct last_node {
  static constexpr auto supports(const program_view& program, const node& record) -> verdict {
    return program.text(record.name) == "end" ? accept() : refuse();
  }
};
constexpr auto target = backends<device, executor_backend>;
constexpr static_program model{[] { return counting_down(); }};
constexpr auto on_device = to_backend(target, model, by_support<device, operator_names<"test.device">>{});
constexpr auto lowered = to_backend(target, on_device, by_support<executor_backend, last_node>{});
using net_type = basic_executor<lowered, kernels<decrement, is_positive>>;

struct expected {
  std::string_view name, op, backend;
  std::uint32_t depth, calls;
  std::uint64_t total, own, min, max;
};
template <class Profiler, std::size_t Rows>
void check_rows(const Profiler& times, const std::array<expected, Rows>& rows) {
  REQUIRE(times.size() == Rows);
  for (std::size_t i = 0; i < Rows; ++i) {
    CAPTURE(i);
    const profile_row row = times[i];
    CHECK(row.name == rows[i].name);
    CHECK(row.op == rows[i].op);
    CHECK(row.backend == rows[i].backend);
    CHECK(row.depth == rows[i].depth);
    CHECK(row.calls == rows[i].calls);
    CHECK(row.total == rows[i].total);
    CHECK(row.own == rows[i].own);
    CHECK(row.min == rows[i].min);
    CHECK(row.max == rows[i].max);
  }
}

// From 6: the loop starts with 5 and computes 3, 1, -1, in three iterations with four conditions. The device outputs 4, 2, 0.
constexpr std::array<expected, 7> one_run{{{"begin", "test.decrement", "", 0, 1, 7, 7, 7, 7},
                                           {"loop", "while_loop", "", 0, 1, 90029, 0, 90029, 90029},
                                           {"test_is_positive", "test.is_positive", "", 1, 4, 8, 8, 2, 2},
                                           {"lowered_module_0", "executorch_call_delegate", "Device", 1, 3, 90006, 90006, 30000, 30004},
                                           {"turn", "test.decrement", "", 1, 3, 15, 15, 5, 5},
                                           {"lowered_module_0", "executorch_call_delegate", "ExecutorBackend", 0, 1, 11, 0, 11, 11},
                                           {"end", "test.decrement", "", 1, 1, 11, 11, 11, 11}}};

struct only_after {
  int& calls;
  template <class Call>
  void operator()(const Call&) const {
    ++calls;
  }
};

}  // namespace

TEST_CASE("a counter may overflow within a run") {
  static net_type net;
  static profiler<lowered, ticking> times;
  ticks = 65000;
  net.input<0>()[0] = 6;
  REQUIRE(net.run(times) == status::ok);
  CHECK(net.output<0>()[0] == -2);
  CHECK(times[0].total == 7);
  CHECK(times[3].total == 90006);
}

TEST_CASE("the time of nested nodes is separate, also after a failure") {
  static net_type net;
  static profiler<lowered, wide> times;
  const auto run = [](bool fails) {
    device_fails = fails;
    net.input<0>()[0] = 6;
    const auto code = net.run(times);
    device_fails = false;
    return code;
  };
  ticks = 0;
  REQUIRE(run(false) == status::ok);
  check_rows(times, one_run);
  CHECK(times.total() == 90047);

  CHECK(run(true) == status::internal);
  times.reset();
  REQUIRE(run(false) == status::ok);
  REQUIRE(run(false) == status::ok);
  auto two_runs = one_run;
  for (auto& row : two_runs) {
    row.calls *= 2;
    row.total *= 2;
    row.own *= 2;
  }
  check_rows(times, two_runs);
}

TEST_CASE("a profiler accepts a clock of the standard library, and an observer needs no `before`") {
  static net_type net;
  static profiler<lowered, std::chrono::steady_clock> times;
  CHECK(times[0].min == 0);
  net.input<0>()[0] = 6;
  REQUIRE(net.run(times) == status::ok);
  CHECK(times[3].calls == 3);
  CHECK(times[1].total >= times[1].own);
  CHECK(times[3].min <= times[3].max);
  int calls = 0;
  net.input<0>()[0] = 6;
  REQUIRE(net.run(only_after{calls}) == status::ok);
  CHECK(calls == 1 + 1 + 4 + 3 + 3 + 1 + 1);
}
