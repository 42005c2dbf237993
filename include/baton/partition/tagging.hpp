// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Calls a partitioner, checks what it did, and keeps its tag map in the program, so that one value holds all of it.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/compare.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rules.hpp>
#include <baton/core/shared/locate.hpp>
#include <baton/core/shared/pools.hpp>
#include <baton/core/shared/type_name.hpp>
#include <baton/core/validation.hpp>
#include <baton/core/vector.hpp>
#include <baton/partition/delegation_spec.hpp>
#include <baton/partition/partitioner.hpp>
#include <baton/partition/rules.hpp>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <string_view>
#include <utility>

namespace baton {

/// A partitioner that may ask an exporter to keep an operator whole, instead of taking it apart, because its backend has it. No kernel
/// needs to have it, so a node that it asks for must not be left over.
template <class T>
concept keeps_operators = requires(const T& candidate, const program_view& program, const node& of) {
  { candidate.prevents_decomposition(program, of) } -> std::same_as<bool>;
};

namespace detail {

/// Every tag that a partitioner put on a node has a spec; those that the program came with stand for nothing, and may stay.
constexpr auto check_specs(const program_view& given, const program_view& tagged) -> failure {
  for (std::uint32_t n = 0; n < tagged.nodes.size(); ++n) {
    const auto id = tagged.nodes[n].tag;
    if (id == none<tag_id> || has_spec(tagged, id)) continue;
    const auto name = tagged.text(tagged[id].name);
    const auto before = given.nodes[n].tag;
    if (before != none<tag_id> && given.text(given[before].name) == name) continue;
    auto why = broken_at<rule::tag_without_spec>(tagged, static_cast<node_id>(n));
    why.tag = join(name);
    return why;
  }
  return {};
}

/// The failure of a tag whose name is empty.
constexpr auto unnamed(const delegation_spec& spec) -> failure {
  auto why = broken<rule::unnamed_tag>();
  why.backend = spec.backend_id;
  return why;
}

/// A tag that stands in the map more than once stands for the same each time.
constexpr auto check_repeated_tag(const partition_result& result, tag_id id, const delegation_spec& spec) -> failure {
  const auto& map = result.partition_tags;
  const auto first = std::find_if(map.begin(), map.end(), [&](const auto& entry) { return entry.first == id; });
  return check_same_spec(program_view(result.tagged_program).text(result.tagged_program[id].name), first->second, spec);
}

/// Keeps the specs of a tag map in the tags, in the map's order; what an earlier partitioner said counts no more.
constexpr auto keep_specs(partition_result& result) -> failure {
  auto& tagged = result.tagged_program;
  for (auto& record : tagged.tags) record.order = tag{}.order;
  std::uint32_t order = 0;
  for (const auto& [id, spec] : result.partition_tags) {
    if (index(id) >= tagged.tags.size()) return broken<rule::misplaced_index>("partition tag ", index(id));
    if (tagged[id].name.size == 0) return unnamed(spec);
    if (tagged[id].order != tag{}.order) {
      if (auto why = check_repeated_tag(result, id, spec)) return why;
      continue;
    }
    const auto backend = own_bytes(tagged, view(spec.backend_id));
    const auto specs = own_compile_specs(tagged, spec.compile_specs);
    auto& record = tagged.tags[index(id)];
    record.backend_id = backend;
    record.compile_specs = specs;
    record.order = order++;
  }
  return {};
}

/// Every tag that something has is there.
constexpr auto check_tags(const program_view& tagged) -> failure {
  const auto is_tag = [&](tag_id id) { return id == none<tag_id> || index(id) < tagged.tags.size(); };
  for (std::uint32_t n = 0; n < tagged.nodes.size(); ++n) {
    if (!is_tag(tagged.nodes[n].tag)) return broken_at<rule::misplaced_index>(tagged, static_cast<node_id>(n), "a tag that is not there");
  }
  for (const auto& record : tagged.values) {
    if (!is_tag(record.tag)) return broken<rule::misplaced_index>("the tag of value ", tagged.text(record.name));
  }
  for (const auto& record : tagged.graphs) {
    if (!is_tag(record.output_tag)) return broken<rule::misplaced_index>("the output tag of graph ", tagged.text(record.name));
  }
  return {};
}

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
      if (partitioner.prevents_decomposition(tagged, record)) {
        constexpr auto name = type_name<Partitioner>();  // Clang 16 would call it at run time
        return broken_at<rule::kept_operator>(tagged, static_cast<node_id>(n), "partitioner ", name);
      }
      for (const auto subgraph : tagged.subgraphs_of(record)) open.push_back(subgraph);
    }
  }
  return {};
}

}  // namespace detail

/// The program as a partitioner tagged it, the delegation specs standing in its tags.
/// Errors: `modified_program`, `node_tagged_twice`, `tag_without_spec`, `conflicting_tag`, `unnamed_tag`, `misplaced_index`,
/// `kept_operator`, and the partitioner's own.
template <partitioner Partitioner>
constexpr auto tag_program(const exported_program& program, const Partitioner& partitioner, validation checks = validation::on)
    -> result<exported_program> {
  result<partition_result> partitioned = partitioner.partition(program);
  if (!partitioned) return partitioned.error;
  if (partitioned.value.mistake) return partitioned.value.mistake;
  auto& tagged = partitioned.value.tagged_program;
  if (checks == validation::on && !same_but_for_tags(program, tagged)) {
    constexpr auto name = type_name<Partitioner>();
    return broken<rule::modified_program>("partitioner ", name);
  }
  if (auto why = detail::keep_specs(partitioned.value)) return why;
  if (auto why = detail::check_tags(tagged)) return why;
  if (checks == validation::on) {
    if (partitioned.value.clash) return partitioned.value.clash;
    if (auto why = detail::check_specs(program, tagged)) return why;
  }
  if constexpr (keeps_operators<Partitioner>) {
    if (auto why = detail::check_kept(tagged, partitioner)) return why;
  }
  return std::move(tagged);
}

}  // namespace baton
