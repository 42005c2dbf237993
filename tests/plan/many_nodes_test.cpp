// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Programs of many nodes compile within the compilers' default limits of constant evaluation. The largest is in static/many_nodes.cpp.
#include <baton/plan/execution_plan.hpp>

#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/executor.hpp>
#include <baton/kernels/kernels.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstddef>

namespace {

using namespace baton;

/// A chain of nodes of float32.
template <int Count>
struct float_chain {
  constexpr auto operator()() const -> exported_program {
    program_builder b;
    const auto type = tensor(dtype::float32, 1, 4);
    auto x = b.user_input("x", type);
    for (int i = 0; i < Count; ++i) x = b.call(i % 2 == 0 ? "tfl.neg" : "tfl.abs", {x}, type);
    b.output(x);
    return b.finish();
  }
};
constexpr static_program long_chain{float_chain<300>{}};

/// A chain of int8 nodes whose kernel has a table of 256 entries.
constexpr auto table_chain(int count) -> exported_program {
  program_builder b;
  const auto type = tensor(dtype::int8, 1, 4);
  auto x = b.user_input("x", type);
  b.quantize(x, 1.0f / 256, -128);
  for (int i = 0; i < count; ++i) {
    x = b.call("tfl.logistic", {x}, type);
    b.quantize(x, 1.0f / 256, -128);
  }
  b.output(x);
  return b.finish();
}

/// Choosing kernels builds no tables; the tables of twenty nodes would exceed Clang's limit.
constexpr auto chooses_kernels_of(int count) -> bool {
  const auto program = table_chain(count);
  const auto plan = plan_execution(portable_kernels, program);
  return plan && plan.value.memory.arena_bytes == 32;
}
static_assert(chooses_kernels_of(80));

}  // namespace

TEST_CASE("300 nodes run, and several constants choose their kernels") {
  static executor<long_chain, with_kernels<portable_kernels>> net;
  const std::array<float, 4> input{1, -2, 3, -4};
  std::array<float, 4> output{};
  net.run(input, output);
  CHECK(output == std::array<float, 4>{1, 2, 3, 4});
}

TEST_CASE("kernels with tables are chosen without building them") {
  CHECK(chooses_kernels_of(80));
  CHECK(chooses_kernels_of(800));
}
