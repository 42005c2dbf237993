// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Two-dimensional convolution on int8 for a Cortex-M with the DSP extension.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/verdict.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernel/shared/compute_node.hpp>
#include <baton/kernels/cortex_m/detail/convolution.hpp>
#include <baton/kernels/cortex_m/detail/convolution_engine.hpp>
#include <baton/kernels/cortex_m/detail/convolution_stream.hpp>
#include <baton/kernels/cortex_m/detail/convolution_windows.hpp>
#include <baton/kernels/cortex_m/detail/convolve.hpp>
#include <baton/kernels/cortex_m/detail/convolve_chunks.hpp>
#include <baton/kernels/cortex_m/detail/instructions.hpp>
#include <baton/kernels/cortex_m/options.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton::cortex_m {

namespace detail {

/// The unit in which a call counts the outputs to compute: an output row, or a chunk (see `kernel_facts::chunks`). For `whole`, the unit is
/// a row, and the call computes all rows of all images. `chunks` requires that `convolution::batches` is 1.
enum class convolution_unit : std::uint8_t { whole, rows, chunks };

/// Computes the units [`first`, `last`) (see `convolution_unit`): rows, or chunks of `pairs_of_chunk` pairs of channels
/// (`convolution::pairs_of_chunk`).
template <bool IsByChunks, bool IsGathered, class Engine>
[[gnu::always_inline]] inline void convolve_units(const Engine& engine, const convolution_walk& walk, const std::int8_t* input,
                                                  weight_stream stream, char* scratch, std::int8_t* output,
                                                  [[maybe_unused]] std::int32_t pairs_of_chunk, std::int32_t first, std::int32_t last) {
  if constexpr (IsByChunks) {
    convolve_chunks<IsGathered>(engine, walk, input, stream, scratch, output, pairs_of_chunk, first, last);
  } else {
    convolve_rows<IsGathered>(engine, walk, input, stream, scratch, output, first, last);
  }
}

/// Computes the rows [`first`, `last`) of a layer whose geometry, `walk`, is read at run time.
template <bool IsGathered, class Engine>
[[gnu::noinline]] void convolve_any(const Engine& engine, const convolution_walk& walk, const std::int8_t* input, weight_stream stream,
                                    char* scratch, std::int8_t* output, std::int32_t first, std::int32_t last) {
  convolve_rows<IsGathered>(engine, walk, input, stream, scratch, output, first, last);
}
/// Computes the chunks [`first`, `last`) of a layer whose geometry, `walk`, is read at run time.
template <bool IsGathered, class Engine>
[[gnu::noinline]] void convolve_any_chunks(const Engine& engine, const convolution_walk& walk, const std::int8_t* input,
                                           weight_stream stream, char* scratch, std::int8_t* output, std::int32_t pairs_of_chunk,
                                           std::int32_t first, std::int32_t last) {
  convolve_chunks<IsGathered>(engine, walk, input, stream, scratch, output, pairs_of_chunk, first, last);
}
/// Computes the units [`first`, `last`) with `convolve_any` or `convolve_any_chunks`.
template <bool IsByChunks, bool IsGathered, class Engine>
[[gnu::always_inline]] inline void convolve_shared(const Engine& engine, const convolution_walk& walk, const std::int8_t* input,
                                                   weight_stream stream, char* scratch, std::int8_t* output,
                                                   [[maybe_unused]] std::int32_t pairs_of_chunk, std::int32_t first, std::int32_t last) {
  if constexpr (IsByChunks) {
    convolve_any_chunks<IsGathered>(engine, walk, input, stream, scratch, output, pairs_of_chunk, first, last);
  } else {
    convolve_any<IsGathered>(engine, walk, input, stream, scratch, output, first, last);
  }
}

/// Returns the first output pixel of unit `unit`, for a layer with packed windows (`convolution_windows.hpp`). For the unit after the last,
/// returns the number of pixels.
template <bool IsByChunks>
[[gnu::always_inline]] inline auto pixel_of_unit(const convolution& plan, std::int32_t unit) -> std::int32_t {
  return IsByChunks ? std::min(2 * unit, plan.pixels()) : unit * plan.row_pixels;
}

/// Computes the units [`first`, `last`) of a layer whose geometry, `Plan`, is a compile-time constant.
template <convolution Plan, convolution_unit Units>
[[gnu::noinline]] void convolve_one(const std::int8_t* input, weight_stream stream, char* scratch, std::int8_t* output, std::int32_t first,
                                    std::int32_t last) {
  static constexpr convolution_walk walk{Plan};
  constexpr bool is_by_chunks = Units == convolution_unit::chunks;
  if constexpr (Plan.encoding.is_by_windows != 0 && has_dsp) {
    convolve_windows(fast_windows<Plan.columns.stride, Plan.out_channels, Plan.encoding.shift, Plan.encoding.corrects_ties>{}, walk, input,
                     stream.begin, scratch, output, pixel_of_unit<is_by_chunks>(Plan, first), pixel_of_unit<is_by_chunks>(Plan, last));
  } else {
    convolve_units<is_by_chunks, Plan.is_gathered != 0>(speed_engine < Plan, Units == convolution_unit::rows > {}, walk, input, stream,
                                                        scratch, output, Plan.pairs_of_chunk(), first, last);
  }
}
/// Computes the units [`first`, `last`) of a layer in portable C++.
template <bool IsByChunks>
void convolve_plainly(const convolution& plan, const std::int8_t* input, weight_stream stream, char* scratch, std::int8_t* output,
                      std::int32_t first, std::int32_t last) {
  const convolution_walk walk{plan};
  if (plan.encoding.is_by_windows != 0) {
    convolve_windows(plain_windows{plan}, walk, input, stream.begin, scratch, output, pixel_of_unit<IsByChunks>(plan, first),
                     pixel_of_unit<IsByChunks>(plan, last));
  } else if (plan.is_gathered != 0) {
    convolve_shared<IsByChunks, true>(plain_engine{plan}, walk, input, stream, scratch, output, plan.pairs_of_chunk(), first, last);
  } else {
    convolve_shared<IsByChunks, false>(plain_engine{plan}, walk, input, stream, scratch, output, plan.pairs_of_chunk(), first, last);
  }
}

template <options Options>
struct packed_conv_2d;
template <options Options>
struct gathered_conv_2d;

/// A kernel that computes `tfl.conv_2d` and `baton.conv_2d` on int8 without groups. Also computes `tfl.depthwise_conv_2d` and
/// `baton.depthwise_conv_2d` with one input channel, because such a layer is a convolution with another layout of the weights. Weights must
/// be constants, quantized per channel or per tensor. Supports any padding, stride, dilation, batch size and fused activation. Outputs are
/// bit-identical to `portable::conv_2d`.
///
/// Computes two pixels and two channels at a time, from a stream of packed constants (`streams.hpp`). Sums are scaled, so that their
/// requantization takes few instructions (`scaled_sums.hpp`). Requires scaled sums that provably fit 32 bits, and that no window is
/// completely in the padding.
template <options Options = options{}>
struct conv_2d {
  static constexpr literal_name operators[] = {"tfl.conv_2d", "tfl.depthwise_conv_2d", "baton.conv_2d", "baton.depthwise_conv_2d"};
  using forms = kernel_list<packed_conv_2d<Options>, gathered_conv_2d<Options>>;

