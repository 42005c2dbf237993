// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Two-dimensional convolution on int8 for a Cortex-M with the DSP extension.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/verdict.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/least_distance.hpp>
#include <baton/kernel/prepared_blocks.hpp>
#include <baton/kernel/row_window.hpp>
#include <baton/kernels/cortex_m/detail/convolution.hpp>
#include <baton/kernels/cortex_m/detail/convolution_engine.hpp>
#include <baton/kernels/cortex_m/detail/convolution_stream.hpp>
#include <baton/kernels/cortex_m/detail/convolve.hpp>
#include <baton/kernels/cortex_m/detail/instructions.hpp>
#include <baton/kernels/cortex_m/options.hpp>
#include <baton/kernels/described_kernel.hpp>
#include <baton/kernels/detail/distances.hpp>
#include <baton/kernels/node_check.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton::cortex_m {

namespace detail {

/// A layer's rows with numbers of run time.
template <class Engine>
[[gnu::noinline]] void convolve_any(const Engine& engine, const convolution_walk& walk, const std::int8_t* input, weight_stream stream,
                                    char* scratch, std::int8_t* output, std::int32_t first, std::int32_t last) {
  convolve_rows(engine, walk, input, stream, scratch, output, first, last);
}

/// The same with constants.
template <convolution Plan, bool IsByRows>
[[gnu::noinline]] void convolve_one(const std::int8_t* input, weight_stream stream, char* scratch, std::int8_t* output, std::int32_t first,
                                    std::int32_t last) {
  static constexpr convolution_walk walk{Plan};
  convolve_rows(speed_engine<Plan, IsByRows>{}, walk, input, stream, scratch, output, first, last);
}

/// `tfl.conv_2d` on int8 without groups, and `tfl.depthwise_conv_2d` of one input channel, which is the same; weights that are constants,
/// per channel or per tensor; any padding, stride, dilation, batch, fused activation. Outputs are those of `portable::conv_2d`. Two pixels
/// and two channels are computed at a time from a stream of packed weights; sums are scaled so that an output takes few instructions
/// (`detail/scaled_sums.hpp`, `detail/streams.hpp`). What the sums of a layer cannot be proved to fit is refused.
template <options Options = options{}>
struct conv_2d {
  static constexpr literal_name operators[] = {"tfl.conv_2d", "tfl.depthwise_conv_2d"};

  static constexpr auto supports(const program_view& program, const node& record) -> verdict {
    if (!is_among(record.op, operators)) return refuse();
    auto facts = detail::facts_of(program, record, Options);
    if (!facts.found) return std::move(facts.found);
    const auto form = facts.plan.safe_form(Options.optimize == optimize_for::code_size);
    if (!form.is_found()) return unfit(facts.plan.plan);
    return accept();
  }

  static constexpr auto describe(const program_view& program, const node& record) -> portable::description<detail::convolution> {
    auto facts = facts_with_form(program, record);
    return {std::move(facts.found), facts.plan.plan};
  }
  /// The plain form.
  static void compute(const detail::convolution& plan, const portable::node_memory& at) {
    const auto* words = reinterpret_cast<const std::uint32_t*>(at.prepared.data());
    detail::convolve_any(detail::plain_engine{plan}, detail::convolution_walk{plan}, reinterpret_cast<const std::int8_t*>(at.inputs[0]),
                         {words, words + plan.pairs() * plan.pair_words()}, at.scratch.data(),
                         reinterpret_cast<std::int8_t*>(at.outputs[0]), 0, plan.pixels() / plan.row_pixels);
  }

