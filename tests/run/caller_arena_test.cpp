// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Executors in memory of the caller: one arena for several executors, which need no other memory.
#include <baton/run/caller_arena.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstring>

#include "reference/kernels.hpp"
#include "run/float_net.hpp"

namespace {

using namespace baton;

/// Doubles 64 floats. `eightfold` does so three times.
struct double_it {
  static constexpr auto describe(const program_view&, const node&) -> node_description<> { return {accept()}; }
  static void compute(const no_plan&, const node_memory& memory) {
    for (std::size_t i = 0; i < 64; ++i) {
      float number = 0;
      std::memcpy(&number, memory.inputs[0] + i * sizeof number, sizeof number);
      number *= 2;
      std::memcpy(memory.outputs[0] + i * sizeof number, &number, sizeof number);
    }
  }
};
constexpr static_program eightfold{[] {
  constexpr auto type = tensor(dtype::float32, 64);
  program_builder build;
  auto x = build.user_input("x", type);
  for (int i = 0; i < 3; ++i) x = build.call("test.double", {x}, type);
  build.output(x);
  return build.finish();
}};
using eightfold_type = basic_executor<eightfold, kernels<double_it>>;

arena_for<float_net::net_type, eightfold_type> pool;
static_assert(sizeof pool == eightfold_type::arena_bytes && eightfold_type::arena_bytes > float_net::net_type::arena_bytes);
static_assert(alignof(decltype(pool)) == 16);

// Memory of a custom type.
struct alignas(32) page {
  std::byte bytes[1024];
};
page first_page;

template <auto& Arena>
using copying = basic_executor<float_net::model, kernels<float_net::copy>, plan_options{}, in_arena<Arena>>;
template <auto& Arena>
using eightfold_in = basic_executor<eightfold, kernels<double_it>, plan_options{}, in_arena<Arena>>;

static_assert(sizeof(copying<pool>) == 1 && sizeof(eightfold_in<first_page>) == 1);

TEST_CASE("several executors run in one arena, one after the other, with the same results") {
  copying<pool> first;
  eightfold_in<pool> second;
  CHECK(static_cast<void*>(first.input().data()) >= static_cast<void*>(&pool));
  CHECK(static_cast<void*>(first.input().data() + first.input().size()) <= static_cast<void*>(&pool + 1));
  std::array<float, 64> x{};
  std::array<float, 64> y{};
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i);
  for (int iteration = 0; iteration < 2; ++iteration) {
    const std::array<float, 6> six{1, 2, 3, 4, 5, 6};
    std::array<float, 6> copied{};
    first.run(six, copied);
    second.run(x, y);
    CHECK(copied == six);
    CHECK(y[63] == 8 * 63);
    CHECK(y[1] == 8);
  }
}

TEST_CASE("executors run in an arena of a custom type") {
  eightfold_in<first_page> net;
  std::array<float, 64> x{};
  x[7] = 3;
  std::array<float, 64> y{};
  net.run(x, y);
  CHECK(y[7] == 24);
  CHECK(static_cast<void*>(net.input().data()) >= static_cast<void*>(&first_page));
}

}  // namespace

// Memory that is promised to one executor.

