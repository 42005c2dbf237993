// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Two-dimensional convolution, `tfl.conv_2d` and `baton.conv_2d`.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/verdict.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/min_distance.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernels/detail/channel_forms.hpp>
#include <baton/kernels/detail/channel_numbers.hpp>
#include <baton/kernels/detail/channels.hpp>
#include <baton/kernels/detail/convolution_kernel.hpp>
#include <baton/kernels/detail/distances.hpp>
#include <baton/kernels/detail/geometry.hpp>
#include <baton/kernels/detail/layer.hpp>
#include <baton/kernels/detail/products.hpp>
#include <baton/kernels/detail/quantized.hpp>
#include <baton/kernels/node_check.hpp>
#include <baton/kernels/window.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace baton::portable {

namespace detail {

/// The geometry of a convolution. Nodes with equal geometry share their code; weights and multipliers are passed as pointers.
struct convolution {
  std::int32_t batches = 1;
  std::int32_t in_channels = 1;
  std::int32_t group_channels = 1;  ///< input channels of the filter; fewer than `in_channels` if the convolution has groups
  window_axis rows{};
  window_axis columns{};
  channel_output out{};

  constexpr auto taps() const -> std::int32_t { return rows.filter * columns.filter; }
  constexpr auto groups() const -> std::int32_t { return in_channels / group_channels; }
  /// Returns the number of output rows of all images of a batch.
  constexpr auto output_rows() const -> std::int32_t { return batches * rows.output; }
};
static_assert(has_no_padding<convolution>);

/// Describes a convolution. Shapes: input [N, H, W, C], filter [C', h, w, C / groups], bias [C'] or absent, output [N, H', W', C'].
constexpr auto describe_convolution(const program_view& program, const node& record) -> node_description<convolution> {
  node_check check{program, record};
  check.counts(2, is_baton_layer(record) ? factor_operands::shifts + 1 : 3);
  const auto in = check.input(0, "input", 4);
  const auto filter = check.input(1, "filter", 4);
  const auto out = check.output(4);
  const auto padding = check.padding();
  convolution plan;
  plan.batches = in.size(0);
  plan.in_channels = in.size(3);
  plan.group_channels = filter.size(3);
  check.demand(in.size(0) == out.size(0), "batch size of the input is ", in.size(0), ", of the output ", out.size(0));
  check.demand(out.size(3) == filter.size(0), "filter has ", filter.size(0), " output channels, the output has ", out.size(3));
  const bool has_groups = in.size(3) % filter.size(3) == 0 && filter.size(0) % (in.size(3) / filter.size(3)) == 0;
  check.demand(has_groups, "filter channels ", filter.size(3), " do not match input channels ", in.size(3));
  plan.rows = check.axis("height", padding.rows, in.size(1), out.size(1), filter.size(1), check.option("stride_h", 1, 1, max_bytes),
                         check.option("dilation_h_factor", 1, 1, max_bytes));
  plan.columns = check.axis("width", padding.columns, in.size(2), out.size(2), filter.size(2), check.option("stride_w", 1, 1, max_bytes),
                            check.option("dilation_w_factor", 1, 1, max_bytes));
  plan.out = check_channels(
      check, program, record,
      {.in = in, .filter = filter, .out = out, .channels = filter.size(0), .axis = 0, .products = filter.count / filter.size(0)});
  return {check.verdict_so_far(), plan};
}

constexpr auto layer_of(const convolution& of) -> layer {
  const auto length = of.taps() * of.group_channels;
  return {.out = of.out,
          .batches = of.batches,
          .in_channels = of.in_channels,
          .group_channels = of.group_channels,
          .group_outputs = of.out.channels / of.groups(),
          .channel_step = length,
          .tap_step = of.group_channels,
          .rows = of.rows,
          .columns = of.columns,
          .is_asymmetric = of.out.is_per_channel};
}

/// The limits of a patch. A patch is the memory on the stack for the inputs of one output pixel. If a patch exceeds `patch_bytes`, the
/// patch is gathered in pieces, for at most `channels` output channels at a time. Each piece is gathered again for the next channels.
struct stack_limits {
  flag is_wide = has_vectors ? 1 : 0;  ///< whether the patch has 16-bit elements, whatever the zero point
  std::int32_t patch_bytes = has_vectors ? 2048 : 144;
  std::int32_t channels = 16;
};

/// Returns the number of elements of a piece: all pieces of a patch have this size, except for the last one, which may be smaller.
constexpr auto piece_of(std::int32_t length, std::int32_t max_elements) -> std::int32_t {
  const auto pieces = (length + max_elements - 1) / max_elements;
  return (length + pieces - 1) / pieces;
}

/// Returns the zero point of the inputs of an int8 layer: the member `input_zero_point` of `channels` if there is one, otherwise the
/// compile-time constant of the geometry.
template <convolution G, class Channels>
auto input_zero_point_of(const Channels& channels) {
  if constexpr (requires { channels.input_zero_point; }) {
    return channels.input_zero_point;
  } else {
    return known_zero_point<G.out.input_zero_point>{};
  }
}

/// Copies the inputs of one output pixel to `patch`, minus their zero point. Taps (positions of the window) in the padding become 0, so
/// that they add nothing to a sum.
template <convolution G, class Difference, class Zero>
inline void gather_patch(const std::int8_t* image, std::int32_t top, std::int32_t left, Difference* patch, Zero zero) {
  constexpr auto channels = G.group_channels;
  constexpr auto width = G.columns.filter * channels;
  for (std::int32_t ky = 0; ky < G.rows.filter; ++ky) {
    const auto y = top + ky * G.rows.dilation;
    const bool is_inside = y >= 0 && y < G.rows.input;
    const std::int8_t* line = image + (is_inside ? y * G.columns.input * G.in_channels : 0);
    if constexpr (G.columns.dilation == 1 && G.groups() == 1) {
      if (is_inside && left >= 0 && left + G.columns.filter <= G.columns.input) {
        widen<width>(line + left * channels, patch, zero);
        patch += width;
        continue;
      }
    }
    for (std::int32_t kx = 0; kx < G.columns.filter; ++kx) {
      const auto x = left + kx * G.columns.dilation;
      if (is_inside && x >= 0 && x < G.columns.input) {
        widen<channels>(line + x * G.in_channels, patch, zero);
      } else {
        std::memset(patch, 0, static_cast<std::size_t>(channels) * sizeof *patch);
      }
      patch += channels;
    }
  }
}

/// Like `gather_patch`, but copies only the elements [`begin`, `end`) of the patch. Their destination is `piece`.
template <convolution G, class Difference, class Zero>
inline void gather_piece(const std::int8_t* image, std::int32_t top, std::int32_t left, std::int32_t begin, std::int32_t end,
                         Difference* piece, Zero zero) {
  constexpr auto channels = G.group_channels;
  for (auto at = begin; at < end;) {
    const auto tap = at / channels;
    const auto channel = at % channels;
    const auto count = std::min(channels - channel, end - at);
    const auto y = top + tap / G.columns.filter * G.rows.dilation;
    const auto x = left + tap % G.columns.filter * G.columns.dilation;
    if (y >= 0 && y < G.rows.input && x >= 0 && x < G.columns.input) {
      const auto pixel = y * G.columns.input + x;
      subtract_zero_point(image + pixel * G.in_channels + channel, count, piece, zero);
    } else {
      std::memset(piece, 0, static_cast<std::size_t>(count) * sizeof *piece);
    }
    piece += count;
    at += count;
  }
}

/// Computes the output channels of one group of one output pixel from the patch of this pixel.
template <convolution G, stack_limits Limits, write_order Order, class Channels>
inline void convolve_patch(const std::int8_t* image, const std::int8_t* filter, const Channels& channels, std::int32_t top,
                           std::int32_t left, std::int32_t first_channel, std::int8_t* to) {
  const auto zero = input_zero_point_of<G>(channels);
  using element = difference<std::remove_const_t<decltype(zero)>, Limits.is_wide != 0>;
  constexpr auto length = G.taps() * G.group_channels;
  constexpr auto piece = piece_of(length, Limits.patch_bytes / static_cast<std::int32_t>(sizeof(element)));
  constexpr auto outputs = G.out.channels / G.groups();
  constexpr auto step = Channels::channels_per_step;
  alignas(has_vectors ? 16 : 4) element patch[static_cast<std::size_t>(piece)];
  if constexpr (piece == length) {
    gather_patch<G>(image, top, left, patch, zero);
    for_runs_in<Order, outputs, step>([&](std::int32_t c, auto m) {
      const auto channel = first_channel + c;
      std::array<std::int32_t, m> sums{};
      add_products<length, length, m>(patch, filter + static_cast<std::ptrdiff_t>(channel) * length, sums.data());
      channels.store(sums, channel, to);
    });
  } else {
    for_runs_in<Order, outputs, Limits.channels>([&](std::int32_t first, auto count) {
      const std::int8_t* const weights = filter + static_cast<std::ptrdiff_t>(first_channel + first) * length;
      std::int32_t sums[count] = {};
      const auto add_piece = [&](std::int32_t begin, auto size) {
        gather_piece<G>(image, top, left, begin, begin + static_cast<std::int32_t>(size), patch, zero);
        for_runs<count, step>([&](std::int32_t c, auto m) {
          add_products<size, length, m>(patch, weights + static_cast<std::ptrdiff_t>(c) * length + begin, sums + c);
        });
      };
      for_runs<length, piece>(add_piece);
      for_runs_in<Order, count, step>([&](std::int32_t c, auto m) {
        std::array<std::int32_t, m> finished;
        std::copy_n(sums + c, m, finished.begin());
        channels.store(finished, first_channel + first + c, to);
      });
    });
  }
}

/// Computes the output channels of one group of one output pixel, tap by tap.
template <convolution G, write_order Order, class Element, class Channels>
inline void convolve_taps(const Element* image, const Element* filter, const Channels& channels, std::int32_t top, std::int32_t left,
                          std::int32_t first_channel, Element* to) {
  constexpr auto length = G.taps() * G.group_channels;
  constexpr std::ptrdiff_t bytes = Channels::element_bytes;
  for_runs_in<Order, G.out.channels / G.groups(), Channels::channels_per_step>([&](std::int32_t c, auto m) {
    const auto channel = first_channel + c;
    const Element* weights = filter + static_cast<std::ptrdiff_t>(channel) * length * Channels::weight_bytes;
    std::array<typename Channels::sum, m> sums{};
    for_taps(G.rows, G.columns, top, left, [&](std::int32_t pixel, std::int32_t tap) {
      Channels::template add<G.group_channels, length>(image + pixel * G.in_channels * bytes,
                                                       weights + tap * G.group_channels * Channels::weight_bytes, sums);
    });
    channels.store(sums, channel, to);
  });
}

/// Computes the columns `columns` of the output rows `rows`. The function is not inlined, so that the stack holds only one node's
/// frame at a time.
template <convolution G, write_order Order, stack_limits Limits = stack_limits{}, class Element, class Channels, class Rows, class Columns>
[[gnu::noinline]] void convolve(const Element* input, const Element* filter, const Channels channels, Element* output, Rows rows,
                                Columns columns) {
  constexpr std::ptrdiff_t bytes = Channels::element_bytes;
  constexpr std::ptrdiff_t image_bytes = bytes * G.rows.input * G.columns.input * G.in_channels;
  for (std::int32_t i = 0; i < rows.last - rows.first; ++i) {
    const auto row = rows.first + nth(Order, i, rows.last - rows.first);
    const Element* image = input + row / G.rows.output * image_bytes;
    const auto top = G.rows.origin(row % G.rows.output);
    for (std::int32_t j = 0; j < columns.last - columns.first; ++j) {
      const auto x = columns.first + nth(Order, j, columns.last - columns.first);
      const auto left = G.columns.origin(x);
      Element* to = output + (row * G.columns.output + x) * G.out.channels * bytes;
      for (std::int32_t k = 0; k < G.groups(); ++k) {
        const auto group = nth(Order, k, G.groups());
        const auto first_channel = group * (G.out.channels / G.groups());
        const Element* from = image + group * G.group_channels * bytes;
        if constexpr (Channels::is_int8) {
          convolve_patch<G, Limits, Order>(from, filter, channels, top, left, first_channel, to);
        } else {
          convolve_taps<G, Order>(from, filter, channels, top, left, first_channel, to);
        }
      }
    }
  }
}

}  // namespace detail

