// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Lists of equal kernels that support one operator. The last kernel is the cheapest.
#pragma once

#include <baton/core/program.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/kernel_costs.hpp>

#include "plan/stepping.hpp"

#include <cstdint>
#include <utility>

namespace stepping {

template <std::uint32_t Number>
struct numbered : slow {
  static constexpr auto number = Number;
};
struct numbered_costs {
  template <class Kernel>
  static constexpr auto node(const baton::program_view&, const baton::node&) -> baton::node_cost {
    return {"numbered", 100 - Kernel::number, 0, 10};
  }
};
template <std::uint32_t... Number>
constexpr auto list_numbered(std::integer_sequence<std::uint32_t, Number...>) -> baton::kernel_list<numbered<Number>...> {
  return {};
}
/// `Count` kernels that support `test.add_bytes`.
template <std::uint32_t Count>
inline constexpr auto numbered_kernels = list_numbered(std::make_integer_sequence<std::uint32_t, Count>{});

}  // namespace stepping
