// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Events that a delegate logs, and the tracer that receives them.
#include <baton/partition/by_support.hpp>
#include <baton/run/basic_executor.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace {

using namespace baton;

struct logging_backend {
  static constexpr auto id = name<"Telling">;
  static constexpr auto preprocess(const exported_program&, const compile_specs&) -> preprocess_result { return {}; }
  template <class Context>
  static void execute(const Context& context) {
    const auto event = context.start_event("relu");
    context.end_event(event);
    context.log_event(0, 10, 20);
    context.log_output(7, 0.5);
  }
};
struct tracer {
  static auto start(const trace_event& event) -> int {
    received.push_back("start " + std::string(event.identifier.name) + " " + std::to_string(event.identifier.number));
    return 42;
  }
  static void end(int token, baton::span<const char>) { received.push_back("end " + std::to_string(token)); }
  static void log(const trace_event& event, std::uint64_t begin, std::uint64_t end, baton::span<const char>) {
    CHECK(event.node == node_id{0});
    CHECK(event.identifier.is_set());
    received.push_back("log " + std::to_string(event.identifier.number) + " " + std::to_string(end - begin));
  }
  static void output(const trace_event& event, double value) {
    received.push_back("output " + std::to_string(event.identifier.number) + (value == 0.5 ? " half" : ""));
  }
  static inline std::vector<std::string> received;
};

constexpr static_program model{[] {
  program_builder build;
  const auto x = build.user_input("x", tensor(dtype::int8, 4));
  build.output(build.call("test.copy", {x}, tensor(dtype::int8, 4)));
  return build.finish();
}};
constexpr auto lowered = to_backend(backends<logging_backend>, model, by_support<logging_backend, operator_names<"test.copy">>{});

}  // namespace

TEST_CASE("a tracer receives events by name and by number, and zero is a number") {
  basic_executor<lowered, kernels<archetypes::kernel>, plan_options{}, tracer> net;
  net.run();
  CHECK(tracer::received == std::vector<std::string>{"start relu -1", "end 42", "log 0 10", "output 7 half"});
  CHECK_FALSE(event_identifier("").is_set());
}

TEST_CASE("without a tracer, events are ignored") {
  tracer::received.clear();
  basic_executor<lowered, kernels<archetypes::kernel>> net;
  net.run();
  CHECK(tracer::received.empty());
  static_assert(sizeof net == sizeof(basic_executor<lowered, kernels<archetypes::kernel>, plan_options{}, tracer>));
}
