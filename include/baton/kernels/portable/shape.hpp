// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Operators that return a shape or a rank as a tensor: `tfl.shape`, `tfl.rank`, `tfl.broadcast_args`.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/verdict.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernels/node_check.hpp>
#include <baton/kernels/unaligned.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace baton::portable {

namespace detail {

/// The compile-time plan of `tfl.shape` or `tfl.rank`: the elements of the output.
struct stated_shape {
  std::int32_t is_wide = 0;
  std::int32_t count = 0;
  std::array<std::int32_t, tensor_type::max_rank> sizes{};
};

constexpr auto describe_shape(const program_view& program, const node& record) -> node_description<stated_shape> {
  node_check check{program, record};
  check.conforms();
  const auto in = check.input_or_empty(0, "input");
  const auto out = check.output();
  check.is_one_of(out, {dtype::int32, dtype::int64}, "output");
  check.demand(in.shape.size() <= tensor_type::max_rank, "input has rank ", in.shape.size(), "; the maximum is ", tensor_type::max_rank);
  stated_shape plan;
  plan.is_wide = out.type == dtype::int64 ? 1 : 0;
  plan.count = out.count;
  if (!check.ok()) return {check.verdict_so_far(), plan};
  if (record.is("tfl.rank")) {
    plan.sizes[0] = static_cast<std::int32_t>(in.shape.size());
  } else {
    for (std::size_t d = 0; d < in.shape.size(); ++d) plan.sizes[d] = in.size(d);
  }
  return {check.verdict_so_far(), plan};
}

/// The compile-time plan of a broadcast of two shapes: the lengths of both shapes and of the result.
struct broadcast_of_shapes {
  std::int32_t is_wide = 0;
  std::int32_t left = 0;
  std::int32_t right = 0;
  std::int32_t count = 0;
};

constexpr auto describe_broadcast_args(const program_view& program, const node& record) -> node_description<broadcast_of_shapes> {
  node_check check{program, record};
  check.conforms();
  const auto left = check.input(0, "first shape", 1);
  const auto right = check.input(1, "second shape", 1);
  const auto out = check.output(1);
  check.is_one_of(out, {dtype::int32, dtype::int64}, "output");
  check.demand(left.type == out.type && right.type == out.type, "shapes are ", facts(left.type).name, " and ", facts(right.type).name,
               ", output ", facts(out.type).name);
  return {check.verdict_so_far(), {out.type == dtype::int64 ? 1 : 0, left.count, right.count, out.count}};
}

/// Broadcasts two shapes as in `lite/kernels/internal/reference/broadcast_args.h`. The shapes are aligned at the last axis. The result for
/// each axis is the left size, or the right size if the left size is 1. Sizes that cannot be broadcast are not reported. The reference
/// reports such sizes only in a debug build.
template <class T>
[[gnu::always_inline]] inline void broadcast_shapes(const broadcast_of_shapes& plan, const char* left, const char* right, char* to) {
  for (std::int32_t back = 1; back <= plan.count; ++back) {
    const auto l = back <= plan.left ? load<T>(left, plan.left - back) : T{1};
    const auto r = back <= plan.right ? load<T>(right, plan.right - back) : T{1};
    store(to, plan.count - back, l == 1 ? r : l);
  }
}

/// A kernel that computes `tfl.shape` and `tfl.rank`, as int32 or int64. The result is known at compile time.
struct shape_of {
  static constexpr literal_name operators[] = {"tfl.shape", "tfl.rank"};
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<detail::stated_shape> {
    return detail::describe_shape(program, record);
  }
  [[gnu::always_inline]] static void compute(const detail::stated_shape& plan, const node_memory& memory) {
    for (std::int32_t d = 0; d < plan.count; ++d) {
      const auto size = plan.sizes[static_cast<std::size_t>(d)];
      if (plan.is_wide != 0) store(memory.outputs[0], d, std::int64_t{size});
      if (plan.is_wide == 0) store(memory.outputs[0], d, size);
    }
  }
};
static_assert(kernel<shape_of>);

/// A kernel that computes `tfl.broadcast_args` in int32 or int64.
struct broadcast_args {
  static constexpr literal_name operators[] = {"tfl.broadcast_args"};
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<detail::broadcast_of_shapes> {
    return detail::describe_broadcast_args(program, record);
  }
  [[gnu::always_inline]] static void compute(const detail::broadcast_of_shapes& plan, const node_memory& memory) {
    if (plan.is_wide != 0) return detail::broadcast_shapes<std::int64_t>(plan, memory.inputs[0], memory.inputs[1], memory.outputs[0]);
    detail::broadcast_shapes<std::int32_t>(plan, memory.inputs[0], memory.inputs[1], memory.outputs[0]);
  }
};
static_assert(kernel<broadcast_args>);

}  // namespace detail

}  // namespace baton::portable
