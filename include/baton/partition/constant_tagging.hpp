// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Gives owned data the tag of the nodes that use the data, so that a part includes its weights. Owned data are parameters, buffers and
// constants. A part is the nodes of a graph that become one delegate; a tag is the name of a part.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/sort.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/partition/partitioner.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton {

/// Owned data whose users have more than one tag. If the data is immutable and its `data_sharing` is `share` or `duplicate`, lowering gives
/// each part that uses the data a separate placeholder. With `duplicate`, each of these placeholders has a separate copy of the bytes.
struct shared_data {
  value_id value = none<value_id>;
  tag_id tag = none<tag_id>;    ///< the tag of the data
  std::uint32_t tags = 0;       ///< the number of different tags of the users of the data
  std::int64_t bytes_each = 0;  ///< the size of one copy, in bytes; -1 if the size is unknown
};

namespace detail {

/// Returns the distinct pairs of a value and a tag. The value is owned data of the root graph, and the tag is the tag of a user of the
/// value. The pairs are sorted by value, then by the name of the tag.
constexpr auto tags_of_data(const partition_result& result, const program_view& program) -> vector<std::pair<value_id, tag_id>> {
  const auto name_of = [&](tag_id id) { return result.name_of(id); };
  vector<std::pair<value_id, tag_id>> pairs;
  const auto nodes = program.root().nodes;
  for (auto n = nodes.first; n < nodes.first + nodes.size; ++n) {
    const auto tag = result.tag_of(node_id{n});
    if (tag == none<tag_id> || name_of(tag).empty()) continue;
    for (const auto input : program.inputs(program.nodes[n])) {
      if (input != none<value_id> && is_owned_data(program[input].kind)) pairs.emplace_back(input, tag);
    }
  }
  sort(pairs.begin(), pairs.end(), [&](const auto& a, const auto& b) {
    return a.first != b.first ? index(a.first) < index(b.first) : name_of(a.second) < name_of(b.second);
  });
  const auto is_same = [&](const auto& a, const auto& b) { return a.first == b.first && name_of(a.second) == name_of(b.second); };
  pairs.erase(std::unique(pairs.begin(), pairs.end(), is_same), pairs.end());
  return pairs;
}

/// If `is_mutable` is true, tags the mutable buffers (buffers that keep their values from run to run). If `is_mutable` is false, tags all
/// other owned data. A value gets the tag of its users. If the users have several tags, the value gets the tag with the lexicographically
/// smallest name. Returns the data whose users have several tags.
constexpr auto tag_data(partition_result& result, const program_view& program, bool is_mutable, data_sharing sharing)
    -> vector<shared_data> {
  const auto pairs = tags_of_data(result, program);
  vector<shared_data> shared;
  for (std::size_t first = 0; first < pairs.size();) {
    const auto id = pairs[first].first;
    auto last = first + 1;
    while (last < pairs.size() && pairs[last].first == id) ++last;
    if ((program[id].kind == value_kind::mutable_buffer) == is_mutable) {
      const auto tags = static_cast<std::uint32_t>(last - first);
      if (tags > 1) shared.push_back({id, pairs[first].second, tags, byte_count(program[id].type, program.shape(id))});
      result.tag_value(id, pairs[first].second, sharing);
    }
    first = last;
  }
  return shared;
}

}  // namespace detail

/// Tags the parameters, constants and immutable buffers of the root graph. A value gets the tag of its users. If the users have several
/// tags, the value gets the tag with the lexicographically smallest name. Data without a tagged user gets no tag, so the data stays in the
/// calling program. A buffer is mutable if its kind is `value_kind::mutable_buffer`. Call this function after all nodes are tagged. Returns
/// the data whose users have several tags, with the size of each copy.
constexpr auto tag_constant_data(partition_result& result, const program_view& program, data_sharing sharing = data_sharing::share)
    -> vector<shared_data> {
  return detail::tag_data(result, program, false, sharing);
}

/// Tags the mutable buffers of the root graph, so that each buffer is owned by the part that uses it. Returns the buffers whose users have
/// several tags. Only one part can own a buffer, so lowering fails with `shared_mutable_buffer` if the returned list is not empty.
constexpr auto tag_mutated_buffer(partition_result& result, const program_view& program) -> vector<shared_data> {
  return detail::tag_data(result, program, true, data_sharing::own);
}

/// A partitioner that adds constants to the parts of another partitioner: `baton::with_constants<my_partitioner>`. Each part gets the
/// parameters, constants and immutable buffers of the root graph that its nodes use (`tag_constant_data`). Without `with_constants`, this
/// data is passed as arguments of the delegate call, and a backend knows only the types of the arguments. `Partitioner` is a base class, so
/// it must not be `final`. Fails with the errors of `Partitioner`.
template <partitioner Partitioner>
struct with_constants : Partitioner {
  constexpr auto partition(const exported_program& program) const -> result<partition_result> {
    result<partition_result> tagged = Partitioner::partition(program);
    if (tagged) static_cast<void>(tag_constant_data(tagged.value, program));
    return tagged;
  }
};

}  // namespace baton
