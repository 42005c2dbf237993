// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The verdict on each node: the part that contains the node, or the reasons why the partitioners did not tag the node. A part is the nodes
// of a graph that become one delegate. To tag a node is to assign it to a part.
#pragma once

#include <baton/backend/lowered_module.hpp>
#include <baton/backend/shared/last_delegate.hpp>
#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/add_reason.hpp>
#include <baton/core/shared/nested_graphs.hpp>
#include <baton/core/shared/sort.hpp>
#include <baton/core/vector.hpp>
#include <baton/lower/detail/assemble.hpp>
#include <baton/lower/detail/batch.hpp>
#include <baton/lower/detail/lowering_steps.hpp>
#include <baton/lower/shared/check_parts.hpp>
#include <baton/lower/shared/constant_sharing.hpp>
#include <baton/lower/shared/lower_by_id.hpp>
#include <baton/lower/shared/part.hpp>
#include <baton/lower/shared/partitioner_lists.hpp>
#include <baton/partition/partition_result.hpp>
#include <baton/partition/partitioner.hpp>
#include <baton/partition/shared/reasons.hpp>
#include <baton/partition/shared/visible_graphs.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <utility>

namespace baton {

/// The decision about a node, made by a partitioner or by an earlier lowering.
struct node_verdict {
  node_id node = none<node_id>;
  std::int64_t debug_handle = 0;
  bool is_delegated = false;
  text_buffer tag;      ///< the tag of the node's part; for a delegate call, the name of the delegate
  text_buffer backend;  ///< the id of the part's backend
  text_buffer reason;   ///< the reason why no part contains the node; empty for a delegated node
};

namespace detail {

/// Returns a callable that explains why a node was not tagged. If the partitioner has no `explain_undelegated`, the callable returns an
/// empty text.
template <partitioner Partitioner>
constexpr auto reasons_of(const program_view& tagged, const Partitioner& partitioner) {
  static_assert(
      explaining_partitioner<Partitioner> || !requires { &Partitioner::explain_undelegated; },
      "baton not_an_explanation: explain_undelegated does not return a function of a node; write: constexpr auto explain_undelegated(const "
      "baton::program_view& tagged) const { return [tagged](baton::node_id id) -> baton::text_buffer { ... }; }");
  if constexpr (explaining_partitioner<Partitioner>) {
    return partitioner.explain_undelegated(tagged);
  } else {
    return [](node_id) { return text_buffer{}; };
  }
}

/// Returns, indexed by graph, the tag of the outermost part that calls the graph, directly or through other graphs. The tag is
/// `none<tag_id>` if no part calls the graph. Tags without a spec (backend and compile specs) are ignored.
constexpr auto tags_of_graphs(const program_view& program) -> vector<tag_id> {
  vector<tag_id> tags(program.graphs.size(), none<tag_id>);
  for (const auto& graph : program.graphs) {
    if (tags[static_cast<std::size_t>(&graph - program.graphs.data())] != none<tag_id>) continue;
    for (const auto& record : program.nodes_of(graph)) {
      if (!has_spec(program, record.tag)) continue;
      for (const auto outermost : program.subgraphs_of(record)) {
        for (const auto inner : nested_graphs(program, outermost)) tags[index(inner)] = record.tag;
      }
    }
  }
  return tags;
}

/// Returns the verdict on a node. `tag_of_graph` is the tag of the part that calls the node's graph, or `none<tag_id>`.
template <class Explain>
constexpr auto verdict_of(const program_view& program, node_id id, tag_id tag_of_graph, Explain& explain_undelegated) -> node_verdict {
  const auto& record = program[id];
  node_verdict result;
  result.node = id;
  result.debug_handle = record.debug_handle;
  const auto tag = tag_of_graph != none<tag_id> ? tag_of_graph : record.tag;
  const auto assign_to = [&](const auto& owner) {
    result.is_delegated = true;
    result.tag = join(program.text(owner.name));
    result.backend = join(program.text(owner.backend_id));
  };
  if (record.delegate != none<delegate_id>) {
    assign_to(program[record.delegate]);
  } else if (has_spec(program, tag)) {
    assign_to(program[tag]);
  } else if (result.reason = explain_undelegated(id); result.reason.empty()) {
    result.reason = join("the partitioner did not select the node, and gives no reason");
  }
  return result;
}

template <class Explain>
constexpr auto verdicts_by(const program_view& tagged, Explain explain_undelegated) -> vector<node_verdict> {
  vector<node_verdict> verdicts;
  verdicts.reserve(tagged.nodes.size());
  const auto tags = tags_of_graphs(tagged);
  for (const auto id : visible_graphs(tagged)) {
    const auto nodes = tagged[id].nodes;
    for (auto n = nodes.first; n < nodes.first + nodes.size; ++n)
      verdicts.push_back(verdict_of(tagged, node_id{n}, tags[index(id)], explain_undelegated));
  }
  return verdicts;
}

/// Returns a tagged program as the next partitioner sees it: each part is replaced by a delegate call. The delegate has no processed bytes,
/// because `preprocess` is not called.
constexpr auto with_closed_parts(exported_program tagged) -> result<exported_program> {
  tagged = split_shared_constants(std::move(tagged));
  if (auto why = check_parts(tagged)) return why;
  const program_view program = tagged;
  const tagged_method alone{{}, program};
  vector<exported_program> lowered;
  const auto close = [&](const batch_member& part, const cut_part& cut) -> failure {
    auto closed = with_lowered_module(cut.program, program.text(program[part.id.tag].backend_id), cut.specs, {});
    lowered.push_back(std::move(closed.value));
    return std::move(closed.error);
  };
  if (auto why = for_each_cut({&alone, 1}, batch_members_of(program), source_bytes::copied, close)) return why;
  vector<lowered_module_view> modules;
  for (const auto& each : lowered) modules.emplace_back(each, last_delegate(each));
  return assemble(program, parts_of(program), modules);
}

/// Assigns new debug handles to all nodes if two nodes have the same handle, or if a node has the handle 0. A debug handle is a number that
/// identifies a node of the model.
constexpr void make_handles_unique(exported_program& program) {
  vector<std::uint32_t> handles;
  for (const auto& record : program.nodes) handles.push_back(record.debug_handle);
  sort(handles.begin(), handles.end());
  bool has_same = false;
  for (std::size_t i = 1; i < handles.size(); ++i) has_same = has_same || handles[i] == handles[i - 1];
  if (!has_same && (handles.empty() || handles.front() != 0)) return;
  std::uint32_t next = 0;
  for (auto& record : program.nodes) record.debug_handle = ++next;
}

/// A collector of verdicts on the nodes of a program. The verdicts come from several partitioners, which are applied in order.
class verdict_gatherer {
 public:
  constexpr explicit verdict_gatherer(const exported_program& program) : remaining_(program) {
    make_handles_unique(remaining_);
    for (const auto id : visible_nodes(remaining_)) {
      by_handle_.emplace_back(remaining_.nodes[index(id)].debug_handle, verdicts_.size());
      verdicts_.emplace_back();
      verdicts_.back().node = id;
      verdicts_.back().debug_handle = program.nodes[index(id)].debug_handle;
    }
    sort(by_handle_.begin(), by_handle_.end());
  }

