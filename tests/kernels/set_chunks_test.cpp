// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The share of the largest chunk of a node, of the kernels that divide nodes into chunks of different sizes.
#include <baton/kernels/detail/set_chunks.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/static_program.hpp>
#include <baton/kernels/cortex_m/conv_2d.hpp>
#include <baton/kernels/cortex_m/depthwise_conv_2d.hpp>
#include <baton/kernels/cortex_m/winograd_conv_2d.hpp>
#include <baton/kernels/detail/layer_chunks.hpp>
#include <baton/kernels/detail/nest_chunks.hpp>
#include <baton/kernels/portable/convolution.hpp>
#include <baton/kernels/portable/fully_connected.hpp>
#include <baton/kernels/portable/joining.hpp>
#include <baton/kernels/portable/pooling.hpp>

#include "kernels/costs/hybrid_node.hpp"
#include "kernels/square_layers.hpp"
#include "laws/kernel.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace {

using namespace baton;
using portable::detail::chunk_axis;

constexpr auto uneven_percent(std::int64_t elements, std::int64_t max) -> std::uint32_t {
  return chunk_axis{elements, max}.uneven_percent();
}
// Of ten elements, the first chunk has eight, which is 1.6 times the half.
static_assert(uneven_percent(10, 8) == 60 && uneven_percent(16, 8) == 0);
static_assert(uneven_percent(15, 8) == 7);                              // rounded up
static_assert(uneven_percent(5, 8) == 0 && uneven_percent(0, 8) == 0);  // a single chunk has all elements

/// Returns the percentage for chunks of two axes.
constexpr auto uneven_percent(chunk_axis outer, chunk_axis inner) -> std::uint32_t {
  kernel_facts facts;
  portable::detail::set_chunks(facts, 7, outer, inner);
  return facts.chunks == 7 * outer.parts() * inner.parts() ? facts.uneven_chunks_percent : 1000;
}
// Six chunks of three by ten elements: the largest has two by four.
static_assert(uneven_percent({3, 2}, {10, 4}) == 60 && uneven_percent({3, 1}, {10, 4}) == 20 && uneven_percent({4, 2}, {8, 4}) == 0);

/// Returns the percentage that a kernel declares for a layer.
template <class Kernel, one_layer::layer Of>
constexpr auto percent_of() -> std::uint32_t {
  const auto program = one_layer::make_symmetric<Of>{}();
  return ask_kernel<Kernel>(program, program_view(program).nodes[0]).facts.uneven_chunks_percent;
}
constexpr auto ten = one_layer::dense(20, 10);
constexpr auto eighteen = one_layer::pool(one_layer::op::average_pool_2d, 4, 18, 2, 2);

static_assert(percent_of<portable::fully_connected, ten>() == 60);
static_assert(percent_of<portable::fully_connected, one_layer::dense(20, 16)>() == 0);
static_assert(percent_of<portable::average_pool_2d, eighteen>() == 78);

