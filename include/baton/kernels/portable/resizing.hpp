// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Images resized to another height and width: `tfl.resize_nearest_neighbor`, `tfl.resize_bilinear`.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/min_distance.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernel/row_window.hpp>
#include <baton/kernel/shared/compute_node.hpp>
#include <baton/kernels/detail/distances.hpp>
#include <baton/kernels/detail/geometry.hpp>
#include <baton/kernels/detail/ordered_walk.hpp>
#include <baton/kernels/node_check.hpp>
#include <baton/kernels/unaligned.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string_view>
#include <type_traits>

namespace baton::portable {

namespace detail {

/// The rows or the columns of an image that is resized.
struct resized_axis {
  std::int32_t in = 1;     ///< input size
  std::int32_t out = 1;    ///< output size
  float scale = 1;         ///< input positions per output position
  std::int32_t steps = 0;  ///< `scale` in units of 1/1024, for bilinear resizing of integers
};

/// The compile-time plan of the resizing of an image [N, H, W, C].
struct resizing {
  dtype type = dtype::float32;
  flag is_bilinear = 0;
  flag aligns_corners = 0;
  flag has_half_pixels = 0;
  std::int32_t batches = 1;
  std::int32_t depth = 1;
  resized_axis rows{};
  resized_axis columns{};
};

/// Returns the axis `name`, which is resized from `in` to `out` positions. Requires that both sizes are at most 2^20.
constexpr auto describe_axis(node_check& check, std::string_view name, std::int32_t in, std::int32_t out, bool aligns_corners)
    -> resized_axis {
  constexpr std::int32_t max_size = 1 << 20;
  check.demand(in <= max_size && out <= max_size, name, " are resized from ", in, " to ", out, "; the maximum is ", max_size);
  if (!check.ok()) return {};
  const bool has_ends = aligns_corners && out > 1;
  const auto from = has_ends ? in - 1 : in;
  const auto to = has_ends ? out - 1 : out;
  return {in, out, static_cast<float>(from) / static_cast<float>(to), (1024 * from + to / 2) / to};
}

/// Returns the input position whose element is copied to output position `at`, computed in float as in `GetNearestNeighbor` of TensorFlow
/// Lite's `reference/resize_nearest_neighbor.h`.
[[gnu::always_inline]] constexpr auto nearest(const resizing& plan, const resized_axis& axis, std::int32_t at) -> std::int32_t {
  const auto real = (static_cast<float>(at) + (plan.has_half_pixels != 0 ? 0.5f : 0.0f)) * axis.scale;
  auto position = static_cast<std::int32_t>(real);
  if (plan.aligns_corners != 0 && real - static_cast<float>(position) >= 0.5f) ++position;
  return std::min(position, axis.in - 1);
}

/// Two input positions, which are adjacent or equal, and the weight of the second one. For integers, the weight is in units of 1/1024. Both
/// positions are clamped to the image. Without the clamp, the rounding of `steps` could yield a position outside the image. This happens,
/// for example, if 10 rows are resized to 172.
template <class Weight>
struct neighbors {
  std::int32_t first = 0;
  std::int32_t second = 0;
  Weight second_weight{};
};

/// Returns the neighbors of output position `at`, as computed by `ComputeInterpolationValues` and `ComputeInterpolationValuesInteger` of
/// TensorFlow Lite's `reference/resize_bilinear.h`.
template <class Weight>
[[gnu::always_inline]] constexpr auto neighbors_of(const resizing& plan, const resized_axis& axis, std::int32_t at) -> neighbors<Weight> {
  const auto last = axis.in - 1;
  if constexpr (std::is_same_v<Weight, float>) {
    const auto whole = static_cast<float>(at);
    const auto real = plan.has_half_pixels != 0 ? (whole + 0.5f) * axis.scale - 0.5f : whole * axis.scale;
    const auto below = static_cast<std::int32_t>(real);  // `real` is above -1, so a negative `real` is truncated to 0
    const auto above = below + (static_cast<float>(below) < real ? 1 : 0);
    const auto first = std::min(below, last);
    return {first, std::min(above, last), real - static_cast<float>(first)};
  } else {
    const auto scaled = at * axis.steps + (plan.has_half_pixels != 0 ? axis.steps / 2 - 512 : 0);
    const auto first = std::min<std::int32_t>(std::max<std::int32_t>(scaled / 1024, 0), last);
    const auto second = std::min<std::int32_t>((scaled + 1023) / 1024, last);
    return {first, second, first == second ? 0 : static_cast<Weight>(scaled - 1024 * first)};
  }
}

/// The range [`first`, `last`] of input positions that are read for an output position.
struct read_positions {
  std::int32_t first = 0;
  std::int32_t last = 0;