namespace {

/// Adds each input to a state, which is 1 at first in its first element. The output is the state.
struct make_sum {
  constexpr auto operator()() const {
    constexpr auto type = tensor(dtype::float32, 4);
    constexpr char one[] = {0, 0, '\x80', '\x3f', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    program_builder build;
    const auto x = build.user_input("x", type);
    const auto sum = build.mutable_buffer("sum", type, one);
    const auto next = build.call("aten.add.Tensor", {sum, x}, type);
    build.mutation(next, "sum");
    build.output(build.call("aten.mul.Tensor", {next, next}, type));
    return build.finish();
  }
};
constexpr static_program summing{make_sum{}};
using four = std::array<float, 4>;

template <class... Services>
using summing_net = basic_executor<summing, reference::any_aten, plan_options{}, Services...>;
using summing_pool = for_one_executor<arena_for<summing_net<>>>;
static_assert(sizeof(summing_pool) == summing_net<>::arena_bytes && alignof(summing_pool) == 16);

template <auto& Arena>
void dirty() {
  std::memset(static_cast<void*>(&Arena), 0x5a, sizeof Arena);
}
template <auto& Arena>
auto copy_of() -> std::array<char, sizeof Arena> {
  std::array<char, sizeof Arena> bytes;
  std::memcpy(bytes.data(), &Arena, sizeof Arena);
  return bytes;
}
template <class Net>
auto run_on(Net& net, float x) -> float {
  four y{};
  CHECK(net.run(four{x, x, x, x}, y) == status::ok);
  return y[0] + 100 * y[1];
}

summing_pool first_pool;
summing_pool second_pool;
summing_pool third_pool;
for_one_executor<memory_region<48>> first_region;
for_one_executor<memory_region<128>> second_region;
for_one_executor<memory_region<32>> small_region;
for_one_executor<memory_region<128>> large_region;

}  // namespace

TEST_CASE("a program with states runs in memory that is promised to one executor, with any previous contents") {
  dirty<first_pool>();
  summing_net<in_arena<first_pool>> net;
  static_assert(decltype(net)::can_fail && sizeof net <= 2);
  summing_net<> reference;
  for (const float x : {1.F, 2.F, 3.F}) {
    four y{};
    reference.run(four{x, x, x, x}, y);
    CHECK(run_on(net, x) == y[0] + 100 * y[1]);
  }
  std::array<char, decltype(net)::state_bytes> kept{};
  net.save(kept);
  net.reset();
  CHECK(run_on(net, 1) == 4 + 100);
  net.restore(kept);
  CHECK(run_on(net, 1) == 8 * 8 + 100 * 7 * 7);
}

TEST_CASE("a state in the slow region is initialized, saved and restored there") {
  dirty<small_region>();
  dirty<large_region>();
  summing_net<in_regions<small_region, large_region>> net;
  CHECK(run_on(net, 1) == 4 + 100);
  std::array<char, decltype(net)::state_bytes> kept{};
  net.save(kept);
  CHECK(run_on(net, 1) == 9 + 400);
  net.restore(kept);
  CHECK(run_on(net, 1) == 9 + 400);
  net.reset();
  CHECK(run_on(net, 1) == 4 + 100);
}

TEST_CASE("a second executor in promised memory is refused, and changes nothing") {
  dirty<second_pool>();
  summing_net<in_arena<second_pool>> owner;
  summing_net<in_arena<second_pool>> second;
  summing_net<in_slices, in_arena<second_pool>> third;  // another type
  CHECK(run_on(owner, 1) == 4 + 100);
  const auto before = copy_of<second_pool>();
  four y{};
  CHECK(second.run() == status::invalid_state);
  CHECK(second.run(four{7, 7, 7, 7}, y) == status::invalid_state);
  CHECK(second.run([](auto) {}) == status::invalid_state);
  CHECK(third.start() == status::invalid_state);
  CHECK(third.step() == status::end_of_method);
  second.reset();
  std::array<char, decltype(second)::state_bytes> kept{};
  kept.fill('\x5a');
  second.save(kept);
  CHECK(kept[0] == '\x5a');
  second.restore(kept);
  CHECK(std::memcmp(&second_pool, before.data(), before.size()) == 0);
  CHECK(run_on(owner, 1) == 9 + 100 * 4);
}

TEST_CASE("the first use owns the memory, also a restore") {
  dirty<third_pool>();
  summing_net<> source;
  four y{};
  source.run(four{4, 4, 4, 4}, y);
  std::array<char, decltype(source)::state_bytes> kept{};
  source.save(kept);
  summing_net<in_arena<third_pool>> net;
  net.restore(kept);
  CHECK(run_on(net, 1) == 36 + 100 * 25);
  summing_net<in_arena<third_pool>> second;
  CHECK(second.run() == status::invalid_state);
}

TEST_CASE("states are kept in two regions, each promised to one executor") {
  dirty<first_region>();
  dirty<second_region>();
  summing_net<in_regions<first_region, second_region>> net;
  CHECK(run_on(net, 1) == 4 + 100);
  CHECK(run_on(net, 1) == 9 + 100 * 4);
  summing_net<in_regions<first_region, second_region>> second;
  CHECK(second.run() == status::invalid_state);
  CHECK(run_on(net, 1) == 16 + 100 * 9);
}
