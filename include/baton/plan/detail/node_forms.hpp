// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The forms of a node: the kernels that support the node, with their costs.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/locate.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rules.hpp>
#include <baton/core/span.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/kernel_costs.hpp>
#include <baton/operators/shared/control_flow.hpp>
#include <baton/plan/detail/kernel_choices.hpp>
#include <baton/plan/shared/rules.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace baton::detail {

/// A kernel that supports a node, and the cost of the node with this kernel.
struct node_form {
  chosen_kernel kernel{};
  node_cost cost{};
};

/// The forms of a node: the kernels that support the node, in the order of their list. In the list, each kernel is followed by the kernels
/// in its member type `forms` (see `kernel`). If more than `max_count` kernels support the node, `check_forms` fails. The following nodes
/// have no forms:
/// - delegate calls, branches and loops;
/// - nodes that do not run, such as the nodes of a delegate's original graph (the part before `preprocess`);
/// - nodes that a kernel of a backend computes (`nodes_with_own_kernels`).
struct node_forms {
  static constexpr std::size_t max_count = 8;

  std::array<node_form, max_count> forms{};
  std::uint32_t count = 0;
  std::uint32_t supporting_kernels = 0;  ///< the number of kernels that support the node: `count`, or more than `max_count`
  bool is_own = false;                   ///< whether the node is in a graph that runs with the executor's own kernels

  constexpr auto operator[](std::size_t i) const -> const node_form& { return forms[i]; }
};

template <class Costs, class Kernel>
constexpr void add_form(node_forms& to, std::size_t at, const program_view& program, const node& record, range among) {
  if (at < among.first || at - among.first >= among.size) return;
  const auto answer = ask_kernel<Kernel>(program, record);
  if (!answer.support || ++to.supporting_kernels > node_forms::max_count) return;
  to.forms[to.count++] = {{static_cast<std::uint32_t>(at), answer.facts}, Costs::template node<Kernel>(program, record)};
}

/// Changes the cost of each form whose cost is not known (`node_cost::is_known`) to the lowest cost of the later forms, if that is lower.
/// So the search never prefers a later form to a form of unknown cost because of an estimate.
constexpr void limit_unknown_costs(node_forms& node) {
  for (std::size_t i = node.count; i-- > 1;) {
    auto& cost = node.forms[i - 1].cost;
    if (cost.is_known) continue;
    for (std::size_t later = i; later < node.count; ++later) cost.instructions = std::min(cost.instructions, node[later].cost.instructions);
  }
}

/// Returns the forms of a node among the kernels at the positions `among` of a list. Call this function only for nodes of graphs that run
/// with the executor's own kernels.
template <class Costs, class... Kernels>
constexpr auto forms_of_node(kernel_list<Kernels...>, const program_view& program, const node& record, [[maybe_unused]] range among)
    -> node_forms {
  node_forms result;
  result.is_own = true;
  if (record.delegate != none<delegate_id> || control_flow_of(program, record) != control_flow::none) return result;
  [[maybe_unused]] std::size_t at = 0;
  (add_form<Costs, Kernels>(result, at++, program, record, among), ...);
  limit_unknown_costs(result);
  return result;
}

/// Fails with `too_many_forms` at the first node that more than `node_forms::max_count` kernels support. The search would ignore the other
/// kernels, even if one of them was the cheapest.
constexpr auto check_forms(const program_view& program, span<const node_forms> nodes) -> failure {
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    if (nodes[n].supporting_kernels <= node_forms::max_count) continue;
    return broken_at<"too_many_forms">(program, static_cast<node_id>(n), nodes[n].supporting_kernels, " kernels, the limit is ",
                                       node_forms::max_count);
  }
  return {};
}

}  // namespace baton::detail
