// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Parts that run with kernels of their backend: the kernel that computes each node, also in nested parts and branches, with scratch and
// prepared constants. Also the errors of parts that lack a kernel.
#include <baton/core/builder.hpp>
#include <baton/lower/methods.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/run/basic_executor.hpp>
#include <baton/run/basic_methods_executor.hpp>
#include <baton/run/executor_backend.hpp>
#include <baton/run/profiler.hpp>

#include "conformance/graphs.hpp"
#include "laws/backend.hpp"
#include "reference/interpreter.hpp"
#include "reference/kernels.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace {

using namespace baton;

/// Adds a number to each of four elements. Uses all of its scratch and a prepared constant, so that a wrong address of either shows.
template <std::int8_t Number, std::uint32_t Scratch = 4>
struct adds {
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<> {
    if (!record.is("test.add")) return {refuse()};
    if (program.shape(program.outputs_of(record)[0])[0] != 4) return {refuse("it takes four numbers")};
    return {accept(), {}, {.scratch_bytes = Scratch, .prepared = {1, 4}}};
  }
  static constexpr void prepare(const program_view&, const node&, std::size_t, span<std::int8_t> to) {
    for (auto& each : to) each = Number;
  }
  static void compute(const no_plan&, const node_memory& memory) {
    std::fill(memory.scratch.begin(), memory.scratch.end(), '\x55');
    for (std::size_t i = 0; i < 4; ++i) memory.scratch[i] = static_cast<char>(memory.inputs[0][i] + memory.prepared[i]);
    for (std::size_t i = 0; i < 4; ++i) memory.outputs[0][i] = memory.scratch[i];
  }
};
using never = archetypes::kernel;
struct no_products : never {
  static constexpr auto describe(const program_view&, const node& record) -> node_description<> {
    if (record.is("aten.mm.default")) return {refuse("it makes no products")};
    return {accept()};
  }
};

using one = kernel_backend<"One", kernels<adds<1>>>;
using ten = kernel_backend<"Ten", kernels<never, adds<10>>>;
constexpr auto target = backends<one, executor_backend, ten>;
static_assert(backend<one>);
static_assert(decltype(with_kernels_of_backends(kernels<never>, target))::size == 4);

/// Two chains of four nodes each, with the same input.
constexpr auto eight_adds(std::int64_t size = 4) -> exported_program {
  program_builder build;
  const auto type = tensor(dtype::int8, size);
  const auto x = build.user_input("x", type);
  auto y = x;
  auto z = x;
  for (int i = 0; i < 4; ++i) {
    y = build.call("test.add", {y}, type);
    z = build.call("test.add", {z}, type);
  }
  build.output(y);
  build.output(z);
  return build.finish();
}

/// Assigns nodes of the root graph to a backend, by their numbers.
template <class Backend, std::uint32_t... Nodes>
struct selected_nodes {
  static constexpr auto partition(const program_view& program) -> partition_result {
    partition_result tagged{program};
    const auto tag = tagged.add_tag("these", delegation_spec{to_text(Backend::id)});
    (tagged.tag_node(static_cast<node_id>(program.root().nodes.first + Nodes), tag), ...);
    return tagged;
  }
};

constexpr static_program model{[] { return eight_adds(); }};
// Nodes 0, 2, 4 and 6 compute the first output, the others the second.
constexpr auto with_one = to_backend(target, model, selected_nodes<one, 2>{});
constexpr auto with_both = to_backend(target, with_one, selected_nodes<ten, 5, 7>{});

template <auto Program>
auto sums() -> std::array<int, 2> {
  static basic_executor<Program, kernels<never, adds<100>>> net;
  std::array<std::int8_t, 4> first{};
  std::array<std::int8_t, 4> second{};
  net.run(std::array<std::int8_t, 4>{-100, -100, -100, -100}, first, second);
  for (const auto& each : {first, second}) {
    for (const auto number : each) CHECK(number == each[0]);
  }
  return {static_cast<std::uint8_t>(first[0] + 100), static_cast<std::uint8_t>(second[0] + 100)};
}
constexpr auto modulo(int a, int b) -> std::array<int, 2> { return {a % 256, b % 256}; }

