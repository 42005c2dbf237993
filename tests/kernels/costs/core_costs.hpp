// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The cost table of the core for which a measuring program is compiled, and the kernels that the table knows.
#pragma once

#include <baton/kernels/cortex_m4_costs.hpp>
#include <baton/kernels/cortex_m55_costs.hpp>
#include <baton/kernels/declared_kernels.hpp>

#if defined(__ARM_FEATURE_MVE)
struct measured_core {
  using costs = baton::cortex_m55_costs;
  static constexpr auto table = baton::detail::cortex_m55_table;
  static constexpr auto kernels = baton::helium_kernels + baton::cortex_m_kernels;
  static constexpr bool has_library = false;  ///< whether CMSIS-NN has a table for the core
  static constexpr const char* rows_name = "cortex_m55_rows";
  static constexpr const char* calls_name = "cortex_m55_calls";
};
#else
struct measured_core {
  using costs = baton::cortex_m4_costs;
  static constexpr auto table = baton::detail::cortex_m4_table;
  static constexpr auto kernels = baton::cortex_m_kernels;
  static constexpr bool has_library = true;
  static constexpr const char* rows_name = "cortex_m4_rows";
  static constexpr const char* calls_name = "cortex_m4_calls";
};
#endif
