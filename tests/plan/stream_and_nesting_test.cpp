// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A model with two halves: `row_streaming` computes the first by rows, and the second joins nested values. The arena is that of the larger
// half.
#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernels/kernels.hpp>
#include <baton/plan/execution_plan.hpp>
#include <baton/plan/memory_policies.hpp>
#include <baton/run/basic_executor.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace {

using namespace baton;

enum class half : std::uint8_t { by_rows = 1, nested = 2, both = 3 };

constexpr auto has(half parts, half part) -> bool { return (static_cast<int>(parts) & static_cast<int>(part)) != 0; }

constexpr auto model_of(half some) -> exported_program {
  program_builder b;
  const auto pixel = tensor(dtype::float32, 1, 1, 1, 16);
  auto x = b.user_input("x", has(some, half::by_rows) ? tensor(dtype::float32, 1, 32, 32, 1) : pixel);
  const auto pool = [&](value_id from, const tensor_type& to, int height, int width, int stride) {
    return b.call("tfl.max_pool_2d", {from}, to,
                  {{"padding", "valid"},
                   {"stride_w", stride},
                   {"stride_h", stride},
                   {"filter_width", width},
                   {"filter_height", height},
                   {"fused_activation_function", "none"}});
  };
  if (has(some, half::by_rows)) {
    constexpr auto numbers = [] {
      std::array<float, std::size_t{16} * 9> values{};
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i * 37 % 101) - 50;
      return values;
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
  const auto plan = plan_execution(portable_kernels, model_of(some), {}, planned_by<memory_policies::row_streaming>{});
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

}  // namespace

TEST_CASE("each half alone needs little memory with `row_streaming`") {
  CHECK(arena_of(half::by_rows) == 9280);
  CHECK(arena_of(half::nested) == 20480);
}

TEST_CASE("a model with segments before a model with subviews needs the memory of the larger one") { CHECK(arena_of(half::both) == 20480); }

TEST_CASE("a model with segments and subviews computes the same as with disjoint memory") {
  std::array<float, 1024> input{};
  for (std::size_t i = 0; i < input.size(); ++i) input[i] = static_cast<float>(i * 7919 % 257) - 128;
  const auto expected = output_of<memory_policies::no_reuse>(input);
  CHECK(output_of<memory_policies::row_streaming>(input) == expected);
  CHECK(expected != std::array<float, 16>{});
}