/// A number that is kept from run to run, and begins with 10.
constexpr auto counting_program() -> exported_program {
  constexpr char ten_each[] = {10, 10, 10, 10};
  program_builder build;
  const auto type = tensor(dtype::int8, 4);
  const auto count = build.mutable_buffer("count", type, ten_each);
  build.mutation(build.call("test.add", {count}, type), "count");
  build.output(build.call("test.add", {count}, type));
  return build.finish();
}
constexpr static_program counter{[] { return counting_program(); }};
constexpr auto two_counters =
    to_backend(backends<one>, methods(method<"part">(counter), method<"whole">(static_program{[] { return counting_program(); }})),
               partitioners(for_method<"part">(all_nodes<one>{})));
constexpr auto fours(std::int8_t number) -> std::array<std::int8_t, 4> { return {number, number, number, number}; }

/// A clock that never advances.
struct stopped {
  static auto now() -> std::uint32_t { return 0; }
};

/// A backend that accepts every part, and has no kernel for it.
struct careless {
  static constexpr auto id = name<"Careless">;
  static constexpr auto kernels = baton::kernels<never>;
  static constexpr auto preprocess(const exported_program&, const compile_specs&) -> preprocess_result { return {}; }
};

}  // namespace

TEST_CASE("a part runs with its backend's kernels, the other nodes with the executor's") {
  CHECK(sums<model>() == modulo(400, 400));
  CHECK(sums<with_one>() == modulo(301, 400));
  CHECK(delegates(with_both).size() == 2);
  CHECK(sums<with_both>() == modulo(301, 220));
}

TEST_CASE("a nested part keeps its kernels, and one without kernels uses those of the enclosing part") {
  constexpr auto nested = to_backend(target, with_one, selected_nodes<ten, 0, 2, 4>{});  // includes the call of the first part
  static_assert(delegates(nested).size() == 1);
  CHECK(sums<nested>() == modulo(100 + 1 + 10 + 10, 400));
  constexpr auto plain = to_backend(target, model, selected_nodes<executor_backend, 2>{});
  constexpr auto enclosing = to_backend(target, plain, selected_nodes<ten, 0, 2>{});
  CHECK(sums<enclosing>() == modulo(10 + 10 + 100 + 100, 400));
}

TEST_CASE("branches in a part run with its backend's kernels") {
  using aten = kernel_backend<"Aten", reference::any_aten>;
  constexpr static_program g_cond{[] { return reference::with_data(conformance::g_cond()); }};
  constexpr auto whole = to_backend(backends<aten>, g_cond, by_support<aten, not_of<no_support>>{});
  static_assert(delegates(whole).size() == 1);
  static basic_executor<whole, kernels<never>> net;
  for (std::uint64_t seed = 1; seed < 10; ++seed) {
    reference::state buffers;
    const auto inputs = reference::some_inputs(g_cond, seed);
    CHECK(reference::execute(net, whole.value(), inputs) == reference::evaluate(g_cond, inputs, buffers));
  }
}

TEST_CASE("nothing is copied at the boundary of a part") {
  using net = basic_executor<with_one, kernels<adds<100>>>;
  using undelegated = basic_executor<model, kernels<adds<100>>>;
  CHECK(net::arena_bytes == undelegated::arena_bytes);
}

TEST_CASE("scratch of a part's kernels is planned like that of the executor's kernels") {
  using roomy = kernel_backend<"Roomy", kernels<adds<1, 1000>>>;
  constexpr auto with_roomy = to_backend(backends<roomy>, model, selected_nodes<roomy, 2>{});
  using net = basic_executor<with_roomy, kernels<adds<100>>>;
  using undelegated = basic_executor<model, kernels<adds<100>>>;
  CHECK(net::arena_bytes == basic_executor<model, kernels<adds<100, 1000>>>::arena_bytes);
  CHECK(net::arena_bytes >= undelegated::arena_bytes + 1000 - 16);
  CHECK(sums<with_roomy>() == modulo(301, 400));
}

TEST_CASE("a profiler has a row for each node that a part's kernels compute") {
  static basic_executor<with_both, kernels<adds<100>>> net;
  static profiler<with_both, stopped> times;
  net.run(times);
  std::string rows;
  for (std::size_t i = 0; i < times.size(); ++i) {
    CHECK(times[i].calls == 1);
    rows += std::string(2 * times[i].depth, ' ') + std::string(times[i].op) + ' ' + std::string(times[i].backend) + '\n';
  }
  CHECK(rows ==
        "test.add \n"
        "test.add \n"
        "executorch_call_delegate One\n"
        "  test.add \n"
        "test.add \n"
        "test.add \n"
        "test.add \n"
        "executorch_call_delegate Ten\n"
        "  test.add \n"
        "  test.add \n");
}

