// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// int8 softmax by CMSIS-NN.
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

/// The arguments of a softmax, as the library expects them.
struct softmax_rows {
  std::int32_t rows = 1;
  std::int32_t depth = 1;
  std::int32_t multiplier = 0;
  std::int32_t shift = 0;
  std::int32_t min_difference = 0;  ///< the exponential of an element is 0 if the element minus the row's maximum is less than this
};

constexpr auto describe_softmax(const program_view& program, const node& record) -> node_description<softmax_rows> {
  auto description = portable::softmax::describe(program, record);
  if (!description.support) return {std::move(description.support), {}};
  const auto& source = description.plan;
  if (source.from_type != dtype::int8 || source.to_type != dtype::int8) return {refuse("types are not int8"), {}};
  // The library divides by the sum of the row's exponentials, with a right shift that grows by one bit if the sum doubles. The library does
  // not support a right shift by 31 bits, so the number of summands is limited.
  if (source.depth > 255) return {refuse("a row has ", source.depth, " elements; CMSIS-NN supports at most 255"), {}};
  if (source.by.shift > 30) return {refuse("the input's scale is too large"), {}};
  return {accept(), {source.rows, source.depth, source.by.value, source.by.shift, -source.farthest}};
}

}  // namespace detail

/// A kernel that computes `tfl.softmax` on int8 with rows of up to 255 numbers. Results are bit-identical to `portable::softmax`.
struct softmax {
  static constexpr literal_name operators[] = {"tfl.softmax"};

  static constexpr auto describe(const program_view& program, const node& record) -> node_description<detail::softmax_rows> {
    return detail::describe_softmax(program, record);
  }
  [[gnu::always_inline]] static void compute(const detail::softmax_rows& plan, const node_memory& memory) {
    arm_softmax_s8(detail::int8_at(memory.inputs[0]), plan.rows, plan.depth, plan.multiplier, plan.shift, plan.min_difference,
                   detail::int8_at(memory.outputs[0]));
  }
};
static_assert(kernel<softmax>);

}  // namespace baton::cmsis_nn
