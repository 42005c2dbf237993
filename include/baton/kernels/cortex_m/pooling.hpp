// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Pooling of int8 images for a Cortex-M. A word holds four channels of a pixel.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/verdict.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/min_distance.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernel/shared/compute_node.hpp>
#include <baton/kernels/cortex_m/detail/instructions.hpp>
#include <baton/kernels/cortex_m/options.hpp>
#include <baton/kernels/detail/distances.hpp>
#include <baton/kernels/portable/pooling.hpp>
#include <baton/kernels/unaligned.hpp>
#include <baton/kernels/window.hpp>
#include <baton/operators/requantization.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace baton::cortex_m {

namespace detail {

/// The pixels of a pooling window that are inside the image.
struct pool_window {
  const char* first = nullptr;  ///< address of the first pixel inside the image
  std::int32_t rows = 0;        ///< number of rows inside the image
  std::int32_t columns = 0;     ///< number of columns inside the image
  std::int32_t row_bytes = 0;   ///< distance between rows of the image, in bytes
  std::int32_t pixel_bytes = 0;
  portable::detail::pool_taps taps{};

  /// Calls `f(at)` with the address of each pixel of row `row` of the window.
  template <class F>
  [[gnu::always_inline]] void for_row(std::int32_t row, F f) const {
    const char* at = first + row * row_bytes;
    for (const char* const end = at + columns * pixel_bytes; at != end; at += pixel_bytes) f(at);
  }
};

/// The mean of each of four channels. A halfword can hold the sum of up to 256 int8 numbers. Each halfword is added to a 32-bit sum before
/// the halfword can overflow.
struct averaging_four {
  static constexpr std::int32_t max_in_halfword = 256;

