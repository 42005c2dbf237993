// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Parts that a partitioner proposes, and lists of nodes that it is given, as plain data; and how they become tags.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/locate.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rules.hpp>
#include <baton/core/vector.hpp>
#include <baton/partition/detail/level_partition.hpp>
#include <baton/partition/operator_support.hpp>
#include <baton/partition/partitioner.hpp>
#include <baton/partition/structural.hpp>
#include <baton/partition/tagging.hpp>
#include <baton/partition/visible_graphs.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

namespace baton {

/// Nodes, and placeholders of owned data, that a partitioner is told to look at together.
struct node_list {
  vector<node_id> nodes;
  vector<value_id> placeholders{};
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
constexpr auto check_lists(const program_view& program, std::span<const List> lists) -> failure {
  for (std::size_t i = 0; i < lists.size(); ++i) {
    const auto missing = missing_of(program, lists[i]);
    if (!missing.empty()) return broken<rule::misplaced_index>("list ", i, " names ", view(missing));
  }
  return {};
}

}  // namespace detail

/// Tags every part `<prefix><id>` for a backend. Errors: `misplaced_index`; `conflicting_tag`, where the tag is there for another backend;
/// `node_tagged_twice`, where a node has a tag already.
constexpr auto tag_parts(partition_result& result, const proposed_parts& parts, std::string_view prefix, const delegation_spec& spec)
    -> failure {
  if (auto why = detail::check_lists(result.tagged_program, std::span<const proposed_part>(parts))) return why;
  result.reserve(parts.size());
  for (const auto& part : parts) {
    const auto name = join(prefix, part.id);
    const auto tag = result.add_tag(view(name), spec);
    if (result.conflict) return result.conflict;
    for (const auto id : part.nodes) {
      const program_view program = result.tagged_program;
      const auto earlier = program[id].tag;
      if (earlier != none<tag_id>) return detail::tagged_twice(program, id, earlier, view(name));
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
  if (auto why = tag_parts(tagged, parts.value, "tag", delegation_spec{to_text(Backend::id)})) return why;
  return tagged;
}

/// What a support accepts, and what lists name.
template <operator_support Support>
struct listed_nodes {
  static constexpr bool takes_placeholders = true;
  static constexpr bool may_follow = has_followers<Support>;
  vector<char> is_listed;              ///< by node
  vector<char> is_listed_placeholder;  ///< by value

  constexpr listed_nodes(const program_view& program, std::span<const node_list> lists)
      : is_listed(program.nodes.size(), 0),
        is_listed_placeholder(program.values.size(), 0) {
    for (const auto& list : lists) {
      for (const auto id : list.nodes) is_listed[index(id)] = 1;
      for (const auto id : list.placeholders) is_listed_placeholder[index(id)] = 1;
    }
  }
  constexpr auto accepts(const program_view& program, node_id id) const -> bool {
    return is_listed[index(id)] != 0 || Support::supports(program, program[id]).accepted;
  }
  constexpr auto accepts(value_id id) const -> bool { return is_listed_placeholder[index(id)] != 0; }
  constexpr auto follows(const program_view& program, node_id id) const -> bool {
    return is_listed[index(id)] == 0 && follows_by<Support>(program, id);
  }
  static constexpr auto weight(const program_view&, node_id) -> std::uint32_t { return 1; }
};

/// The parts of a level partition as data, in the order of their ids.
template <class Nodes>
constexpr auto level_parts(const program_view& program, const partition_options& options, const Nodes& nodes) -> proposed_parts {
  level_partition<Nodes> levels(program, options, nodes);
  for (const auto id : visible_graphs(program)) levels.visit(id);
  proposed_parts parts;
  vector<std::uint32_t> rank(levels.parts().size(), levels.no_part);
  for (const auto place : levels.order()) {
    rank[place] = static_cast<std::uint32_t>(parts.size());
    parts.push_back({levels.parts()[place].id, {}, {}});
  }
  for (std::uint32_t n = 0; n < program.nodes.size(); ++n) {
    const auto place = levels.part_of()[n];
    if (place != levels.no_part && rank[place] != levels.no_part) parts[rank[place]].nodes.push_back(static_cast<node_id>(n));
  }
  const auto& placeholders = levels.placeholders();
  for (std::size_t i = placeholders.size(); i-- > 0;) {
    const auto [id, place] = placeholders[i];
    if (rank[place] != levels.no_part) parts[rank[place]].placeholders.push_back(id);
  }
  return parts;
}

}  // namespace detail

}  // namespace baton
