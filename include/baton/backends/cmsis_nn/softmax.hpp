// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Softmax of int8 by CMSIS-NN.
#pragma once

#include <baton/backends/cmsis_nn/detail/library.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernels/portable/softmax.hpp>

#include <cstdint>
#include <utility>

namespace baton::cmsis_nn {

namespace detail {

/// Rows of a softmax as the library takes them.
struct softmax_rows {
  std::int32_t rows = 1;
  std::int32_t depth = 1;
  std::int32_t multiplier = 0;
  std::int32_t shift = 0;
  std::int32_t least_difference = 0;  ///< of what counts as an exponential over 0
};

constexpr auto describe_softmax(const program_view& program, const node& record) -> node_description<softmax_rows> {
  auto found = portable::softmax::describe(program, record);
  if (!found.support) return {std::move(found.support), {}};
  const auto& of = found.plan;
  if (of.from != dtype::int8 || of.to != dtype::int8) return {refuse("types are not int8"), {}};
  // The library shifts by one bit more for each doubling of the sum, and has no shift of 31 bits.
  if (of.depth > 255) return {refuse("rows of ", of.depth, " numbers; sums of more than 255 exponentials are shifted too far"), {}};
  if (of.by.shift > 30) return {refuse("the input's scale is too large"), {}};
  return {accept(), {of.rows, of.depth, of.by.value, of.by.shift, -of.farthest}};
}

}  // namespace detail

/// `tfl.softmax` on int8, rows of up to 255 numbers. Numeric rules: `portable::softmax`, to the byte.
struct softmax {
  static constexpr literal_name operators[] = {"tfl.softmax"};

  static constexpr auto describe(const program_view& program, const node& record) -> node_description<detail::softmax_rows> {
    return detail::describe_softmax(program, record);
  }
  [[gnu::always_inline]] static void compute(const detail::softmax_rows& plan, const node_memory& at) {
    arm_softmax_s8(detail::int8_at(at.inputs[0]), plan.rows, plan.depth, plan.multiplier, plan.shift, plan.least_difference,
                   detail::int8_at(at.outputs[0]));
  }
};
static_assert(kernel<softmax>);

}  // namespace baton::cmsis_nn
