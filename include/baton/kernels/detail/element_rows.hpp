// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The base class of kernels that compute any range of output elements. The base class computes a whole output, rows and chunks as ranges.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/kernels/detail/element_chunks.hpp>
#include <baton/kernels/detail/image_rows.hpp>

#include <algorithm>
#include <cstdint>

namespace baton::portable::detail {

/// The base of a kernel that computes each output element from the elements at the same position. `Kernel` derives from this class and has
/// two members. `operators` lists the names of its operators. `compute_range(call, begin, end)` computes the output elements [`begin`,
/// `end`).
template <class Kernel>
struct element_rows {
  template <class Call>
  static void compute(const Call& call) {
    Kernel::compute_range(call, 0, static_cast<std::int32_t>(element_count(Call::program().shape(Call::output_id(0)))));
  }
  /// Computes output rows [`first`, `last`). Row numbers continue from image to image of a batch. Available if the output is [N, H, W, C].
  template <class Call>
    requires(is_among(Call::record().op, Kernel::operators) && has_image_output<Call>())
  static void compute_rows(const Call& call, std::int32_t first, std::int32_t last) {
    constexpr auto shape = Call::program().shape(Call::output_id(0));
    constexpr auto row = static_cast<std::int32_t>(shape[2] * shape[3]);
    Kernel::compute_range(call, first * row, last * row);
  }
  /// Computes the chunks [`first`, `last`), each of at most 64 elements (see `kernel_facts::chunks`).
  template <class Call>
  static void compute_chunks(const Call& call, std::int32_t first, std::int32_t last) {
    constexpr auto count = static_cast<std::int32_t>(element_count(Call::program().shape(Call::output_id(0))));
    Kernel::compute_range(call, first * elements_per_chunk, std::min(last * elements_per_chunk, count));
  }
};

}  // namespace baton::portable::detail
