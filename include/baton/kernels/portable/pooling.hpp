// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Average and max pooling for int8, uint8, int16 and float32, with SAME, VALID or explicit padding, and `tfl.l2_pool_2d` for float32.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/verdict.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/min_distance.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernel/shared/compute_node.hpp>
#include <baton/kernels/detail/distances.hpp>
#include <baton/kernels/detail/geometry.hpp>
#include <baton/kernels/detail/pool.hpp>
#include <baton/kernels/detail/products.hpp>
#include <baton/kernels/detail/set_chunks.hpp>
#include <baton/kernels/node_check.hpp>
#include <baton/kernels/window.hpp>
#include <baton/operators/requantization.hpp>
#include <baton/operators/shared/baton_operators.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace baton::portable {

/// Describes a pooling node. Shapes: input [N, H, W, C], output [N, H', W', C]. Requires that input and output have equal scales and zero
/// points, unless means are rounded half to even (`baton.average_pool_2d`). With an operator of the namespace `baton`, input and output may
/// have no quantization, unless means are rounded half to even or an activation is fused.
constexpr auto describe_pool(const program_view& program, const node& record) -> node_description<detail::pool> {
  node_check check{program, record};
  check.counts(1, 1);
  const auto in = check.input(0, "input", 4);
  const auto out = check.output(4);
  auto padding = check.padding();
  const bool is_baton = has_pads(record);
  padding.rows.is_ceil = is_baton && check.option("ceil_mode", 0, 0, 1) != 0 && check.ok();
  padding.columns.is_ceil = padding.rows.is_ceil;
  detail::pool plan;
  plan.is_int8 = in.is_int8();
  plan.is_int16 = in.type == dtype::int16;
  plan.is_uint8 = in.type == dtype::uint8;
  plan.batches = in.size(0);
  plan.channels = in.size(3);
  check.demand(in.type == out.type && (in.is_float() || !plan.is_float()), "input ", facts(in.type).name, " and output ",
               facts(out.type).name, " are not both int8, both uint8, both int16 or both float32");
  check.demand(in.size(0) == out.size(0) && in.size(3) == out.size(3), "output and input have different batches or channels");
  const auto height = check.option("filter_height", 0, 1, max_bytes);
  const auto width = check.option("filter_width", 0, 1, max_bytes);
  // An upper bound of the magnitude of an element or, for `baton` operators, of the element minus the zero point.
  const auto largest = (plan.is_int16 != 0 ? 32768 : plan.is_uint8 != 0 ? 256 : 128) * (is_baton ? 2 : 1);
  // A mean that is rounded half away from zero adds half the count, rounded down, to the magnitude of the sum.
  check.demand(std::int64_t{height} * width <= std::int64_t{UINT32_MAX} / (2 * largest + 1), "sums over ", height, " by ", width,
               " elements may not fit 32 bits");
  const auto step = [&](literal_name key) { return check.option(key, 1, 1, max_bytes); };
  plan.rows = detail::pool_axis(check, "height", padding.rows, in.size(1), out.size(1), height, step("stride_h"),
                                is_baton ? step("dilation_h_factor") : 1);
  plan.columns = detail::pool_axis(check, "width", padding.columns, in.size(2), out.size(2), width, step("stride_w"),
                                   is_baton ? step("dilation_w_factor") : 1);
  const auto fused = check.fused();
  const bool is_average = record.is("baton.average_pool_2d");
  if (is_average) detail::describe_average(check, in, out, padding, program.text(record, "rounding", "even"), plan);
  if (in.is_float()) {
    plan.fused = fused;
    check.demand(!is_baton || !check.has_limits(), "output_min and output_max are supported only for quantized outputs");
    return {check.verdict_so_far(), plan};
  }
  if (!is_average) detail::check_same_quantization(check, in, out, is_baton);
  if (is_baton && fused == quantized::activation::none && (!is_average || plan.rounds_to_even == 0)) {
    plan.range = range_of(in.type);
  } else {
    plan.range = fused_range(in.type, fused, check.per_tensor(out, "output"));
  }
  if (is_baton) plan.range = check.limited(plan.range);
  return {check.verdict_so_far(), plan};
}

