// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What became of every node: which part takes it, or why none does.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/core/verdict.hpp>
#include <baton/partition/operator_support.hpp>
#include <baton/partition/partitioner.hpp>
#include <baton/partition/tagging.hpp>
#include <baton/partition/visible_graphs.hpp>

#include <concepts>
#include <cstdint>
#include <string_view>
#include <utility>

namespace baton {

/// What a support says of a node, and what a partitioner, or an earlier lowering, made of it.
struct node_verdict {
  node_id node = none<node_id>;
  std::int64_t debug_handle = 0;
  bool is_supported = false;
  bool is_taken = false;
  text_buffer tag;      ///< of the part that takes it; of a delegate call: the delegate's name
  text_buffer backend;  ///< who takes it
  text_buffer reason;   ///< why nobody takes it: what the support says, or why the partitioner left a node that is supported
};

/// What is said of a supported node that a partitioner left without saying why.
inline constexpr std::string_view left_without_reason = "it is supported, but no partitioner took it";

/// A partitioner that says why it leaves nodes that are supported:
/// `constexpr auto why_left(const baton::program_view& program, baton::node_id node) const -> baton::text_buffer`.
template <class T>
concept explaining_partitioner = partitioner<T> && requires(const T& candidate, const program_view& program, node_id id) {
  { candidate.why_left(program, id) } -> std::same_as<text_buffer>;
};

namespace detail {

/// By graph: the tag of the part that takes it along, as a branch or a body of one of its nodes. Tags without a spec take nothing.
constexpr auto tags_of_graphs(const program_view& program) -> vector<tag_id> {
  vector<tag_id> tags(program.graphs.size(), none<tag_id>);
  vector<graph_id> open;
  const auto is_part = [&](tag_id id) { return id != none<tag_id> && program[id].order != tag{}.order; };
  for (const auto& record : program.nodes) {
    if (!is_part(record.tag)) continue;
    for (const auto inner : program.subgraphs_of(record)) {
      tags[index(inner)] = record.tag;
      open.push_back(inner);
    }
  }
  while (!open.empty()) {
    const auto id = open.back();
    open.pop_back();
    for (const auto& record : program.nodes_of(program[id])) {
      for (const auto inner : program.subgraphs_of(record)) {
        if (tags[index(inner)] == tags[index(id)]) continue;
        tags[index(inner)] = tags[index(id)];
        open.push_back(inner);
      }
    }
  }
  return tags;
}

/// The verdict of one node; `along` is the tag of the graph that it lies in.
template <operator_support Support, class WhyLeft>
constexpr auto verdict_of(const program_view& program, node_id id, tag_id along, const WhyLeft& why_left) -> node_verdict {
  const auto& record = program[id];
  node_verdict made;
  made.node = id;
  made.debug_handle = record.debug_handle;
  auto answer = Support::supports(program, record);
  made.is_supported = answer.accepted;
  const auto taker = along != none<tag_id> ? along : record.tag;
  made.is_taken = true;
  if (record.delegate != none<delegate_id>) {
    made.tag = join(program.text(program[record.delegate].name));
    made.backend = join(program.text(program[record.delegate].backend_id));
  } else if (taker != none<tag_id> && program[taker].order != tag{}.order) {
    made.tag = join(program.text(program[taker].name));
    made.backend = join(program.text(program[taker].backend_id));
  } else {
    made.is_taken = false;
    if (answer) made.reason = why_left(id);
    if (!answer) made.reason = std::move(answer.reason);
  }
  return made;
}

template <operator_support Support, class WhyLeft>
constexpr auto verdicts_by(const program_view& program, const WhyLeft& why_left) -> vector<node_verdict> {
  vector<node_verdict> made;
  made.reserve(program.nodes.size());
  const auto is_inside_delegate = graphs_inside_delegates(program);
  const auto tags = tags_of_graphs(program);
  for (std::uint32_t g = 0; g < program.graphs.size(); ++g) {
    if (is_inside_delegate[g] != 0) continue;
    const auto run = program.graphs[g].nodes;
    for (auto n = run.first; n < run.first + run.size; ++n) made.push_back(verdict_of<Support>(program, node_id{n}, tags[g], why_left));
  }
  return made;
}

}  // namespace detail

/// A verdict a node, in all graphs but those inside delegates, graph by graph: of a program as it is, of a tagged one (`tag_program`) or of
/// a lowered one.
template <operator_support Support>
constexpr auto verdicts_of(const program_view& program) -> vector<node_verdict> {
  return detail::verdicts_by<Support>(program, [](node_id) { return join(left_without_reason); });
}

/// The same of what a partitioner makes of a program; a supported node that it leaves has the partitioner's own reason, where it gives one
/// (`explaining_partitioner`). A node that a part takes along with a branch need not be supported. Errors: those of `tag_program`.
template <operator_support Support, partitioner Partitioner>
constexpr auto verdicts_of(const exported_program& program, const Partitioner& partitioner) -> result<vector<node_verdict>> {
  const auto tagged = tag_program(program, partitioner);
  if (!tagged) return tagged.error;
  return detail::verdicts_by<Support>(tagged.value, [&](node_id id) {
    if constexpr (explaining_partitioner<Partitioner>) {
      auto why = partitioner.why_left(tagged.value, id);
      if (!why.empty()) return why;
    }
    return join(left_without_reason);
  });
}

}  // namespace baton
