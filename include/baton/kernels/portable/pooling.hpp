// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Pooling: `tfl.average_pool_2d` and `tfl.max_pool_2d` for int8, int16 and float32, `tfl.l2_pool_2d` for float32.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/verdict.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/min_distance.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernel/shared/compute_node.hpp>
#include <baton/kernels/detail/distances.hpp>
#include <baton/kernels/detail/geometry.hpp>
#include <baton/kernels/detail/machine_math.hpp>
#include <baton/kernels/detail/products.hpp>
#include <baton/kernels/detail/quantized.hpp>
#include <baton/kernels/node_check.hpp>
#include <baton/kernels/window.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace baton::portable {

namespace detail {

/// The geometry of a pool.
struct pool {
  flag is_int8 = 0;
  flag is_int16 = 0;
  std::int32_t batches = 1;
  std::int32_t channels = 1;
  window_axis rows{};
  window_axis columns{};
  quantized::bounds<std::int32_t> range{};                    ///< of integer outputs
  quantized::activation fused = quantized::activation::none;  ///< of float outputs

  constexpr auto output_rows() const -> std::int32_t { return batches * rows.output; }
};

}  // namespace detail
static_assert(has_no_padding<detail::pool>);

/// Describes a pool. Shapes: input [N, H, W, C], output [N, H', W', C]. Requires that input and output have equal scales and zero points,
/// because pools do not requantize.
constexpr auto describe_pool(const program_view& program, const node& record) -> node_description<detail::pool> {
  node_check check{program, record};
  check.counts(1, 1);
  const auto in = check.input(0, "input", 4);
  const auto out = check.output(4);
  const auto is_same = check.is_same_padding();
  detail::pool plan;
  plan.is_int8 = in.is_int8();
  plan.batches = in.size(0);
  plan.channels = in.size(3);
  plan.is_int16 = in.type == dtype::int16;
  check.demand(in.type == out.type && (in.is_int8() || plan.is_int16 != 0 || in.is_float()), "input ", facts(in.type).name, " and output ",
               facts(out.type).name, " are not both int8, both int16 or both float32");
  check.demand(in.size(0) == out.size(0) && in.size(3) == out.size(3), "output has other batches or channels than the input");
  const auto height = check.option("filter_height", 0, 1, max_bytes);
  const auto width = check.option("filter_width", 0, 1, max_bytes);
  const auto largest = plan.is_int16 != 0 ? 32768 : 128;
  check.demand(std::int64_t{height} * width <= INT32_MAX / largest, "sums over ", height, " by ", width, " elements may not fit 32 bits");
  plan.rows = check.axis("height", is_same, in.size(1), out.size(1), height, check.option("stride_h", 1, 1, max_bytes), 1);
  plan.columns = check.axis("width", is_same, in.size(2), out.size(2), width, check.option("stride_w", 1, 1, max_bytes), 1);
  const auto fused = check.fused();
  if (in.is_float()) {
    plan.fused = fused;
    return {check.verdict_so_far(), plan};
  }
  check.same_quantization(in, out);
  const auto quant = check.per_tensor(out, "output");
  plan.range = plan.is_int8 ? quantized::quantized_bounds<std::int8_t>(fused, quant.scale, quant.zero_point)
                            : quantized::quantized_bounds<std::int16_t>(fused, quant.scale, quant.zero_point);
  return {check.verdict_so_far(), plan};
}

