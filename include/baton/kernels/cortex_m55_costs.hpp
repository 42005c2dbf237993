// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The cost table of a Cortex-M55, for the Helium kernels, the Cortex-M kernels and the portable kernels.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/kernel/kernel_costs.hpp>
#include <baton/kernels/detail/cortex_m55_rows.hpp>
#include <baton/kernels/shared/cost_row.hpp>

#include <iterator>

namespace baton {

/// The cost table of a Cortex-M55, for the executor service `within`. The portable kernels, the Cortex-M kernels with default options, and
/// the Helium kernels were measured on int8, and in layers with weights also on int16. A kernel that the table does
/// not know is assumed to cost no more than the kernels that follow it in the list.
struct cortex_m55_costs {
  /// The measured rows. The rows of narrow node classes precede the rows of wider classes (see `cost_row::find`).
  static constexpr auto rows() -> span<const cost_row> { return {detail::cortex_m55_rows, std::size(detail::cortex_m55_rows)}; }
  /// The implementation of a kernel: only the rows with this `cost_row::kernel_form` apply to the kernel.
  template <class Kernel>
  static constexpr cost_row::kernel_form form = detail::form_of<Kernel>;

  template <class Kernel>
  static constexpr auto node(const program_view& program, const baton::node& record) -> node_cost {
    return detail::measured_cost_of<Kernel>(detail::cortex_m55_table, program, record);
  }
};
static_assert(kernel_costs<cortex_m55_costs>);

}  // namespace baton
