// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Executors in memory of the caller: one arena for several executors, which need no other memory.
#include <baton/run/caller_arena.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstddef>

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

TEST_CASE("an arena of a custom type") {
  eightfold_in<first_page> net;
  std::array<float, 64> x{};
  x[7] = 3;
  std::array<float, 64> y{};
  net.run(x, y);
  CHECK(y[7] == 24);
  CHECK(static_cast<void*>(net.input().data()) >= static_cast<void*>(&first_page));
}

}  // namespace
