// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The memory of a symmetric padding before a convolution with a stride. Each policy places the input and the padded image differently.
#include <baton/core/builder.hpp>
#include <baton/core/tensor.hpp>
#include <baton/kernels/portable/convolution.hpp>
#include <baton/kernels/portable/moving.hpp>
#include <baton/plan/execution_plan.hpp>
#include <baton/plan/memory_policies/in_place.hpp>
#include <baton/plan/memory_policies/no_overlap.hpp>
#include <baton/plan/memory_policies/row_streaming.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace {

using namespace baton;

constexpr auto list = kernels<portable::conv_2d, portable::detail::move_elements>;

/// An image of 160 x 120 pixels and 8 channels, padded by 2 on each side; then a convolution of 5 x 5 with the stride 2.
auto padded_image() -> exported_program {
  program_builder build;
  const auto x = build.user_input("x", tensor(dtype::int8, 1, 160, 120, 8));
  build.quantize(x, 0.1f, 0);
  const std::string pads{"\0\0\0\0\0\0\0\0\2\0\0\0\2\0\0\0\2\0\0\0\2\0\0\0\0\0\0\0\0\0\0\0", 32};
  const auto padded =
      build.call("tfl.pad", {x, build.constant("pads", tensor(dtype::int32, 4, 2), pads)}, tensor(dtype::int8, 1, 164, 124, 8));
  build.quantize(padded, 0.1f, 0);
  const auto filter = build.parameter("filter", tensor(dtype::int8, 8, 5, 5, 8), std::string(8 * 5 * 5 * 8, '\1'));
  build.quantize(filter, std::vector<float>(8, 0.01f), std::vector<std::int64_t>(8, 0), 0);
  const auto bias = build.parameter("bias", tensor(dtype::int32, 8), std::string(8 * 4, '\0'));
  const auto y = build.call("tfl.conv_2d", {padded, filter, bias}, tensor(dtype::int8, 1, 80, 60, 8),
                            {{"padding", "valid"}, {"stride_h", 2}, {"stride_w", 2}, {"fused_activation_function", "none"}});
  build.quantize(y, 0.2f, 0);
  build.output(y);
  return build.finish();
}

template <class Policy>
auto arena_bytes() -> std::uint64_t {
  const auto plan = plan_execution(list, padded_image(), {}, planned_by<Policy>{});
  REQUIRE(plan);
  return plan.value.memory.arena_bytes;
}

}  // namespace

TEST_CASE("a symmetric padding before a stride overlaps its input") {
  constexpr std::uint64_t input = 160 * 120 * 8;
  constexpr std::uint64_t padded = 164 * 124 * 8;
  static_assert(input + padded == 316'288 && padded == 162'688);
  CHECK(arena_bytes<memory_policies::no_overlap>() == input + padded);
  CHECK(arena_bytes<memory_policies::in_place>() == padded);
  CHECK(arena_bytes<memory_policies::row_streaming>() == input + 5 * 124 * 8);  // five rows of the padded image
}