namespace detail {

/// The mean of the elements under a window. Integers are rounded half away from zero; zero points cancel out, because input and output have
/// the same zero point.
struct averaging {
  static constexpr auto start(std::int8_t) -> std::int32_t { return 0; }
  static constexpr auto start(std::int16_t) -> std::int32_t { return 0; }
  static constexpr auto start(float) -> float { return 0.0f; }
  template <class Sum, class T>
  static constexpr auto take(Sum sum, T x) -> Sum {
    return sum + x;
  }
  static constexpr auto finish(std::int32_t sum, std::int32_t count) -> std::int32_t {
    return (sum > 0 ? sum + count / 2 : sum - count / 2) / count;
  }
  static constexpr auto finish(float sum, std::int32_t count) -> float { return sum / static_cast<float>(count); }
};

/// The largest element under a window (max pooling).
struct taking_largest {
  static constexpr auto start(std::int8_t) -> std::int8_t { return -128; }
  static constexpr auto start(std::int16_t) -> std::int16_t { return -32768; }
  static constexpr auto start(float) -> float { return std::numeric_limits<float>::lowest(); }
  template <class T>
  static constexpr auto take(T largest, T x) -> T {
    return largest < x ? x : largest;
  }
  template <class T>
  static constexpr auto finish(T largest, std::int32_t) -> T {
    return largest;
  }
};

/// The root of the mean of the squares under a window.
struct root_mean_square {
  static constexpr auto start(float) -> float { return 0.0f; }
  static constexpr auto take(float sum, float x) -> float { return sum + x * x; }
  static auto finish(float sum, std::int32_t count) -> float { return machine::sqrt(sum / static_cast<float>(count)); }
};

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
  const auto count = (P.rows.last_tap(top) - P.rows.first_tap(top)) * (P.columns.last_tap(left) - P.columns.first_tap(left));
  std::array<T, N> outputs;
  for (std::size_t n = 0; n < N; ++n) outputs[n] = clamp_pooled<T>(P, How::finish(state[n], count));
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

template <pool P>
using pool_element = std::conditional_t<P.is_int8, std::int8_t, std::conditional_t<P.is_int16, std::int16_t, float>>;

/// The partial result of an output element while the rows of its window are added one by one.
template <class How, class T>
using pool_state = decltype(How::start(T{}));

/// Adds row `y` of the image to the states of the output row, for a pool with a single output row.
template <pool P, class How, class T>
void add_pool_row(const char* input, char* states, std::int32_t y) {
  using state = pool_state<How, T>;
  const auto top = P.rows.origin(0);
  if (y < top + P.rows.first_tap(top) || y >= top + P.rows.last_tap(top)) return;
  for (std::int32_t x = 0; x < P.columns.output; ++x) {
    const auto left = P.columns.origin(x);
    const auto from = y * P.columns.input + left;
    for (std::int32_t channel = 0; channel < P.channels; ++channel) {
      auto value = load<state>(states, x * P.channels + channel);
      for (auto kx = P.columns.first_tap(left); kx < P.columns.last_tap(left); ++kx) {
        value = How::take(value, load<T>(input, (from + kx) * P.channels + channel));
      }
      store(states, x * P.channels + channel, value);
    }
  }
}

/// Computes the single output row from its states.
template <pool P, class How, class T>
void finish_pool(const char* states, char* output) {
  const auto top = P.rows.origin(0);
  for (std::int32_t x = 0; x < P.columns.output; ++x) {
    const auto left = P.columns.origin(x);
    const auto count = (P.rows.last_tap(top) - P.rows.first_tap(top)) * (P.columns.last_tap(left) - P.columns.first_tap(left));
    for (std::int32_t i = x * P.channels; i < (x + 1) * P.channels; ++i) {
      store(output, i, clamp_pooled<T>(P, How::finish(load<pool_state<How, T>>(states, i), count)));
    }
  }
}

/// Computes a pool whose plan is known at run time.
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
        std::int32_t count = 0;
        for_taps(plan.rows, plan.columns, top, left, [&](std::int32_t pixel, std::int32_t) {
          state = How::take(state, load<T>(input, (image + pixel) * plan.channels + channel));
          ++count;
        });
        store(output, (row * plan.columns.output + x) * plan.channels + channel, clamp_pooled<T>(plan, How::finish(state, count)));
      }
    }
  }
}

/// The kernel of a pool operator. `How` is the reduction of the elements under a window, such as `averaging`.
template <fixed_string Operator, class How>
struct pool_kernel {
  static constexpr literal_name operators[] = {literal_name{Operator.characters}};
  static constexpr bool supports_integers = !std::is_same_v<How, root_mean_square>;

