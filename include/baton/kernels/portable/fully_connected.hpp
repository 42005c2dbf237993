// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Fully connected layers, `tfl.fully_connected`, for int8 and float32.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/verdict.hpp>
#include <baton/kernels/detail/channels.hpp>
#include <baton/kernels/detail/geometry.hpp>
#include <baton/kernels/node_check.hpp>
#include <baton/kernels/products.hpp>
#include <baton/run/kernel.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace baton::portable {

namespace detail {

/// The geometry of a fully connected layer.
struct dense {
  std::int32_t batches = 1;
  std::int32_t inputs = 1;  ///< of each batch
  channel_output out{};
};
static_assert(has_no_padding<dense>);

/// Shapes: input of any rank, read as [N, K]; filter [C, K]; bias [C] or absent; output of any rank, read as [N, C],
/// and with `keep_num_dims` of the input's shape but for the last size.
constexpr auto describe_dense(const program_view& program, const node& record) -> description<dense> {
  node_check check{program, record};
  check.counts(2, 3);
  const auto in = check.input(0, "input");
  const auto filter = check.input(1, "filter", 2);
  const auto out = check.output();
  const auto format = program.text(record, "weights_format", "default");
  check.demand(format == "default", "weights are in format ", format);
  dense plan;
  plan.inputs = filter.size(1);
  plan.batches = in.count / filter.size(1);
  check.demand(in.count % filter.size(1) == 0, "input of ", in.count, " elements is no multiple of ", filter.size(1));
  check.demand(out.last() == filter.size(0) && out.count == std::int64_t{plan.batches} * filter.size(0), "output of ", out.count,
               " elements does not hold ", plan.batches, " times ", filter.size(0));
  if (program.integer(record, "keep_num_dims") != 0) {
    bool keeps = in.shape.size() == out.shape.size() && in.last() == filter.size(1);
    for (std::size_t i = 0; keeps && i + 1 < in.shape.size(); ++i) keeps = in.shape[i] == out.shape[i];
    check.demand(keeps, "output does not keep the input's dimensions");
  }
  plan.out =
      check_channels(check, {.in = in, .filter = filter, .out = out, .channels = filter.size(0), .axis = 0, .products = filter.size(1)});
  const bool is_negative = plan.out.is_int8 != 0 && filter.quant.channels == 1 && check.ok() && program.scale(filter.quant) < 0;
  check.demand(!is_negative, "the filter's only scale is negative, which the reference refuses");
  return {check.verdict_so_far(), plan};
}

template <dense G, class Element, class Channels>
void connect(const Element* input, const Element* filter, const Channels channels, Element* output) {
  constexpr std::ptrdiff_t bytes = Channels::element_bytes;
  for (std::int32_t batch = 0; batch < G.batches; ++batch) {
    const Element* from = input + batch * G.inputs * bytes;
    Element* to = output + batch * G.out.channels * bytes;
    for_runs<G.out.channels, Channels::at_once>([&](std::int32_t channel, auto m) {
      std::array<typename Channels::sum, m> sums{};
      Channels::template add<G.inputs, G.inputs>(from, filter + channel * G.inputs * bytes, sums);
      channels.store(sums, channel, to);
    });
  }
}

}  // namespace detail

/// `tfl.fully_connected` on int8 (weights per channel or per tensor; of one scale, it is not negative) or float32; fused activation none,
/// relu, relu_n1_to_1 or relu6. Numeric rules: TensorFlow Lite 8-bit quantization specification, with the double rounding of its reference
/// kernels; where the filter has one scale, its product with the input's is rounded to float.
struct fully_connected {
  static constexpr auto supports(const program_view& program, const node& record) -> verdict {
    if (!record.is("tfl.fully_connected")) return refuse();  // GCC 12: no conditional operator on class prvalues
    return detail::describe_dense(program, record).found;
  }

  template <class Call>
  static void run(const Call& call) {
    constexpr auto plan = detail::describe_dense(Call::program(), Call::record()).plan;
    const auto channels = channels_of<plan.out, Call, channel_scaling::one_scale_in_float>(call);
    using channel_kind = decltype(channels);
    detail::connect<plan>(channel_kind::elements(call.template input<0>()), channel_kind::elements(call.template input<1>()), channels,
                          channel_kind::elements(call.template output<0>()));
  }
};
static_assert(kernel<fully_connected>);

}  // namespace baton::portable
