// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Pooling of int8 images for a Cortex-M with Helium. A vector holds adjacent channels of a pixel.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/verdict.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernel/shared/compute_node.hpp>
#include <baton/kernels/detail/distances.hpp>
#include <baton/kernels/detail/pool.hpp>
#include <baton/kernels/helium/detail/pool_vectors.hpp>
#include <baton/kernels/portable/pooling.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace baton::helium {

namespace detail {

/// Returns the part of a window that is inside the image. The window begins at row `top`, column `left`; either may be in the padding.
[[gnu::always_inline]] inline auto window_at(const portable::detail::pool& plan, const std::int8_t* image, std::int32_t top,
                                             std::int32_t left) -> pool_window {
  const auto first_row = plan.rows.first_tap(top);
  const auto first_column = plan.columns.first_tap(left);
  const auto row = top + first_row * plan.rows.dilation;
  const auto column = left + first_column * plan.columns.dilation;
  pool_window window{image + (row * plan.columns.input + column) * plan.channels, plan.rows.end_tap(top) - first_row,
                     plan.columns.end_tap(left) - first_column, plan.rows.dilation * plan.columns.input * plan.channels,
                     plan.columns.dilation * plan.channels};
  if (window.columns * window.tap_bytes == window.row_bytes) {  // rows of full width are contiguous, so they are merged into one row
    window.columns *= window.rows;
    window.rows = 1;
  }
  return window;
}

/// Computes output rows [`first`, `last`).
template <class Channels>
[[gnu::always_inline]] inline void pool_rows(const portable::detail::pool& plan, const char* input, char* output, std::int32_t first,
                                             std::int32_t last) {
  const auto* images = reinterpret_cast<const std::int8_t*>(input);
  const auto image_bytes = plan.rows.input * plan.columns.input * plan.channels;
  auto* to = reinterpret_cast<std::int8_t*>(output) + first * plan.columns.output * plan.channels;
  for (auto row = first; row < last; ++row) {
    const auto* image = images + row / plan.rows.output * image_bytes;
    const auto top = plan.rows.origin(row % plan.rows.output);
    for (std::int32_t x = 0; x < plan.columns.output; ++x, to += plan.channels) {
      auto window = window_at(plan, image, top, plan.columns.origin(x));
      for (std::int32_t channel = 0; channel < plan.channels; channel += Channels::channels, window.first += Channels::channels) {
        Channels::compute(window, std::min(Channels::channels, plan.channels - channel), plan.range, to + channel);
      }
    }
  }
}

/// Computes the chunks [`first`, `last`) (see `portable::detail::pool_chunk`). The batch must have one image.
template <class Channels>
[[gnu::always_inline]] inline void pool_chunks(const portable::detail::pool& plan, const char* input, char* output, std::int32_t first,
                                               std::int32_t last) {
  static_assert(portable::detail::channels_per_pool_chunk % Channels::channels == 0);
  for (auto number = first; number < last; ++number) {
    const portable::detail::pool_chunk chunk(plan, number);
    auto window = window_at(plan, reinterpret_cast<const std::int8_t*>(input), chunk.top, chunk.left);
    auto* to = reinterpret_cast<std::int8_t*>(output) + chunk.pixel * plan.channels;
    auto channel = chunk.first;
    for (window.first += channel; channel < chunk.last; channel += Channels::channels, window.first += Channels::channels) {
      Channels::compute(window, std::min(Channels::channels, chunk.last - channel), plan.range, to + channel);
    }
  }
}

/// A pooling kernel. `Channels` pools the channels of a vector, `How` is the reduction of the portable kernel. The facts and the row-by-row
/// accumulation (`add_row`) are inherited from the portable kernel. Pixels are written in ascending order. Within a pixel, vectors
/// of channels are read and written one after the other. So some inputs of an output pixel are read after other channels of the pixel are
/// written.
template <class Channels, class How, fixed_string... Operators>
struct pool_kernel : portable::detail::pool_kernel<How, Operators...> {
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<portable::detail::pool> {
    auto result = portable::detail::pool_kernel<How, Operators...>::describe(program, record);
    if (!result.support) return result;
    const auto& plan = result.plan;
    const auto taps = plan.rows.filter * plan.columns.filter;
    if (plan.is_int8 == 0) {
      result.support = refuse("the Helium kernel supports only int8");
    } else if (plan.rounds_to_even != 0) {
      result.support = refuse("the Helium kernel supports only means that are rounded half away from zero");
    } else if (!std::is_same_v<How, portable::detail::taking_largest> && taps > short_quotient::max_count) {
      result.support = refuse("a window has ", taps, " elements, whose sum may not fit 16 bits");
    }
    auto& distance = result.facts.operands[0].distance;
    distance = portable::upward(distance);
    return result;
  }
  /// Computes the node with a plan that is passed at run time.
  static void compute(const portable::detail::pool& plan, const node_memory& memory) {
    pool_rows<Channels>(plan, memory.inputs[0], memory.outputs[0], 0, plan.output_rows());
  }

  template <class Call>
  static void compute(const Call& call) {
    compute_rows(call, 0, node_plan<pool_kernel, Call>.output_rows());
  }
  /// Computes output rows [`first`, `last`). Row numbers continue from image to image of a batch.
  template <class Call>
  static void compute_rows(const Call& call, std::int32_t first, std::int32_t last) {
    pool_rows<Channels>(node_plan<pool_kernel, Call>, call.template input<0>(), call.template output<0>(), first, last);
  }
  /// Computes the chunks [`first`, `last`). A chunk has some channels of one pixel (`portable::detail::pool_chunk`).
  template <class Call>
  static void compute_chunks(const Call& call, std::int32_t first, std::int32_t last) {
    pool_chunks<Channels>(node_plan<pool_kernel, Call>, call.template input<0>(), call.template output<0>(), first, last);
  }
};

/// A kernel that computes `tfl.average_pool_2d` on int8 with windows of at most 256 elements. Also computes `baton.average_pool_2d` if its
/// attribute `rounding` is "away". Results are bit-identical to `portable::average_pool_2d`.
struct average_pool_2d
    : detail::pool_kernel<detail::averaging_channels, portable::detail::averaging, "tfl.average_pool_2d", "baton.average_pool_2d"> {};
static_assert(kernel<average_pool_2d>);

/// A kernel that computes `tfl.max_pool_2d` and `baton.max_pool_2d` on int8. Results are bit-identical to `portable::max_pool_2d`.
struct max_pool_2d
    : detail::pool_kernel<detail::taking_largest_channels, portable::detail::taking_largest, "tfl.max_pool_2d", "baton.max_pool_2d"> {};
static_assert(kernel<max_pool_2d>);

}  // namespace detail

}  // namespace baton::helium
