// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Depthwise convolution, `tfl.depthwise_conv_2d` and `baton.depthwise_conv_2d`.
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
#include <baton/kernels/node_check.hpp>
#include <baton/kernels/window.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace baton::portable {

namespace detail {

/// The geometry of a depthwise convolution. Output channel c · multiplier + i depends only on input channel c.
struct depthwise {
  std::int32_t batches = 1;
  std::int32_t in_channels = 1;
  std::int32_t multiplier = 1;
  window_axis rows{};
  window_axis columns{};
  channel_output out{};

  constexpr auto output_rows() const -> std::int32_t { return batches * rows.output; }
};
static_assert(has_no_padding<depthwise>);

/// Describes a depthwise convolution. Shapes: input [N, H, W, C], filter [1, h, w, C · m], bias [C · m] or absent, output [N, H', W', C ·
/// m].
constexpr auto describe_depthwise(const program_view& program, const node& record) -> node_description<depthwise> {
  node_check check{program, record};
  check.counts(2, is_baton_layer(record) ? factor_operands::shifts + 1 : 3);
  const auto in = check.input(0, "input", 4);
  const auto filter = check.input(1, "filter", 4);
  const auto out = check.output(4);
  const auto padding = check.padding();
  depthwise plan;
  plan.batches = in.size(0);
  plan.in_channels = in.size(3);
  plan.multiplier = out.size(3) / in.size(3);
  check.demand(in.size(0) == out.size(0), "batch size of the input is ", in.size(0), ", of the output ", out.size(0));
  check.demand(filter.size(0) == 1, "first dimension of the filter is ", filter.size(0), ", not 1");
  check.demand(out.size(3) == filter.size(3), "filter has ", filter.size(3), " output channels, the output has ", out.size(3));
  check.demand(out.size(3) % in.size(3) == 0, "output channels ", out.size(3), " are not a multiple of input channels ", in.size(3));
  // The option is redundant; 0 means that the shapes determine the multiplier.
  const auto stated = check.option("depth_multiplier", 0, 0, max_bytes);
  check.demand(stated == 0 || stated == plan.multiplier, "depth multiplier ", stated, " does not match channels ", in.size(3), " and ",
               out.size(3));
  plan.rows = check.axis("height", padding.rows, in.size(1), out.size(1), filter.size(1), check.option("stride_h", 1, 1, max_bytes),
                         check.option("dilation_h_factor", 1, 1, max_bytes));
  plan.columns = check.axis("width", padding.columns, in.size(2), out.size(2), filter.size(2), check.option("stride_w", 1, 1, max_bytes),
                            check.option("dilation_w_factor", 1, 1, max_bytes));
  plan.out = check_channels(check, program, record,
                            {.in = in,
                             .filter = filter,
                             .out = out,
                             .channels = filter.size(3),
                             .axis = 3,
                             .products = filter.count / filter.size(3),
                             .has_int32_sums = false});
  return {check.verdict_so_far(), plan};
}

constexpr auto layer_of(const depthwise& of) -> layer {
  return {.out = of.out,
          .batches = of.batches,
          .in_channels = of.in_channels,
          .group_channels = 1,
          .group_outputs = of.multiplier,
          .channel_step = 1,
          .tap_step = of.out.channels,
          .rows = of.rows,
          .columns = of.columns,
          .is_asymmetric = 1};
}

/// Computes one output pixel if each input channel has one output channel. Adjacent channels are computed in steps of `lanes`.
template <depthwise G, write_order Order, class Element, class Channels>
inline void convolve_each(const Element* image, const Element* filter, const Channels& channels, std::int32_t top, std::int32_t left,
                          Element* to) {
  constexpr std::ptrdiff_t pitch = Channels::element_bytes * G.out.channels;
  for_runs_in<Order, G.out.channels, lanes>([&](std::int32_t channel, auto n) {
    const auto skip = Channels::element_bytes * channel;
    std::array<typename Channels::sum, n> sums{};
    for_taps(G.rows, G.columns, top, left, [&](std::int32_t pixel, std::int32_t tap) {
      Channels::add_each(image + pixel * pitch + skip, filter + (tap * std::ptrdiff_t{G.out.channels} + channel) * Channels::weight_bytes,
                         sums);
    });
    const auto finished = sums;  // `finished` is a copy, because indexing `sums` itself with a variable would keep it out of registers
    channels.store(finished, channel, to);
  });
}

/// Computes one output pixel if each input channel has several output channels. The output channels of one input channel are computed in
/// steps of `lanes`.
template <depthwise G, write_order Order, class Element, class Channels>
inline void convolve_spread(const Element* image, const Element* filter, const Channels& channels, std::int32_t top, std::int32_t left,
                            Element* to) {
  constexpr std::ptrdiff_t in_pitch = Channels::element_bytes * G.in_channels;
  constexpr std::ptrdiff_t out_pitch = Channels::weight_bytes * G.out.channels;
  for (std::int32_t c = 0; c < G.in_channels; ++c) {
    const auto from = nth(Order, c, G.in_channels);
    for_runs_in<Order, G.multiplier, lanes>([&](std::int32_t i, auto n) {
      const auto channel = from * G.multiplier + i;
      std::array<typename Channels::sum, n> sums{};
      for_taps(G.rows, G.columns, top, left, [&](std::int32_t pixel, std::int32_t tap) {
        Channels::add_spread(image + pixel * in_pitch + Channels::element_bytes * from,
                             filter + tap * out_pitch + Channels::weight_bytes * channel, sums);
      });
      const auto finished = sums;
      channels.store(finished, channel, to);
    });
  }
}

/// Computes the columns `columns` of the output rows `rows`. The function is not inlined, so that the stack holds only one node's
/// frame at a time.
template <depthwise G, write_order Order, class Element, class Channels, class Rows, class Columns>
[[gnu::noinline]] void convolve_depthwise(const Element* input, const Element* filter, const Channels channels, Element* output, Rows rows,
                                          Columns columns) {
  constexpr std::ptrdiff_t bytes = Channels::element_bytes;
  constexpr std::ptrdiff_t image_bytes = bytes * G.rows.input * G.columns.input * G.in_channels;
  for (std::int32_t i = 0; i < rows.last - rows.first; ++i) {
    const auto row = rows.first + nth(Order, i, rows.last - rows.first);
    const Element* image = input + row / G.rows.output * image_bytes;
    const auto top = G.rows.origin(row % G.rows.output);
    for (std::int32_t j = 0; j < columns.last - columns.first; ++j) {
      const auto x = columns.first + nth(Order, j, columns.last - columns.first);
      Element* to = output + (row * G.columns.output + x) * G.out.channels * bytes;
      if constexpr (G.multiplier == 1) {
        convolve_each<G, Order>(image, filter, channels, top, G.columns.origin(x), to);
      } else {
        convolve_spread<G, Order>(image, filter, channels, top, G.columns.origin(x), to);
      }
    }
  }
}

}  // namespace detail

