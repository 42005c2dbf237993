// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Fully connected layers, `tfl.fully_connected` and `baton.fully_connected`.
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
#include <baton/kernels/detail/distances.hpp>
#include <baton/kernels/detail/geometry.hpp>
#include <baton/kernels/detail/layer.hpp>
#include <baton/kernels/detail/layer_chunks.hpp>
#include <baton/kernels/detail/set_chunks.hpp>
#include <baton/kernels/node_check.hpp>
#include <baton/operators/shared/baton_operators.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace baton::portable {

namespace detail {

/// The geometry of a fully connected layer.
struct dense {
  std::int32_t batches = 1;
  std::int32_t inputs = 1;  ///< elements per batch item
  flag is_asymmetric = 0;   ///< hybrid: whether inputs have a zero point
  channel_output out{};
};
static_assert(has_no_padding<dense>);

/// Describes a fully connected layer. Shapes: input of any rank, read as [N, K]; filter [C, K]; bias [C] or absent; output of any rank,
/// read as [N, C]. With `keep_num_dims`, the output has the input's shape except for the last size.
constexpr auto describe_dense(const program_view& program, const node& record) -> node_description<dense> {
  node_check check{program, record};
  check.counts(2, is_baton_layer(record) ? factor_operands::shifts + 1 : 3);
  const auto in = check.input(0, "input");
  const auto filter = check.input(1, "filter", 2);
  const auto out = check.output();
  const auto format = program.text(record, "weights_format", "default");
  check.demand(format == "default", "weights are in format ", format);
  dense plan;
  plan.inputs = filter.size(1);
  plan.batches = in.count / filter.size(1);
  check.demand(in.count % filter.size(1) == 0, "input has ", in.count, " elements, which is not a multiple of ", filter.size(1));
  check.demand(out.last() == filter.size(0) && out.count == std::int64_t{plan.batches} * filter.size(0), "output of ", out.count,
               " elements does not consist of ", plan.batches, " rows of ", filter.size(0));
  if (program.integer(record, "keep_num_dims") != 0) {
    bool keeps = in.shape.size() == out.shape.size() && in.last() == filter.size(1);
    for (std::size_t i = 0; keeps && i + 1 < in.shape.size(); ++i) keeps = in.shape[i] == out.shape[i];
    check.demand(keeps, "output does not keep the input's dimensions");
  }
  plan.out = check_channels(check, program, record,
                            {.in = in,
                             .filter = filter,
                             .out = out,
                             .channels = filter.size(0),
                             .axis = 0,
                             .products = filter.size(1),
                             .takes_int16_zero_point = true});
  plan.is_asymmetric = program.integer(record, "asymmetric_quantize_inputs") != 0;
  const bool is_negative =
      !is_baton_layer(record) && !is_real(plan.out.by) && filter.quant.channels == 1 && check.ok() && program.scale(filter.quant) < 0;
  check.demand(!is_negative, "the filter's only scale is negative, which TensorFlow Lite rejects");
  return {check.verdict_so_far(), plan};
}

constexpr auto layer_of(const dense& of) -> layer {
  return {.out = of.out,
          .batches = of.batches,
          .in_channels = of.inputs,
          .group_channels = of.inputs,
          .group_outputs = of.out.channels,
          .channel_step = of.inputs,
          .is_asymmetric = of.is_asymmetric};
}

template <dense G, write_order Order, class Element, class Channels>
void fully_connect(const Element* input, const Element* filter, const Channels channels, Element* output) {
  constexpr std::ptrdiff_t bytes = Channels::element_bytes;
  for (std::int32_t i = 0; i < G.batches; ++i) {
    const auto batch = nth(Order, i, G.batches);
    const Element* from = input + batch * G.inputs * bytes;
    Element* to = output + batch * G.out.channels * bytes;
    for_runs_in<Order, G.out.channels, Channels::channels_per_step>([&](std::int32_t channel, auto m) {
      std::array<typename Channels::sum, m> sums{};
      Channels::template add<G.inputs, G.inputs>(from, filter + channel * G.inputs * Channels::weight_bytes, sums);
      channels.store(sums, channel, to);
    });
  }
}

/// The maximum number of output channels of a chunk (see `kernel_facts::chunks`) of a layer whose code is specialized at compile time for
/// its geometry (`has_specialized_code`: float32 sums, or int8 with 8-bit weights). The number is a multiple of the channels that one step
/// computes.
inline constexpr std::int32_t channels_per_chunk = 8;

/// Returns the number of chunks of a layer with specialized code (see `channels_per_chunk`).
constexpr auto chunks_of(const dense& of) -> std::int32_t {
  return of.batches * ((of.out.channels + channels_per_chunk - 1) / channels_per_chunk);
}

/// Computes the chunks [`first`, `last`) in ascending order. Chunk numbers continue from batch item to batch item.
template <dense G, class Element, class Channels>
void fully_connect_chunks(const Element* input, const Element* filter, const Channels channels, Element* output, std::int32_t first,
                          std::int32_t last) {
  constexpr std::ptrdiff_t bytes = Channels::element_bytes;
  constexpr auto chunks = chunks_of(G) / G.batches;
  for (auto chunk = first; chunk < last; ++chunk) {
    const auto batch = chunk / chunks;
    const auto begin = chunk % chunks * channels_per_chunk;
    for_runs_of_part<G.out.channels, channels_per_chunk, Channels::channels_per_step>(begin, [&](std::int32_t channel, auto m) {
      std::array<typename Channels::sum, m> sums{};
      Channels::template add<G.inputs, G.inputs>(input + batch * G.inputs * bytes,
                                                 filter + (begin + channel) * G.inputs * Channels::weight_bytes, sums);
      channels.store(sums, begin + channel, output + batch * G.out.channels * bytes);
    });
  }
}

}  // namespace detail

