// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The minimum distances between outputs and operands (see `min_distance`), in closed form, for kernels that write in ascending or
// descending order. Also loops in either order.
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

/// Returns the `i`-th of the indices [0, `count`) in the order `order`.
constexpr auto nth(write_order order, std::int32_t i, std::int32_t count) -> std::int32_t {
  return order == write_order::ascending ? i : count - 1 - i;
}

/// Divides `Count` elements into groups of `Step` elements and a remainder, and calls `f` for each, like `for_runs`, but in the order
/// `Order`. In descending order, the remainder comes first, because it has the highest indices.
template <write_order Order, int Count, std::size_t Step, class F>
inline void for_runs_in(F f) {
  if constexpr (Order == write_order::ascending) {
    detail::for_runs<Count, Step>(f);
  } else {
    constexpr auto step = static_cast<int>(Step);
    constexpr int remainder = Count % step;
    if constexpr (remainder != 0) f(Count - remainder, std::integral_constant<std::size_t, static_cast<std::size_t>(remainder)>{});
    for (int at = Count - remainder - step; at >= 0; at -= step) f(at, std::integral_constant<std::size_t, Step>{});
  }
}

/// The memory accesses of a kernel that computes output pixels in row-major order or in the reverse order. All channels of a pixel are
/// computed from one window of the input before the next pixel.
struct window_walk {
  window_axis rows{};
  window_axis columns{};
  std::int64_t in_pixel_bytes = 1;
  std::int64_t out_pixel_bytes = 1;
  std::int64_t batches = 1;
};

namespace detail {

/// Returns the padding after the last element of an axis. A walk in descending order begins there. The result is negative if no window
/// reads the last elements.
constexpr auto padding_after(const window_axis& axis) -> std::int64_t {
  return std::int64_t{axis.output - 1} * axis.stride + std::int64_t{axis.filter - 1} * axis.dilation + 1 - axis.input - axis.before;
}

/// Returns the maximum of r · `written` − max(0, r · stride − `padding`) · `read` over all output positions r of an axis. `written` and
/// `read` are the bytes of one output position and of one input position. The second term is the offset of the first input in the window of
/// r. The difference is linear in r, except for a kink where the window leaves the padding. So the maximum is at an end of the axis, or at
/// one of the two positions next to the kink. With dilation, a window that begins in the padding can skip the first inputs. The first input
/// that it reads then has a greater offset than the second term, and the result is larger than necessary.
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

/// Returns the minimum distance of a walk over windows. The lead of a pixel is the number of bytes written before it, minus the offset of
/// the first byte that its window reads. The distance is the maximum lead. A lead is the sum of three parts, for the image, the row and the
/// column, so the maxima of these parts are added. `inside` is added for a kernel that still reads a window while it writes the pixel (see
/// `inside_of_groups`). The distance is at most the size of the output, because disjoint memory always suffices.
///
/// Derivation: let x and y be the addresses of input and output. Let w be the number of output bytes that are written before the input byte
/// at offset i is read. That byte has been overwritten if −i ≤ x − y < w − i. A distance x − y of at least w − i for every read is
/// therefore safe.
constexpr auto distance_of(const window_walk& walk, std::int64_t inside) -> min_distance {
  const auto output = walk.batches * walk.rows.output * walk.columns.output * walk.out_pixel_bytes;
  const auto in_order = [&](write_order order) { return std::min(output, detail::max_lead(walk, order) + inside); };
  return {in_order(write_order::ascending), in_order(write_order::descending)};
}

/// Returns the minimum descending distance of a kernel that computes the rows in descending order, and the pixels of each row in ascending
/// order. The whole output row may be written before the last window of this row is read. So the lead of a row includes the row itself.
constexpr auto distance_of_descending_rows(const window_walk& walk) -> std::int64_t {
  const auto in_row = walk.columns.input * walk.in_pixel_bytes;
  const auto out_row = walk.columns.output * walk.out_pixel_bytes;
  const auto row_lead = detail::max_lead(walk.rows, detail::padding_after(walk.rows), out_row, in_row);
  const auto batch_lead = (walk.batches - 1) * (walk.rows.output * out_row - walk.rows.input * in_row);
  return std::min(walk.batches * walk.rows.output * out_row, row_lead + out_row + std::max<std::int64_t>(0, batch_lead));
}

/// Returns the term `inside` of `distance_of` for a kernel that writes each output channel as soon as the input channels of its group are
/// read. `in_bytes` and `out_bytes` are the bytes of a group in one pixel. With one group, the result is the size of all output channels
/// but the last. With one input and one output channel per group, the result is 0. Examples are pooling, and depthwise convolution with
/// multiplier 1. A kernel that reads the whole window of a pixel before it writes the pixel passes 0 as `inside` instead.
constexpr auto inside_of_groups(std::int64_t groups, std::int64_t in_bytes, std::int64_t out_bytes, std::int64_t element_bytes)
    -> std::int64_t {
  return out_bytes - element_bytes + std::max<std::int64_t>(0, (groups - 1) * (out_bytes - in_bytes));
}
/// Returns the term `inside` of `distance_of` for a kernel that computes blocks: `channel_bytes` bytes of each of `pixels` adjacent pixels.
/// The kernel reads all inputs of a block before it writes the block. The kernel computes all channels of these pixels before the next
/// pixels.
constexpr auto inside_of_blocks(std::int64_t out_pixel_bytes, std::int64_t pixels, std::int64_t channel_bytes) -> std::int64_t {
  return (pixels - 1) * out_pixel_bytes + (out_pixel_bytes - 1) / channel_bytes * channel_bytes;
}

/// Returns the minimum distance of an operand if element i of the output depends only on element i of the operand. `in_bytes` and
/// `out_bytes` are the sizes of an element.
constexpr auto distance_of_elements(std::int64_t count, std::int64_t in_bytes, std::int64_t out_bytes) -> min_distance {
  const auto lead = std::max<std::int64_t>(0, (count - 1) * (out_bytes - in_bytes));
  return {lead, lead};
}

/// The bounds of the leads of a kernel that moves elements, in bytes. The lead of an element is its offset in the output minus its offset
/// in the operand. If no lead is included, `min` is above `max`.
struct lead_bounds {
  std::int64_t min = INT64_MAX;
  std::int64_t max = INT64_MIN;