  static constexpr auto describe(const program_view& program, const node& record, describe_for purpose = describe_for::computing)
      -> node_description<detail::convolution> {
    auto description = facts_with_encoding(program, record, purpose);
    const auto& plan = description.plan.plan;
    if (description.support && purpose == describe_for::computing) {
      const auto weights = static_cast<std::size_t>(2 * plan.depth());
      // Packing a weight costs about 15 of Clang's constexpr steps. A constant expression packs about 32,768 weights, within the default
      // limit.
      description.facts.prepared = {static_cast<std::size_t>(plan.pairs()), static_cast<std::size_t>(plan.pair_words()),
                                    1 + 32768 / weights};
    }
    return {std::move(description.support), plan, description.facts};
  }
  /// Computes the node in portable C++.
  static void compute(const detail::convolution& plan, const node_memory& memory) {
    const auto* words = reinterpret_cast<const std::uint32_t*>(memory.prepared.data());
    detail::convolve_plainly<false>(plan, reinterpret_cast<const std::int8_t*>(memory.inputs[0]),
                                    {words, words + plan.pairs() * plan.pair_words()}, memory.scratch.data(),
                                    reinterpret_cast<std::int8_t*>(memory.outputs[0]), 0, plan.pixels() / plan.row_pixels);
  }

  static constexpr void prepare(const program_view& program, const node& record, std::size_t first, span<std::uint32_t> to) {
    const auto description = facts_with_encoding(program, record, describe_for::computing);
    const detail::stream_writer writer(description.plan);
    const auto words = static_cast<std::size_t>(description.plan.plan.pair_words());
    for (std::size_t pair = 0; pair * words < to.size(); ++pair) {
      writer.write(static_cast<std::int32_t>(first + pair), to.data() + pair * words);
    }
  }

  template <class Call>
  static void compute(const Call& call) {
    constexpr const auto& plan = node_plan<conv_2d, Call>;
    compute_part<detail::convolution_unit::whole>(call, 0, plan.pixels() / plan.row_pixels);
  }

  /// Computes output rows [`first`, `last`). Row numbers continue from image to image of a batch.
  template <class Call>
  static void compute_rows(const Call& call, std::int32_t first, std::int32_t last) {
    compute_part<detail::convolution_unit::rows>(call, first, last);
  }
  /// Computes the chunks [`first`, `last`). A chunk consists of two channels of two pixels. If `convolution::has_windows()`, a chunk
  /// consists of all channels of two pixels. The batch must have one image.
  template <class Call>
  static void compute_chunks(const Call& call, std::int32_t first, std::int32_t last) {
    compute_part<detail::convolution_unit::chunks>(call, first, last);
  }

