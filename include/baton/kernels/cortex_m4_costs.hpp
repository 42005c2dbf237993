// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The cost table of a Cortex-M4, for the Cortex-M kernels and the portable kernels.
#pragma once

#include <baton/kernel/kernel_costs.hpp>
#include <baton/kernels/detail/cortex_m4_rows.hpp>
#include <baton/kernels/detail/measured_cost.hpp>

namespace baton {

/// The cost table of a Cortex-M4, for the executor service `within`. The portable kernels, and the Cortex-M kernels with default options,
/// were measured on int8. Layers with weights were also measured on int16 and as hybrid layers. The portable kernels of common operators
/// were also measured on float32. A kernel that the table does not know, such as a Helium kernel, is assumed to cost no more than the
/// kernels that follow it in the kernel list.
struct cortex_m4_costs : detail::measured_costs_of<detail::cortex_m4_table> {};
static_assert(kernel_costs<cortex_m4_costs>);

}  // namespace baton
