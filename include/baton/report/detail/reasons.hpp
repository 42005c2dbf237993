// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The reasons why nodes are not delegated and why delegates are separate, and the cost of each reason.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/sort.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/report/detail/reason_forms.hpp>
#include <baton/report/shared/table.hpp>
#include <baton/report/survey.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace baton::report {

/// A group of nodes with one operator and one reason. Either the nodes are not delegated, or each node calls a delegate of one backend and
/// is between two delegates of another backend. Reasons that differ only in numbers are merged into one.
struct common_reason {
  std::string_view op;                  ///< the operator of the nodes; for delegate calls, the id of the called backend
  text_buffer reason;                   ///< why the nodes are not delegated (`alike_reasons`); empty for delegate calls or if unknown
  std::size_t texts = 1;                ///< number of merged texts, which differ only in numbers
  vector<vector<text_buffer>> numbers;  ///< if `texts` > 1: the distinct numbers at each position, ascending
  bool is_delegate = false;             ///< whether the nodes are delegate calls
  std::size_t nodes = 0;
  std::uint64_t multiply_adds = 0;
  std::size_t separated_parts = 0;  ///< number of delegates that are separate because of these nodes, possibly among other nodes
  /// The number of delegates that only these nodes separate from the preceding delegate of the same backend. If these nodes were delegated,
  /// the number of delegates would decrease by at most `avoidable_parts`.
  std::size_t avoidable_parts = 0;
};

namespace detail {

/// Returns the name of a delegate. If the graph that calls the delegate is not the root, appends the graph's name, because delegate names
/// are unique only within a graph.
constexpr auto delegate_name(const program_view& program, const survey& facts, std::uint32_t d) -> text_buffer {
  auto name = printable(program.text(program.delegates[d].name));
  const auto graph = facts.delegates[d].graph;
  if (graph != npos && graph != 0) append(append(name, " of "), view(printable(view(facts.graphs[graph].name))));
  return name;
}

constexpr auto nodes_between(const survey& facts, std::uint32_t d) -> span<const std::uint32_t> {
  const auto nodes = facts.delegates[d].separation.between;
  return {facts.between.data() + nodes.first, nodes.size};
}

/// A grouping of nodes by operator and reason.
class reason_groups {
 public:
  constexpr reason_groups(const program_view& program, const survey& facts) : program_(program), facts_(facts) {
    vector<char> is_listed(facts.nodes.size(), 0);
    for (std::uint32_t n = 0; n < is_listed.size(); ++n) is_listed[n] = facts.nodes[n].reason.empty() ? 0 : 1;
    for (const auto n : facts.between) is_listed[n] = 1;
    for (std::uint32_t n = 0; n < is_listed.size(); ++n) {
      if (is_listed[n] != 0) nodes_.push_back(n);
    }
    sort(nodes_.begin(), nodes_.end(), [this](std::uint32_t a, std::uint32_t b) {
      const auto order = compare(a, b);
      return order != 0 ? order < 0 : a < b;
    });
  }

  constexpr auto run() -> vector<common_reason> {
    group_nodes();
    merge_alike();
    for (std::uint32_t d = 0; d < facts_.delegates.size(); ++d) count_separation(nodes_between(facts_, d));
    sort(groups_.begin(), groups_.end(), is_heavier);
    return std::move(groups_);
  }

 private:
  constexpr auto is_call(std::uint32_t n) const -> bool { return facts_.nodes[n].delegate != npos; }
  constexpr auto op(std::uint32_t n) const -> std::string_view {
    return is_call(n) ? view(facts_.nodes[n].computed_by) : program_.text(program_.nodes[n].target);
  }
  /// Compares two nodes by operator, then by reason. Returns a negative number, 0, or a positive number.
  constexpr auto compare(std::uint32_t a, std::uint32_t b) const -> int {
    if (const auto order = op(a).compare(op(b)); order != 0) return order;
    return view(facts_.nodes[a].reason).compare(view(facts_.nodes[b].reason));
  }
  static constexpr auto is_heavier(const common_reason& a, const common_reason& b) -> bool {
    if (a.avoidable_parts != b.avoidable_parts) return a.avoidable_parts > b.avoidable_parts;
    if (a.separated_parts != b.separated_parts) return a.separated_parts > b.separated_parts;
    return a.multiply_adds != b.multiply_adds ? a.multiply_adds > b.multiply_adds : a.nodes > b.nodes;
  }

