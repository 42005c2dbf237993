// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What became of every node: which part takes it, or why each partitioner left it.
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

/// What a partitioner, or an earlier lowering, made of a node.
struct node_verdict {
  node_id node = none<node_id>;
  std::int64_t debug_handle = 0;
  bool is_taken = false;
  text_buffer tag;      ///< of the part that takes it; of a delegate call: the delegate's name
  text_buffer backend;  ///< who takes it
  text_buffer reason;   ///< why nobody takes it
};

namespace detail {

/// What to ask, node by node, why it was left: the partitioner, where it says so.
template <partitioner Partitioner>
constexpr auto reasons_of(const program_view& tagged, const Partitioner& partitioner) {
  static_assert(
      explaining_partitioner<Partitioner> || !requires { &Partitioner::why_left; },
      "baton not_an_explanation: why_left does not return a function of a node; write: constexpr auto why_left(const "
      "baton::program_view& tagged) const { return [tagged](baton::node_id id) -> baton::text_buffer { ... }; }");
  if constexpr (explaining_partitioner<Partitioner>) {
    return partitioner.why_left(tagged);
  } else {
    return [](node_id) { return text_buffer{}; };
  }
}

/// By graph: the tag of the part that takes it along, as a branch or a body of one of its nodes. Tags without a spec take nothing.
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

/// The verdict of one node; `along` is the tag of the graph that it lies in.
template <class WhyLeft>
constexpr auto verdict_of(const program_view& program, node_id id, tag_id along, WhyLeft& why_left) -> node_verdict {
  const auto& record = program[id];
  node_verdict made;
  made.node = id;
  made.debug_handle = record.debug_handle;
  const auto taker = along != none<tag_id> ? along : record.tag;
  const auto is_taken_by = [&](const auto& who) {
    made.is_taken = true;
    made.tag = join(program.text(who.name));
    made.backend = join(program.text(who.backend_id));
  };
  if (record.delegate != none<delegate_id>) {
    is_taken_by(program[record.delegate]);
  } else if (has_spec(program, taker)) {
    is_taken_by(program[taker]);
  } else if (made.reason = why_left(id); made.reason.empty()) {
    made.reason = join("its partitioner left it and gives no reason");
  }
  return made;
}

template <class WhyLeft>
constexpr auto verdicts_by(const program_view& tagged, WhyLeft why_left) -> vector<node_verdict> {
  vector<node_verdict> made;
  made.reserve(tagged.nodes.size());
  const auto tags = tags_of_graphs(tagged);
  for (const auto id : visible_graphs(tagged)) {
    const auto run = tagged[id].nodes;
    for (auto n = run.first; n < run.first + run.size; ++n) made.push_back(verdict_of(tagged, node_id{n}, tags[index(id)], why_left));
  }
  return made;
}

/// A tagged program as the next partitioner finds it: a call of a delegate in place of every part, its blob empty.
constexpr auto with_closed_parts(exported_program tagged) -> result<exported_program> {
  tagged = share_constants(std::move(tagged));
  if (auto why = check_parts(tagged)) return why;
  const program_view program = tagged;
  const tagged_method alone{{}, program};
  vector<exported_program> lowered;
  const auto close = [&](const batch_member& part, const cut_part& cut) -> failure {
    auto closed = with_lowered_module(cut.program, program.text(program[part.id.tag].backend_id), cut.specs, {});
    lowered.push_back(std::move(closed.value));
    return std::move(closed.error);
  };
  if (auto why = for_each_cut({&alone, 1}, parts_of_all(program), source_bytes::copied, close)) return why;
  vector<lowered_module_view> modules;
  for (const auto& each : lowered) modules.emplace_back(each, last_delegate(each));
  return assemble(program, parts_of(program), modules);
}

/// Numbers all nodes anew where their debug handles are not each its own.
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

/// Gathers the verdicts of one partitioner after the other upon the nodes of one program.
class verdict_gatherer {
 public:
  constexpr explicit verdict_gatherer(const exported_program& program) : left_(program) {
    make_handles_unique(left_);
    for (const auto id : visible_nodes(left_)) {
      by_handle_.emplace_back(left_.nodes[index(id)].debug_handle, made_.size());
      made_.emplace_back();
      made_.back().node = id;
      made_.back().debug_handle = program.nodes[index(id)].debug_handle;
    }
    sort(by_handle_.begin(), by_handle_.end());
  }

