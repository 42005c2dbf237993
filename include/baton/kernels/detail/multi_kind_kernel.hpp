// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The base of kernels that support many operators and types. A node instantiates only the code of its own kind.
#pragma once

#include <baton/kernel/node_memory.hpp>
#include <baton/kernel/shared/compute_node.hpp>

namespace baton::portable::detail {

/// The base of a kernel whose plans have a `kind`, a structural value such as the operator and the element type. Besides `describe`, the
/// kernel has:
/// - `template <auto Kind> static void compute_kind(const Plan& plan, const node_memory& at)`: the code of one kind. A node of a static
///   program instantiates only the code of its kind.
/// - `template <class Plan> static void compute(const Plan& plan, const node_memory& at)`: selects the kind at run time. It is a template,
///   so that the code of all kinds is instantiated only if this function is called.
/// - `using multi_kind_kernel<Kernel>::compute`, which the kernel's own `compute` would otherwise hide.
template <class Kernel>
struct multi_kind_kernel {
  template <class Call>
  static void compute(const Call& call) {
    with_memory(call, [](const node_memory& memory) __attribute__((always_inline)) {
      constexpr auto kind = node_plan<Kernel, Call>.kind;
      Kernel::template compute_kind<kind>(node_plan<Kernel, Call>, memory);
    });
  }
};

}  // namespace baton::portable::detail
