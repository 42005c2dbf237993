// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A model whose first half `stream` computes by rows, and whose second half joins nested values: the arena should be that of the larger
// half.
#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/kernels/kernels.hpp>
#include <baton/plan/placing.hpp>
#include <baton/run/execution_plan.hpp>

#include <doctest/doctest.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace {

using namespace baton;

enum class half : std::uint8_t { by_rows = 1, nested = 2, both = 3 };

auto has(half some, half asked) -> bool { return (static_cast<int>(some) & static_cast<int>(asked)) != 0; }

auto model_of(half some) -> exported_program {
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
    constexpr std::array<char, std::size_t{4} * 16 * 9> zeros{};
    const auto weights = b.constant("weights", tensor(dtype::float32, 16, 3, 3, 1), span<const char>{zeros});
    const auto bias = b.constant("bias", tensor(dtype::float32, 16), span<const char>{zeros.data(), std::size_t{4} * 16});
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

}  // namespace

TEST_CASE("each half alone needs little memory by `stream`") {
  CHECK(arena_of(half::by_rows) == 9280);
  CHECK(arena_of(half::nested) == 20544);
}

// Nesting and segments exclude each other today, so the plan has 40,960 bytes.
TEST_CASE("a model by rows before one with nested values needs the memory of the larger one" * doctest::should_fail()) {
  CHECK(arena_of(half::both) == 20544);
}