TEST_CASE("states that a part's kernels change are saved, restored and reset") {
  constexpr auto part = to_backend(backends<one>, counter, all_nodes<one>{});
  static_assert(delegates(part).size() == 1);
  basic_executor<part, kernels<adds<100>>> net;
  std::array<std::int8_t, 4> out{};
  std::array<char, decltype(net)::state_bytes> kept{};
  const auto run = [&] { return net.run(out), out; };
  CHECK(run() == fours(11));
  net.save(kept);
  CHECK(run() == fours(12));
  CHECK(run() == fours(13));
  net.restore(kept);
  CHECK(run() == fours(12));
  net.reset();
  CHECK(run() == fours(11));
}

TEST_CASE("methods run with the kernels of their parts, with shared or separate states") {
  static basic_methods_executor<two_counters, kernels<adds<100>>, state_sharing::by_name> sharing;
  static basic_methods_executor<two_counters, kernels<adds<100>>> separate;
  std::array<std::int8_t, 4> out{};
  const auto part = [&](auto& net) { return net.template run<"part">(out), out; };
  const auto whole = [&](auto& net) { return net.template run<"whole">(out), out; };
  CHECK(part(sharing) == fours(11));
  CHECK(whole(sharing) == fours(111));
  std::array<char, decltype(sharing)::state_bytes> kept{};
  sharing.save(kept);
  CHECK(part(sharing) == fours(112));
  CHECK(part(sharing) == fours(113));
  sharing.restore(kept);
  CHECK(part(sharing) == fours(112));
  CHECK(part(separate) == fours(11));
  CHECK(whole(separate) == fours(110));
}

TEST_CASE("the laws of backends hold") {
  using support = kernel_support<kernels<never, adds<10>>>;
  constexpr auto holds = [] {
    return laws::backend::accepts_supported_nodes<ten, support>(eight_adds()) && laws::backend::all<ten>(eight_adds());
  };
  static_assert(holds());
  CHECK(holds());
}

TEST_CASE("a node of a part without a kernel is reported with the backend") {
  const auto five = eight_adds(5);
  const auto refused = try_to_backend(backends<ten>, five, selected_nodes<ten, 2>{});
  REQUIRE_FALSE(refused);
  CHECK(view(refused.error.reason) == "test_add_2: it takes four numbers");
  CHECK(view(refused.error.backend) == "Ten");

  using sums_only = kernel_backend<"SumsOnly", kernels<no_products>>;
  const auto branched = try_to_backend(backends<sums_only>, conformance::g_cond(), by_support<sums_only, not_of<no_support>>{});
  REQUIRE_FALSE(branched);
  CHECK(view(branched.error.reason) == "mm: it makes no products");

  const auto lowered = to_backend(backends<careless>, eight_adds(), selected_nodes<careless, 2>{});
  const auto planned = plan_execution(kernels<adds<1>>, backends<careless>, lowered);
  REQUIRE_FALSE(planned);
  CHECK(planned.error.is<"missing_kernel">());
  CHECK(view(planned.error.backend) == "Careless");
}

TEST_CASE("a plan with backends includes their kernels") {
  const auto lowered = to_backend(backends<ten>, eight_adds(), selected_nodes<ten, 2, 4>{});
  CHECK_FALSE(plan_execution(kernels<never>, backends<ten>, lowered));  // the other nodes have no kernel
  const auto planned = plan_execution(kernels<adds<1>>, backends<ten>, lowered);
  REQUIRE(planned);
  std::size_t executor_kernels = 0;
  std::size_t backend_kernels = 0;
  for (const auto chosen : planned.value.kernels) {
    executor_kernels += chosen == 0 ? 1 : 0;
    backend_kernels += chosen == 2 ? 1 : 0;  // after the executor's kernel and `never`
  }
  CHECK(executor_kernels == 6);
  CHECK(backend_kernels == 2);
  CHECK(plan_execution(kernels<adds<1>>, backends<ten>, lowered, {64}).value.memory.alignment == 64);
}
