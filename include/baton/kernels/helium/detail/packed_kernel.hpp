// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The shell of the Helium kernels.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/verdict.hpp>
#include <baton/kernel/least_distance.hpp>
#include <baton/kernel/prepared_blocks.hpp>
#include <baton/kernel/row_window.hpp>
#include <baton/kernels/described_kernel.hpp>
#include <baton/kernels/detail/channels.hpp>
#include <baton/kernels/detail/distances.hpp>
#include <baton/kernels/detail/layer.hpp>
#include <baton/kernels/helium/detail/packed_layer.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton::helium::detail {

/// A function of its own, which the nodes of equal layers share.
template <class Packing, packed_layer Layer>
[[gnu::noinline]] void compute_packed(const std::int8_t* input, const std::int32_t* packed, std::int8_t* patch, std::int8_t* output,
                                      std::int32_t first, std::int32_t last) {
  static constexpr auto plan = Layer;  // Clang reads parts of a template argument from the wrong place
  Packing::compute(plan, input, packed, patch, output, first, last);
}

/// A kernel whose layers `Packing` packs and computes (`dense`, `side_by_side_channels`). `Kernel`, derived from it, has beside the names
/// of its operators `static constexpr auto layer_of(const program_view&, const node&) -> description<layer>`, what the portable kernel
/// knows of a node.
template <class Kernel, class Packing>
struct packed_kernel : portable::described_kernel<Kernel> {
  static constexpr auto describe(const program_view& program, const node& record) -> portable::description<packed_layer> {
    auto of = Kernel::layer_of(program, record);
    portable::description<packed_layer> made{std::move(of.found), packed_layer_of(of.plan)};
    if (!made.found) return made;
    if (of.plan.out.by != portable::arithmetic::int8) {
      made.found = refuse("types are not int8 with int8 weights");
    } else {
      made.found = Packing::check(program, record, of.plan);
    }
    return made;
  }

  static constexpr auto prepared_size(const program_view& program, const node& record) -> prepared_blocks<std::int32_t> {
    const auto of = Kernel::layer_of(program, record).plan;
    const auto blocks = (of.out.channels + Packing::block_channels - 1) / Packing::block_channels;
    // How many blocks are made within one constant: a weight takes some twenty of Clang's steps.
    const auto at_once = 1 + 24576 / (Packing::block_channels * products_of(of));
    return {static_cast<std::size_t>(blocks), static_cast<std::size_t>(Packing::block_words(packed_layer_of(of))),
            static_cast<std::size_t>(at_once)};
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

  static constexpr auto scratch_bytes(const program_view& program, const node& record) -> std::uint32_t {
    return static_cast<std::uint32_t>(Packing::patch_bytes(packed_layer_of(Kernel::layer_of(program, record).plan)));
  }

  /// Pixels are written upward. What makes several channels has been read before they are written: they need no more than the portable
  /// kernel.
  static constexpr auto distance_of(const program_view& program, const node& record, std::size_t operand) -> least_distance {
    if (operand != 0) return {};
    return portable::upward(portable::detail::distance_of_layer(Kernel::layer_of(program, record).plan));
  }

  static void compute(const packed_layer& plan, const portable::node_memory& at) {
    Packing::compute(plan, reinterpret_cast<const std::int8_t*>(at.inputs[0]),
                     static_cast<const std::int32_t*>(static_cast<const void*>(at.prepared.data())),
                     reinterpret_cast<std::int8_t*>(at.scratch.data()), reinterpret_cast<std::int8_t*>(at.outputs[0]), 0,
                     plan.output_rows());
  }

  template <class Call>
  static void run(const Call& call) {
    constexpr auto rows = packed_layer_of(Kernel::layer_of(Call::program(), Call::record()).plan).output_rows();
    compute_rows(call, 0, rows);
  }

 protected:
  template <class Call>
  static void compute_rows(const Call& call, std::int32_t first, std::int32_t last) {
    constexpr auto plan = packed_layer_of(Kernel::layer_of(Call::program(), Call::record()).plan);
    compute_packed<Packing, plan>(reinterpret_cast<const std::int8_t*>(call.template input<0>()), call.prepared().data(),
                                  reinterpret_cast<std::int8_t*>(call.scratch().data()),
                                  reinterpret_cast<std::int8_t*>(call.template output<0>()), first, last);
  }
};

/// One whose outputs are images, which it computes by rows, too.
template <class Kernel, class Packing>
struct packed_row_kernel : packed_kernel<Kernel, Packing> {
  static constexpr auto window_of(const program_view& program, const node& record, std::size_t operand) -> row_window {
    const auto plan = packed_layer_of(Kernel::layer_of(program, record).plan);
    if (operand != 0 || plan.batches != 1) return row_window::none();
    return {plan.rows.reach(), plan.columns.reach()};
  }

  /// Output rows `first` up to, not including, `last`; the rows of a batch's second image follow those of its first.
  template <class Call>
  static void run_rows(const Call& call, std::int32_t first, std::int32_t last) {
    packed_row_kernel::compute_rows(call, first, last);
  }
};

}  // namespace baton::helium::detail
