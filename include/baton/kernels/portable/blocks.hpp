// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Operators that move elements, but not in loops with constant strides: `space_to_batch_nd`, `batch_to_space_nd`, `mirror_pad`. The kernels
// support every dtype with elements of whole bytes.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/verdict.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/min_distance.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernel/row_window.hpp>
#include <baton/kernel/shared/compute_node.hpp>
#include <baton/kernels/detail/distances.hpp>
#include <baton/kernels/detail/ordered_walk.hpp>
#include <baton/kernels/detail/walk.hpp>
#include <baton/kernels/node_check.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace baton::portable {

namespace detail {

/// A dimension of the space (the tensor with fewer batches). With its borders (paddings or crops), the dimension is split into `blocks`
/// blocks of `block` elements. `space` is the size of the dimension without borders, and `border` is the size of the first border. The
/// other tensor has one group of batches for each offset s in a block. Element i of the dimension in group s is element i · `block` + s −
/// `border` of the space, if that element exists.
struct block_axis {
  std::int32_t space = 0;
  std::int32_t blocks = 0;
  std::int32_t block = 0;
  std::int32_t border = 0;
};

/// The compile-time plan of a movement between space and batches.
struct batched_space {
  std::int32_t is_to_space = 0;
  std::int32_t batches = 1;  ///< number of batches of the space
  std::array<block_axis, 2> axes{};
  std::int32_t run = 0;  ///< the bytes of a pixel: element size, times the sizes of the dimensions after the blocked ones
  std::int32_t output_bytes = 0;
  std::int32_t fill_byte = 0;
};

/// Returns the plan of a movement between space and batches, as in
/// `lite/kernels/internal/reference/{space_to_batch_nd,batch_to_space_nd}.h`. The output of `space_to_batch_nd` has 0 in the borders, or
/// the output's zero point for quantized int8 and uint8. TensorFlow Lite does the same; TensorFlow Lite Micro leaves the zero point unset.
constexpr auto describe_batched_space(const program_view& program, const node& record) -> node_description<batched_space> {
  node_check check{program, record};
  check.conforms();
  batched_space plan;
  const bool is_to_space = record.is("tfl.batch_to_space_nd");
  plan.is_to_space = is_to_space ? 1 : 0;
  const auto in = check.input(0, "input");
  const auto out = check.output();
  check.same_type(in, out);
  const auto bytes = moved_bytes(check, in, "input");
  const auto blocks = check.constant_integers(1, "block");
  const auto borders = check.constant_integers(2, "border");
  check.demand(blocks.count <= 2 && blocks.count < in.shape.size(), "blocks along ", blocks.count, " dimensions are not supported");
  check.demand(in.shape.size() == out.shape.size(), "output and input have different ranks");
  if (!check.ok()) return {check.verdict_so_far(), plan};
  const auto& space = is_to_space ? out : in;
  const auto& batched = is_to_space ? in : out;
  plan.batches = space.size(0);
  std::int64_t times = plan.batches;
  for (auto& axis : plan.axes) axis.space = axis.blocks = axis.block = 1;
  for (std::size_t i = 0; i < blocks.count; ++i) {
    const auto before = borders[2 * i];
    const auto after = borders[2 * i + 1];
    check.demand(before >= 0 && after >= 0, "the padding or crop of dimension ", i + 1, " is negative");
    check.demand(batched.shape[i + 1] * blocks[i] == space.shape[i + 1] + before + after, "blocks of ", blocks[i],
                 " do not divide dimension ", i + 1);
    if (!check.ok()) return {check.verdict_so_far(), plan};
    plan.axes[i] = {space.size(i + 1), batched.size(i + 1), static_cast<std::int32_t>(blocks[i]), static_cast<std::int32_t>(before)};
    times *= blocks[i];
    if (!check.demand(times <= max_bytes, "blocks produce ", times, " batches")) return {check.verdict_so_far(), plan};
  }
  check.demand(times == batched.shape[0], "there are ", batched.shape[0], " batches, but the blocks produce ", times);
  plan.run = bytes;
  for (auto d = blocks.count + 1; d < space.shape.size(); ++d) {
    check.demand(space.shape[d] == batched.shape[d], "dimension ", d, " changes its size");
    plan.run *= space.size(d);
  }
  plan.output_bytes = out.count * bytes;
  plan.fill_byte = filling_byte(check, out);
  return {check.verdict_so_far(), plan};
}

/// Calls `f(in_space, in_batches)` for each pixel that exists both in the space and in the batches. The arguments are the indices of the
/// pixel in both.
template <class F>
[[gnu::always_inline]] inline void for_batched_pixels(const batched_space& plan, F f) {
  const auto& rows = plan.axes[0];
  const auto& columns = plan.axes[1];
  std::int32_t at = 0;
  for (std::int32_t top = 0; top < rows.block; ++top) {
    for (std::int32_t left = 0; left < columns.block; ++left) {
      for (std::int32_t batch = 0; batch < plan.batches; ++batch) {
        for (std::int32_t i = 0; i < rows.blocks; ++i) {
          const auto y = i * rows.block + top - rows.border;
          for (std::int32_t j = 0; j < columns.blocks; ++j, ++at) {
            const auto x = j * columns.block + left - columns.border;
            if (y >= 0 && y < rows.space && x >= 0 && x < columns.space) f((batch * rows.space + y) * columns.space + x, at);
          }
        }
      }
    }
  }
}

/// A dimension that is padded by mirroring at both ends.
struct mirror_axis {
  std::int32_t size = 0;
  std::int32_t padded = 0;  ///< size with padding
  std::int32_t before = 0;
  std::int32_t step = 0;  ///< bytes from one input index to the next

