// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What became of every node: which part takes it, or why none does.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/nested_graphs.hpp>
#include <baton/core/vector.hpp>
#include <baton/core/verdict.hpp>
#include <baton/partition/delegation_spec.hpp>
#include <baton/partition/explaining_partitioner.hpp>
#include <baton/partition/partitioner.hpp>
#include <baton/partition/shared/visible_graphs.hpp>
#include <baton/partition/tagging.hpp>

#include <cstddef>
#include <cstdint>

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
  made.is_taken = true;
  if (record.delegate != none<delegate_id>) {
    made.tag = join(program.text(program[record.delegate].name));
    made.backend = join(program.text(program[record.delegate].backend_id));
  } else if (has_spec(program, taker)) {
    made.tag = join(program.text(program[taker].name));
    made.backend = join(program.text(program[taker].backend_id));
  } else {
    made.is_taken = false;
    made.reason = why_left(id);
    if (made.reason.empty()) made.reason = join(left_without_reason);
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

}  // namespace detail

/// A verdict a node on what a partitioner makes of a program, in all graphs but those inside delegates, graph by graph; what it leaves has
/// the reason that it gives (`explaining_partitioner`). Several partitioners at once: `verdicts_in_order.hpp`. Errors: those of
/// `tag_program`.
template <partitioner Partitioner>
constexpr auto verdicts_of(const exported_program& program, const Partitioner& partitioner) -> result<vector<node_verdict>> {
  const auto tagged = tag_program(program, partitioner);
  if (!tagged) return tagged.error;
  return detail::verdicts_by(tagged.value, detail::reasons_of(tagged.value, partitioner));
}

}  // namespace baton