namespace detail {

template <class T, class Pooled>
[[gnu::always_inline]] constexpr auto clamp_pooled(const pool& plan, Pooled x) -> T {
  if constexpr (std::is_same_v<T, float>) {
    return quantized::float_bounds(plan.fused).clamp(x);
  } else {
    return static_cast<T>(plan.range.clamp(x));
  }
}

/// Computes `N` adjacent channels of one output pixel.
template <pool P, class How, class T, std::size_t N>
inline void pool_channels(const char* image, std::int32_t top, std::int32_t left, char* to) {
  std::array<decltype(How::start(T{})), N> state;
  state.fill(How::start(T{}));
  for_taps(P.rows, P.columns, top, left, [&](std::int32_t pixel, std::int32_t) {
    std::array<T, N> from;
    std::memcpy(from.data(), image + static_cast<std::ptrdiff_t>(pixel) * P.channels * static_cast<std::ptrdiff_t>(sizeof(T)), sizeof from);
    for (std::size_t n = 0; n < N; ++n) state[n] = How::take(state[n], from[n]);
  });
  const auto taps = taps_at(P, top, left);
  std::array<T, N> outputs;
  for (std::size_t n = 0; n < N; ++n) outputs[n] = clamp_pooled<T>(P, How::finish(P, state[n], taps));
  std::memcpy(to, outputs.data(), sizeof outputs);
}

/// Computes the output rows [`first`, `last`).
template <pool P, write_order Order, class How, class T>
void run_pool(const char* input, char* output, std::int32_t first, std::int32_t last) {
  constexpr auto bytes = static_cast<std::ptrdiff_t>(sizeof(T));
  constexpr std::ptrdiff_t image_bytes = bytes * P.rows.input * P.columns.input * P.channels;
  for (std::int32_t i = 0; i < last - first; ++i) {
    const auto row = first + nth(Order, i, last - first);
    const char* image = input + row / P.rows.output * image_bytes;
    const auto top = P.rows.origin(row % P.rows.output);
    for (std::int32_t j = 0; j < P.columns.output; ++j) {
      const auto x = nth(Order, j, P.columns.output);
      char* to = output + (row * P.columns.output + x) * P.channels * bytes;
      for_runs_in<Order, P.channels, lanes>([&](std::int32_t channel, auto n) {
        pool_channels<P, How, T, n>(image + channel * bytes, top, P.columns.origin(x), to + channel * bytes);
      });
    }
  }
}

/// The maximum number of channels of a chunk (see `kernel_facts::chunks`). A chunk is a part of one output pixel.
inline constexpr std::int32_t channels_per_pool_chunk = 16;

/// Returns the number of chunks of one output pixel.
constexpr auto chunks_of_pixel(const pool& plan) -> std::int32_t {
  return (plan.channels + channels_per_pool_chunk - 1) / channels_per_pool_chunk;
}

/// A chunk: the channels [`first`, `last`) of an output pixel. The batch has one image. Chunk numbers continue from pixel to pixel.
struct pool_chunk {
  std::int32_t pixel;
  std::int32_t top;   ///< the first row of the window, which may be in the padding
  std::int32_t left;  ///< the first column of the window, which may be in the padding
  std::int32_t first;
  std::int32_t last;