  [[gnu::always_inline]] static auto of(const portable::detail::pool& plan, const pool_window& window) -> std::array<std::int32_t, 4> {
    std::array<std::int32_t, 4> sums{};
    std::uint32_t even = 0;
    std::uint32_t odd = 0;
    std::int32_t summed_pixels = 0;
    const auto move = [&] {
      sums = {sums[0] + bottom(even), sums[1] + bottom(odd), sums[2] + top(even), sums[3] + top(odd)};
      even = odd = 0;
      summed_pixels = 0;
    };
    for (std::int32_t row = 0; row < window.rows; ++row) {
      const char* at = window.first + row * window.row_bytes;
      for (std::int32_t left = window.columns; left != 0;) {
        if (summed_pixels == max_in_halfword) move();
        const auto pixels = std::min(left, max_in_halfword - summed_pixels);
        const auto add = [&] {
          const auto four = portable::load<std::uint32_t>(at);
          even = sxtab16(even, four);
          odd = sxtab16_ror8(odd, four);
          at += window.pixel_bytes;
        };
        for (auto fours = pixels / 4; fours != 0; --fours) {
          add();
          add();
          add();
          add();
        }
        for (auto remaining = pixels % 4; remaining != 0; --remaining) add();
        summed_pixels += pixels;
        left -= pixels;
      }
    }
    move();
    const auto mean = [&](std::int32_t sum) { return portable::detail::averaging::finish(plan, sum, window.taps); };
    return {mean(sums[0]), mean(sums[1]), mean(sums[2]), mean(sums[3])};
  }
};

/// Returns the larger signed byte at each of four positions. SSUB8 sets a flag for each byte of `a` that is at least the byte of `b` at its
/// position. SEL selects bytes by these flags.
[[gnu::always_inline]] inline auto larger_bytes(std::uint32_t a, std::uint32_t b) -> std::uint32_t {
  if constexpr (has_dsp) {
    std::uint32_t result = 0;
    asm("ssub8 %0, %1, %2\n sel %0, %1, %2" : "=&r"(result) : "r"(a), "r"(b) : "cc");
    return result;
  } else {
    std::uint32_t result = 0;
    for (int bit = 0; bit < 32; bit += 8) {
      const auto x = static_cast<std::int8_t>(a >> bit & 0xffu);
      const auto y = static_cast<std::int8_t>(b >> bit & 0xffu);
      result |= static_cast<std::uint32_t>(static_cast<std::uint8_t>(x < y ? y : x)) << bit;
    }
    return result;
  }
}

/// The maximum of each of four channels.
struct taking_largest_four {
  [[gnu::always_inline]] static auto of(const portable::detail::pool&, const pool_window& window) -> std::array<std::int32_t, 4> {
    std::uint32_t largest = 0x80808080u;
    for (std::int32_t row = 0; row < window.rows; ++row) {
      window.for_row(row, [&](const char* at) { largest = larger_bytes(largest, portable::load<std::uint32_t>(at)); });
    }
    const auto even = sxtb16(largest);
    const auto odd = sxtb16_ror8(largest);
    return {bottom(even), bottom(odd), top(even), top(odd)};
  }
};

/// Returns the pixels of a window that are inside the image. The first tap (position in the window) is at row `top_row` and column `left`;
/// either may be in the padding. `pool_window::first` of the result points to channel 0 of a pixel.
[[gnu::always_inline]] inline auto window_at(const portable::detail::pool& plan, const char* image, std::int32_t top_row, std::int32_t left)
    -> pool_window {
  const auto first_row = plan.rows.first_tap(top_row);
  const auto first_column = plan.columns.first_tap(left);
  const auto begin = (top_row + first_row) * plan.columns.input + left + first_column;
  pool_window window{image + std::ptrdiff_t{begin} * plan.channels,
                     plan.rows.end_tap(top_row) - first_row,
                     plan.columns.end_tap(left) - first_column,
                     plan.columns.input * plan.channels,
                     plan.channels,
                     portable::detail::taps_at(plan, top_row, left)};
  if (window.columns == plan.columns.input) {  // rows of full width are contiguous, so they are merged into one row
    window.columns *= window.rows;
    window.rows = 1;
  }
  return window;
}

[[gnu::always_inline]] inline void store_four(const portable::detail::pool& plan, const std::array<std::int32_t, 4>& values, char* to) {
  to[0] = static_cast<char>(plan.range.clamp(values[0]));
  to[1] = static_cast<char>(plan.range.clamp(values[1]));
  to[2] = static_cast<char>(plan.range.clamp(values[2]));
  to[3] = static_cast<char>(plan.range.clamp(values[3]));
}

/// Computes four channels of a pixel, from channel `channel` on. `to` is the address of the pixel.
template <class Four>
[[gnu::always_inline]] inline void pool_four(const portable::detail::pool& plan, pool_window window, std::int32_t channel, char* to) {
  window.first += channel;
  store_four(plan, Four::of(plan, window), to + channel);
}
/// Computes one channel of a pixel.
template <class How>
[[gnu::always_inline]] inline void pool_one(const portable::detail::pool& plan, const pool_window& window, std::int32_t channel, char* to) {
  auto state = How::start(std::int8_t{});
  for (std::int32_t row = 0; row < window.rows; ++row) {
    window.for_row(row, [&](const char* at) { state = How::take(state, portable::load<std::int8_t>(at, channel)); });
  }
  to[channel] = static_cast<char>(plan.range.clamp(How::finish(plan, state, window.taps)));
}

/// Computes the chunks [`first`, `last`) (see `portable::detail::pool_chunk`). The batch has one image.
template <class Four, class How>
[[gnu::always_inline]] inline void pool_chunks(const portable::detail::pool& plan, const char* input, char* output, std::int32_t first,
                                               std::int32_t last) {
  for (auto number = first; number < last; ++number) {
    const portable::detail::pool_chunk chunk(plan, number);
    const auto window = window_at(plan, input, chunk.top, chunk.left);
    char* to = output + std::ptrdiff_t{chunk.pixel} * plan.channels;
    auto channel = chunk.first;
    for (; channel + 4 <= chunk.last; channel += 4) pool_four<Four>(plan, window, channel, to);
    for (; channel < chunk.last; ++channel) pool_one<How>(plan, window, channel, to);
  }
}

/// Computes output rows [`first`, `last`) in the order `order`. Channels that do not fill a group of four are computed one by one.
template <class Four, class How>
[[gnu::always_inline]] inline void pool_rows(const portable::detail::pool& plan, write_order order, const char* input, char* output,
                                             std::int32_t first, std::int32_t last) {
  const auto image_bytes = std::ptrdiff_t{plan.rows.input} * plan.columns.input * plan.channels;
  const auto fours = plan.channels / 4;
  const auto remaining = plan.channels % 4;
  for (std::int32_t i = 0; i < last - first; ++i) {
    const auto row = first + portable::nth(order, i, last - first);
    const char* image = input + row / plan.rows.output * image_bytes;
    const auto top_row = plan.rows.origin(row % plan.rows.output);
    for (std::int32_t j = 0; j < plan.columns.output; ++j) {
      const auto x = portable::nth(order, j, plan.columns.output);
      const auto window = window_at(plan, image, top_row, plan.columns.origin(x));
      char* to = output + (std::ptrdiff_t{row} * plan.columns.output + x) * plan.channels;
      if (order == write_order::ascending) {
        for (std::int32_t n = 0; n < fours; ++n) pool_four<Four>(plan, window, 4 * n, to);
        for (std::int32_t n = 0; n < remaining; ++n) pool_one<How>(plan, window, 4 * fours + n, to);
      } else {
        for (auto n = remaining; n > 0; --n) pool_one<How>(plan, window, 4 * fours + n - 1, to);
        for (auto n = fours; n > 0; --n) pool_four<Four>(plan, window, 4 * (n - 1), to);
      }
    }
  }
}

/// A pooling kernel. `Four` pools four channels, `How` pools one channel. The facts and the row-by-row accumulation (`add_row`) are
/// inherited from the portable kernel.
template <class Four, class How, fixed_string... Operators>
struct pool_kernel : portable::detail::pool_kernel<How, Operators...> {
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<portable::detail::pool> {
    auto result = portable::detail::pool_kernel<How, Operators...>::describe(program, record);
    if (result.support && result.plan.is_int8 == 0) result.support = refuse("the Cortex-M kernel supports only int8");
    if (result.support && (result.plan.rows.dilation != 1 || result.plan.columns.dilation != 1))
      result.support = refuse("the Cortex-M kernel does not support dilation");
    if (result.support && result.plan.channels < 4)
      result.support = refuse("a pixel of ", result.plan.channels, " channels does not fill a word");
    return result;
  }
  /// Computes the node in portable C++.
  static void compute(const portable::detail::pool& plan, const node_memory& memory) {
    pool_rows<Four, How>(plan, memory.order, memory.inputs[0], memory.outputs[0], 0, plan.output_rows());
  }

