// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The cost table of a Cortex-M55, for the Helium kernels, the Cortex-M kernels and the portable kernels.
#pragma once

#include <baton/kernel/kernel_costs.hpp>
#include <baton/kernels/detail/cortex_m55_rows.hpp>
#include <baton/kernels/detail/measured_cost.hpp>

namespace baton {

/// The cost table of a Cortex-M55, for the executor service `within`. The portable kernels, the Cortex-M kernels with default options, and
/// the Helium kernels were measured on int8. Layers with weights were also measured on int16 and as hybrid layers. The portable kernels of
/// common operators were also measured on float32. A kernel that the table does not know is assumed to cost no more than the kernels that
/// follow it in the kernel list.
struct cortex_m55_costs : detail::measured_costs_of<detail::cortex_m55_table> {};
static_assert(kernel_costs<cortex_m55_costs>);

}  // namespace baton