  /// Returns the range extended by one position on each side, within an input of `size` positions.
  constexpr auto with_margin(std::int32_t size) const -> read_positions {
    return {first > 0 ? first - 1 : 0, last + 1 < size ? last + 1 : last};
  }
};
/// Returns the input positions that are read for output position `at`. At run time, a float multiplication and addition may be fused, which
/// can change the result by one position. Therefore the positions on both sides are included for nearest neighbors with aligned corners,
/// and for bilinear float32.
constexpr auto positions_read(const resizing& plan, const resized_axis& axis, std::int32_t at) -> read_positions {
  if (plan.is_bilinear == 0) {
    const auto near = nearest(plan, axis, at);
    return plan.aligns_corners == 0 ? read_positions{near, near} : read_positions{near, near}.with_margin(axis.in);
  }
  if (plan.type == dtype::float32) {
    const auto read = neighbors_of<float>(plan, axis, at);
    return read_positions{read.first, read.second}.with_margin(axis.in);
  }
  const auto read = neighbors_of<std::int64_t>(plan, axis, at);
  return {read.first, read.second};
}

/// Returns the window (see `row_window`) of a resized axis. If products of sizes can exceed 32 bits, the span of the result is 0, and the
/// node has no window.
constexpr auto resized_window(const resizing& plan, const resized_axis& axis) -> row_window::axis {
  if (std::int64_t{axis.in} * axis.out > INT32_MAX / 4) return {0, 0, 0};
  const auto common = std::gcd(axis.in, axis.out);
  const row_window::axis scaled{axis.in / common, 0, 1, axis.out / common};
  std::int32_t earlier = 0;
  std::int32_t later = 0;
  for (std::int32_t at = 0; at < axis.out; ++at) {
    const auto read = positions_read(plan, axis, at);
    const auto first = scaled.first(at);
    earlier = std::max(earlier, first - read.first);
    later = std::max(later, read.last - first);
  }
  return {scaled.stride, earlier * scaled.divisor, earlier + 1 + later, scaled.divisor};
}

/// Returns the `min_distance` of a resizing. A lead is the offset of an output element minus the offset of an input element that is read
/// for it (`lead_bounds`). Each output element has two leads along each axis: for the first and for the last input position that is read.
/// O(height + width) of the output. A distance above 0 is the smallest safe distance, except for nearest neighbors with aligned corners,
/// and for bilinear floats (see `positions_read`).
constexpr auto distance_of_resizing(const resizing& plan) -> min_distance {
  const std::int64_t pixel = std::int64_t{plan.depth} * (facts(plan.type).bits / 8);
  const auto in_image = pixel * plan.columns.in * plan.rows.in;
  const auto out_image = pixel * plan.columns.out * plan.rows.out;
  const auto batch_lead = (plan.batches - 1) * (out_image - in_image);
  lead_bounds leads{std::min<std::int64_t>(0, batch_lead), std::max<std::int64_t>(0, batch_lead)};
  const auto add = [&](const resized_axis& axis, std::int64_t in_step, std::int64_t out_step) {
    lead_bounds along;
    for (std::int32_t at = 0; at < axis.out; ++at) {
      const auto read = positions_read(plan, axis, at);
      along.include(at * out_step - read.first * in_step);
      along.include(at * out_step - read.last * in_step);
    }
    leads.add(along);
  };
  add(plan.rows, pixel * plan.columns.in, pixel * plan.columns.out);
  add(plan.columns, pixel, pixel);
  return leads.distance(plan.batches * in_image, plan.batches * out_image);
}

constexpr auto describe_resizing(const program_view& program, const node& record) -> node_description<resizing> {
  node_check check{program, record};
  check.conforms();
  const auto in = check.input(0, "input", 4);
  const auto out = check.output(4);
  resizing plan{.type = in.type,
                .is_bilinear = record.is("tfl.resize_bilinear"),
                .aligns_corners = program.integer(record, "align_corners", 0) != 0,
                .has_half_pixels = program.integer(record, "half_pixel_centers", 0) != 0};
  static_cast<void>(check.constant_integers(1, "size"));
  if (plan.is_bilinear != 0) {
    check.is_one_of(in, {dtype::float32, dtype::int8, dtype::uint8, dtype::int16}, "input");
    check.demand(plan.aligns_corners == 0 || plan.has_half_pixels == 0, "align_corners and half_pixel_centers exclude each other");
  } else {
    check.is_one_of(in, {dtype::float32, dtype::int8, dtype::uint8, dtype::int16, dtype::int32}, "input");
  }
  if (in.quant.channels != 0 || out.quant.channels != 0) check.same_quantization(in, out);
  if (!check.ok()) return {check.verdict_so_far(), plan};
  plan.batches = in.size(0);
  plan.depth = in.size(3);
  plan.rows = describe_axis(check, "rows", in.size(1), out.size(1), plan.aligns_corners != 0);
  plan.columns = describe_axis(check, "columns", in.size(2), out.size(2), plan.aligns_corners != 0);
  node_description<resizing> result{check.verdict_so_far(), plan};
  auto& input_facts = result.facts.operands[0];
  input_facts.distance = distance_of_resizing(plan);
  const auto rows = resized_window(plan, plan.rows);
  if (plan.batches == 1 && rows.span != 0) input_facts.window = {rows, {0, 0, plan.columns.in}};
  return result;
}

/// Returns the weighted sum of four elements: upper left (`a`), lower left (`b`), upper right (`c`) and lower right (`d`). `down` is the
/// weight of the lower elements, and `right` is the weight of the right elements. Integers are rounded half away from zero.
template <class T, class Weight>
[[gnu::always_inline]] inline auto blend(T a, T b, T c, T d, Weight down, Weight right) -> T {
  if constexpr (std::is_same_v<T, float>) {
    return a * (1 - down) * (1 - right) + b * down * (1 - right) + c * (1 - down) * right + d * down * right;
  } else {
    const auto sum = a * (1024 - down) * (1024 - right) + b * down * (1024 - right) + c * (1024 - down) * right + d * down * right;
    return static_cast<T>((sum + (sum > 0 ? 1 << 19 : -(1 << 19))) / (1 << 20));
  }
}

/// Computes the output rows [`first`, `last`) in ascending or descending `order`. Row indices count the rows of all images of a batch.
template <class T, class Weight>
[[gnu::always_inline]] inline void resize_bilinear(const resizing& plan, const char* in, char* out, write_order order, std::int32_t first,
                                                   std::int32_t last) {
  for (std::int32_t i = 0; i < last - first; ++i) {
    const auto y = first + nth(order, i, last - first);
    const auto row = neighbors_of<Weight>(plan, plan.rows, y % plan.rows.out);
    const auto batch = y / plan.rows.out * plan.rows.in;
    const auto upper = (batch + row.first) * plan.columns.in;
    const auto lower = (batch + row.second) * plan.columns.in;
    for (std::int32_t j = 0; j < plan.columns.out; ++j) {
      const auto x = nth(order, j, plan.columns.out);
      const auto column = neighbors_of<Weight>(plan, plan.columns, x);
      const auto a = (upper + column.first) * plan.depth;
      const auto b = (lower + column.first) * plan.depth;
      const auto c = (upper + column.second) * plan.depth;
      const auto d = (lower + column.second) * plan.depth;
      const auto to = (y * plan.columns.out + x) * plan.depth;
      for (std::int32_t n = 0; n < plan.depth; ++n) {
        const auto k = nth(order, n, plan.depth);
        store(
            out, to + k,
            blend(load<T>(in, a + k), load<T>(in, b + k), load<T>(in, c + k), load<T>(in, d + k), row.second_weight, column.second_weight));
      }
    }
  }
}

[[gnu::always_inline]] inline void resize_nearest(const resizing& plan, const char* in, char* out, write_order order, std::int32_t first,
                                                  std::int32_t last) {
  const auto pixel = plan.depth * (facts(plan.type).bits / 8);
  for (std::int32_t i = 0; i < last - first; ++i) {
    const auto y = first + nth(order, i, last - first);
    const auto from_row = y / plan.rows.out * plan.rows.in + nearest(plan, plan.rows, y % plan.rows.out);
    const char* row = in + from_row * plan.columns.in * pixel;
    for (std::int32_t j = 0; j < plan.columns.out; ++j) {
      const auto x = nth(order, j, plan.columns.out);
      const char* const from = row + nearest(plan, plan.columns, x) * pixel;
      char* const to = out + (y * plan.columns.out + x) * pixel;
      if (order == write_order::ascending) copy_run<write_order::ascending>(to, from, pixel);
      if (order == write_order::descending) copy_run<write_order::descending>(to, from, pixel);
    }
  }
}

/// A kernel that computes `tfl.resize_nearest_neighbor` of float32, int8, uint8, int16 or int32, and `tfl.resize_bilinear` of float32,
/// int8, uint8 or int16, to a constant size. Input and output have the same quantization. Numeric rules: TensorFlow Lite's
/// `reference/resize_nearest_neighbor.h` and `reference/resize_bilinear.h`.
struct resize {
  static constexpr literal_name operators[] = {"tfl.resize_nearest_neighbor", "tfl.resize_bilinear"};
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<detail::resizing> {
    return detail::describe_resizing(program, record);
  }
  template <class Plan>
  [[gnu::always_inline]] static void compute(const Plan& plan, const node_memory& memory) {
    compute_part(plan, memory, 0, plan.batches * plan.rows.out);
  }
  /// Computes the output rows [`first`, `last`). Available if the node has a window.
  template <class Call>
    requires(detail::has_window<resize, Call>())
  static void compute_rows(const Call& call, std::int32_t first, std::int32_t last) {
    with_memory(call, [&](const node_memory& memory)
                          __attribute__((always_inline)) { compute_part(node_plan<resize, Call>, memory, first, last); });
  }

 private:
  [[gnu::always_inline]] static void compute_part(const detail::resizing& plan, const node_memory& memory, std::int32_t first,
                                                  std::int32_t last) {
    if (plan.is_bilinear == 0) return detail::resize_nearest(plan, memory.inputs[0], memory.outputs[0], memory.order, first, last);
    switch (plan.type) {
      case dtype::int8:
        return detail::resize_bilinear<std::int8_t, std::int32_t>(plan, memory.inputs[0], memory.outputs[0], memory.order, first, last);
      case dtype::uint8:
        return detail::resize_bilinear<std::uint8_t, std::int32_t>(plan, memory.inputs[0], memory.outputs[0], memory.order, first, last);
      case dtype::int16:
        return detail::resize_bilinear<std::int16_t, std::int64_t>(plan, memory.inputs[0], memory.outputs[0], memory.order, first, last);
      default:
        return detail::resize_bilinear<float, float>(plan, memory.inputs[0], memory.outputs[0], memory.order, first, last);
    }
  }
};
static_assert(kernel<resize>);

}  // namespace detail

}  // namespace baton::portable
