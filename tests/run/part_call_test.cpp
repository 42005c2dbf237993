// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/run/part_call.hpp>

#include <baton/compat/executorch/standalone_program.hpp>
#include <baton/core/span.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/run/basic_executor.hpp>
#include <baton/run/delegate.hpp>

#include "run/fused_backend.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

namespace {

using namespace baton;
using fused_backend::fused;

using bytes4 = std::array<std::int8_t, 4>;

// Two parts with a node between them. The first part has two nodes and the second one.

struct negate {
  static constexpr auto describe(const program_view&, const node& record) -> node_description<> {
    return {record.is("test.negate") ? accept() : refuse()};
  }
  static void compute(const no_plan&, const node_memory& memory) {
    for (std::size_t i = 0; i < 4; ++i) memory.outputs[0][i] = static_cast<char>(-memory.inputs[0][i]);
  }
};
constexpr static_program two_parts{[] {
  constexpr auto four = tensor(dtype::int8, 4);
  program_builder build;
  const auto x = build.user_input("x", four);
  const auto y = build.user_input("y", four);
  const auto first = build.call("test.maximum", {build.call("test.add", {x, y}, four), y}, four);
  const auto between = build.call("test.negate", {first}, four);
  build.output(build.call("test.add", {between, x}, four));
  return build.finish();
}};
constexpr auto lowered = to_backend(backends<fused>, two_parts, fused_backend::partitioner{});
static_assert(delegates(lowered).size() == 2);

// The members of a call, at compile time.

struct module {
  static constexpr auto view() -> lowered_module_view { return delegates(lowered)[0]; }
};
using call_of_first = part_call<module, delegate_call>;
static_assert(call_of_first::program->nodes.size() == 2);
static_assert(call_of_first::program->nodes[0].is("test.add"));
static_assert(call_of_first::module().processed_bytes() == "\2");
static_assert(call_of_first::input_bytes(0) == 4 && call_of_first::input_bytes(1) == 4 && call_of_first::output_bytes(0) == 4);
static_assert(call_of_first::argument_index(call_of_first::input_value(1)) == 1);
static_assert(call_of_first::argument_index(call_of_first::output_value(0)) == 2);
static_assert(std::is_same_v<decltype(std::declval<call_of_first>().input<0>()), std::span<const char, 4>>);
static_assert(std::is_same_v<decltype(std::declval<call_of_first>().output<0>()), std::span<char, 4>>);

// All features of a backend: state, options, a status, events, and compile specs as constants.

struct scaling {
  static constexpr auto id = name<"Scaling">;
  struct options {
    int offset = 0;
  };
  struct state {
    int calls = 0;
  };
  static constexpr auto preprocess(const exported_program&, const compile_specs&) -> preprocess_result { return {}; }
  template <class Call>
  static auto execute(const Call& call, state& self) -> status {
    constexpr auto spec = Call::module().compile_specs()[0];
    constexpr int factor = Call::module().program().text(spec.value)[0] - '0';
    const auto event = call.start_event("scale");
    for (std::size_t i = 0; i < Call::input_bytes(0); ++i) {
      call.template output<0>()[i] = static_cast<char>(call.template input<0>()[i] * factor + call.options.offset);
    }
    call.end_event(event);
    return ++self.calls > 2 ? status::invalid_state : status::ok;
  }
};
static_assert(executable_backend<scaling> && executable_backend<fused> && !executable_backend<archetypes::backend>);

constexpr static_program one_scale{[] {
  constexpr auto four = tensor(dtype::int8, 4);
  program_builder build;
  build.output(build.call("test.scale", {build.user_input("x", four)}, four));
  return build.finish();
}};
constexpr auto scaled =
    standalone_program(to_backend(backends<scaling>, name<"Scaling">, one_scale, [] { return compile_specs{{"factor", "3"}}; }));

struct counting_tracer {
  static auto start(const trace_event& event) -> int {
    events += event.identifier.name == "scale" ? 1 : 0;
    return 0;
  }
  static void end(int, baton::span<const char>) {}
  static inline int events = 0;
};

}  // namespace

TEST_CASE("execute as a template is compiled for each part") {
  basic_executor<lowered, kernels<negate>> net;
  bytes4 z{};
  net.run(bytes4{1, 2, 3, 4}, bytes4{10, -10, 20, -20}, z);
  // First max(x + y, y) = 11, -8, 23, -16.
  CHECK(z == bytes4{-10, 10, -20, 20});
}

TEST_CASE("a backend that is compiled for its part has state, options, events and failures like any other") {
  basic_executor<scaled, kernels<>, plan_options{}, counting_tracer> net{with_options<scaling>({.offset = 1})};
  bytes4 y{};
  CHECK(net.run(bytes4{1, 2, 3, 4}, y) == status::ok);
  CHECK(y == bytes4{4, 7, 10, 13});
  CHECK(net.run(bytes4{1, 2, 3, 4}, y) == status::ok);
  CHECK(net.run(bytes4{1, 2, 3, 4}, y) == status::invalid_state);
  CHECK(counting_tracer::events == 3);
}
