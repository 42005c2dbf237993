// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A base for kernels of many operators and types, so that a node instantiates only the code of its kind.
#pragma once

#include <baton/kernel/node_memory.hpp>
#include <baton/kernel/shared/compute_node.hpp>

namespace baton::portable::detail {

/// Base of a kernel whose plans have a `kind`, a structural value such as the operator and the element type. Besides `describe`, the kernel
/// has:
/// - `template <auto Kind> static void compute_kind(const Plan& plan, const node_memory& at)`: the code of one kind. A node of a static
///   program instantiates only the code of its kind.
/// - `template <class Plan> static void compute(const Plan& plan, const node_memory& at)`: selects the kind at run time. It is a template,
///   so that the code of all kinds is instantiated only if it is called.
/// - `using kernel_of_kinds<Kernel>::compute`.
template <class Kernel>
struct kernel_of_kinds {
  template <class Call>
  static void compute(const Call& call) {
    with_memory(call, [](const node_memory& at) __attribute__((always_inline)) {
      constexpr auto kind = node_plan<Kernel, Call>.kind;
      Kernel::template compute_kind<kind>(node_plan<Kernel, Call>, at);
    });
  }
};

}  // namespace baton::portable::detail