/// Returns the number of taps of an output along an axis that are not in the padding.
constexpr auto taps_of(const portable::window_axis& axis, std::int32_t at) -> std::int64_t {
  std::int64_t taps = 0;
  for (std::int32_t tap = 0; tap < axis.filter; ++tap) {
    const auto position = axis.origin(at) + tap * axis.dilation;
    taps += position >= 0 && position < axis.input ? 1 : 0;
  }
  return taps;
}
/// Returns the percentage by which the most expensive chunk of a hybrid layer exceeds an equal share. Visits each chunk, each channel and
/// each tap of the layer. The costs are instructions on a Cortex-M4. An input element costs 67 instructions in a step of eight channels,
/// and 32 for a channel that is computed alone. The range of an element costs 13 instructions, and an output 60.
template <class Kernel, one_layer::layer Of>
constexpr auto percent_by_replay() -> std::uint32_t {
  const auto program = measured_node::hybrid_node<Of>{}();
  const auto plan = Kernel::describe(program, program_view(program).nodes[0]).plan;
  const portable::detail::layer_chunks chunks(plan);
  std::int64_t total = 0;
  std::int64_t largest = 0;
  std::int64_t count = 0;
  const auto add = [&](std::int64_t cost) {
    total += cost;
    largest = std::max(largest, cost);
    ++count;
  };
  for (std::int32_t element = 0; element < chunks.elements; element += chunks.elements_per_chunk) {
    add(std::int64_t{13} * std::min(chunks.elements_per_chunk, chunks.elements - element));
  }
  for (std::int32_t pixel = 0; pixel < chunks.pixels; ++pixel) {
    const auto inputs =
        taps_of(plan.rows, pixel / plan.out_width()) * taps_of(plan.columns, pixel % plan.out_width()) * plan.group_channels;
    for (std::int32_t first = 0; first < plan.out.channels; first += chunks.channels) {
      std::int64_t cost = 0;
      for (auto channel = first; channel < std::min(first + chunks.channels, plan.out.channels);) {
        const bool is_step = plan.group_outputs - channel % plan.group_outputs >= 8;
        cost += is_step ? inputs * 67 + 8 * 60 : inputs * 32 + 60;
        channel += is_step ? 8 : 1;
      }
      add(cost);
    }
  }
  return count == chunks.chunks_per_image() ? portable::detail::uneven_chunks_percent(total, count, largest) : 0;
}
template <class Kernel, one_layer::layer Of>
constexpr auto hybrid_percent_of() -> std::uint32_t {
  const auto program = measured_node::hybrid_node<Of>{}();
  return ask_kernel<Kernel>(program, program_view(program).nodes[0]).facts.uneven_chunks_percent;
}
template <class Kernel, one_layer::layer Of>
constexpr auto covers_hybrid_chunks() -> bool {
  return percent_by_replay<Kernel, Of>() > 0 && hybrid_percent_of<Kernel, Of>() >= percent_by_replay<Kernel, Of>();
}
constexpr auto hybrid_layers_declare_their_most_expensive_chunk() -> bool {
  using namespace one_layer;
  return covers_hybrid_chunks<portable::conv_2d, convolution(4, 4, 12, 1)>() &&     // steps of eight channels, and four channels alone
         covers_hybrid_chunks<portable::conv_2d, convolution(3, 4, 23, 3)>() &&     // padding, and seven channels alone
         covers_hybrid_chunks<portable::conv_2d, convolution(4, 32, 4, 1, 2)>() &&  // more chunks of the range than of channels
         covers_hybrid_chunks<portable::conv_2d, convolution(8, 1, 8, 1, 4)>() &&   // a chunk of the range costs most
         covers_hybrid_chunks<portable::depthwise_conv_2d, depthwise(5, 12, 1, 3)>() &&
         covers_hybrid_chunks<portable::depthwise_conv_2d, depthwise(4, 2, 12, 3)>() &&  // a chunk is a pixel
         covers_hybrid_chunks<portable::fully_connected, dense(20, 15)>();
}
static_assert(hybrid_layers_declare_their_most_expensive_chunk());
static_assert(hybrid_percent_of<portable::fully_connected, one_layer::dense(20, 16)>() == 0);

// Two chunks of four iterations and one of two: 12 / 10.
constexpr portable::detail::nest_chunks<2> chunks_of_rows({3, 10}, 16, 64);
constexpr auto facts_of_rows() -> kernel_facts {
  kernel_facts facts;
  chunks_of_rows.add_to(facts);
  return facts;
}
static_assert(chunks_of_rows.iterations == 4 && facts_of_rows().chunks == 9 && facts_of_rows().uneven_chunks_percent == 20);

