// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The choice of a kernel for each node of a program.
#pragma once

#include <baton/backend/lowered_module.hpp>
#include <baton/core/error.hpp>
#include <baton/core/locate.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rules.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/kernel_facts.hpp>
#include <baton/operators/shared/control_flow.hpp>
#include <baton/plan/detail/kernel_owners.hpp>
#include <baton/plan/shared/backend_needs.hpp>
#include <baton/plan/shared/graph_calls.hpp>
#include <baton/plan/shared/locations.hpp>
#include <baton/plan/shared/rules.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton::detail {

/// The kernel of a node.
struct chosen_kernel {
  std::uint32_t index = npos;  ///< index in the list; the list's size for a delegate call or control flow; `npos` if the node does not run
  kernel_facts facts{};
};

/// The choice of kernels for all graphs that run. Fails at the first node that has no kernel, has a constant operand without data, or is
/// invalid control flow. If several nodes have no kernel, the reason ends with a list of their operators, so that one build reports all
/// missing kernels.
template <class... Kernels>
class kernel_choices {
 public:
  /// \param known the kernels that are already chosen among the executor's own kernels, indexed by node. An element with the index `npos`
  /// means that no kernel is chosen for the node. The list may be empty.
  constexpr kernel_choices(const program_view& program, const backend_needs& needs, span<const chosen_kernel> known)
      : program_(program),
        needs_(needs),
        known_(known),
        chosen_(program.nodes.size()) {}

  constexpr auto run(const graph_calls& calls) -> result<vector<chosen_kernel>> {
    const auto owners = kernel_owners(program_, needs_, calls);
    for (const auto id : calls.order) {
      const auto nodes = program_[id].nodes;
      for (std::uint32_t n = nodes.first; n < nodes.first + nodes.size; ++n) {
        failure why = choose(n, owners[index(id)]);
        if (!why) continue;
        if (why.is<"missing_kernel">()) {
          count_missing(program_.nodes[n]);
          if (missing_count_ == 1) first_failure_ = std::move(why);
        } else if (missing_count_ == 0) {
          return why;
        }
      }
    }
    if (missing_count_ == 0) return std::move(chosen_);
    if (missing_count_ > 1) list_missing();
    return std::move(first_failure_);
  }

 private:
  /// An operator without a kernel, and the number of its nodes.
  struct missing_operator {
    const node* record;
    std::size_t count;
  };

  constexpr void count_missing(const node& record) {
    ++missing_count_;
    for (auto& each : missing_operators_) {
      if (each.record->op != record.op) continue;
      ++each.count;
      return;
    }
    missing_operators_.push_back({&record, 1});
  }
  constexpr void list_missing() {
    append(first_failure_.reason, view(join("; ", missing_count_, " nodes have no kernel: ")));
    for (const auto& each : missing_operators_) {
      if (&each != missing_operators_.begin()) append(first_failure_.reason, ", ");
      append(first_failure_.reason, view(join(program_.text(each.record->target), " (", each.count, ")")));
    }
  }

  constexpr auto choose(std::uint32_t n, delegate_id owner) -> failure {
    const auto& record = program_.nodes[n];
    for (const auto input : program_.inputs(record)) {
      if (input == none<value_id> || needs_memory(program_[input]) || program_[input].data.size != 0) continue;
      if (program_[input].kind == value_kind::external_constant || element_count(program_.shape(input)) == 0) continue;
      return broken_at<"malformed_data">(program_, static_cast<node_id>(n), program_.text(program_[input].name), " has no data");
    }
    chosen_[n].index = sizeof...(Kernels);
    if (record.delegate != none<delegate_id>) return {};
    if (control_flow_of(program_, record) != control_flow::none) {
      if (auto why = check_control_flow(program_, record)) return locate(std::move(why), program_, static_cast<node_id>(n));
      return {};
    }
    if (owner == none<delegate_id> && !known_.empty() && known_[n].index != npos) {
      chosen_[n] = known_[n];
      return {};
    }
    auto choice = choose_kernel(kernel_list<Kernels...>{}, program_, record, needs_.kernels_of(owner, sizeof...(Kernels)));
    if (choice.support) {
      chosen_[n] = {static_cast<std::uint32_t>(choice.index), choice.facts};
      return {};
    }
    auto why = broken_at<"missing_kernel">(program_, static_cast<node_id>(n));
    why.reason = std::move(choice.support.reason);
    if (owner != none<delegate_id>) why.backend = join(lowered_module_view(program_, owner).backend_id());
    return why;
  }

  program_view program_;
  const backend_needs& needs_;
  span<const chosen_kernel> known_;
  vector<chosen_kernel> chosen_;
  std::size_t missing_count_ = 0;               // the number of nodes without a kernel
  vector<missing_operator> missing_operators_;  // the operators of the nodes without a kernel
  failure first_failure_;                       // the failure of the first node without a kernel
};

}  // namespace baton::detail
