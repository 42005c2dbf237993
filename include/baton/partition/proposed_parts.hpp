// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Parts that a partitioner proposes, and lists of nodes that it is given, as plain data; and how they become tags.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rules.hpp>
#include <baton/core/shared/locate.hpp>
#include <baton/core/shared/sort.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/partition/detail/device_parts.hpp>
#include <baton/partition/detail/node_choice.hpp>
#include <baton/partition/partitioner.hpp>
#include <baton/partition/tagging.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace baton {

/// How parts are formed.
struct partition_options {
  std::uint32_t least_nodes = 1;           ///< parts with fewer nodes are left undelegated
  std::uint32_t most_nodes = 0xffffffffu;  ///< a larger part is split along the order of its nodes, no node from those that follow it
};

/// A part that is proposed: nodes in graph order, owned data in the order of the placeholders.
struct proposed_part {
  std::uint32_t id = 0;
  vector<node_id> nodes;
  vector<value_id> placeholders;
};
using proposed_parts = vector<proposed_part>;

namespace detail {

/// The first node or value that a list names and the program does not have: "node 9, of 4"; empty: all are there.
template <class List>
constexpr auto missing_of(const program_view& program, const List& list) -> text_buffer {
  for (const auto id : list.nodes) {
    if (index(id) >= program.nodes.size()) return join("node ", index(id), ", of ", program.nodes.size());
  }
  for (const auto id : list.placeholders) {
    if (index(id) >= program.values.size()) return join("value ", index(id), ", of ", program.values.size());
  }
  return {};
}

/// Errors: `misplaced_index`, with the list's place.
template <class List>
constexpr auto check_lists(const program_view& program, span<const List> lists) -> failure {
  for (std::size_t i = 0; i < lists.size(); ++i) {
    const auto missing = missing_of(program, lists[i]);
    if (!missing.empty()) return broken<rule::misplaced_index>("list ", i, " names ", view(missing));
  }
  return {};
}

}  // namespace detail

/// Tags every part `<prefix><id>` for a backend. Errors: `misplaced_index`; `conflicting_tag`, where the tag is there for another backend;
/// `node_tagged_twice`, where a node has a tag already.
constexpr auto tag_parts(partition_result& result, const program_view& program, const proposed_parts& parts, std::string_view prefix,
                         const delegation_spec& spec) -> failure {
  if (auto why = detail::check_lists(program, span<const proposed_part>(parts))) return why;
  result.reserve(parts.size());
  for (const auto& part : parts) {
    const auto name = join(prefix, part.id);
    const auto tag = result.add_tag(view(name), spec);
    if (result.mistake) return result.mistake;
    for (const auto id : part.nodes) {
      const auto earlier = result.tag_of(id);
      if (earlier != none<tag_id>) return detail::tagged_twice(program, id, result.name_of(earlier), view(name));
      result.tag_node(id, tag);
    }
    for (const auto id : part.placeholders) result.tag_value(id, tag);
  }
  return {};
}

namespace detail {

/// What a partitioner returns that found these parts for one backend; tags are `tag0`, `tag1` and so on.
template <class Backend>
constexpr auto tagged_with(const program_view& program, const result<proposed_parts>& parts) -> result<partition_result> {
  if (!parts) return parts.error;
  partition_result tagged{program};
  if (auto why = tag_parts(tagged, program, parts.value, "tag", delegation_spec{to_text(Backend::id)})) return why;
  return tagged;
}

/// The fewest parts of what was chosen that form no cycle, in the order of their ids. Linear but for sorting those.
constexpr auto level_parts(const program_view& program, const partition_options& options, const node_choice& choice) -> proposed_parts {
  vector<std::uint64_t> needs(program.nodes.size(), 1);
  for (std::uint32_t n = 0; n < choice.leader_of.size(); ++n) {
    const auto leader = choice.leader_of[n];
    if (leader != none<node_id> && index(leader) != n) needs[index(leader)] += 1;
  }
  const std::uint64_t capacities[] = {UINT64_MAX, options.most_nodes};
  part_former former(program, capacities, needs, choice.leader_of, choice.is_placeholder_taken);
  former.form(choice.device_of.data());
  const auto formed = former.parts();
  const auto* const part_of = former.part_of();
  vector<std::uint32_t> weights(formed.size(), 0);
  for (std::uint32_t n = 0; n < program.nodes.size(); ++n) {
    if (part_of[n] != npos) weights[part_of[n]] += choice.weight(n);
  }
  vector<std::uint32_t> order;
  for (std::uint32_t p = 0; p < formed.size(); ++p) {
    if (options.least_nodes <= 1 || weights[p] >= options.least_nodes) order.push_back(p);
  }
  sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return formed[a].id < formed[b].id; });
  proposed_parts parts;
  parts.reserve(order.size());
  vector<std::uint32_t> rank(formed.size(), npos);
  for (const auto p : order) {
    rank[p] = static_cast<std::uint32_t>(parts.size());
    parts.push_back({formed[p].id, {}, {}});
    parts.back().nodes.reserve(formed[p].size);
  }
  for (std::uint32_t n = 0; n < program.nodes.size(); ++n) {
    if (part_of[n] != npos && rank[part_of[n]] != npos) parts[rank[part_of[n]]].nodes.push_back(static_cast<node_id>(n));
  }
  const auto& placeholders = former.placeholders();
  for (std::size_t i = placeholders.size(); i-- > 0;) {
    const auto [id, p] = placeholders[i];
    if (rank[p] != npos) parts[rank[p]].placeholders.push_back(id);
  }
  return parts;
}

}  // namespace detail

}  // namespace baton
