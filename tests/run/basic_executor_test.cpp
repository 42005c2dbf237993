// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The executor on small programs: kernels, delegates, several inputs and outputs, mutable buffers, shared memory, the observer.
#include <baton/run/basic_executor.hpp>
#include <baton/core/vector.hpp>
#include <baton/partition/by_support.hpp>

#include <doctest/doctest.h>

#include <array>

namespace {

using namespace baton;

/// The plan is the number of elements of the first output.
template <fixed_string Op>
struct kernel_for {
  static constexpr literal_name operators[] = {literal_name{Op.characters}};
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<std::size_t> {
    return {accept(), static_cast<std::size_t>(program.shape(program.outputs_of(record)[0])[0])};
  }
};

struct add : kernel_for<"test.add"> {
  static void compute(std::size_t length, const node_memory& memory) {
    for (std::size_t i = 0; i < length; ++i) memory.outputs[0][i] = static_cast<char>(memory.inputs[0][i] + memory.inputs[1][i]);
  }
};
struct swap_halves : kernel_for<"test.swap"> {
  static void compute(std::size_t length, const node_memory& memory) {
    for (std::size_t i = 0; i < length; ++i) {
      memory.outputs[0][i] = memory.inputs[0][i + length];
      memory.outputs[1][i] = memory.inputs[0][i];
    }
  }
};
struct view_as {
  static constexpr literal_name operators[] = {"test.view"};
  static constexpr auto describe(const program_view&, const node&) -> node_description<> {
    return {accept(), {}, {.output_aliases_input = true}};
  }
  static void compute(const no_plan&, const node_memory& memory) { CHECK(memory.inputs[0] == memory.outputs[0]); }
};
constexpr auto test_kernels = kernels<add, swap_halves, view_as>;

struct adder {
  static constexpr auto id = name<"adder">;
  static constexpr auto preprocess(const exported_program& part, const compile_specs&) -> preprocess_result {
    preprocess_result processed{"bytes"};
    processed.scratch_bytes = static_cast<std::uint32_t>(part.nodes.size()) * 16;
    return processed;
  }
  static void execute(const delegate_call& call) {
    CHECK(std::string_view{call.processed_bytes.data(), call.processed_bytes.size()} == "bytes");
    CHECK(call.scratch.size() == 16);
    std::fill(call.scratch.begin(), call.scratch.end(), static_cast<char>(0x55));  // must not overwrite live values
    for (std::size_t i = 0; i < call.outputs[0].size(); ++i) {
      call.outputs[0][i] = static_cast<char>(call.inputs[0][i] + call.inputs[call.inputs.size() - 1][i]);
    }
  }
};
struct compile_only {
  static constexpr auto id = name<"compile_only">;
  static constexpr auto preprocess(const exported_program&, const compile_specs&) -> preprocess_result { return {}; }
};
/// A backend without `init` that counts how often it is destroyed.
struct counting_adder : adder {
  static constexpr auto id = name<"counting_adder">;
  static inline int destroyed = 0;
  static void destroy() { ++destroyed; }
};
static_assert(executable_backend<adder> && !executable_backend<compile_only>);

constexpr static_program two_in_two_out{[] {
  program_builder build;
  const auto x = build.user_input("x", tensor(dtype::int8, 4));
  const auto y = build.user_input("y", tensor(dtype::int8, 4));
  const auto sum = build.call("test.add", {x, y}, tensor(dtype::int8, 4));
  const auto viewed = build.call("test.view", {sum}, tensor(dtype::int8, 2, 2));
  const auto halves = build.call_many("halves", "test.swap", {viewed}, {tensor(dtype::int8, 2), tensor(dtype::int8, 2)});
  build.output(halves[0]);
  build.output(halves[1]);
  return build.finish();
}};

constexpr static_program with_state{[] {
  program_builder build;
  const auto x = build.user_input("x", tensor(dtype::int8, 2));
  const auto total = build.mutable_buffer("total", tensor(dtype::int8, 2));
  const auto next = build.call("test.add", {x, total}, tensor(dtype::int8, 2));
  build.mutation(next, "total");
  build.output(next);
  return build.finish();
}};

constexpr static_program with_constant{[] {
  constexpr char weights[] = {10, 20};
  program_builder build;
  const auto x = build.user_input("x", tensor(dtype::int8, 2));
  const auto w = build.parameter("w", tensor(dtype::int8, 2), weights);
  const auto once = build.call("test.add", {x, w}, tensor(dtype::int8, 2));
  build.output(build.call("test.add", {once, once}, tensor(dtype::int8, 2)));
  return build.finish();
}};

basic_executor<two_in_two_out, test_kernels> two_net;
basic_executor<with_state, test_kernels> state_net;
basic_executor<with_constant, test_kernels> constant_net;

constexpr auto lowered =
    to_backend(backends<adder, compile_only>, with_constant, by_support<adder, operator_names<"test.add">, partition_options{1, 1}>{});
static_assert(delegates(lowered).size() == 2);
basic_executor<lowered, test_kernels> lowered_net;

}  // namespace

TEST_CASE("executors have several inputs and outputs, and an aliasing kernel copies nothing") {
  const std::array<signed char, 4> x{1, 2, 3, 4};
  const std::array<signed char, 4> y{10, 10, 10, 10};
  std::array<signed char, 2> back{};
  std::array<signed char, 2> front{};
  two_net.run(x, y, back, front);
  CHECK(back == std::array<signed char, 2>{13, 14});
  CHECK(front == std::array<signed char, 2>{11, 12});
  CHECK(two_net.arena_bytes == two_net.lower_bound);
}

TEST_CASE("mutable buffers keep their value from run to run") {
  std::array<signed char, 2> out{};
  state_net.run(std::array<signed char, 2>{1, 2}, out);
  state_net.run(std::array<signed char, 2>{1, 2}, out);
  CHECK(out == std::array<signed char, 2>{2, 4});
}

TEST_CASE("delegates compute the same as kernels, and read constants in place") {
  std::array<signed char, 2> portable{};
  std::array<signed char, 2> delegated{};
  constant_net.run(std::array<signed char, 2>{1, 2}, portable);
  lowered_net.run(std::array<signed char, 2>{1, 2}, delegated);
  CHECK(portable == std::array<signed char, 2>{22, 44});
  CHECK(delegated == portable);
}

TEST_CASE("inputs and outputs are accessed in place, and the observer sees every node in order") {
  constant_net.input()[0] = 5;
  constant_net.input()[1] = 6;
  baton::vector<std::uint32_t> seen;
  constant_net.run([&](auto call) { seen.push_back(call.index); });
  CHECK(seen == baton::vector<std::uint32_t>{0, 1});
  CHECK(constant_net.output()[0] == 30);
  CHECK(constant_net.output()[1] == 52);
}

TEST_CASE("a backend without init is destroyed with its executor") {
  constexpr auto counted = to_backend(backends<counting_adder>, with_constant,
                                      by_support<counting_adder, operator_names<"test.add">, partition_options{1, 1}>{});
  {
    basic_executor<counted, test_kernels> net;
    std::array<signed char, 2> result{};
    net.run(std::array<signed char, 2>{1, 2}, result);
    CHECK(result == std::array<signed char, 2>{22, 44});
    CHECK(counting_adder::destroyed == 0);
  }
  CHECK(counting_adder::destroyed == 2);
}
