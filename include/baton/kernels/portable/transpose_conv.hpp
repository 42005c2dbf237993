// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Transposed two-dimensional convolution, `tfl.transpose_conv`.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/verdict.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernels/detail/channels.hpp>
#include <baton/kernels/detail/geometry.hpp>
#include <baton/kernels/detail/layer.hpp>
#include <baton/kernels/detail/layer_chunks.hpp>
#include <baton/kernels/node_check.hpp>
#include <baton/kernels/window.hpp>
#include <baton/operators/shared/window.hpp>

#include <cstdint>
#include <string_view>

namespace baton::portable {

namespace detail {

/// The geometry of a transposed convolution. `rows` and `columns` describe the ordinary convolution that maps an image of the output's size
/// to an image of the input's size.
struct transposed_convolution {
  std::int32_t batches = 1;
  std::int32_t in_channels = 1;
  window_axis rows{};
  window_axis columns{};
  channel_output out{};

  constexpr auto output_rows() const -> std::int32_t { return batches * rows.input; }
};
static_assert(has_no_padding<transposed_convolution>);

/// Returns an axis of a transposed convolution. As in the reference, the axis has the padding of the ordinary convolution from the output
/// to the input. The input may have any size; products outside the output are omitted.
constexpr auto transposed_axis(node_check& check, std::string_view name, bool is_same, std::int32_t in, std::int32_t out,
                               std::int32_t filter, std::int32_t stride) -> window_axis {
  const auto convolved_size = window_size(is_same, out, filter, stride, 1);
  check.demand(convolved_size > 0, "filter ", name, " ", filter, " exceeds the output's ", out);
  check.demand(in <= max_bytes / stride - 1, "input ", name, " ", in, " is too large for stride ", stride);
  if (!check.ok()) return {};
  return {out, in, filter, stride, 1, static_cast<std::int32_t>(padding_before(out, convolved_size, filter, stride, 1))};
}

/// Describes a transposed convolution. Shapes: filter [C', h, w, C], input [N, H, W, C], bias [C'] or absent, output [N, H', W', C']. The
/// operand `output_shape` has 4 elements.
constexpr auto describe_transposed(const program_view& program, const node& record) -> node_description<transposed_convolution> {
  node_check check{program, record};
  check.counts(3, 4);
  check.conforms();
  const auto filter = check.input(1, "filter", 4);
  const auto in = check.input(2, "input", 4);
  const auto out = check.output(4);
  const auto is_same = check.is_same_padding();
  transposed_convolution plan;
  plan.batches = in.size(0);
  plan.in_channels = in.size(3);
  check.demand(in.size(0) == out.size(0), "batch size of the input is ", in.size(0), ", of the output ", out.size(0));
  check.demand(out.size(3) == filter.size(0), "filter has ", filter.size(0), " output channels, the output has ", out.size(3));
  check.demand(in.size(3) == filter.size(3), "filter channels ", filter.size(3), " do not match input channels ", in.size(3));
  plan.rows = transposed_axis(check, "height", is_same, in.size(1), out.size(1), filter.size(1), check.option("stride_h", 1, 1, max_bytes));
  plan.columns =
      transposed_axis(check, "width", is_same, in.size(2), out.size(2), filter.size(2), check.option("stride_w", 1, 1, max_bytes));
  check.demand(filter.type != dtype::int4, "input ", facts(in.type).name, " with filter ", facts(filter.type).name, " is not supported");
  plan.out = check_channels(check, program, record,
                            {.in = in,
                             .filter = filter,
                             .out = out,
                             .channels = filter.size(0),
                             .axis = 0,
                             .products = filter.count / filter.size(0),
                             .bias_at = 3,
                             .has_int32_sums = false,
                             .takes_narrow_bias = true});
  return {check.verdict_so_far(), plan};
}

constexpr auto layer_of(const transposed_convolution& of) -> layer {
  return {.out = of.out,
          .batches = of.batches,
          .in_channels = of.in_channels,
          .group_channels = of.in_channels,
          .group_outputs = of.out.channels,
          .channel_step = of.rows.filter * of.columns.filter * of.in_channels,
          .tap_step = of.in_channels,
          .is_transposed = 1,
          .rows = of.rows,
          .columns = of.columns,
          .input_at = 2,
          .bias_at = 3,
          .is_asymmetric = 1};
}

/// A kernel that computes `tfl.transpose_conv` with SAME or VALID padding and any stride; fused activation none, relu, relu_n1_to_1 or
/// relu6. Types: int8 and int16 with int8 weights, and float32 with float32, float16 or int8 weights. The int8 weights have scales per
/// channel or per tensor. Numeric rules: TensorFlow Lite's reference `TransposeConv`. The reference adds the products of each input to the
/// outputs. This kernel computes one output at a time from the same products in the same order, so it needs no memory for sums. Products of
/// int16 inputs are summed in 64 bits. With float32 inputs and int8 weights, each image is quantized to 8 bits with a zero point, as in
/// TensorFlow Lite. Pixels are written in row-major order, channels innermost.
struct transpose_conv {
  static constexpr literal_name operators[] = {"tfl.transpose_conv"};

  static constexpr auto geometry_of(const program_view& program, const node& record) -> node_description<detail::transposed_convolution> {
    return detail::describe_transposed(program, record);
  }
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<detail::layer> {
    auto result = detail::describe_layer(program, record, geometry_of(program, record), channel_scaling::in_double);
    // Declares no `min_distance`, so the output does not overlap the input. An output may depend on inputs at lower positions, which
    // earlier outputs could overwrite.
    result.facts = {};
    if (result.support) detail::add_layer_chunks(result.plan, result.facts);
    return result;
  }
  template <class Plan>
  static void compute(const Plan& plan, const node_memory& memory) {
    detail::compute_layer(plan, memory);
  }

  template <class Call>
  static void compute(const Call& call) {
    constexpr auto plan = detail::layer_geometry<transpose_conv, Call>;
    detail::run_layer_rows<channel_scaling::in_double, plan>(call, detail::whole_range<plan.output_rows()>{});
  }
  /// Computes the output rows [`first`, `last`). Row indices count the rows of all images of a batch.
  template <class Call>
  static void compute_rows(const Call& call, std::int32_t first, std::int32_t last) {
    constexpr auto plan = detail::layer_geometry<transpose_conv, Call>;
    detail::run_layer_rows<channel_scaling::in_double, plan>(call, detail::output_range{first, last});
  }
  /// Computes the chunks [`first`, `last`) of `layer_chunks`. A chunk computes at most eight channels of a pixel, or determines the range
  /// of some inputs of a hybrid layer.
  template <class Call>
  static void compute_chunks(const Call& call, std::int32_t first, std::int32_t last) {
    constexpr auto plan = detail::layer_geometry<transpose_conv, Call>;
    detail::run_layer_chunks<channel_scaling::in_double, plan>(call, first, last);
  }
};
static_assert(kernel<transpose_conv>);

}  // namespace detail

}  // namespace baton::portable