  template <class Call>
  static void compute(const Call& call) {
    compute_rows(call, 0, node_plan<pool_kernel, Call>.output_rows());
  }
  /// Computes output rows [`first`, `last`). Row numbers continue from image to image of a batch.
  template <class Call>
  static void compute_rows(const Call& call, std::int32_t first, std::int32_t last) {
    pool_rows<Four, How>(node_plan<pool_kernel, Call>, Call::order(), call.template input<0>(), call.template output<0>(), first, last);
  }
  /// Computes the chunks [`first`, `last`). The batch has one image.
  template <class Call>
  static void compute_chunks(const Call& call, std::int32_t first, std::int32_t last) {
    pool_chunks<Four, How>(node_plan<pool_kernel, Call>, call.template input<0>(), call.template output<0>(), first, last);
  }
};

/// A kernel that computes `tfl.average_pool_2d` and `baton.average_pool_2d` on int8 with at least four channels and without dilation.
/// Results are bit-identical to `portable::average_pool_2d`. Pixels are written in row-major order or in reverse, channels innermost.
/// Groups of four channels are read and written one after the other. So some inputs of an output pixel are read after other channels of
/// the pixel are written.
template <options = options{}>
struct average_pool_2d
    : detail::pool_kernel<detail::averaging_four, portable::detail::averaging, "tfl.average_pool_2d", "baton.average_pool_2d"> {};
static_assert(kernel<average_pool_2d<>>);

/// A kernel that computes `tfl.max_pool_2d` and `baton.max_pool_2d` on int8 with at least four channels and without dilation. Inputs and
/// outputs are accessed in the same order as in `average_pool_2d`. Results are bit-identical to `portable::max_pool_2d`.
template <options = options{}>
struct max_pool_2d
    : detail::pool_kernel<detail::taking_largest_four, portable::detail::taking_largest, "tfl.max_pool_2d", "baton.max_pool_2d"> {};
static_assert(kernel<max_pool_2d<>>);

}  // namespace detail

}  // namespace baton::cortex_m