  constexpr void include(std::int64_t lead) {
    min = lead < min ? lead : min;
    max = lead > max ? lead : max;
  }
  /// Adds the bounds along another axis. The lead of an element is the sum of its leads along all axes.
  constexpr void add(lead_bounds along) {
    min += along.min;
    max += along.max;
  }
  /// Returns the minimum distance between an operand of `in_bytes` bytes and an output of `out_bytes` bytes. In ascending order, assumes
  /// that all output bytes before an element's destination are written before the element is read. In descending order, assumes the same of
  /// the bytes after the destination. A lead is at most the size of the output, so the distance is too. The bounds are exact if some
  /// elements have the leads `min` and `max`. Then each returned distance above 0 is the smallest safe distance.
  constexpr auto distance(std::int64_t in_bytes, std::int64_t out_bytes) const -> min_distance { return {max, out_bytes - in_bytes - min}; }
};

/// Returns `distance` for a kernel that writes only in ascending order: the descending distance of the result is `disjoint`.
constexpr auto upward(min_distance distance) -> min_distance { return {.ascending = distance.ascending}; }

/// Returns the minimum distance of operand `i` if element k of the output depends only on element k of the operand. Assumes that elements
/// are computed in ascending order.
constexpr auto distance_of_elements(const program_view& program, const node& record, std::size_t i) -> min_distance {
  const auto& in = program[program.inputs(record)[i]];
  const auto& out = program[program.outputs_of(record)[0]];
  const auto count = element_count(program.shape(program.outputs_of(record)[0]));
  return upward(distance_of_elements(count, facts(in.type).bits / 8, facts(out.type).bits / 8));
}

/// Returns the facts of a node in which element k of the output depends only on element k of the first operand. The output may share the
/// memory of that operand. Returns default facts if a check has failed.
constexpr auto elementwise_facts(const node_check& check, const program_view& program, const node& record) -> kernel_facts {
  kernel_facts result;
  if (check.ok()) result.operands[0].distance = distance_of_elements(program, record, 0);
  return result;
}

}  // namespace baton::portable
