// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The portable kernel of an operator by the operator's name, so that tests in other folders need not name internal kernels.
#pragma once

#include <baton/core/name.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernels/kernels.hpp>

#include <cstddef>
#include <string_view>

namespace nodes {

template <class Kernel>
consteval auto has_operator(std::string_view name) -> bool {
  if constexpr (requires { Kernel::operators; }) return baton::is_among(baton::hash_of(name), Kernel::operators);
  return false;
}

/// Returns the position of a kernel of a list that has the operator `name`, after skipping `skipped` others that have it, too. Returns the
/// size of the list if there is none.
template <class... Kernels>
consteval auto position_of_operator(baton::kernel_list<Kernels...>, std::string_view name, std::size_t skipped) -> std::size_t {
  std::size_t position = 0;
  const auto is_match = [&](bool has_it) {
    if (has_it && skipped-- == 0) return true;
    ++position;
    return false;
  };
  static_cast<void>((is_match(has_operator<Kernels>(name)) || ...));
  return position;
}

template <baton::fixed_string Operator, std::size_t Skipped = 0>
using kernel_of = typename decltype(baton::portable_kernels)::template at<position_of_operator(baton::portable_kernels, Operator, Skipped)>;

}  // namespace nodes
