// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A kernel's description of a node: whether the kernel supports the node, the plan of the computation, and the facts for the memory
// planner.
#pragma once

#include <baton/core/verdict.hpp>
#include <baton/kernel/kernel_facts.hpp>

#include <cstdint>

namespace baton {

/// The plan of a kernel that needs none.
struct no_plan {};

/// A kernel's description of a node. If `support` is a refusal, `plan` and `facts` have no meaning. A refusal without a reason means that
/// the kernel does not know the operator.
/// \tparam Plan a literal type with everything that `compute` needs to know; its value is computed at compile time
template <class Plan = no_plan>
struct node_description {
  verdict support{};
  Plan plan{};
  kernel_facts facts{};
};

/// The purpose of a description. `computing` needs all members. `planning` needs only `support` and `facts`, without
/// `kernel_facts::prepared`, so `describe` may omit tables of the plan that take long to compute.
enum class describe_for : std::uint8_t { planning, computing };

}  // namespace baton