  static constexpr auto describe(const program_view& program, const node& record) -> node_description<pool> {
    auto result = describe_pool(program, record);
    const auto& plan = result.plan;
    const bool is_integer = plan.is_int8 != 0 || plan.is_int16 != 0;
    if (!supports_integers && result.support && is_integer) result.support = refuse("input is not float32");
    if (!result.support) return result;
    const std::int64_t pixel_bytes = plan.channels * (plan.is_int8 != 0 ? 1 : plan.is_int16 != 0 ? 2 : 4);
    auto& input_facts = result.facts.operands[0];
    input_facts.distance = baton::portable::distance_of({plan.rows, plan.columns, pixel_bytes, pixel_bytes, plan.batches}, 0);
    input_facts.window = image_window(plan.batches, plan.rows, plan.columns);
    result.facts.sum_bytes = sum_bytes(plan);
    return result;
  }
  /// Computes a pool whose plan is known at run time.
  static void compute(const pool& plan, const node_memory& at) {
    if constexpr (supports_integers) {
      if (plan.is_int8 != 0) return compute_pool<How, std::int8_t>(plan, at.inputs[0], at.outputs[0], at.order);
      if (plan.is_int16 != 0) return compute_pool<How, std::int16_t>(plan, at.inputs[0], at.outputs[0], at.order);
    }
    compute_pool<How, float>(plan, at.inputs[0], at.outputs[0], at.order);
  }

  template <class Call>
  static void compute(const Call& call) {
    compute_rows(call, 0, node_plan<pool_kernel, Call>.output_rows());
  }
  /// Computes the output rows [`first`, `last`). Row indices count the rows of all images of a batch.
  template <class Call>
  static void compute_rows(const Call& call, std::int32_t first, std::int32_t last) {
    constexpr auto plan = node_plan<pool_kernel, Call>;
    run_pool<plan, Call::order(), How, pool_element<plan>>(call.template input<0>(), call.template output<0>(), first, last);
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
  /// Returns the bytes of the states, one for each element of the output, or 0 if the output has more than one row.
  static constexpr auto sum_bytes(const pool& plan) -> std::uint32_t {
    if (plan.rows.output != 1) return 0;
    std::size_t bytes = sizeof(float);
    if (plan.is_int8 != 0) bytes = sizeof(integer_state<std::int8_t>);
    if (plan.is_int16 != 0) bytes = sizeof(integer_state<std::int16_t>);
    return static_cast<std::uint32_t>(bytes) * static_cast<std::uint32_t>(plan.columns.output * plan.channels);
  }
  /// The state of an integer pool. If the pool does not support integers, this is the state of a float pool.
  template <class T>
  using integer_state = pool_state<How, std::conditional_t<supports_integers, T, float>>;
};

}  // namespace detail

/// `tfl.average_pool_2d` on int8, int16 or float32, with SAME or VALID padding and any stride; fused activation none, relu, relu_n1_to_1 or
/// relu6. Elements in the padding do not count. Numeric rules: TensorFlow Lite's reference `AveragePool`. Pixels are written in row-major
/// order or in reverse, channels innermost; the inputs of a pixel are still read while the pixel is written.
struct average_pool_2d : detail::pool_kernel<"tfl.average_pool_2d", detail::averaging> {};
static_assert(kernel<average_pool_2d>);

/// `tfl.max_pool_2d`: the largest element under a window. Types, options and order of writing are those of `average_pool_2d`.
struct max_pool_2d : detail::pool_kernel<"tfl.max_pool_2d", detail::taking_largest> {};
static_assert(kernel<max_pool_2d>);

namespace detail {

/// `tfl.l2_pool_2d` on float32: the root of the mean of the squares. Options and order of writing are those of `average_pool_2d`. Numeric
/// rules: TensorFlow Lite's reference `L2Pool`.
struct l2_pool_2d : detail::pool_kernel<"tfl.l2_pool_2d", detail::root_mean_square> {};
static_assert(kernel<l2_pool_2d>);

}  // namespace detail

}  // namespace baton::portable
