// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Operators that a partitioner asks to keep whole, which it must then delegate.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/locate.hpp>
#include <baton/core/program.hpp>
#include <baton/core/type_name.hpp>
#include <baton/core/vector.hpp>
#include <baton/partition/delegation_spec.hpp>
#include <baton/partition/rules.hpp>

#include <concepts>
#include <cstdint>

namespace baton {

/// A partitioner that may ask an exporter to keep an operator whole, instead of taking it apart, because its backend has it. No kernel
/// needs to have it, so a node that it asks for must not be left over.
template <class T>
concept keeps_operators = requires(const T& candidate, const program_view& program, const node& of) {
  { candidate.keeps_whole(program, of) } -> std::same_as<bool>;
};

/// Whether every node that a partitioner asked to keep is in a part. Errors: `kept_operator`.
template <keeps_operators Partitioner>
constexpr auto check_kept(const program_view& tagged, const Partitioner& partitioner) -> failure {
  vector<char> seen(tagged.graphs.size(), 0);
  vector<graph_id> open{graph_id{0}};
  while (!open.empty()) {
    const auto id = open.back();
    open.pop_back();
    if (seen[index(id)] != 0) continue;
    seen[index(id)] = 1;
    for (std::uint32_t n = tagged[id].nodes.first; n < tagged[id].nodes.first + tagged[id].nodes.size; ++n) {
      const auto& record = tagged.nodes[n];
      if (has_spec(tagged, record.tag)) continue;
      if (partitioner.keeps_whole(tagged, record)) {
        constexpr auto name = type_name<Partitioner>();  // Clang 16 would call it at run time
        return broken_at<rule::kept_operator>(tagged, static_cast<node_id>(n), "partitioner ", name);
      }
      for (const auto subgraph : tagged.subgraphs_of(record)) open.push_back(subgraph);
    }
  }
  return {};
}

}  // namespace baton