/// A kernel that computes `tfl.fully_connected` for the types of `conv_2d`, with scales per channel or per tensor (in an integer layer, a
/// single scale must not be negative). The fused activation may be none, relu, relu_n1_to_1 or relu6. The numeric rules of `conv_2d` apply,
/// with the following exceptions. If the filter has one scale, the product of this scale and the input's scale is rounded to float. Int16
/// inputs and outputs may have zero points other than 0. With float32 inputs and integer weights, each row of inputs is quantized to 8
/// bits, as in TensorFlow Lite's `EvalHybrid`. This quantization has a zero point if the option `asymmetric_quantize_inputs` is set.
/// `baton.fully_connected` has the rounding and bounds of `baton.conv_2d` (see `conv_2d`). In `baton.fully_connected`, the product of the
/// scales is never rounded to float, and a single scale may be negative.
struct fully_connected {
  static constexpr literal_name operators[] = {"tfl.fully_connected", "baton.fully_connected"};

  static constexpr auto geometry_of(const program_view& program, const node& record) -> node_description<detail::dense> {
    return detail::describe_dense(program, record);
  }
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<detail::layer> {
    const auto geometry = geometry_of(program, record);
    auto result = detail::describe_layer(program, record, geometry, channel_scaling::one_scale_in_float);
    if (!result.support) return result;
    if (has_specialized_code(geometry.plan.out.by)) {
      detail::set_chunks(result.facts, geometry.plan.batches, {geometry.plan.out.channels, detail::channels_per_chunk});
    } else {
      detail::add_layer_chunks(result.plan, result.facts);
    }
    return result;
  }
  template <class Plan>
  static void compute(const Plan& plan, const node_memory& memory) {
    detail::compute_layer(plan, memory);
  }

  template <class Call>
  static void compute(const Call& call) {
    constexpr auto plan = detail::layer_geometry<fully_connected, Call>;
    if constexpr (has_specialized_code(plan.out.by)) {
      const auto channels = channels_of<plan.out, Call, channel_scaling::one_scale_in_float>(call);
      using channel_kind = decltype(channels);
      detail::fully_connect<plan, Call::order()>(channel_kind::elements(call.template input<0>()),
                                                 channel_kind::elements(call.template input<1>()), channels,
                                                 channel_kind::elements(call.template output<0>()));
    } else {
      detail::run_layer_rows<channel_scaling::one_scale_in_float, plan>(call, detail::whole_range<plan.batches>{});
    }
  }
  /// Computes the chunks [`first`, `last`), each of at most eight output channels.
  template <class Call>
  static void compute_chunks(const Call& call, std::int32_t first, std::int32_t last) {
    constexpr auto plan = detail::layer_geometry<fully_connected, Call>;
    if constexpr (has_specialized_code(plan.out.by)) {
      const auto channels = channels_of<plan.out, Call, channel_scaling::one_scale_in_float>(call);
      using channel_kind = decltype(channels);
      detail::fully_connect_chunks<plan>(channel_kind::elements(call.template input<0>()), channel_kind::elements(call.template input<1>()),
                                         channels, channel_kind::elements(call.template output<0>()), first, last);
    } else {
      detail::run_layer_chunks<channel_scaling::one_scale_in_float, plan>(call, first, last);
    }
  }
};
static_assert(kernel<fully_connected>);

}  // namespace baton::portable