  /// Errors: those of `tag_program`, `check_parts`, `part_without_outputs`.
  template <partitioner Partitioner>
  constexpr auto ask(const Partitioner& partitioner, std::size_t position) -> failure {
    auto tagged = tag_program(left_, partitioner);
    if (!tagged) return tagged.error;
    auto from = join("partitioner ", position + 1);
    if constexpr (requires { to_text(Partitioner::backend::id); }) from = join(to_text(Partitioner::backend::id));
    for (auto& found : verdicts_by(tagged.value, reasons_of(tagged.value, partitioner))) add(found, view(from));
    auto left = with_closed_parts(std::move(tagged.value));
    left_ = std::move(left.value);
    return std::move(left.error);
  }

  constexpr auto verdicts() -> vector<node_verdict> { return std::move(made_); }

 private:
  /// Calls of what was taken before have handles of their own.
  constexpr void add(node_verdict& found, std::string_view from) {
    const auto at = std::lower_bound(by_handle_.begin(), by_handle_.end(), std::pair{found.debug_handle, std::size_t{0}});
    if (at == by_handle_.end() || at->first != found.debug_handle) return;
    auto& made = made_[at->second];
    if (!found.is_taken) return add_reason(made.reason, from, view(found.reason));
    made.is_taken = true;
    made.tag = std::move(found.tag);
    made.backend = std::move(found.backend);
    made.reason.clear();
  }

  exported_program left_;  ///< what the next partitioner is given
  vector<node_verdict> made_;
  vector<std::pair<std::int64_t, std::size_t>> by_handle_;  ///< with the position of its verdict
};

}  // namespace detail

/// A verdict a node on what a partitioner makes of a program, in all graphs but those inside delegates, graph by graph; what it leaves has
/// the reason that it gives (`explaining_partitioner`). Errors: those of `tag_program`.
template <partitioner Partitioner>
constexpr auto verdicts_of(const exported_program& program, const Partitioner& partitioner) -> result<vector<node_verdict>> {
  const auto tagged = tag_program(program, partitioner);
  if (!tagged) return tagged.error;
  return detail::verdicts_by(tagged.value, detail::reasons_of(tagged.value, partitioner));
}

/// The verdicts of several partitioners in one call, `verdicts_of(program, in_order(first{}, second{}))`: who takes each node, or the
/// reasons of all of them, in their order, each behind its backend's id (a partitioner says so by a member type `backend`; otherwise
/// behind "partitioner 2"). Nothing is preprocessed; what one takes is a closed delegate to those behind it, as in `to_backend`.
/// Errors: those of `tag_program`, `check_parts`, `part_without_outputs`; they say which partitioner they come from.
template <class... Partitioners>
constexpr auto verdicts_of(const exported_program& program, const partitioner_list<Partitioners...>& order)
    -> result<vector<node_verdict>> {
  detail::verdict_gatherer gatherer(program);
  detail::list_position at{0, sizeof...(Partitioners)};
  failure why;
  const auto ask = [&](const auto& partitioner) {
    if (why) return;
    why = at.with_position(gatherer.ask(partitioner, at.position));
    at.position += 1;
  };
  std::apply([&](const auto&... each) { (ask(each), ...); }, order.partitioners);
  if (why) return why;
  return gatherer.verdicts();
}

/// The same of a program of the compiler: `verdicts_of(model, my_partitioner{})`.
template <class Make, class Partitioners>
constexpr auto verdicts_of(static_program<Make>, const Partitioners& partitioners) -> result<vector<node_verdict>> {
  return verdicts_of(thaw(static_program<Make>::value()), partitioners);
}

}  // namespace baton
