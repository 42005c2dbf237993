// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// 3 × 3 depthwise convolution of whole images, with stride 2: one call of a routine packs and computes all channels of an output row.
// `compute_pairs` makes one call for each group of channels instead; a tenth of its instructions is the overhead of these calls.
#pragma once

#include <baton/kernel/min_distance.hpp>
#include <baton/kernels/cortex_m/detail/depthwise_columns.hpp>
#include <baton/kernels/cortex_m/detail/depthwise_memory.hpp>
#include <baton/kernels/cortex_m/detail/depthwise_pair_walk.hpp>
#include <baton/kernels/cortex_m/detail/depthwise_pairs.hpp>
#include <baton/kernels/cortex_m/detail/depthwise_plan.hpp>
#include <baton/kernels/cortex_m/detail/depthwise_strided_walk.hpp>

#include <cstdint>

namespace baton::cortex_m::detail {

/// Returns the number of blocks of two columns that cover the image.
constexpr auto strided_blocks(const depthwise_plan& plan) -> std::int32_t { return (plan.last_inside() - plan.first_inside()) / 2; }

/// True if `compute_strided_rows` can compute a layer: all channels have the plan's shift, and no group of channels and no block of columns
/// is incomplete. Also requires that `strided_repetitions` fits 8 bits (`counts_repetitions`).
constexpr auto has_strided_rows(const depthwise_plan& plan) -> bool {
  const bool is_whole = plan.channels % packed_channels == 0 && (plan.last_inside() - plan.first_inside()) % 2 == 0;
  return plan.algorithm == depthwise_algorithm::pairs && plan.rows.stride == 2 && plan.has_other_shifts == 0 && is_whole &&
         counts_repetitions(plan.columns.output, plan.channels);
}

/// Computes all output rows in the order `order`.
template <const depthwise_plan& Plan>
[[gnu::always_inline]] inline void compute_strided_rows(const depthwise_memory& at, write_order order) {
  const auto scratch = lay_out_pairs(Plan, at.scratch, false);
  begin_pairs(Plan, scratch, 0, Plan.output_rows(), false);
  const auto* const begin = scratch.columns + Plan.begins_odd();
  auto* const inside = scratch.columns + Plan.word_of_column(Plan.first_inside());
  const auto* const end = scratch.columns + Plan.word_of_column(Plan.last_inside());
  for (std::int32_t i = 0; i < Plan.output_rows(); ++i) {
    const auto row = order == write_order::ascending ? i : Plan.output_rows() - 1 - i;
    const auto rows = rows_of(Plan, at, scratch.padding_row, row, 1);
    convolve_strided_row<pair_walk_of(Plan), strided_blocks(Plan) % 2>(
        {at.stream, at.stream + packed_channels * Plan.block_words(), begin, at.output + row * Plan.out_row_bytes(), rows.first,
         rows.second_offset, rows.third_offset, end, inside, at.stream + Plan.channels * Plan.block_words()});
  }
}

}  // namespace baton::cortex_m::detail
