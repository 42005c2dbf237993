// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Minimum distances between outputs and operands, in closed form, for kernels that write in one direction; and loops in either direction.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/kernel_facts.hpp>
#include <baton/kernel/min_distance.hpp>
#include <baton/kernels/detail/products.hpp>
#include <baton/kernels/node_check.hpp>
#include <baton/kernels/window.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace baton::portable {

/// Returns the `i`-th of `count` indices in an order of writing.
constexpr auto nth(write_order order, std::int32_t i, std::int32_t count) -> std::int32_t {
  return order == write_order::ascending ? i : count - 1 - i;
}

/// Same as `for_runs`, in an order of writing. In descending order, the remainder comes first.
template <write_order Order, int Count, std::size_t Step, class F>
inline void for_runs_in(F f) {
  if constexpr (Order == write_order::ascending) {
    detail::for_runs<Count, Step>(f);
  } else {
    constexpr auto step = static_cast<int>(Step);
    constexpr int rest = Count % step;
    if constexpr (rest != 0) f(Count - rest, std::integral_constant<std::size_t, static_cast<std::size_t>(rest)>{});
    for (int at = Count - rest - step; at >= 0; at -= step) f(at, std::integral_constant<std::size_t, Step>{});
  }
}

/// The memory accesses of a kernel that computes the pixels of its output in row-major order, or from the last to the first. Each pixel is
/// computed with all its channels from a window of the input.
struct window_walk {
  window_axis rows{};
  window_axis columns{};
  std::int64_t in_pixel_bytes = 1;
  std::int64_t out_pixel_bytes = 1;
  std::int64_t batches = 1;
};

namespace detail {

/// Returns the padding after the last element of an axis, where a descending walk begins. Negative if no window reads the last elements.
constexpr auto padding_after(const window_axis& axis) -> std::int64_t {
  return std::int64_t{axis.output - 1} * axis.stride + std::int64_t{axis.filter - 1} * axis.dilation + 1 - axis.input - axis.before;
}

/// Returns the maximum, over the outputs r of an axis, of r · `written` minus the start of the window, max(0, r · stride − `padding`) ·
/// `read`. The function is concave in r and rises up to the first window outside of the padding, so four outputs suffice. With dilation,
/// the first tap inside the input may come later; then the result is larger than necessary.
constexpr auto max_lead(const window_axis& axis, std::int64_t padding, std::int64_t written, std::int64_t read) -> std::int64_t {
  const auto lead = [&](std::int64_t r) { return r * written - std::max<std::int64_t>(0, r * axis.stride - padding) * read; };
  const auto leaves = std::max<std::int64_t>(0, padding) / axis.stride;
  const std::int64_t last = axis.output - 1;
  return std::max({lead(0), lead(std::min(leaves, last)), lead(std::min(leaves + 1, last)), lead(last)});
}

constexpr auto max_lead(const window_walk& walk, write_order order) -> std::int64_t {
  const bool ascends = order == write_order::ascending;
  const auto in_row = walk.columns.input * walk.in_pixel_bytes;
  const auto out_row = walk.columns.output * walk.out_pixel_bytes;
  const auto row_lead = max_lead(walk.rows, ascends ? walk.rows.before : padding_after(walk.rows), out_row, in_row);
  const auto column_lead =
      max_lead(walk.columns, ascends ? walk.columns.before : padding_after(walk.columns), walk.out_pixel_bytes, walk.in_pixel_bytes);
  const auto batch_lead = (walk.batches - 1) * (walk.rows.output * out_row - walk.rows.input * in_row);
  return row_lead + column_lead + std::max<std::int64_t>(0, batch_lead);
}

}  // namespace detail

/// Returns the minimum distance of a walk over windows: the maximum, over all pixels, of the bytes written before the pixel minus the
/// offset of the first byte that its window reads. The leads of rows and columns are added, because both offsets are sums of a row part and
/// a column part. `inside` is added for a kernel that still reads a window while it writes the pixel (see below). The distance is at most
/// the size of the output, because disjoint memory always suffices.
///
/// The minimum distance is the maximum of w − m over all reads; w is the number of bytes written before the read, m the lowest offset read.
/// Let x and y be the addresses of input and output. A write destroys a read at offset i if −i ≤ x − y < w − i.
constexpr auto distance_of(const window_walk& walk, std::int64_t inside) -> min_distance {
  const auto output = walk.batches * walk.rows.output * walk.columns.output * walk.out_pixel_bytes;
  const auto in_order = [&](write_order order) { return std::min(output, detail::max_lead(walk, order) + inside); };
  return {in_order(write_order::ascending), in_order(write_order::descending)};
}

/// Returns the term `inside` of `distance_of` for a kernel that writes each output channel as soon as the input channels of its group are
/// read. `in_bytes` and `out_bytes` are the bytes of a group in one pixel. For one group, the result is all channels but the last. For one
/// channel per group (depthwise, pools), it is 0. A kernel that reads the whole window of a pixel before it writes has the term 0, too.
constexpr auto inside_of_groups(std::int64_t groups, std::int64_t in_bytes, std::int64_t out_bytes, std::int64_t element_bytes)
    -> std::int64_t {
  return out_bytes - element_bytes + std::max<std::int64_t>(0, (groups - 1) * (out_bytes - in_bytes));
}
/// Same for a kernel that computes blocks of `pixels` adjacent pixels with `channel_bytes` of each, all channels of these pixels before the
/// next pixels. It reads all inputs of a block before it writes the block.
constexpr auto inside_of_blocks(std::int64_t out_pixel_bytes, std::int64_t pixels, std::int64_t channel_bytes) -> std::int64_t {
  return (pixels - 1) * out_pixel_bytes + (out_pixel_bytes - 1) / channel_bytes * channel_bytes;
}

/// Returns the distance of an operand if element i of the output depends on element i of the operand. Sizes are in bytes per element.
constexpr auto distance_of_elements(std::int64_t count, std::int64_t in_bytes, std::int64_t out_bytes) -> min_distance {
  const auto lead = std::max<std::int64_t>(0, (count - 1) * (out_bytes - in_bytes));
  return {lead, lead};
}

/// Returns the distance for a kernel that only writes in ascending order.
constexpr auto upward(min_distance both) -> min_distance { return {.ascending = both.ascending}; }

/// Returns the distance of operand `i` if element k of the output depends only on its element k, and elements are computed in ascending
/// order.
constexpr auto distance_of_elements(const program_view& program, const node& record, std::size_t i) -> min_distance {
  const auto& in = program[program.inputs(record)[i]];
  const auto& out = program[program.outputs_of(record)[0]];
  const auto count = element_count(program.shape(program.outputs_of(record)[0]));
  return upward(distance_of_elements(count, facts(in.type).bits / 8, facts(out.type).bits / 8));
}

/// Returns the facts of a node whose output may share the memory of its first operand: element k of the output depends only on element k of
/// the operand. Returns no facts if the node is not supported.
constexpr auto elementwise_facts(const node_check& check, const program_view& program, const node& record) -> kernel_facts {
  kernel_facts result;
  if (check.ok()) result.operands[0].distance = distance_of_elements(program, record, 0);
  return result;
}

}  // namespace baton::portable
