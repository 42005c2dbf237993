// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Plain loops for layers with weights (convolutions, depthwise and transposed convolutions, and fully connected layers) in every
// `arithmetic`. The plan of the layer is an argument. Tests pass a plan that is computed at run time. In a program, only nodes without
// specialized code (`has_specialized_code`) use these loops, with a constant plan.
#pragma once

#include <baton/core/program.hpp>
#include <baton/kernel/min_distance.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernel/shared/compute_node.hpp>
#include <baton/kernels/detail/channel_numbers.hpp>
#include <baton/kernels/detail/channels.hpp>
#include <baton/kernels/detail/distances.hpp>
#include <baton/kernels/detail/half.hpp>
#include <baton/kernels/detail/image_scale.hpp>
#include <baton/kernels/detail/int4.hpp>
#include <baton/kernels/detail/products.hpp>
#include <baton/kernels/detail/quantized.hpp>
#include <baton/kernels/detail/requantize_wide.hpp>
#include <baton/kernels/unaligned.hpp>
#include <baton/kernels/window.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace baton::portable {

namespace detail {

/// The plan of a layer with weights. Output channel c depends on the `group_channels` input channels of its group. The weights of channel c
/// for tap t (a position of the window) begin at element c · `channel_step` + t · `tap_step`.
struct layer {
  channel_output out{};
  std::int32_t batches = 1;
  std::int32_t in_channels = 1;
  std::int32_t group_channels = 1;
  std::int32_t group_outputs = 1;  ///< output channels per group
  std::int32_t channel_step = 1;
  std::int32_t tap_step = 1;
  /// Whether the layer is a transposed convolution. In `rows` and `columns`, `input` is then the size of the layer's output, and `output`
  /// is the size of the layer's input.
  flag is_transposed = 0;
  window_axis rows{};
  window_axis columns{};
  std::int32_t input_at = 0;  ///< the position of the input among the operands
  std::int32_t bias_at = 2;
  flag is_asymmetric = 0;  ///< whether the quantized inputs of a hybrid layer have a zero point
  // The factors of output channels: a table that was computed at compile time, or null if `numbers` determines the factors.
  const std::int32_t* multipliers = nullptr;
  const std::int8_t* right_shifts = nullptr;
  channel_numbers numbers{};

