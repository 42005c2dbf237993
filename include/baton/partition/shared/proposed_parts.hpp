// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Parts that a partitioner proposes, as plain data, and the conversion of these parts to tags. A part is the nodes of a graph that become
// one delegate. A tag is the name of a part.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rules.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/partition/partitioner.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton {

/// A proposed part: its nodes in graph order, and its owned data in the order of the graph's inputs. Owned data are parameters, buffers and
/// constants.
struct proposed_part {
  std::uint32_t id = 0;  ///< the number at the end of the tag's name
  vector<node_id> nodes;
  vector<value_id> placeholders;
};
using proposed_parts = vector<proposed_part>;

namespace detail {

/// Returns a description of the first node or value of `list` that does not exist: "node 9, but the program has 4 nodes". Returns an empty
/// text if all nodes and values exist.
template <class List>
constexpr auto missing_of(const program_view& program, const List& list) -> text_buffer {
  for (const auto id : list.nodes) {
    if (index(id) >= program.nodes.size()) return join("node ", index(id), ", but the program has ", program.nodes.size(), " nodes");
  }
  for (const auto id : list.placeholders) {
    if (index(id) >= program.values.size()) return join("value ", index(id), ", but the program has ", program.values.size(), " values");
  }
  return {};
}

/// Fails with `misplaced_index` if a node or value in `lists` does not exist; the reason states the position of the list.
template <class List>
constexpr auto check_lists(const program_view& program, span<const List> lists) -> failure {
  for (std::size_t i = 0; i < lists.size(); ++i) {
    const auto missing = missing_of(program, lists[i]);
    if (!missing.empty()) return broken<"misplaced_index">("list ", i, " names ", view(missing));
  }
  return {};
}

}  // namespace detail

/// Assigns the tag `<prefix><id>` with the delegation spec `spec` to the nodes and the owned data of each part. Fails with
/// `misplaced_index` if a node or value does not exist. Fails with `conflicting_tag` if the tag exists with a different spec, and with
/// `node_tagged_twice` if a node already has a tag.
constexpr auto tag_parts(partition_result& result, const program_view& program, const proposed_parts& parts, std::string_view prefix,
                         const delegation_spec& spec) -> failure {
  if (auto why = detail::check_lists(program, span<const proposed_part>(parts))) return why;
  result.reserve(parts.size());
  for (const auto& part : parts) {
    const auto name = join(prefix, part.id);
    const auto tag = result.add_tag(view(name), spec);
    if (result.error) return result.error;
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

/// Converts the parts of one backend to a partition result. The tag of a part is `tag<id>`, for example `tag0`. Fails with the error of
/// `parts`, or with the errors of `tag_parts`.
template <class Backend>
constexpr auto tagged_with(const program_view& program, const result<proposed_parts>& parts) -> result<partition_result> {
  if (!parts) return parts.error;
  partition_result tagged{program};
  if (auto why = tag_parts(tagged, program, parts.value, "tag", delegation_spec{to_text(Backend::id)})) return why;
  return tagged;
}

}  // namespace detail

}  // namespace baton