  constexpr void group_nodes() {
    group_of_.assign(facts_.nodes.size(), npos);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const auto n = nodes_[i];
      if (i == 0 || compare(nodes_[i - 1], n) != 0) {
        auto& group = groups_.emplace_back();
        group.op = op(n);
        group.reason = facts_.nodes[n].reason;
        group.is_delegate = is_call(n);
      }
      group_of_[n] = static_cast<std::uint32_t>(groups_.size() - 1);
      groups_.back().nodes += 1;
      groups_.back().multiply_adds += facts_.nodes[n].multiply_adds;
    }
  }
  /// Merges the groups that have the same operator and reasons that differ only in numbers.
  constexpr void merge_alike() {
    vector<reason_form> forms;
    vector<std::uint32_t> order;
    for (std::uint32_t g = 0; g < groups_.size(); ++g) {
      forms.push_back(form_of(view(groups_[g].reason)));
      order.push_back(g);
    }
    const auto compare_forms = [&](std::uint32_t a, std::uint32_t b) {
      if (const auto by_operator = groups_[a].op.compare(groups_[b].op); by_operator != 0) return by_operator;
      if (groups_[a].is_delegate != groups_[b].is_delegate) return groups_[a].is_delegate ? 1 : -1;
      return view(forms[a].words).compare(view(forms[b].words));
    };
    sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      const auto by_form = compare_forms(a, b);
      return by_form != 0 ? by_form < 0 : a < b;
    });
    vector<common_reason> merged;
    vector<std::uint32_t> merged_index(groups_.size(), 0);
    for (std::size_t i = 0; i < order.size();) {
      auto group = groups_[order[i]];
      alike_reasons alike(forms[order[i]]);
      std::size_t texts = 0;
      for (const auto first = order[i]; i < order.size() && compare_forms(order[i], first) == 0; ++i, ++texts) {
        alike.add(forms[order[i]]);
        merged_index[order[i]] = static_cast<std::uint32_t>(merged.size());
        if (texts == 0) continue;
        group.nodes += groups_[order[i]].nodes;
        group.multiply_adds += groups_[order[i]].multiply_adds;
      }
      group.texts = texts;
      if (texts > 1) {
        group.reason = alike.text();
        group.numbers = alike.numbers();
      }
      merged.push_back(std::move(group));
    }
    for (const auto n : nodes_) group_of_[n] = merged_index[group_of_[n]];
    groups_ = std::move(merged);
  }
  constexpr void count_separation(span<const std::uint32_t> nodes) {
    vector<std::uint32_t> groups;
    for (const auto n : nodes) groups.push_back(group_of_[n]);
    sort(groups.begin(), groups.end());
    groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
    for (const auto group : groups) {
      groups_[group].separated_parts += 1;
      groups_[group].avoidable_parts += groups.size() == 1 ? 1u : 0u;
    }
  }

  program_view program_;
  const survey& facts_;
  vector<std::uint32_t> nodes_;
  vector<std::uint32_t> group_of_;  // indexed by node: the index of the node's group, or `npos`
  vector<common_reason> groups_;
};

/// Returns the reason why a node between two delegates is not delegated. If no reason is known, names the component that computes the node.
/// Returns an empty text if neither the reason nor the component is known.
constexpr auto obstacle_text(const survey::node_facts& facts) -> text_buffer {
  if (!facts.reason.empty()) return join(view(facts.reason));
  if (facts.computed_by.empty()) return {};
  return join("assigned to ", view(facts.computed_by));
}

constexpr auto between_text(const program_view& program, const survey& facts, std::uint32_t d) -> text_buffer {
  constexpr std::size_t max_named = 4;
  const auto nodes = nodes_between(facts, d);
  text_buffer names;
  text_buffer reasons;
  for (std::size_t i = 0; i < std::min(nodes.size(), max_named); ++i) {
    const auto& record = program.nodes[nodes[i]];
    if (i != 0) append(names, i + 1 == nodes.size() ? " and " : ", ");
    append(names, view(printable(program.text(record.delegate != none<delegate_id> ? program[record.delegate].name : record.name))));
    const auto why = obstacle_text(facts.nodes[nodes[i]]);
    bool is_repeated = why.empty();
    for (std::size_t j = 0; j < i && !is_repeated; ++j) is_repeated = view(obstacle_text(facts.nodes[nodes[j]])) == view(why);
    if (!is_repeated) append(append(reasons, reasons.empty() ? "" : "; "), view(why));
  }
  if (nodes.size() > max_named) append(names, view(join(" and ", nodes.size() - max_named, " more")));
  return join(view(names), nodes.size() == 1 ? " is" : " are", " between it and ",
              view(delegate_name(program, facts, facts.delegates[d].separation.follows)), reasons.empty() ? "" : ": ", view(reasons));
}

}  // namespace detail

/// Returns groups of two kinds of nodes: nodes with a known reason why they are not delegated, and nodes that separate delegates. The
/// groups are in descending order of `avoidable_parts`, then `separated_parts`, `multiply_adds` and `nodes`.
constexpr auto reasons_of(const program_view& program, const survey& facts) -> vector<common_reason> {
  return detail::reason_groups(program, facts).run();
}

/// Returns the reason why a delegate is separate from the preceding delegates of its backend, in one line.
constexpr auto separation_text(const program_view& program, const survey& facts, delegate_id id) -> text_buffer {
  const auto d = index(id);
  const auto& delegate = facts.delegates[d];
  const auto backend = printable(program.text(program.delegates[d].backend_id));
  const auto nothing_between = [&] {
    return join("no node is between it and ", view(detail::delegate_name(program, facts, delegate.separation.follows)));
  };
  switch (delegate.separation.kind) {
    case separation_kind::nodes_between:
      return detail::between_text(program, facts, d);
    case separation_kind::adjacent:
      return join(view(nothing_between()), ": the partitioner separates them (because of a limit, a group or a pattern)");
    case separation_kind::different_specs:
      return join(view(nothing_between()), ", but their compile specs differ");
    case separation_kind::independent:
      return join("it depends on no earlier part of ", view(backend));
    case separation_kind::first:
      break;
  }
  if (delegate.graph == npos || delegate.graph == 0) return join("the first part of ", view(backend));
  return join("the first part of ", view(backend), " in ", view(printable(view(facts.graphs[delegate.graph].name))),
              "; a part cannot cross a graph boundary");
}

}  // namespace baton::report
