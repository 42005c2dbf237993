// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The common base of the Helium kernels with packed weights.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/verdict.hpp>
#include <baton/kernel/min_distance.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernel/shared/compute_node.hpp>
#include <baton/kernels/detail/channels.hpp>
#include <baton/kernels/detail/distances.hpp>
#include <baton/kernels/detail/layer.hpp>
#include <baton/kernels/helium/detail/packed_layer.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton::helium::detail {

/// Computes output rows [`first`, `last`) of a layer. The function is not inlined, so that nodes with equal layers share the function.
template <class Packing, packed_layer Layer>
[[gnu::noinline]] void compute_packed(const std::int8_t* input, const std::int32_t* packed, std::int8_t* patch, std::int8_t* output,
                                      std::int32_t first, std::int32_t last) {
  static constexpr auto plan = Layer;  // a copy, because Clang reads parts of a template argument from the wrong address
  Packing::compute(plan, input, packed, patch, output, first, last);
}

/// The base of a kernel. `Packing` (`dense` or `side_by_side_channels`) packs and computes the layers. `Kernel` derives from this class and
/// adds two members. `operators` lists the names of its operators. `static constexpr auto layer_of(const program_view&, const node&) ->
/// node_description<layer>` returns the description of the portable kernel.
template <class Kernel, class Packing>
struct packed_kernel {
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<packed_layer> {
    auto of = Kernel::layer_of(program, record);
    node_description<packed_layer> result{std::move(of.support), packed_layer_of(of.plan)};
    if (!result.support) return result;
    if (of.plan.out.by != portable::arithmetic::int8) {
      result.support = refuse("input and weights are not both int8, or the bias is float32");
    } else {
      result.support = Packing::check(program, record, of.plan);
    }
    if (!result.support) return result;
    result.facts.scratch_bytes = static_cast<std::uint32_t>(Packing::patch_bytes(result.plan));
    const auto blocks = (of.plan.out.channels + Packing::block_channels - 1) / Packing::block_channels;
    // Packing a weight costs about 20 of Clang's constexpr steps. So 24576 weights need about half of the default limit of 2^20 steps.
    const auto blocks_per_step = 1 + 24576 / (Packing::block_channels * products_of(of.plan));
    result.facts.prepared = {static_cast<std::size_t>(blocks), static_cast<std::size_t>(Packing::block_words(result.plan)),
                             static_cast<std::size_t>(blocks_per_step)};
    // The inputs of channels that are computed together are read before these channels are written. So the `min_distance` of the portable
    // kernel suffices. `upward` keeps only the ascending distance, because the pixels of a row are written in ascending order.
    const auto& of_input = of.facts.operands[0];
    result.facts.operands[0] = {portable::upward(of_input.distance), of_input.window};
    return result;
  }

  static constexpr void prepare(const program_view& program, const node& record, std::size_t first, span<std::int32_t> to) {
    const auto of = Kernel::layer_of(program, record).plan;
    const char* weights = program.data(program[program.inputs(record)[1]].data).data();
    const auto words = static_cast<std::size_t>(Packing::block_words(packed_layer_of(of)));
    for (std::size_t block = 0; block * words < to.size(); ++block) {
      for (std::int32_t lane = 0; lane < Packing::block_channels; ++lane) {
        const auto channel = static_cast<std::int32_t>(first + block) * Packing::block_channels + lane;
        if (channel < of.out.channels) Packing::pack(of, weights, channel, lane, to.data() + block * words);
      }
    }
  }

  static void compute(const packed_layer& plan, const node_memory& memory) { compute_rows_of(plan, memory, 0, plan.output_rows()); }

  template <class Call>
  static void compute(const Call& call) {
    compute_part(call, 0, node_plan<Kernel, Call>.output_rows());
  }

 protected:
  static void compute_rows_of(const packed_layer& plan, const node_memory& memory, std::int32_t first, std::int32_t last) {
    Packing::compute(plan, reinterpret_cast<const std::int8_t*>(memory.inputs[0]),
                     static_cast<const std::int32_t*>(static_cast<const void*>(memory.prepared.data())),
                     reinterpret_cast<std::int8_t*>(memory.scratch.data()), reinterpret_cast<std::int8_t*>(memory.outputs[0]), first, last);
  }
  /// Computes the output rows [`first`, `last`). Row numbers continue from image to image of a batch.
  template <class Call>
  static void compute_part(const Call& call, std::int32_t first, std::int32_t last) {
    constexpr auto plan = node_plan<Kernel, Call>;
    compute_packed<Packing, plan>(reinterpret_cast<const std::int8_t*>(call.template input<0>()), call.prepared().data(),
                                  reinterpret_cast<std::int8_t*>(call.scratch().data()),
                                  reinterpret_cast<std::int8_t*>(call.template output<0>()), first, last);
  }
};

/// A `packed_kernel` for operators with image outputs. Such a kernel can also compute single rows, and can compute the rows in descending
/// order.
template <class Kernel, class Packing>
struct packed_row_kernel : packed_kernel<Kernel, Packing> {
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<packed_layer> {
    auto result = packed_kernel<Kernel, Packing>::describe(program, record);
    if (!result.support) return result;
    const auto& plan = result.plan;
    result.facts.operands[0].distance.descending = portable::distance_of_descending_rows({.rows = plan.rows,
                                                                                          .columns = plan.columns,
                                                                                          .in_pixel_bytes = plan.in_channels,
                                                                                          .out_pixel_bytes = plan.out_channels,
                                                                                          .batches = plan.batches});
    return result;
  }

  static void compute(const packed_layer& plan, const node_memory& memory) {
    for_parts(memory.order, 0, plan.output_rows(),
              [&](std::int32_t first, std::int32_t last) { packed_row_kernel::compute_rows_of(plan, memory, first, last); });
  }
  template <class Call>
  static void compute(const Call& call) {
    compute_rows(call, 0, node_plan<Kernel, Call>.output_rows());
  }
  template <class Call>
  static void compute_rows(const Call& call, std::int32_t first, std::int32_t last) {
    for_parts(Call::order(), first, last, [&](std::int32_t begin, std::int32_t end) { packed_row_kernel::compute_part(call, begin, end); });
  }

 private:
  /// If `order` is ascending, calls `f` once for all rows. If `order` is descending, calls `f` for each row, from the last to the first.
  template <class F>
  [[gnu::always_inline]] static void for_parts(write_order order, std::int32_t first, std::int32_t last, F f) {
    if (order == write_order::ascending) return f(first, last);
    for (auto row = last - 1; row >= first; --row) f(row, row + 1);
  }
};

}  // namespace baton::helium::detail