/// A kernel that computes `tfl.conv_2d` with SAME or VALID padding, any stride, dilation and groups, and the fused activation none, relu,
/// relu_n1_to_1 or relu6. Also computes `baton.conv_2d`, which has explicit padding and rounds int8 outputs once by default. Types of
/// inputs and outputs:
/// - int8, with int8 or 4-bit weights;
/// - int16 (only `tfl.conv_2d`), with int8 weights;
/// - float32, with float32, float16, int8 or 4-bit weights. Weights and biases in float16 are widened on load (`fold_constants` produces
///   such nodes).
///
/// Integer weights have scales per channel or per tensor. Pixels are written in row-major order or in the reverse order, channels
/// innermost. While the channels of an output pixel are written, its inputs may still be read.
struct conv_2d : detail::convolution_kernel<conv_2d> {
  // Numeric rules of `tfl.conv_2d`: the TensorFlow Lite 8-bit quantization specification, with the double rounding of TensorFlow Lite's
  // reference kernels (`reference_integer_ops::ConvPerChannel`). An int16 layer with an int32 bias sums in 32 bits. With an int64 bias, the
  // layer sums in 64 bits and rounds once. Without a bias, the option `quantized_bias_type` selects the width of the sums. With float32
  // inputs and integer weights, each image is quantized to 8 bits, as in TensorFlow Lite's `EvalHybrid` (`conv.cc`). This quantization has
  // a zero point if the weights have a scale for each channel.
  //
  // The rules of `baton.conv_2d` are the same, except for the padding and the requantization of int8 outputs. Attributes:
  // - `pads`: the numbers of padding pixels at the top, left, bottom and right (default: 0). A padding pixel represents the real number 0.
  // - `rounding`: "once" (default) or "twice". The factor is M = input scale · filter scale / output scale, computed in double and stored
  //   as a fixed multiplier. A sum with its bias is multiplied by M and rounded once, half up (`requantize_once`). This is the arithmetic
  //   of ONNX QLinearConv and of PyTorch, except for ties and the last bits of M. "twice" rounds like `tfl.conv_2d`.
  // - `output_min`, `output_max`: bounds of a quantized output, as quantized integers. They apply in addition to the bounds of the fused
  //   activation.
  //
  // A `baton.conv_2d` of int8 that rounds once may have float32 biases, which are not rounded to the scale of the sums (PyTorch's quantized
  // models). Such a bias is converted to a 64-bit number and added to the product of the sum and M (`channel_numbers::addend_of`).
  //
  // The operands `multipliers` and `shifts` of `baton.conv_2d` replace the scales of int8 layers: one factor, or one per channel, as
  // fixed-point numbers (`fixed_multiplier`). The attributes `input_zero_point` and `output_zero_point` (default: 0) state the zero points.
  // Inputs, weights and outputs then need no quantization.

  static constexpr literal_name operators[] = {"tfl.conv_2d", "baton.conv_2d"};

  static constexpr auto geometry_of(const program_view& program, const node& record) -> node_description<detail::convolution> {
    return detail::describe_convolution(program, record);
  }
  template <detail::convolution Plan, class Call, class Rows, class Columns>
  static void compute_part(const Call& call, Rows rows, Columns columns) {
    const auto channels =
        detail::shared_channels(channels_of<Plan.out, Call, channel_scaling::in_double, Plan.out.channels / Plan.groups()>(call));
    using channel_kind = decltype(channels);
    constexpr auto shared = detail::shared_geometry<channel_kind>(Plan);
    detail::convolve<shared, Call::order()>(channel_kind::elements(call.template input<0>()),
                                            channel_kind::elements(call.template input<1>()), channels,
                                            channel_kind::elements(call.template output<0>()), rows, columns);
  }
};
static_assert(kernel<conv_2d>);

}  // namespace baton::portable