  [[gnu::always_inline]] constexpr pool_chunk(const pool& plan, std::int32_t number)
      : pixel(number / chunks_of_pixel(plan)),
        top(plan.rows.origin(pixel / plan.columns.output)),
        left(plan.columns.origin(pixel % plan.columns.output)),
        first(number % chunks_of_pixel(plan) * channels_per_pool_chunk),
        last(std::min(first + channels_per_pool_chunk, plan.channels)) {}
};

/// Computes the chunks [`first`, `last`). The batch has one image.
template <pool P, class How, class T>
void run_pool_chunks(const char* input, char* output, std::int32_t first, std::int32_t last) {
  constexpr auto bytes = static_cast<std::ptrdiff_t>(sizeof(T));
  for (auto number = first; number < last; ++number) {
    const pool_chunk chunk(P, number);
    for_runs_of_part<P.channels, channels_per_pool_chunk, lanes>(chunk.first, [&](std::int32_t channel, auto n) {
      const auto at = (chunk.first + channel) * bytes;
      pool_channels<P, How, T, n>(input + at, chunk.top, chunk.left, output + std::ptrdiff_t{chunk.pixel} * P.channels * bytes + at);
    });
  }
}

template <pool P>
using pool_element = std::conditional_t<P.is_int8, std::int8_t,
                                        std::conditional_t<P.is_int16, std::int16_t, std::conditional_t<P.is_uint8, std::uint8_t, float>>>;

/// The partial result of an output element while the rows of its window are added one by one.
template <class How, class T>
using pool_state = decltype(How::start(T{}));

/// Adds row `y` of the image to `states`, the partial results of the output row, for a node with a single output row.
template <pool P, class How, class T>
void add_pool_row(const char* input, char* states, std::int32_t y) {
  using state = pool_state<How, T>;
  const auto top = P.rows.origin(0);
  const auto tap = (y - top) / P.rows.dilation;
  if ((y - top) % P.rows.dilation != 0 || tap < P.rows.first_tap(top) || tap >= P.rows.end_tap(top)) return;
  for (std::int32_t x = 0; x < P.columns.output; ++x) {
    const auto left = P.columns.origin(x);
    const auto from = y * P.columns.input + left;
    for (std::int32_t channel = 0; channel < P.channels; ++channel) {
      auto value = load<state>(states, x * P.channels + channel);
      for (auto kx = P.columns.first_tap(left); kx < P.columns.end_tap(left); ++kx) {
        value = How::take(value, load<T>(input, (from + kx * P.columns.dilation) * P.channels + channel));
      }
      store(states, x * P.channels + channel, value);
    }
  }
}

/// Computes the single output row from `states`, its partial results.
template <pool P, class How, class T>
void finish_pool(const char* states, char* output) {
  const auto top = P.rows.origin(0);
  for (std::int32_t x = 0; x < P.columns.output; ++x) {
    const auto left = P.columns.origin(x);
    const auto taps = taps_at(P, top, left);
    for (std::int32_t i = x * P.channels; i < (x + 1) * P.channels; ++i) {
      store(output, i, clamp_pooled<T>(P, How::finish(P, load<pool_state<How, T>>(states, i), taps)));
    }
  }
}

/// Computes a pooling node with a plan that is passed at run time.
template <class How, class T>
void compute_pool(const pool& plan, const char* input, char* output, write_order order) {
  for (std::int32_t i = 0; i < plan.output_rows(); ++i) {
    const auto row = nth(order, i, plan.output_rows());
    const auto image = row / plan.rows.output * plan.rows.input * plan.columns.input;
    const auto top = plan.rows.origin(row % plan.rows.output);
    for (std::int32_t j = 0; j < plan.columns.output; ++j) {
      const auto x = nth(order, j, plan.columns.output);
      const auto left = plan.columns.origin(x);
      for (std::int32_t k = 0; k < plan.channels; ++k) {
        const auto channel = nth(order, k, plan.channels);
        auto state = How::start(T{});
        for_taps(plan.rows, plan.columns, top, left, [&](std::int32_t pixel, std::int32_t) {
          state = How::take(state, load<T>(input, (image + pixel) * plan.channels + channel));
        });
        store(output, (row * plan.columns.output + x) * plan.channels + channel,
              clamp_pooled<T>(plan, How::finish(plan, state, taps_at(plan, top, left))));
      }
    }
  }
}

/// The kernel of pooling operators. `How` is the reduction of the elements under a window, such as `averaging`.
template <class How, fixed_string... Operators>
struct pool_kernel {
  static constexpr literal_name operators[] = {literal_name{Operators.characters}...};
  static constexpr bool supports_integers = !std::is_same_v<How, root_mean_square>;

  static constexpr auto describe(const program_view& program, const node& record) -> node_description<pool> {
    auto result = describe_pool(program, record);
    const auto& plan = result.plan;
    if (!supports_integers && result.support && !plan.is_float()) result.support = refuse("input is not float32");
    if (!result.support) return result;
    const std::int64_t pixel_bytes = plan.channels * plan.element_bytes();
    auto& input_facts = result.facts.operands[0];
    input_facts.distance = baton::portable::distance_of({plan.rows, plan.columns, pixel_bytes, pixel_bytes, plan.batches}, 0);
    input_facts.window = image_window(plan.batches, plan.rows, plan.columns);
    result.facts.sum_bytes = sum_bytes(plan);
    if (plan.batches == 1) set_chunks(result.facts, plan.rows.output * plan.columns.output, {plan.channels, channels_per_pool_chunk});
    return result;
  }
  /// Computes a pooling node with a plan that is passed at run time.
  static void compute(const pool& plan, const node_memory& memory) {
    if constexpr (supports_integers) {
      if (plan.is_int8 != 0) return compute_pool<How, std::int8_t>(plan, memory.inputs[0], memory.outputs[0], memory.order);
      if (plan.is_uint8 != 0) return compute_pool<How, std::uint8_t>(plan, memory.inputs[0], memory.outputs[0], memory.order);
      if (plan.is_int16 != 0) return compute_pool<How, std::int16_t>(plan, memory.inputs[0], memory.outputs[0], memory.order);
    }
    compute_pool<How, float>(plan, memory.inputs[0], memory.outputs[0], memory.order);
  }

  template <class Call>
  static void compute(const Call& call) {
    compute_rows(call, 0, node_plan<pool_kernel, Call>.output_rows());
  }
  /// Computes the output rows [`first`, `last`). Row numbers continue from image to image of a batch.
  template <class Call>
  static void compute_rows(const Call& call, std::int32_t first, std::int32_t last) {
    constexpr auto plan = node_plan<pool_kernel, Call>;
    run_pool<plan, Call::order(), How, pool_element<plan>>(call.template input<0>(), call.template output<0>(), first, last);
  }

