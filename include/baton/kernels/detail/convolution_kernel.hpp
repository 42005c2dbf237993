// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The common base of the portable convolutions.
#pragma once

#include <baton/core/program.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernels/detail/channels.hpp>
#include <baton/kernels/detail/layer.hpp>
#include <baton/kernels/detail/layer_chunks.hpp>
#include <baton/kernels/detail/row_ranges.hpp>
#include <baton/kernels/window.hpp>

#include <cstdint>

namespace baton::portable::detail {

/// The base of the kernels of convolutions. `Kernel` has:
/// - `static constexpr auto geometry_of(const program_view&, const node&) -> node_description<Geometry>`, where `Geometry` is structural.
/// - `template <Geometry Plan, class Call, class Rows, class Columns> static void compute_part(const Call& call, Rows rows, Columns
///   columns)`: computes the columns `columns` of the output rows `rows`. This function is instantiated only if the arithmetic has
///   code that is specialized at compile time (`has_specialized_code`).
///
/// Row numbers continue from image to image of a batch.
template <class Kernel>
struct convolution_kernel {
  /// Returns the plan and the facts of a node. Row-by-row computation requires that the facts declare the window (see `row_window`) of the
  /// input. The facts declare the window only if the batch has one image, no filter window is completely in the padding, and the arithmetic
  /// has specialized code. Arithmetics without specialized code may need the whole image before the first row.
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<layer> {
    auto result = describe_layer(program, record, Kernel::geometry_of(program, record), channel_scaling::in_double);
    const auto& plan = result.plan;
    if (!result.support) return result;
    if (has_specialized_code(plan.out.by)) {
      result.facts.operands[0].window = image_window(plan.batches, plan.rows, plan.columns);
      result.facts.chunks = plan.output_rows() * plan.columns.output;
    } else {
      add_layer_chunks(plan, result.facts);
    }
    return result;
  }
  template <class Plan>
  static void compute(const Plan& plan, const node_memory& memory) {
    compute_layer(plan, memory);
  }

  template <class Call>
  static void compute(const Call& call) {
    compute_range(call, whole_range<layer_geometry<Kernel, Call>.output_rows()>{});
  }
  template <class Call>
  static void compute_rows(const Call& call, std::int32_t first, std::int32_t last) {
    compute_range(call, output_range{first, last});
  }
  template <class Call>
  static void compute_pixels(const Call& call, std::int32_t row, std::int32_t first, std::int32_t last) {
    constexpr auto plan = layer_geometry<Kernel, Call>;
    Kernel::template compute_part<plan>(call, output_range{row, row + 1}, output_range{first, last});
  }
  /// Computes the chunks [`first`, `last`). A chunk (see `kernel_facts::chunks`) is a pixel, or one of `layer_chunks` if the arithmetic has
  /// no specialized code.
  template <class Call>
  static void compute_chunks(const Call& call, std::int32_t first, std::int32_t last) {
    constexpr auto plan = layer_geometry<Kernel, Call>;
    if constexpr (has_specialized_code(plan.out.by)) {
      for_row_ranges(plan.columns.output, first, last,
                     [&](std::int32_t row, std::int32_t column, std::int32_t end) { compute_pixels(call, row, column, end); });
    } else {
      run_layer_chunks<channel_scaling::in_double, plan>(call, first, last);
    }
  }

 private:
  template <class Call, class Rows>
  static void compute_range(const Call& call, Rows rows) {
    constexpr auto plan = layer_geometry<Kernel, Call>;
    if constexpr (has_specialized_code(plan.out.by)) {
      Kernel::template compute_part<plan>(call, rows, whole_range<plan.columns.output>{});
    } else {
      run_layer_rows<channel_scaling::in_double, plan>(call, rows);
    }
  }
};

}  // namespace baton::portable::detail
