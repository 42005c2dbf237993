// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Which kernel computes each node of a program.
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
  std::uint32_t index = npos;  ///< in the list; the size of the list: the node is a delegate call or control flow; `npos`: it does not run
  kernel_facts facts{};
};

/// Chooses the kernels of all graphs that run; fails at the first node that has none, or lacks constant data. Whoever lacks one kernel
/// wants to know of all: the reason ends with the operators that have none.
template <class... Kernels>
class kernel_choices {
 public:
  /// \param known the kernels among the executor's own, by node; their index is `npos` if unknown. May be empty.
  constexpr kernel_choices(const program_view& program, const backend_needs& needs, span<const chosen_kernel> known)
      : program_(program),
        needs_(needs),
        known_(known),
        chosen_(program.nodes.size()),
        owner_(program.graphs.size(), none<delegate_id>) {}

  constexpr auto run(const graph_calls& calls) -> result<vector<chosen_kernel>> {
    for (const auto id : calls.order) {
      const auto nodes = program_[id].nodes;
      for (std::uint32_t n = nodes.first; n < nodes.first + nodes.size; ++n) {
        hand_down(calls, id, n);
        failure why = choose(n, owner_[index(id)]);
        if (!why) continue;
        if (why.is<"missing_kernel">()) {
          count_lack(program_.nodes[n]);
          if (lacks_ == 1) first_ = std::move(why);
        } else if (lacks_ == 0) {
          return why;
        }
      }
    }
    if (lacks_ == 0) return std::move(chosen_);
    if (lacks_ > 1) name_all();
    return std::move(first_);
  }

 private:
  /// An operator that nodes without a kernel have, and how many they are.
  struct lack {
    const node* record;
    std::size_t count;
  };

  constexpr void count_lack(const node& record) {
    ++lacks_;
    for (auto& each : lacking_) {
      if (each.record->op != record.op) continue;
      ++each.count;
      return;
    }
    lacking_.push_back({&record, 1});
  }
  constexpr void name_all() {
    append(first_.reason, view(join("; ", lacks_, " nodes have no kernel: ")));
    for (const auto& each : lacking_) {
      if (&each != lacking_.begin()) append(first_.reason, ", ");
      append(first_.reason, view(join(program_.text(each.record->target), " (", each.count, ")")));
    }
  }

  /// The graphs that a node runs have the kernels of its own, or of its delegate.
  constexpr void hand_down(const graph_calls& calls, graph_id from, std::uint32_t n) {
    const auto& record = program_.nodes[n];
    const bool brings = record.delegate != none<delegate_id> && !needs_.kernels.empty() && needs_.kernels[index(record.delegate)].size != 0;
    for (const auto inner : graphs_run_by(program_, record, calls.runs_original)) {
      owner_[index(inner)] = brings ? record.delegate : owner_[index(from)];
    }
  }

  constexpr auto choose(std::uint32_t n, delegate_id owner) -> failure {
    const auto& record = program_.nodes[n];
    for (const auto input : program_.inputs(record)) {
      if (input == none<value_id> || needs_memory(program_[input]) || program_[input].data.size != 0) continue;
      if (element_count(program_.shape(input)) == 0) continue;
      return broken_at<"malformed_data">(program_, static_cast<node_id>(n), program_.text(program_[input].name), " has no data");
    }
    chosen_[n].index = sizeof...(Kernels);
    if (record.delegate != none<delegate_id>) return {};
    if (control_flow_of(record) != control_flow::none) {
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
  vector<delegate_id> owner_;  // by graph: the delegate whose backend's kernels compute it; none: the executor's do
  std::size_t lacks_ = 0;      // nodes without a kernel
  vector<lack> lacking_;       // their operators
  failure first_;              // of the first of them
};

}  // namespace baton::detail
