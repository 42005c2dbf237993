// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/plan/shared/backend_needs.hpp>
#include <baton/lower/methods.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/run/basic_executor.hpp>
#include <baton/run/basic_methods_executor.hpp>
#include <baton/run/caller_arena.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace {

using namespace baton;

using bytes3 = std::array<std::int8_t, 3>;
std::uintptr_t seen = 0;  ///< the bitwise or of all addresses

void record_address(const void* address) { seen |= reinterpret_cast<std::uintptr_t>(address); }

/// Adds 1, and records the addresses of arguments, results and scratch.
template <std::uint32_t Alignment>
struct dma {
  static constexpr auto id = name<"Dma">;
  static constexpr std::uint32_t argument_alignment = Alignment;
  static constexpr auto preprocess(const exported_program&, const compile_specs&) -> preprocess_result {
    preprocess_result processed;
    processed.scratch_bytes = 5;
    return processed;
  }
  static void execute(const delegate_call& call) {
    for (const auto input : call.inputs) record_address(input.data());
    for (const auto output : call.outputs) record_address(output.data());
    record_address(call.scratch.data());
    for (std::size_t i = 0; i < 3; ++i) call.outputs[0][i] = static_cast<char>(call.inputs[0][i] + 1);
  }
};
struct anywhere : dma<1> {};

struct negate {
  static constexpr auto describe(const program_view&, const node& record) -> node_description<> {
    return {record.is("test.negate") ? accept() : refuse()};
  }
  static void compute(const no_plan&, const node_memory& memory) {
    for (std::size_t i = 0; i < 3; ++i) memory.outputs[0][i] = static_cast<char>(-memory.inputs[0][i]);
  }
};

/// Two parts with a node between them. Values have 3 bytes, so that none is aligned by chance.
constexpr auto increments() -> exported_program {
  constexpr auto three = tensor(dtype::int8, 3);
  program_builder build;
  const auto incremented = build.call("test.increment", {build.user_input("x", three)}, three);
  build.output(build.call("test.increment", {build.call("test.negate", {incremented}, three)}, three));
  return build.finish();
}
constexpr static_program model{[] { return increments(); }};
template <class Backend>
constexpr auto lowered_to = to_backend(backends<Backend>, model, by_support<Backend, operator_names<"test.increment">>{});

constexpr plan_options tight{.alignment = 1};
template <std::uint32_t Alignment, plan_options Options = plan_options{}>
using net_for = basic_executor<lowered_to<dma<Alignment>>, kernels<negate>, Options>;

static_assert(net_for<64>::arena_alignment == 64 && alignof(net_for<64>) == 64);
static_assert(net_for<64>::arena_bytes % 64 == 0 && net_for<64>::arena_bytes <= 4 * 64);
static_assert(net_for<16>::arena_alignment == 16 && net_for<16, tight>::arena_alignment == 16);
// A backend without requirements costs no memory.
static_assert(net_for<1, tight>::arena_alignment == 1 && net_for<1, tight>::arena_bytes == 3 + 3 + 5);
static_assert(needs_of_backends(backends<dma<1>>, lowered_to<dma<1>>).max_alignment(16) == 16);
static_assert(needs_of_backends(backends<dma<64>>, lowered_to<dma<64>>).max_alignment(16) == 64);
static_assert(needs_of_backends(backends<archetypes::backend>, lowered_to<dma<64>>).max_alignment(4) == 4);

template <class Net>
auto addresses_of_a_run(Net& net) -> std::uintptr_t {
  bytes3 y{};
  seen = 0;
  net.run(bytes3{1, 2, 3}, y);
  CHECK(y == bytes3{-1, -2, -3});
  return seen;
}

arena_for<net_for<64>> pool;
static_assert(alignof(decltype(pool)) == 64);

constexpr auto both = to_backend(backends<dma<64>>, methods(method<"one">(model), method<"two">(model)),
                                 by_support<dma<64>, operator_names<"test.increment">>{});

/// A constant among the arguments of a delegate, because the part does not own it.
constexpr auto with_a_constant() -> exported_program {
  constexpr auto three = tensor(dtype::int8, 3);
  program_builder build;
  const auto x = build.user_input("x", three);
  build.output(build.call("test.increment", {x, build.constant("c", three, std::array<char, 3>{1, 2, 3})}, three));
  return build.finish();
}
auto planned(std::uint32_t alignment) -> failure {
  auto lowered = to_backend(backends<anywhere>, with_a_constant(), by_support<anywhere, operator_names<"test.increment">>{});
  auto needs = needs_of_backends(backends<anywhere>, lowered);
  needs.argument_alignment[0] = alignment;
  return detail::plan_execution(kernels<negate>, lowered, {}, needs, {}).error;
}

}  // namespace

TEST_CASE("arguments, results and scratch have the alignment that a backend requires") {
  static net_for<64> wide;
  CHECK(addresses_of_a_run(wide) % 64 == 0);
  static net_for<16, tight> narrow;
  CHECK(addresses_of_a_run(narrow) % 16 == 0);
  static net_for<1, tight> unaligned;
  CHECK(addresses_of_a_run(unaligned) % 2 != 0);
}

TEST_CASE("arguments are also aligned in an arena of the caller, and in an arena of several methods") {
  basic_executor<lowered_to<dma<64>>, kernels<negate>, plan_options{}, in_arena<pool>> net;
  CHECK(addresses_of_a_run(net) % 64 == 0);
  static basic_methods_executor<both, kernels<negate>> all;
  static_assert(alignof(decltype(all)) == 64);
  bytes3 y{};
  seen = 0;
  all.run<"two">(bytes3{1, 2, 3}, y);
  CHECK(seen % 64 == 0);
}

TEST_CASE("a constant of the model among aligned arguments is refused") {
  CHECK_FALSE(planned(1));
  const auto why = planned(64);
  CHECK(std::string(view(message(why))).find(std::string(rule<"unaligned_argument">::sentence)) == 0);
  CHECK(view(why.backend) == "Dma");
}
