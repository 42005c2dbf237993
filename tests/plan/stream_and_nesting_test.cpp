// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A model whose first half `stream` computes by rows, and whose second half joins nested values: the arena is that of the larger half.
#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernels/kernels.hpp>
#include <baton/plan/execution_plan.hpp>
#include <baton/plan/placing.hpp>
#include <baton/run/basic_executor.hpp>

#include "plan/by_rows.hpp"
#include "plan/random_images.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>

namespace {

using namespace baton;

enum class half : std::uint8_t { by_rows = 1, nested = 2, both = 3 };

constexpr auto has(half some, half asked) -> bool { return (static_cast<int>(some) & static_cast<int>(asked)) != 0; }

constexpr auto model_of(half some) -> exported_program {
  program_builder b;
  const auto pixel = tensor(dtype::float32, 1, 1, 1, 16);
  auto x = b.user_input("x", has(some, half::by_rows) ? tensor(dtype::float32, 1, 32, 32, 1) : pixel);
  const auto pool = [&](value_id of, const tensor_type& to, int height, int width, int stride) {
    return b.call("tfl.max_pool_2d", {of}, to,
                  {{"padding", "valid"},
                   {"stride_w", stride},
                   {"stride_h", stride},
                   {"filter_width", width},
                   {"filter_height", height},
                   {"fused_activation_function", "none"}});
  };
  if (has(some, half::by_rows)) {
    constexpr auto numbers = [] {
      std::array<float, std::size_t{16} * 9> made{};
      for (std::size_t i = 0; i < made.size(); ++i) made[i] = static_cast<float>(i * 37 % 101) - 50;
      return made;
    }();
    constexpr auto bytes = std::bit_cast<std::array<char, sizeof numbers>>(numbers);
    const auto weights = b.constant("weights", tensor(dtype::float32, 16, 3, 3, 1), span<const char>{bytes});
    const auto bias = b.constant("bias", tensor(dtype::float32, 16), span<const char>{bytes.data(), std::size_t{4} * 16});
    x = b.call("tfl.conv_2d", {x, weights, bias}, tensor(dtype::float32, 1, 32, 32, 16),
               {{"padding", "same"},
                {"stride_w", 1},
                {"stride_h", 1},
                {"dilation_w_factor", 1},
                {"dilation_h_factor", 1},
                {"fused_activation_function", "none"}});
    x = pool(x, tensor(dtype::float32, 1, 16, 16, 16), 2, 2, 2);
    x = pool(x, pixel, 16, 16, 1);
  }
  if (has(some, half::nested)) {
    constexpr auto times = std::bit_cast<std::array<char, 16>>(std::array<std::int32_t, 4>{1, 4, 40, 1});
    const auto multiples = b.constant("times", tensor(dtype::int32, 4), span<const char>{times});
    const auto part = tensor(dtype::float32, 1, 4, 40, 16);
    const auto upper = b.call("tfl.tile", {x, multiples}, part);
    const auto lower = b.call("tfl.tile", {x, multiples}, part);
    const auto whole = b.call("tfl.concatenation", {upper, lower}, tensor(dtype::float32, 1, 8, 40, 16),
                              {{"axis", 1}, {"fused_activation_function", "none"}});
    x = pool(whole, pixel, 8, 40, 1);
  }
  b.output(x);
  return b.finish();
}

auto arena_of(half some) -> std::uint64_t {
  const auto plan = plan_execution(portable_kernels, model_of(some), {}, planned_by<placing::stream>{});
  REQUIRE(plan);
  return plan.value.memory.arena_bytes;
}

constexpr static_program both{[] { return model_of(half::both); }};

template <class Policy>
auto output_of(const std::array<float, 1024>& input) -> std::array<float, 16> {
  static basic_executor<both, portable_kernels, plan_options{}, planned_by<Policy>> net;
  std::array<float, 16> output{};
  net.run(input, output);
  return output;
}

/// Joins images one below the other; where they lie in the output already, there is nothing to do.
struct joining {
  static constexpr auto supports(const program_view&, const node& record) -> verdict {
    return record.is("test.join") ? accept() : refuse("no joint");
  }
  template <class Call>
  static void run(const Call&) {}
};
struct nesting_joint : joining {
  static constexpr auto nesting_of(const program_view& program, const node& record) -> nesting {
    nesting made;
    std::int64_t begin = 0;
    for (const auto id : program.inputs(record)) {
      made.offsets.push_back(begin);
      begin += byte_count(program[id].type, program.shape(id));
    }
    return made;
  }
};

template <class Joint>
auto plan_of(const exported_program& program, const chosen_policy& policy, std::uint32_t alignment) -> memory_plan {
  auto planned = plan_execution(kernels<Joint, by_rows>, program, plan_options{alignment}, policy);
  REQUIRE(planned);
  return std::move(planned.value.memory);
}

}  // namespace

TEST_CASE("each half alone needs little memory by `stream`") {
  CHECK(arena_of(half::by_rows) == 9280);
  CHECK(arena_of(half::nested) == 20544);
}

TEST_CASE("a model by rows before one with nested values needs the memory of the larger one") { CHECK(arena_of(half::both) == 20544); }

TEST_CASE("a model by rows and with nested values computes what it does with every value apart") {
  std::array<float, 1024> input{};
  for (std::size_t i = 0; i < input.size(); ++i) input[i] = static_cast<float>(i * 7919 % 257) - 128;
  const auto expected = output_of<placing::apart>(input);
  CHECK(output_of<placing::stream>(input) == expected);
  CHECK(expected != std::array<float, 16>{});
}

TEST_CASE("random programs by rows and with nested values: no stale read, and no more memory than by either alone") {
  std::mt19937 random(20261126);
  int with_both = 0;
  int smaller = 0;
  for (int i = 0; i < 500; ++i) {
    CAPTURE(i);
    const auto program = plan_tests::random_graph(random, {.joins = true}).run();
    const std::uint32_t alignment = i % 2 == 0 ? 1 : 16;
    const auto plan = plan_of<nesting_joint>(program, planned_by<placing::stream>{}, alignment);
    CHECK_FALSE(verify_plan(plan));
    CHECK(plan_tests::stale_reads(program, plan) == 0);
    const auto by_rows_alone = plan_of<joining>(program, planned_by<placing::stream>{}, alignment).arena_bytes;
    const auto nested_alone = plan_of<nesting_joint>(program, planned_by<placing::overlap>{}, alignment).arena_bytes;
    CHECK(plan.arena_bytes <= std::min(by_rows_alone, nested_alone));
    with_both += !plan.streams.segments.empty() && !plan.needs.within.empty() ? 1 : 0;
    smaller += plan.arena_bytes < std::min(by_rows_alone, nested_alone) ? 1 : 0;
  }
  CHECK(with_both > 20);
  CHECK(smaller > 10);
}