  static constexpr auto prepared_size(const program_view& program, const node& record) -> prepared_blocks<std::uint32_t> {
    const auto facts = facts_with_form(program, record);
    const auto& plan = facts.plan.plan;
    const auto weights = static_cast<std::size_t>(2 * plan.depth());
    // A weight takes some fifteen of Clang's steps.
    return {static_cast<std::size_t>(plan.pairs()), static_cast<std::size_t>(plan.pair_words()), 1 + 32768 / weights};
  }
  static constexpr void prepare(const program_view& program, const node& record, std::size_t first, span<std::uint32_t> to) {
    const auto facts = facts_with_form(program, record);
    const detail::stream_writer writer(facts.plan);
    const auto words = static_cast<std::size_t>(facts.plan.plan.pair_words());
    for (std::size_t pair = 0; pair * words < to.size(); ++pair) {
      writer.write(static_cast<std::int32_t>(first + pair), to.data() + pair * words);
    }
  }

  static constexpr auto scratch_bytes(const program_view& program, const node& record) -> std::uint32_t {
    const auto plan = detail::geometry_of(program, record, Options).plan.plan;
    return static_cast<std::uint32_t>(plan.scratch_bytes()) + 3;
  }

  /// The inputs of a pixel are read when all pixels before it are written, or fewer; none is read once the pixel is begun.
  static constexpr auto distance_of(const program_view& program, const node& record, std::size_t operand) -> least_distance {
    if (operand != 0) return {};
    const auto plan = detail::geometry_of(program, record, Options).plan.plan;
    const portable::window_walk walk{.rows = plan.rows,
                                     .columns = plan.columns,
                                     .in_pixel_bytes = plan.in_channels,
                                     .out_pixel_bytes = plan.out_channels,
                                     .batches = plan.batches};
    return portable::upward(portable::distance_of(walk, 0));
  }

  static constexpr auto window_of(const program_view& program, const node& record, std::size_t operand) -> row_window {
    if (record.is("tfl.conv_2d")) return portable::conv_2d::window_of(program, record, operand);
    return portable::depthwise_conv_2d::window_of(program, record, operand);
  }

  template <class Call>
  static void run(const Call& call) {
    constexpr auto& plan = plan_of<Call>;
    compute_rows<false>(call, 0, plan.pixels() / plan.row_pixels);
  }

  /// Output rows `first` up to, not including, `last`; the rows of a batch's second image follow those of its first.
  template <class Call>
  static void run_rows(const Call& call, std::int32_t first, std::int32_t last) {
    compute_rows<true>(call, first, last);
  }

 private:
  template <bool IsByRows, class Call>
  static void compute_rows(const Call& call, std::int32_t first, std::int32_t last) {
    constexpr auto& plan = plan_of<Call>;
    const auto words = call.prepared();
    const auto* input = reinterpret_cast<const std::int8_t*>(call.template input<0>());
    auto* output = reinterpret_cast<std::int8_t*>(call.template output<0>());
    const detail::weight_stream stream{words.data(), words.data() + words.size()};
    if constexpr (detail::has_dsp && Options.optimize == optimize_for::speed) {
      detail::convolve_one<plan, IsByRows>(input, stream, call.scratch().data(), output, first, last);
    } else {
      static constexpr detail::convolution_walk walk{plan};
      if constexpr (detail::has_dsp) {
        detail::convolve_any(detail::size_engine_of<plan>, walk, input, stream, call.scratch().data(), output, first, last);
      } else {
        detail::convolve_any(detail::plain_engine{plan}, walk, input, stream, call.scratch().data(), output, first, last);
      }
    }
  }

  template <class Call>
  static constexpr auto plan_of = describe(Call::program(), Call::record()).plan;

  static constexpr auto facts_with_form(const program_view& program, const node& record)
      -> portable::description<detail::convolution_facts> {
    auto facts = detail::facts_of(program, record, Options);
    if (!facts.found) return facts;
    detail::choose_form(facts.plan, Options);
    if (!facts.plan.plan.form.is_found()) facts.found = unfit(facts.plan.plan);
    return facts;
  }
  static constexpr auto unfit(const detail::convolution& plan) -> verdict {
    return refuse("sums may not fit 32 bits once they are scaled for ", plan.products(), " products");
  }
};
static_assert(kernel<conv_2d<>>);

}  // namespace detail

}  // namespace baton::cortex_m