/// A kernel that computes `tfl.depthwise_conv_2d` for the types of `conv_2d`, with SAME or VALID padding, and any stride, dilation and
/// depth multiplier. The fused activation may be none, relu, relu_n1_to_1 or relu6. The numeric rules of `conv_2d` apply, with two
/// exceptions. An int16 layer always sums in 64 bits, and inputs that are quantized at run time always have a zero point. Pixels are
/// written in row-major order or in the reverse order, channels innermost. A part of an output pixel may be written before all inputs of
/// this pixel have been read. `baton.depthwise_conv_2d` has the padding, rounding and bounds of `baton.conv_2d` (see `conv_2d`).
struct depthwise_conv_2d : detail::convolution_kernel<depthwise_conv_2d> {
  static constexpr literal_name operators[] = {"tfl.depthwise_conv_2d", "baton.depthwise_conv_2d"};

  static constexpr auto geometry_of(const program_view& program, const node& record) -> node_description<detail::depthwise> {
    return detail::describe_depthwise(program, record);
  }
  template <detail::depthwise Plan, class Call, class Rows, class Columns>
  static void compute_part(const Call& call, Rows rows, Columns columns) {
    constexpr auto channel_run = Plan.multiplier == 1 ? Plan.out.channels : Plan.multiplier;
    const auto channels = channels_of<Plan.out, Call, channel_scaling::in_double, channel_run>(call);
    using channel_kind = decltype(channels);
    detail::convolve_depthwise<Plan, Call::order()>(channel_kind::elements(call.template input<0>()),
                                                    channel_kind::elements(call.template input<1>()), channels,
                                                    channel_kind::elements(call.template output<0>()), rows, columns);
  }
};
static_assert(kernel<depthwise_conv_2d>);

}  // namespace baton::portable
