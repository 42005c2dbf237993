// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Events that a delegate tells of, and the tracer that hears of them.
#include <baton/partition/by_support.hpp>
#include <baton/run/basic_executor.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace {

using namespace baton;

struct telling {
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
    heard.push_back("start " + std::string(event.identifier.name) + " " + std::to_string(event.identifier.number));
    return 42;
  }
  static void end(int token, baton::span<const char>) { heard.push_back("end " + std::to_string(token)); }
  static void log(const trace_event& event, std::uint64_t begin, std::uint64_t end, baton::span<const char>) {
    CHECK(event.node == node_id{0});
    CHECK(event.identifier.is_set());
    heard.push_back("log " + std::to_string(event.identifier.number) + " " + std::to_string(end - begin));
  }
  static void output(const trace_event& event, double value) {
    heard.push_back("output " + std::to_string(event.identifier.number) + (value == 0.5 ? " half" : ""));
  }
  static inline std::vector<std::string> heard;
};

constexpr static_program model{[] {
  program_builder build;
  const auto x = build.user_input("x", tensor(dtype::int8, 4));
  build.output(build.call("test.copy", {x}, tensor(dtype::int8, 4)));
  return build.finish();
}};
constexpr auto lowered = to_backend(backends<telling>, model, by_support<telling, operator_names<"test.copy">>{});

}  // namespace

TEST_CASE("a tracer hears of events by name and by number, zero being a number") {
  basic_executor<lowered, kernels<archetypes::kernel>, plan_options{}, tracer> net;
  net.run();
  CHECK(tracer::heard == std::vector<std::string>{"start relu -1", "end 42", "log 0 10", "output 7 half"});
  CHECK_FALSE(event_identifier("").is_set());
}

TEST_CASE("without a tracer nobody hears") {
  tracer::heard.clear();
  basic_executor<lowered, kernels<archetypes::kernel>> net;
  net.run();
  CHECK(tracer::heard.empty());
  static_assert(sizeof net == sizeof(basic_executor<lowered, kernels<archetypes::kernel>, plan_options{}, tracer>));
}