  /// Returns the input index at a position of the padded dimension. `gap` is 1 if the end elements are not repeated, otherwise 0.
  constexpr auto source(std::int32_t at, std::int32_t gap) const -> std::int32_t {
    at -= before;
    if (at < 0) return -at - 1 + gap;
    return at < size ? at : 2 * size - at - 1 - gap;
  }
};

/// The compile-time plan of mirrored padding; unused dimensions come first.
struct mirroring {
  std::array<mirror_axis, 5> axes{};
  std::int32_t gap = 0;
  std::int32_t run = 0;        ///< the bytes of an element, times the sizes of all dimensions after the padded ones
  std::int32_t row_bytes = 0;  ///< bytes of an output row; 0 if the output is not computed row by row
  std::size_t row_axis = 0;    ///< the index in `axes` of the output's rows, if `row_bytes` is not 0

  constexpr auto output_bytes() const -> std::int32_t {
    auto bytes = run;
    for (const auto& axis : axes) bytes *= axis.padded;
    return bytes;
  }
  /// Returns the plan of a single row of the output.
  constexpr auto of_row() const -> mirroring {
    auto row = *this;
    for (std::size_t axis = 0; axis <= row_axis; ++axis) row.axes[axis] = {1, 1, 0, 0};
    return row;
  }
};

/// Returns the `min_distance` of mirrored padding. Along an axis, the lead (see `lead_bounds`) is linear within each padding and within the
/// operand. So the lead is evaluated only at the ends of these ranges. A distance above 0 is the smallest safe distance.
constexpr auto distance_of_mirroring(const mirroring& plan) -> min_distance {
  lead_bounds leads{0, 0};
  std::int64_t in_bytes = plan.run;
  std::int64_t out_bytes = plan.run;
  for (auto i = plan.axes.size(); i-- > 0;) {
    const auto& axis = plan.axes[i];
    lead_bounds along;
    for (const std::int32_t at :
         {std::int32_t{0}, axis.before - 1, axis.before, axis.before + axis.size - 1, axis.before + axis.size, axis.padded - 1}) {
      if (at >= 0 && at < axis.padded) along.include(at * out_bytes - axis.source(at, plan.gap) * in_bytes);
    }
    leads.add(along);
    in_bytes *= axis.size;
    out_bytes *= axis.padded;
  }
  return leads.distance(in_bytes, out_bytes);
}

/// Returns the window (see `row_window`) of a mirrored axis. Each position of the padded axis depends on one input index. Let p be the
/// position minus the padding before the image. In the image, the index is p. In the padding before the image, the index exceeds p by at
/// most 2 · (this padding) − 1 + `gap`. In the padding after the image, p exceeds the index by at most 2 · (that padding) − 1 + `gap`.
constexpr auto mirrored_window(const mirror_axis& axis, std::int32_t gap) -> row_window::axis {
  const auto later = std::max<std::int32_t>(0, 2 * axis.before - 1 + gap);
  const auto earlier = std::max<std::int32_t>(0, 2 * (axis.padded - axis.size - axis.before) - 1 + gap);
  return {1, axis.before + earlier, earlier + 1 + later};
}

/// Returns the plan and the facts of mirrored padding, as in `micro/kernels/mirror_pad.cc`. REFLECT does not repeat the end elements,
/// SYMMETRIC does.
constexpr auto describe_mirroring(const program_view& program, const node& record) -> node_description<mirroring> {
  node_check check{program, record};
  check.conforms();
  mirroring plan;
  const auto in = check.input(0, "input");
  const auto out = check.output();
  check.same_type(in, out);
  plan.run = moved_bytes(check, in, "input");
  const auto paddings = check.constant_integers(1, "paddings");
  const auto mode = program.text(record, "mode");
  check.demand(mode == "reflect" || mode == "symmetric", "mode is ", mode, ", not reflect or symmetric");
  plan.gap = mode == "reflect" ? 1 : 0;
  auto rank = in.shape.size();
  for (; check.ok() && rank > 0 && paddings[2 * rank - 2] == 0 && paddings[2 * rank - 1] == 0; --rank) plan.run *= in.size(rank - 1);
  check.demand(rank <= plan.axes.size(), "padding of the first ", rank, " dimensions is not supported; the maximum is ", plan.axes.size());
  for (auto& axis : plan.axes) axis.size = axis.padded = 1;
  auto step = plan.run;
  for (auto d = rank; check.ok() && d-- > 0;) {
    const auto before = paddings[2 * d];
    const auto after = paddings[2 * d + 1];
    const auto max_padding = in.size(d) - plan.gap;
    check.demand(before >= 0 && after >= 0 && before <= max_padding && after <= max_padding, "dimension ", d, " of ", in.size(d),
                 " is padded by ", before, " and ", after, "; the maximum is ", max_padding);
    if (!check.ok()) break;
    plan.axes[plan.axes.size() - rank + d] = {in.size(d), out.size(d), static_cast<std::int32_t>(before), step};
    step *= in.size(d);
  }
  node_description<mirroring> result{check.verdict_so_far(), plan};
  if (!check.ok()) return result;
  auto& input_facts = result.facts.operands[0];
  input_facts.distance = distance_of_mirroring(plan);
  if (in.shape.size() != 4 || in.size(0) != 1 || out.size(0) != 1 || rank < 2) return result;
  result.plan.row_axis = plan.axes.size() - rank + 1;
  result.plan.row_bytes = out.size(2) * out.size(3) * (facts(in.type).bits / 8);
  input_facts.window = {mirrored_window(plan.axes[result.plan.row_axis], plan.gap), {0, 0, in.size(2)}};
  return result;
}

/// Writes the padded elements. `to` is the beginning of the bytes of these elements (in descending order, the end). Returns the end of
/// these bytes (in descending order, the beginning).
template <write_order Order, std::size_t Axis = 0>
[[gnu::always_inline]] inline auto mirror(const mirroring& plan, const char* from, char* to) -> char* {
  if constexpr (Axis == std::tuple_size_v<decltype(plan.axes)>) {
    if constexpr (Order == write_order::descending) to -= plan.run;
    copy_run<Order>(to, from, plan.run);
    return Order == write_order::ascending ? to + plan.run : to;
  } else {
    const auto& axis = plan.axes[Axis];
    for (std::int32_t i = 0; i < axis.padded; ++i) {
      to = mirror<Order, Axis + 1>(plan, from + axis.source(nth(Order, i, axis.padded), plan.gap) * axis.step, to);
    }
    return to;
  }
}

/// A kernel that computes `tfl.space_to_batch_nd` and `tfl.batch_to_space_nd`, with blocks along one or two dimensions.
struct batch_space {
  static constexpr literal_name operators[] = {"tfl.space_to_batch_nd", "tfl.batch_to_space_nd"};
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<detail::batched_space> {
    return detail::describe_batched_space(program, record);
  }
  [[gnu::always_inline]] static void compute(const detail::batched_space& plan, const node_memory& memory) {
    auto* const to = memory.outputs[0];
    const auto* const from = memory.inputs[0];
    const auto run = static_cast<std::size_t>(plan.run);
    if (plan.is_to_space == 0) std::memset(to, plan.fill_byte, static_cast<std::size_t>(plan.output_bytes));
    detail::for_batched_pixels(plan, [&](std::int32_t in_space, std::int32_t in_batches) {
      std::memcpy(to + (plan.is_to_space != 0 ? in_space : in_batches) * plan.run,
                  from + (plan.is_to_space != 0 ? in_batches : in_space) * plan.run, run);
    });
  }
};
static_assert(kernel<batch_space>);

/// A kernel that computes `tfl.mirror_pad`. Only the first five dimensions may be padded.
struct mirror_pad {
  static constexpr literal_name operators[] = {"tfl.mirror_pad"};
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<detail::mirroring> {
    return detail::describe_mirroring(program, record);
  }
  [[gnu::always_inline]] static void compute(const detail::mirroring& plan, const node_memory& memory) {
    if (memory.order == write_order::ascending) {
      static_cast<void>(detail::mirror<write_order::ascending>(plan, memory.inputs[0], memory.outputs[0]));
    } else {
      static_cast<void>(detail::mirror<write_order::descending>(plan, memory.inputs[0], memory.outputs[0] + plan.output_bytes()));
    }
  }
  /// Computes the output rows [`first`, `last`). Available if the node has a window.
  template <class Call>
    requires(detail::has_window<mirror_pad, Call>())
  static void compute_rows(const Call& call, std::int32_t first, std::int32_t last) {
    constexpr const auto& plan = node_plan<mirror_pad, Call>;
    constexpr auto in_row = plan.of_row();
    constexpr const auto& rows = plan.axes[plan.row_axis];
    constexpr auto order = Call::order();
    for (std::int32_t i = 0; i < last - first; ++i) {
      const auto row = first + nth(order, i, last - first);
      const char* const from = call.template input<0>() + rows.source(row, plan.gap) * rows.step;
      char* const to = call.template output<0>() + row * plan.row_bytes;
      static_cast<void>(detail::mirror<order>(in_row, from, order == write_order::ascending ? to : to + plan.row_bytes));
    }
  }
};
static_assert(kernel<mirror_pad>);

}  // namespace detail

}  // namespace baton::portable
