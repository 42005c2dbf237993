// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Rows divided by their L2 norm: `tfl.l2_normalization`.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernels/detail/distances.hpp>
#include <baton/kernels/detail/fixed_point.hpp>
#include <baton/kernels/detail/geometry.hpp>
#include <baton/kernels/detail/machine_math.hpp>
#include <baton/kernels/node_check.hpp>
#include <baton/kernels/unaligned.hpp>
#include <baton/operators/requantization.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace baton::portable {

namespace detail {

/// The compile-time plan of a normalization of rows.
struct length_normalization {
  flag is_int8 = 0;
  std::int32_t rows = 1;
  std::int32_t depth = 1;
  std::int32_t zero_point = 0;
};

constexpr auto describe_l2_normalization(const program_view& program, const node& record) -> node_description<length_normalization> {
  node_check check{program, record};
  check.conforms();
  const auto in = check.input(0, "input");
  const auto out = check.output();
  check.demand(!in.shape.empty(), "input has no axis");
  check.is_one_of(in, {dtype::float32, dtype::int8}, "input");
  const auto fused = check.fused();
  check.demand(fused == quantized::activation::none, "a fused activation is not supported");
  length_normalization plan{.is_int8 = in.is_int8(), .rows = in.count / in.last(), .depth = in.last()};
  if (!plan.is_int8) return {check.verdict_so_far(), plan, elementwise_facts(check, program, record)};
  plan.zero_point = check.per_tensor(in, "input").zero_point;
  const auto to = check.per_tensor(out, "output");
  check.demand(to.scale == 1.0f / 128 && to.zero_point == 0, "output does not have scale 1/128 and zero point 0");
  const std::int64_t farthest = std::max(127 - plan.zero_point, plan.zero_point + 128);
  check.demand(farthest * farthest * plan.depth <= std::numeric_limits<std::int32_t>::max(), "sums of ", plan.depth,
               " squares may not fit 32 bits");
  return {check.verdict_so_far(), plan, elementwise_facts(check, program, record)};
}

[[gnu::always_inline]] inline void normalize_int8(const length_normalization& plan, const char* from, char* to) {
  std::int32_t sum = 0;
  for (std::int32_t i = 0; i < plan.depth; ++i) {
    const auto x = load<std::int8_t>(from, i) - plan.zero_point;
    sum += x * x;
  }
  auto by = fixed_point::inverse_square_root(sum);
  by.shift += 7;
  for (std::int32_t i = 0; i < plan.depth; ++i) {
    const auto scaled = quantized::requantize(load<std::int8_t>(from, i) - plan.zero_point, by);
    store(to, i, static_cast<std::int8_t>(std::clamp<std::int32_t>(scaled, -128, 127)));
  }
}

[[gnu::always_inline]] inline void normalize_float(const length_normalization& plan, const char* from, char* to) {
  float sum = 0;
  for (std::int32_t i = 0; i < plan.depth; ++i) sum += load<float>(from, i) * load<float>(from, i);
  const auto length = std::max(machine::sqrt(sum), 1e-6f);
  for (std::int32_t i = 0; i < plan.depth; ++i) store(to, i, load<float>(from, i) / length);
}

/// A kernel that computes `tfl.l2_normalization` along the last axis, without a fused activation. On int8, the output has scale 1/128 and
/// zero point 0. On float32, norms are clamped to at least 1e-6. Numeric rules: `reference/l2normalization.h` and
/// `reference/integer_ops/l2normalization.h` of TensorFlow Lite. The output may share the memory of the input.
struct l2_normalization {
  static constexpr literal_name operators[] = {"tfl.l2_normalization"};
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<detail::length_normalization> {
    return detail::describe_l2_normalization(program, record);
  }
  [[gnu::always_inline]] static void compute(const detail::length_normalization& plan, const node_memory& memory) {
    const std::ptrdiff_t row_bytes = plan.depth * (plan.is_int8 != 0 ? 1 : 4);
    for (std::ptrdiff_t row = 0; row < plan.rows; ++row) {
      const char* from = memory.inputs[0] + row * row_bytes;
      char* to = memory.outputs[0] + row * row_bytes;
      if (plan.is_int8 != 0) {
        detail::normalize_int8(plan, from, to);
      } else {
        detail::normalize_float(plan, from, to);
      }
    }
  }
};
static_assert(kernel<l2_normalization>);

}  // namespace detail

}  // namespace baton::portable