  constexpr auto in_height() const -> std::int32_t { return is_transposed != 0 ? rows.output : rows.input; }
  constexpr auto in_width() const -> std::int32_t { return is_transposed != 0 ? columns.output : columns.input; }
  constexpr auto out_height() const -> std::int32_t { return is_transposed != 0 ? rows.input : rows.output; }
  constexpr auto out_width() const -> std::int32_t { return is_transposed != 0 ? columns.input : columns.output; }
  constexpr auto output_rows() const -> std::int32_t { return batches * out_height(); }
};

/// The type of sums. 32-bit sums wrap around, as in the reference (the kernel of TensorFlow Lite Micro).
template <arithmetic By>
using layer_sum =
    std::conditional_t<has_float_sums(By), float, std::conditional_t<By == arithmetic::int16_wide, std::int64_t, std::uint32_t>>;

template <arithmetic By>
[[gnu::always_inline]] inline auto weight_at(const char* weights, std::int32_t at) -> std::int32_t {
  if constexpr (By == arithmetic::int8_by_int4 || By == arithmetic::hybrid_by_int4) {
    return load_int4(weights, at);
  } else {
    return load<std::int8_t>(weights, at);
  }
}

/// Adds products to the sums of `M` output channels. All channels have the same inputs: the `group_channels` contiguous elements from
/// element `from` on. The weights of channel m begin at element `at` + m · `channel_step`. Only hybrid layers have `M` > 1.
template <arithmetic By, std::size_t M>
[[gnu::always_inline]] inline void add_run(const layer& plan, const image_scale& image, const char* input, std::int32_t from,
                                           const char* weights, std::int32_t at, std::array<layer_sum<By>, M>& sums) {
  const auto count = plan.group_channels;
  if constexpr (has_float_sums(By)) {
    using reading = reading_of<By == arithmetic::float32_by_float16>;
    for (std::int32_t i = 0; i < count; ++i) sums[0] += load<float>(input, from + i) * reading::weight(weights, at + i);
  } else if constexpr (is_hybrid(By)) {
    // Rounding costs more than a product, so each input is quantized once for all `M` channels.
    constexpr std::int32_t block = 64;
    std::array<std::int16_t, block> numbers;
    for (std::int32_t i = 0; i < count; i += block) {
      const auto length = count - i < block ? count - i : block;
      for (std::int32_t k = 0; k < length; ++k) {
        numbers[static_cast<std::size_t>(k)] =
            static_cast<std::int16_t>(image.quantize(load<float>(input, from + i + k)) - image.zero_point);
      }
      for (std::size_t m = 0; m < M; ++m) {
        const auto begin = at + static_cast<std::int32_t>(m) * plan.channel_step + i;
        std::int32_t part = 0;
        for (std::int32_t k = 0; k < length; ++k) part += numbers[static_cast<std::size_t>(k)] * weight_at<By>(weights, begin + k);
        sums[m] += static_cast<std::uint32_t>(part);
      }
    }
  } else if constexpr (By == arithmetic::int16_wide) {
    constexpr std::int32_t block = 128;  // the sum of 128 products of 24 bits fits 32 bits
    for (std::int32_t i = 0; i < count; i += block) {
      const auto end = count - i < block ? count : i + block;
      std::int32_t part = 0;
      for (auto k = i; k < end; ++k)
        part += (load<std::int16_t>(input, from + k) - plan.out.input_zero_point) * weight_at<By>(weights, at + k);
      sums[0] += part;
    }
  } else {
    using element = std::conditional_t<By == arithmetic::int16, std::int16_t, std::int8_t>;
    auto sum = sums[0];  // in a register
    const auto add = [&](std::int32_t i, std::int32_t weight) {
      sum += static_cast<std::uint32_t>((load<element>(input, from + i) - plan.out.input_zero_point) * weight);
    };
    std::int32_t i = 0;
    if constexpr (By == arithmetic::int8_by_int4) {
      if (at % 2 != 0 && count > 0) add(i++, weight_at<By>(weights, at));
      for (; i + 1 < count; i += 2) {  // both weights of a byte
        const auto both = load<std::int8_t>(weights, (at + i) / 2);
        add(i, static_cast<std::int8_t>(static_cast<unsigned char>(both) << 4) >> 4);
        add(i + 1, both >> 4);
      }
    }
    for (; i < count; ++i) add(i, weight_at<By>(weights, at + i));
    sums[0] = sum;
  }
}

/// Returns the factor of an output channel: input scale · filter scale / output scale.
[[gnu::always_inline]] constexpr auto channel_factor(const layer& plan, std::int32_t channel) -> quantized::fixed_multiplier {
  if (plan.multipliers != nullptr) {
    const auto at = plan.out.is_per_channel != 0 ? channel : 0;
    return {plan.multipliers[at], -plan.right_shifts[at]};
  }
  return plan.numbers.factor_of(static_cast<std::size_t>(channel));
}

/// Converts `sum` to an output, and stores the output as element `at` of `to`.
template <arithmetic By>
[[gnu::always_inline]] inline void store_sum(const layer& plan, const image_scale& image, layer_sum<By> sum, const char* bias,
                                             std::int32_t channel, char* to, std::int32_t at) {
  if constexpr (has_float_sums(By)) {
    if (plan.out.has_bias != 0) sum += plan.out.has_narrow_bias != 0 ? load_half(bias, channel) : load<float>(bias, channel);
    store(to, at, quantized::float_bounds(plan.out.fused).clamp(sum));
  } else if constexpr (is_hybrid(By)) {
    auto real =
        static_cast<float>(static_cast<std::int32_t>(sum)) * (image.scale * plan.numbers.filter_scale(static_cast<std::size_t>(channel)));
    if (plan.out.has_bias != 0) real += load<float>(bias, channel);
    store(to, at, quantized::float_bounds(plan.out.fused).clamp(real));
  } else if constexpr (By == arithmetic::int16_wide) {
    if (plan.out.has_bias != 0)
      sum += plan.out.has_narrow_bias != 0 ? load<std::int16_t>(bias, channel) : load<std::int64_t>(bias, channel);
    const auto scaled = wrapping_sum(requantize_wide(sum, channel_factor(plan, channel)), plan.out.zero_point);
    store(to, at, static_cast<std::int16_t>(plan.out.range.clamp(scaled)));
  } else if constexpr (By == arithmetic::int8_with_real_bias) {
    const auto addend = plan.numbers.addend_of(static_cast<std::size_t>(channel));
    const auto output =
        output_with_addend(static_cast<std::int32_t>(sum), channel_factor(plan, channel), addend, plan.out.zero_point, plan.out.range);
    store(to, at, static_cast<std::int8_t>(output));
  } else {
    using element = std::conditional_t<By == arithmetic::int16, std::int16_t, std::int8_t>;
    if (plan.out.has_bias != 0) sum += static_cast<std::uint32_t>(load<std::int32_t>(bias, channel));
    const auto by = channel_factor(plan, channel);
    if constexpr (By == arithmetic::int8 || By == arithmetic::int8_by_int4) {
      if (plan.out.rounds_once()) {
        const auto output = output_rounded_once(static_cast<std::int32_t>(sum), by, plan.out.zero_point, plan.out.range);
        return store(to, at, static_cast<element>(output));
      }
    }
    const auto scaled = quantized::requantize(static_cast<std::int32_t>(sum), by);
    store(to, at, static_cast<element>(plan.out.range.clamp(wrapping_sum(scaled, plan.out.zero_point))));
  }
}

/// The inputs along an axis that contribute to an output, and their taps. For i in [`first`, `last`), input `position` + i ·
/// `position_step` is multiplied by tap `tap` + i · `tap_step`.
struct axis_walk {
  std::int32_t first = 0;
  std::int32_t last = 0;
  std::int32_t position = 0;
  std::int32_t position_step = 1;
  std::int32_t tap = 0;
  std::int32_t tap_step = 1;
};
/// Returns the inputs of output `at` along an axis.
[[gnu::always_inline]] constexpr auto walk_of(bool is_transposed, const window_axis& axis, std::int32_t at) -> axis_walk {
  if (!is_transposed) {
    const auto from = axis.origin(at);
    return {axis.first_tap(from), axis.end_tap(from), from, axis.dilation, 0, 1};
  }
  const auto from = at + axis.before;
  const auto last = from / axis.stride + 1;
  return {
      from < axis.filter ? 0 : (from - axis.filter) / axis.stride + 1, last < axis.output ? last : axis.output, 0, 1, from, -axis.stride};
}

/// Calls `f(pixel, tap)` for each input pixel that contributes to the output pixel at row `y`, column `x`, in ascending order of pixels.
template <class F>
[[gnu::always_inline]] inline void for_inputs(const layer& plan, std::int32_t y, std::int32_t x, F f) {
  const auto rows = walk_of(plan.is_transposed != 0, plan.rows, y);
  const auto columns = walk_of(plan.is_transposed != 0, plan.columns, x);
  for (auto i = rows.first; i < rows.last; ++i) {
    const auto line = (rows.position + i * rows.position_step) * plan.in_width() + columns.position;
    const auto taps = (rows.tap + i * rows.tap_step) * plan.columns.filter + columns.tap;
    for (auto k = columns.first; k < columns.last; ++k) f(line + k * columns.position_step, taps + k * columns.tap_step);
  }
}

/// A callable that calls `add_run` for a pixel and a tap. It is not a lambda, because GCC would not inline a lambda.
template <arithmetic By, std::size_t M>
struct run_adder {
  const layer& plan;
  const image_scale& image;
  const char* input;
  const char* weights;
  std::int32_t from;
  std::int32_t at;
  std::array<layer_sum<By>, M>& sums;