/// Returns the percentage by which the largest chunk exceeds an equal share of the output, by the bytes that each chunk writes. Fills the
/// output with two different bytes before the chunk.
template <class Kernel, class Program>
auto percent_of_written_bytes() -> std::uint32_t {
  using trial = laws::kernel::trial<Kernel, Program>;
  static constexpr auto chunks = node_facts<Kernel, typename trial::call>.chunks;
  const program_view program = Program::value();
  std::int64_t input_bytes = 0;
  for (const auto id : program.inputs(program.root())) input_bytes += byte_count(program[id].type, program.shape(id));
  const laws::kernel::bytes input(static_cast<std::size_t>(input_bytes), '\x11');
  trial at;
  std::ptrdiff_t largest = 0;
  std::ptrdiff_t all = 0;
  for (std::int32_t n = 0; n < chunks; ++n) {
    const auto output_after = [&](char before) {
      return at.run(input, [&](const auto& call) {
        for (std::int32_t earlier = 0; earlier < n; ++earlier) Kernel::compute_chunks(call, earlier, earlier + 1);
        std::fill_n(call.template output<0>(), all, before);
        Kernel::compute_chunks(call, n, n + 1);
      });
    };
    all = static_cast<std::ptrdiff_t>(output_after('\0').size());
    const auto output = output_after('\x5a');
    const auto other_output = output_after('\x25');
    std::ptrdiff_t written = 0;
    for (std::size_t i = 0; i < output.size(); ++i) written += output[i] == other_output[i] ? 1 : 0;
    largest = std::max(largest, written);
  }
  return static_cast<std::uint32_t>((100 * largest * chunks + all - 1) / all - 100);
}
/// True if a kernel declares the percentage that the bytes show, and if the percentage is above 0.
template <class Kernel, class Program>
auto declares_written_bytes() -> bool {
  const program_view program = Program::value();
  const auto declared = ask_kernel<Kernel>(program, program.nodes[0]).facts.uneven_chunks_percent;
  const auto written = percent_of_written_bytes<Kernel, Program>();
  CHECK(declared == written);
  return declared == written && written > 0;
}
template <class Kernel, one_layer::layer Of>
auto layer_declares_written_bytes() -> bool {
  return declares_written_bytes<Kernel, static_program<one_layer::make_symmetric<Of>>>();
}

/// Joins the rows of 40 and of 30 bytes of two operands.
struct make_join {
  constexpr auto operator()() const -> exported_program {
    program_builder build;
    const auto x = build.user_input("x", tensor(dtype::int8, 3, 40));
    const auto y = build.user_input("y", tensor(dtype::int8, 3, 30));
    build.output(build.call("tfl.concatenation", {x, y}, tensor(dtype::int8, 3, 70), {{"axis", 1}, {"fused_activation_function", "none"}}));
    return build.finish();
  }
};

}  // namespace

TEST_CASE("no chunk writes more bytes than its declared share") {
  using cortex_m::detail::conv_2d;
  using cortex_m::detail::depthwise_conv_2d;
  using cortex_m::detail::winograd_conv_2d;
  // Odd rows, channels, both, and pairs of tiles that are narrower than two tiles.
  CHECK(layer_declares_written_bytes<depthwise_conv_2d<>, one_layer::depthwise(5, 8, 1, 3)>());
  CHECK(layer_declares_written_bytes<depthwise_conv_2d<>, one_layer::depthwise(4, 6, 1, 3)>());
  CHECK(layer_declares_written_bytes<depthwise_conv_2d<>, one_layer::depthwise(7, 6, 1, 3)>());
  CHECK(layer_declares_written_bytes<conv_2d<>, one_layer::convolution(4, 4, 3, 3)>());
  CHECK(layer_declares_written_bytes<conv_2d<>, one_layer::convolution(5, 4, 3, 3)>());
  CHECK(layer_declares_written_bytes<winograd_conv_2d<>, one_layer::convolution(3, 8, 8, 3)>());
  CHECK(layer_declares_written_bytes<winograd_conv_2d<>, one_layer::convolution(5, 8, 8, 3)>());
  CHECK(layer_declares_written_bytes<winograd_conv_2d<>, one_layer::convolution(6, 8, 8, 3)>());
  CHECK(declares_written_bytes<portable::detail::join_parts, static_program<make_join>>());
}

TEST_CASE("a kernel declares the share of its largest chunk") {
  CHECK(uneven_percent(10, 8) == 60);
  CHECK(uneven_percent({3, 2}, {10, 4}) == 60);
  CHECK(percent_of<portable::fully_connected, ten>() == 60);
  CHECK(facts_of_rows().uneven_chunks_percent == 20);
  CHECK(hybrid_layers_declare_their_most_expensive_chunk());
}