 private:
  template <detail::convolution_unit Units, class Call>
  static void compute_part(const Call& call, std::int32_t first, std::int32_t last) {
    constexpr const auto& plan = node_plan<conv_2d, Call>;
    const auto words = call.prepared();
    const auto* input = reinterpret_cast<const std::int8_t*>(call.template input<0>());
    auto* output = reinterpret_cast<std::int8_t*>(call.template output<0>());
    const detail::weight_stream stream{words.data(), words.data() + words.size()};
    if constexpr (detail::has_dsp && Options.optimize == optimize_for::speed) {
      detail::convolve_one<plan, Units>(input, stream, call.scratch().data(), output, first, last);
    } else {
      constexpr bool is_by_chunks = Units == detail::convolution_unit::chunks;
      if constexpr (detail::has_dsp) {
        static constexpr detail::convolution_walk walk{plan};
        detail::convolve_shared<is_by_chunks, plan.is_gathered != 0>(detail::size_engine_of<plan>, walk, input, stream,
                                                                     call.scratch().data(), output, plan.pairs_of_chunk(), first, last);
      } else {
        detail::convolve_plainly<is_by_chunks>(plan, input, stream, call.scratch().data(), output, first, last);
      }
    }
  }

  /// Returns the facts of a layer, including a `sum_encoding`. For `planning`, the `sum_encoding` is `safe_encoding()`. It takes less
  /// compile time than `choose_encoding`, which may read all weights.
  static constexpr auto facts_with_encoding(const program_view& program, const node& record, describe_for purpose)
      -> node_description<detail::convolution_facts> {
    auto description = detail::facts_of(program, record, Options);
    if (!description.support) return description;
    auto& encoding = description.plan.plan.encoding;
    if (purpose == describe_for::planning) {
      encoding = description.plan.safe_encoding(Options.optimize == optimize_for::code_size);
    } else {
      detail::choose_encoding(description.plan, Options);
    }
    if (!encoding.is_found())
      description.support = refuse("scaled sums may not fit 32 bits for ", description.plan.plan.products(), " products");
    return description;
  }
};
static_assert(kernel<conv_2d<>>);

/// Returns `with`, changed so that `conv_2d` packs the weights of every layer.
constexpr auto with_packed_weights(options with) -> options {
  with.max_wide_weights = 0;
  return with;
}

/// A form of `conv_2d` that packs the weights of layers with at most `options::max_wide_weights` weights. A form is an alternative kernel
/// that only `within` selects. Packed weights need about half the flash of wide weights (`sum_encoding::is_wide`), and a tenth more
/// instructions. Refuses layers with more weights, because `conv_2d` itself packs the weights of such layers.
template <options Options = options{}>
struct packed_conv_2d : conv_2d<with_packed_weights(Options)> {
  static constexpr auto describe(const program_view& program, const node& record, describe_for purpose = describe_for::computing)
      -> node_description<convolution> {
    const auto operands = program.inputs(record);
    const bool has_filter = operands.size() > 1 && operands[1] != none<value_id>;
    if (has_filter && element_count(program.shape(operands[1])) > Options.max_wide_weights)
      return {refuse(), {}, {}};  // without a reason, so that the reason of `conv_2d` is reported if no kernel supports the layer
    return conv_2d<with_packed_weights(Options)>::describe(program, record, purpose);
  }
};
static_assert(kernel<packed_conv_2d<>>);

/// Returns `with`, changed so that `conv_2d` gathers the inputs of each pixel.
constexpr auto with_gathered_inputs(options with) -> options {
  with.gathers_inputs = true;
  return with;
}

/// A form of `conv_2d` with less scratch, for layers whose windows extend into the padding. Gathers the inputs of each pixel instead of
/// copying rows with their padding. Refuses layers without padding, and layers for which this form would save no scratch.
template <options Options = options{}>
struct gathered_conv_2d : conv_2d<with_gathered_inputs(Options)> {
  static constexpr auto describe(const program_view& program, const node& record, describe_for purpose = describe_for::computing)
      -> node_description<convolution> {
    auto result = conv_2d<with_gathered_inputs(Options)>::describe(program, record, purpose);
    auto with_strip = result.plan;
    with_strip.is_gathered = 0;
    if (!result.support || result.plan.is_gathered == 0 || result.plan.scratch_bytes() >= with_strip.scratch_bytes())
      return {refuse(), {}, {}};  // without a reason, like `packed_conv_2d`
    return result;
  }
};
static_assert(kernel<gathered_conv_2d<>>);

}  // namespace detail

}  // namespace baton::cortex_m