  [[gnu::always_inline]] void operator()(std::int32_t pixel, std::int32_t tap) const {
    add_run<By>(plan, image, input, from + pixel * plan.in_channels, weights, at + tap * plan.tap_step, sums);
  }
};

/// Computes the channels [`channel`, `channel` + `M`), all of one group, of the output pixel at row `y`, column `x`. `begin` is the index
/// of the image's first input pixel. Channel 0 of the output pixel is element `at` of `to`.
template <arithmetic By, std::size_t M>
[[gnu::always_inline]] inline void compute_channels(const layer& plan, const image_scale& image, const char* input, const char* weights,
                                                    const char* bias, char* to, std::int32_t begin, std::int32_t y, std::int32_t x,
                                                    std::int32_t channel, std::int32_t at) {
  const auto from = begin * plan.in_channels + channel / plan.group_outputs * plan.group_channels;
  std::array<layer_sum<By>, M> sums{};
  for_inputs(plan, y, x, run_adder<By, M>{plan, image, input, weights, from, channel * plan.channel_step, sums});
  for (std::size_t m = 0; m < M; ++m) {
    const auto next = channel + static_cast<std::int32_t>(m);
    store_sum<By>(plan, image, sums[m], bias, next, to, at + next);
  }
}

/// Returns the `min_distance` of a layer that writes each output channel as soon as its inputs are read. The same distance suffices for
/// specialized code, which computes several channels in one step. Hybrid layers write only in ascending order.
constexpr auto distance_of_layer(const layer& plan) -> min_distance {
  const std::int64_t bytes = is_real(plan.out.by) ? 4 : plan.out.by == arithmetic::int16 || plan.out.by == arithmetic::int16_wide ? 2 : 1;
  const auto inside =
      inside_of_groups(plan.in_channels / plan.group_channels, plan.group_channels * bytes, plan.group_outputs * bytes, bytes);
  const auto distance = distance_of({plan.rows, plan.columns, plan.in_channels * bytes, plan.out.channels * bytes, plan.batches}, inside);
  return is_hybrid(plan.out.by) ? upward(distance) : distance;
}

/// Computes the channels [`first`, `last`) of the output pixel at row `y`, column `x`. `begin` and `at` have the same meaning as for
/// `compute_channels`. A hybrid layer computes eight channels in one step if at least eight channels of the group remain. `last` must not
/// be inside such a step.
template <arithmetic By>
[[gnu::always_inline]] inline void compute_pixel(const layer& plan, const image_scale& image, const char* input, const char* weights,
                                                 const char* bias, char* to, std::int32_t begin, std::int32_t y, std::int32_t x,
                                                 std::int32_t at, std::int32_t first, std::int32_t last, write_order order) {
  for (auto k = first; k < last;) {
    const auto channel = first + nth(order, k - first, last - first);
    if constexpr (is_hybrid(By)) {  // `order` is always ascending here
      constexpr std::int32_t channels_per_step = 8;
      if (plan.group_outputs - channel % plan.group_outputs >= channels_per_step) {
        compute_channels<By, channels_per_step>(plan, image, input, weights, bias, to, begin, y, x, channel, at);
        k += channels_per_step;
        continue;
      }
    }
    compute_channels<By, 1>(plan, image, input, weights, bias, to, begin, y, x, channel, at);
    ++k;
  }
}

/// Returns the quantization of an input image of a hybrid layer. `begin` is the index of the image's first pixel.
[[gnu::always_inline]] inline auto scale_at(const layer& plan, const char* input, std::int32_t begin) -> image_scale {
  return scale_of_image(input + std::ptrdiff_t{4} * begin * plan.in_channels, plan.in_height() * plan.in_width() * plan.in_channels,
                        plan.is_asymmetric != 0);
}

/// Computes the output rows [`first`, `last`). Row numbers continue from image to image of a batch.
template <arithmetic By>
[[gnu::always_inline]] inline void compute_rows_by(const layer& plan, const char* input, const char* weights, const char* bias, char* to,
                                                   std::int32_t first, std::int32_t last, write_order order) {
  const auto pixels = plan.in_height() * plan.in_width();
  image_scale image;  // computed from the whole input image before any of its output rows is written
  for (std::int32_t i = 0; i < last - first; ++i) {
    const auto row = first + nth(order, i, last - first);
    const auto begin = row / plan.out_height() * pixels;
    if constexpr (is_hybrid(By)) {
      if (i == 0 || row % plan.out_height() == 0) image = scale_at(plan, input, begin);
    }
    for (std::int32_t j = 0; j < plan.out_width(); ++j) {
      const auto x = nth(order, j, plan.out_width());
      const auto at = (row * plan.out_width() + x) * plan.out.channels;
      compute_pixel<By>(plan, image, input, weights, bias, to, begin, row % plan.out_height(), x, at, 0, plan.out.channels, order);
    }
  }
}

/// Computes a whole layer of any arithmetic. The function is a template, so that the loops are compiled only if it is called. The kernels'
/// functions with a parameter of type `Plan` are templates for the same reason.
template <class Plan>
void compute_layer(const Plan& plan, const node_memory& memory) {
  const char* input = memory.inputs[plan.input_at];
  const char* bias = plan.out.has_bias != 0 ? memory.inputs[plan.bias_at] : nullptr;
  const auto compute = [&]<arithmetic By>(std::integral_constant<arithmetic, By>) {
    compute_rows_by<By>(plan, input, memory.inputs[1], bias, memory.outputs[0], 0, plan.output_rows(), memory.order);
  };
  switch (plan.out.by) {
    case arithmetic::float32:
      return compute(std::integral_constant<arithmetic, arithmetic::float32>{});
    case arithmetic::float32_by_float16:
      return compute(std::integral_constant<arithmetic, arithmetic::float32_by_float16>{});
    case arithmetic::int8:
      return compute(std::integral_constant<arithmetic, arithmetic::int8>{});
    case arithmetic::int8_with_real_bias:
      return compute(std::integral_constant<arithmetic, arithmetic::int8_with_real_bias>{});
    case arithmetic::int8_by_int4:
      return compute(std::integral_constant<arithmetic, arithmetic::int8_by_int4>{});
    case arithmetic::int16:
      return compute(std::integral_constant<arithmetic, arithmetic::int16>{});
    case arithmetic::int16_wide:
      return compute(std::integral_constant<arithmetic, arithmetic::int16_wide>{});
    case arithmetic::hybrid:
      return compute(std::integral_constant<arithmetic, arithmetic::hybrid>{});
    case arithmetic::hybrid_by_int4:
      return compute(std::integral_constant<arithmetic, arithmetic::hybrid_by_int4>{});
  }
}

/// Returns `plan`, the plan of a supported layer, with the scales from which its factors are computed.
constexpr auto with_scales(layer plan, const program_view& program, const node& record, channel_scaling scaling) -> layer {
  if (is_real(plan.out.by)) {
    plan.numbers.scales = program.data(program[program.inputs(record)[1]].quant.scales);
  } else {
    plan.numbers = numbers_of(program, record, scaling, static_cast<std::size_t>(plan.input_at), static_cast<std::size_t>(plan.bias_at));
  }
  return plan;
}

/// Returns a description with the support of `geometry`, its plan converted to a `layer`, and the layer's minimum distance. Does not copy
/// the facts of `geometry`. If the layer is not supported, returns only the reason.
template <class Geometry>
constexpr auto describe_layer(const program_view& program, const node& record, node_description<Geometry> geometry, channel_scaling scaling)
    -> node_description<layer> {
  node_description<layer> result{std::move(geometry.support)};
  if (!result.support) return result;
  result.plan = with_scales(layer_of(geometry.plan), program, record, scaling);
  result.facts.operands[0].distance = distance_of_layer(result.plan);
  return result;
}

/// Calls `compute(plan, input, weights, bias, output)` for a node without specialized code. The plan is a constant, with its factors in
/// read-only memory.
template <channel_scaling Scaling, auto Geometry, class Call, class F>
[[gnu::always_inline]] inline void with_plain_layer(const Call& call, F compute) {
  constexpr auto base = layer_of(Geometry);
  constexpr auto input_at = static_cast<std::size_t>(base.input_at);
  const char* bias = nullptr;
  if constexpr (base.out.has_bias != 0) bias = call.template input<static_cast<std::size_t>(base.bias_at)>();
  const auto* input = call.template input<input_at>();
  const auto* weights = call.template input<1>();
  if constexpr (is_real(base.out.by)) {
    static constexpr auto plan = with_scales(base, Call::program(), Call::record(), Scaling);
    compute(plan, input, weights, bias, call.template output<0>());
  } else {
    static constexpr auto table = table_of<base.out.table_size()>(Call::program(), Call::record(), Scaling, input_at);
    static constexpr auto plan = [] {
      auto with_table = layer_of(Geometry);
      with_table.multipliers = table.values.data();
      with_table.right_shifts = table.rights.data();
      return with_table;
    }();
    compute(plan, input, weights, bias, call.template output<0>());
  }
}

/// Computes the output rows `rows` of a node without specialized code, with the plain loops.
template <channel_scaling Scaling, auto Geometry, class Call, class Rows>
void run_layer_rows(const Call& call, Rows rows) {
  with_plain_layer<Scaling, Geometry>(
      call, [&](const layer& plan, const char* input, const char* weights, const char* bias, char* to) __attribute__((always_inline)) {
        compute_rows_by<layer_of(Geometry).out.by>(plan, input, weights, bias, to, rows.first, rows.last, Call::order());
      });
}

template <class Kernel, class Program, std::uint32_t Index>
inline constexpr auto geometry_constant = Kernel::geometry_of(static_view<Program>, static_view<Program>.nodes[Index]).plan;

/// The geometry of the layer at the node of `Call`, as a constant.
template <class Kernel, class Call>
inline constexpr const auto& layer_geometry = geometry_constant<Kernel, typename Call::program_type, Call::index>;

}  // namespace detail

}  // namespace baton::portable