  /// Computes the chunks [`first`, `last`). The batch has one image.
  template <class Call>
  static void compute_chunks(const Call& call, std::int32_t first, std::int32_t last) {
    constexpr auto plan = node_plan<pool_kernel, Call>;
    run_pool_chunks<plan, How, pool_element<plan>>(call.template input<0>(), call.template output<0>(), first, last);
  }

  template <class Call>
  static void start_sums(const Call&, char* sums) {
    constexpr auto plan = node_plan<pool_kernel, Call>;
    for (std::int32_t i = 0; i < plan.columns.output * plan.channels; ++i) store(sums, i, How::start(pool_element<plan>{}));
  }
  template <class Call>
  static void add_row(const Call& call, char* sums, std::int32_t row) {
    constexpr auto plan = node_plan<pool_kernel, Call>;
    add_pool_row<plan, How, pool_element<plan>>(call.template input<0>(), sums, row);
  }
  template <class Call>
  static void finish_sums(const Call& call, const char* sums) {
    constexpr auto plan = node_plan<pool_kernel, Call>;
    finish_pool<plan, How, pool_element<plan>>(sums, call.template output<0>());
  }

 private:
  /// Returns the size in bytes of the partial results of all output elements, or 0 if the output has more than one row.
  static constexpr auto sum_bytes(const pool& plan) -> std::uint32_t {
    if (plan.rows.output != 1) return 0;
    std::size_t bytes = sizeof(float);
    if (plan.is_int8 != 0) bytes = sizeof(integer_state<std::int8_t>);
    if (plan.is_uint8 != 0) bytes = sizeof(integer_state<std::uint8_t>);
    if (plan.is_int16 != 0) bytes = sizeof(integer_state<std::int16_t>);
    return static_cast<std::uint32_t>(bytes) * static_cast<std::uint32_t>(plan.columns.output * plan.channels);
  }
  /// The partial result of integer pooling. If the kernel does not support integers, this is the partial result of float pooling.
  template <class T>
  using integer_state = pool_state<How, std::conditional_t<supports_integers, T, float>>;
};

}  // namespace detail

/// A kernel that computes average pooling on int8, uint8, int16 or float32, with the fused activation none, relu, relu_n1_to_1 or relu6.
/// Pixels are written in row-major order or in the reverse order, channels innermost. The inputs of an output pixel may be read until the
/// whole pixel is written.
/// - `tfl.average_pool_2d`: SAME or VALID padding and any stride. Elements in the padding do not count. Numeric rules: TensorFlow Lite's
///   reference `AveragePool`.
/// - `baton.average_pool_2d`: the attributes `pads` (top, left, bottom, right; smaller than the window), `ceil_mode`, `dilation_h_factor`,
///   `dilation_w_factor` and `count_include_pad`. If `count_include_pad` is set, elements in the padding count as zeros; elements beyond
///   the padding never count. For integers, the sum of the differences to the zero point is multiplied by the quotient of the scales and
///   divided by the count. The result is rounded once, half to even. Then the output's zero point is added, and the sum is limited to
///   [`output_min`, `output_max`] (ONNX's `AveragePool` between `DequantizeLinear` and `QuantizeLinear`). If the attribute `rounding` is
///   "away" instead of "even", means of integers are rounded like the means of `tfl.average_pool_2d` (CMSIS-NN). In this case,
///   `count_include_pad` is not supported for integers, and input and output may have no quantization if no activation is fused.
struct average_pool_2d : detail::pool_kernel<detail::averaging, "tfl.average_pool_2d", "baton.average_pool_2d"> {};
static_assert(kernel<average_pool_2d>);

/// A kernel that computes `tfl.max_pool_2d` and `baton.max_pool_2d`, the largest element under a window. Types, options and order of
/// writing are the same as for `average_pool_2d`, but there are no options `count_include_pad` and `rounding`. Elements in the padding are
/// ignored. Input and output must have the same quantization. With `baton.max_pool_2d`, the input may have no quantization, and so may the
/// output if no activation is fused.
struct max_pool_2d : detail::pool_kernel<detail::taking_largest, "tfl.max_pool_2d", "baton.max_pool_2d"> {};
static_assert(kernel<max_pool_2d>);

namespace detail {

/// A kernel that computes `tfl.l2_pool_2d` on float32, the square root of the mean of the squares. Options and order of writing are the
/// same as for `tfl.average_pool_2d`. Numeric rules: TensorFlow Lite's reference `L2Pool`.
struct l2_pool_2d : detail::pool_kernel<detail::root_mean_square, "tfl.l2_pool_2d"> {};
static_assert(kernel<l2_pool_2d>);

}  // namespace detail

}  // namespace baton::portable
