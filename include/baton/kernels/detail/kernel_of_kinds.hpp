// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Kernels of many operators and types, of which a node's compilation sees only its own.
#pragma once

#include <baton/core/program.hpp>
#include <baton/kernels/described_kernel.hpp>

namespace baton::portable::detail {

/// What nodes of one kind see of a kernel.
template <class Kernel, auto Kind>
struct one_kind {
  static constexpr auto describe(const program_view& program, const node& record) { return Kernel::describe(program, record); }
  template <class Plan>
  [[gnu::always_inline]] static void compute(const Plan& plan, const node_memory& at) {
    Kernel::template compute_kind<Kind>(plan, at);
  }
};

/// The shell of a described kernel whose plans have a `kind`, a structural value: operator and type of the elements. It has beside
/// `describe`
/// - `template <auto Kind> static void compute_kind(const Plan& plan, const node_memory& at)`: code for nodes of that kind, the only code
///   of the kernel that a program's nodes are compiled with;
/// - `template <class Plan> static void compute(const Plan& plan, const node_memory& at)`: chooses the kind at run time. A template, so
///   that code of all kinds is made only where it is called.
template <class Kernel>
struct kernel_of_kinds : described_kernel<Kernel> {
  template <class Call>
  static void run(const Call& call) {
    constexpr auto kind = Kernel::describe(Call::program(), Call::record()).plan.kind;
    described_kernel<one_kind<Kernel, kind>>::run(call);
  }
};

}  // namespace baton::portable::detail