  /// Applies a partitioner. Fails as `tag_program` and `check_parts` do, and with `part_without_outputs`.
  template <partitioner Partitioner>
  constexpr auto apply(const Partitioner& partitioner, std::size_t position) -> failure {
    auto tagged = tag_program(remaining_, partitioner);
    if (!tagged) return tagged.error;
    auto from = join("partitioner ", position + 1);
    if constexpr (requires { to_text(Partitioner::backend::id); }) from = join(to_text(Partitioner::backend::id));
    for (auto& each : verdicts_by(tagged.value, reasons_of(tagged.value, partitioner))) add(each, view(from));
    auto next = with_closed_parts(std::move(tagged.value));
    remaining_ = std::move(next.value);
    return std::move(next.error);
  }

  constexpr auto verdicts() -> vector<node_verdict> { return std::move(verdicts_); }

 private:
  /// Merges `added` into the verdict on the node with the same debug handle; `from` is the prefix of the added reason. Skips calls of
  /// delegates that earlier partitioners formed, because the debug handles of these calls are not in `by_handle_`.
  constexpr void add(node_verdict& added, std::string_view from) {
    const auto at = std::lower_bound(by_handle_.begin(), by_handle_.end(), std::pair{added.debug_handle, std::size_t{0}});
    if (at == by_handle_.end() || at->first != added.debug_handle) return;
    auto& known = verdicts_[at->second];
    if (!added.is_delegated) return add_reason(known.reason, from, view(added.reason));
    known.is_delegated = true;
    known.tag = std::move(added.tag);
    known.backend = std::move(added.backend);
    known.reason.clear();
  }

  exported_program remaining_;  ///< the program for the next partitioner
  vector<node_verdict> verdicts_;
  vector<std::pair<std::int64_t, std::size_t>> by_handle_;  ///< sorted pairs of a debug handle and the position of its verdict
};

}  // namespace detail

/// Returns the verdict of a partitioner on each node, graph by graph. Graphs inside delegates are skipped. The reasons come from the
/// partitioner if it is an `explaining_partitioner`. If a partitioner gives no reason for a node, the verdict states this. Fails as
/// `tag_program` does.
template <partitioner Partitioner>
constexpr auto verdicts_of(const exported_program& program, const Partitioner& partitioner) -> result<vector<node_verdict>> {
  const auto tagged = tag_program(program, partitioner);
  if (!tagged) return tagged.error;
  return detail::verdicts_by(tagged.value, detail::reasons_of(tagged.value, partitioner));
}

/// Returns the verdicts of several partitioners that are applied in order: `verdicts_of(program, in_order(first{}, second{}))`. The verdict
/// on a node names its part. If no part contains the node, the verdict has the reasons of all partitioners in order. Each reason is
/// prefixed with the backend's id if the partitioner has a member type `backend`, otherwise with the partitioner's position ("partitioner
/// 2"). No backend is called. As in `to_backend`, later partitioners see the parts of earlier partitioners as delegates.
///
/// Fails as `tag_program` and `check_parts` do, and with `part_without_outputs`. The failure names the position of the partitioner.
template <class... Partitioners>
constexpr auto verdicts_of(const exported_program& program, const partitioner_list<Partitioners...>& order)
    -> result<vector<node_verdict>> {
  detail::verdict_gatherer gatherer(program);
  detail::list_position at{0, sizeof...(Partitioners)};
  failure why;
  const auto apply = [&](const auto& partitioner) {
    if (why) return;
    why = at.with_position(gatherer.apply(partitioner, at.position));
    at.position += 1;
  };
  std::apply([&](const auto&... each) { (apply(each), ...); }, order.partitioners);
  if (why) return why;
  return gatherer.verdicts();
}

/// Returns the verdicts on a static program: `verdicts_of(model, my_partitioner{})`.
template <class Stage, class Partitioners>
constexpr auto verdicts_of(static_program<Stage>, const Partitioners& partitioners) -> result<vector<node_verdict>> {
  return verdicts_of(thaw(static_program<Stage>::value()), partitioners);
}

}  // namespace baton
