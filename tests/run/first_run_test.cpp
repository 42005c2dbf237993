// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The contents of an executor before its first run: options, states of delegates, mutable buffers.
#include <baton/partition/by_support.hpp>
#include <baton/run/basic_executor.hpp>

#include <doctest/doctest.h>

#include <array>
#include <string_view>
#include <utility>

namespace {

using namespace baton;

/// y = x * gain + own.step + (value of the mutable buffer). The new value of the buffer is y.
struct amplifier {
  static constexpr auto id = name<"Amplifier">;
  static constexpr auto preprocess(const exported_program&, const compile_specs&) -> preprocess_result { return {}; }
  struct options {
    int gain = 2;
    const char* title = "twice";
  };
  struct state {
    int step = 10;
    explicit state() = default;
    state(const state&) = delete;
    auto operator=(const state&) -> state& = delete;
  };
  static auto execute(const execution_context<options>& context, state& self) -> status {
    if (context.options.gain == 0) return status::invalid_argument;
    const int x = context.inputs[0][0];
    context.outputs[0][0] = static_cast<char>(x * context.options.gain + self.step++ + context.inputs[1][0]);
    return status::ok;
  }
};

constexpr char hundred[] = {100};
template <bool Copied>
struct make_model {
  constexpr auto operator()() const {
    program_builder b;
    const auto one = tensor(dtype::int8, 1);
    const auto x = b.user_input("x", one);
    const auto s = b.mutable_buffer("s", one, Copied ? std::string_view{"d"} : std::string_view{hundred, 1});
    const auto y = b.call("test.amplify", {x, s}, one);
    b.mutation(y, "s");
    b.output(y);
    return b.finish();
  }
};
constexpr static_program model{make_model<true>{}};
constexpr auto lowered = to_backend(backends<amplifier>, model, by_support<amplifier, operator_names<"test.amplify">>{});

template <class... Services>
using net_type = basic_executor<lowered, kernels<archetypes::kernel>, plan_options{}, Services...>;

template <class Net>
auto run_once(Net& net, signed char x) -> int {
  const std::array<signed char, 1> in{x};
  std::array<signed char, 1> out{};
  CHECK(net.run(in, out) == status::ok);
  return out[0];
}

TEST_CASE("options have their default values before the first run, and can be changed there") {
  net_type<> net;
  CHECK(std::as_const(net).options<amplifier>().gain == 2);
  CHECK(net.options<amplifier>().title == std::string_view{"twice"});
  net.options<amplifier>().gain = 3;
  CHECK(std::as_const(net).options<amplifier>().gain == 3);
  CHECK(net.last_failure() == run_failure{});
  CHECK(run_once(net, 1) == static_cast<signed char>(3 + 10 + 100));
  net.options<amplifier>().gain = 0;
  CHECK(net.run() == status::invalid_argument);
  CHECK(net.last_failure() == run_failure{status::invalid_argument, run_failure::lifecycle_step::execution, node_id{0}, delegate_id{0}});
}

TEST_CASE("states of delegates and mutable buffers are initialized once for each executor") {
  net_type<> first;
  net_type<> second;
  CHECK(run_once(first, -50) == -100 + 10 + 100);
  CHECK(run_once(first, 0) == 11 + 10);
  CHECK(run_once(first, 0) == 12 + 21);
  CHECK(run_once(second, -50) == -100 + 10 + 100);
}

TEST_CASE("options that are passed as a service apply before the first run, and other options override them") {
  using loud = net_type<initial_options<amplifier, amplifier::options{.gain = 5, .title = nullptr}>>;
  loud net;
  CHECK(std::as_const(net).options<amplifier>().gain == 5);
  CHECK(run_once(net, 1) == static_cast<signed char>(5 + 10 + 100));
  net.options<amplifier>().gain = 1;
  CHECK(run_once(net, 1) == static_cast<signed char>(1 + 11 + 115));
  loud quiet{with_options<amplifier>({.gain = -1})};
  CHECK(run_once(quiet, 1) == -1 + 10 + 100);
}

constexpr auto constant_options() -> bool {
  net_type<> net{with_options<amplifier>({.gain = 4})};
  const net_type<> other;
  net.options<amplifier>().gain += 1;
  return std::as_const(net).options<amplifier>().gain == 5 && other.options<amplifier>().gain == 2;
}
static_assert(constant_options());

// A buffer with initial bytes outside of the program, which the run reads in place.
struct amplify {
  static constexpr auto describe(const program_view&, const node&) -> node_description<> { return {accept()}; }
  static void compute(const no_plan&, const node_memory& memory) {
    memory.outputs[0][0] = static_cast<char>(memory.inputs[0][0] + memory.inputs[1][0]);
  }
};
struct make_with_outside_bytes {
  constexpr auto operator()() const {
    auto program = make_model<false>{}();
    for (auto& record : program.values) {
      if (record.kind == value_kind::mutable_buffer) record.data.outside = hundred;
    }
    return program;
  }
};
constexpr static_program outside{make_with_outside_bytes{}};

TEST_CASE("the initial bytes of a mutable buffer may be outside of the program") {
  basic_executor<outside, kernels<amplify>> net;
  const std::array<signed char, 1> in{7};
  std::array<signed char, 1> out{};
  net.run(in, out);
  CHECK(out[0] == 107);
  net.run(in, out);
  CHECK(out[0] == 114);
}

}  // namespace
