// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Tags owned data after the nodes that use it, so that a part takes its weights along.
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

/// Owned data whose users have more than one tag: every further tag gets a placeholder of its own, and bytes too where
/// `data_sharing::duplicate` is asked for.
struct shared_data {
  value_id value = none<value_id>;
  tag_id tag = none<tag_id>;    ///< the tag that it got
  std::uint32_t tags = 0;       ///< how many different tags its users have
  std::int64_t bytes_each = 0;  ///< what one more copy would cost; -1 where the size is not known
};

namespace detail {

/// The tags of the users of the root graph's owned data, each pair once, by value, then by the tag's name.
constexpr auto tags_of_data(const partition_result& result, const program_view& program) -> vector<std::pair<value_id, tag_id>> {
  const auto name_of = [&](tag_id id) { return result.name_of(id); };
  vector<std::pair<value_id, tag_id>> found;
  const auto run = program.root().nodes;
  for (auto n = run.first; n < run.first + run.size; ++n) {
    const auto tag = result.tag_of(node_id{n});
    if (tag == none<tag_id> || name_of(tag).empty()) continue;
    for (const auto input : program.inputs(program.nodes[n])) {
      if (input != none<value_id> && is_owned_data(program[input].kind)) found.emplace_back(input, tag);
    }
  }
  sort(found.begin(), found.end(), [&](const auto& a, const auto& b) {
    return a.first != b.first ? index(a.first) < index(b.first) : name_of(a.second) < name_of(b.second);
  });
  const auto is_same = [&](const auto& a, const auto& b) { return a.first == b.first && name_of(a.second) == name_of(b.second); };
  found.erase(std::unique(found.begin(), found.end(), is_same), found.end());
  return found;
}

/// Gives owned data, mutable or not, the lexicographically smallest name among its users' tags.
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

/// Tags the parameters, constants and unchanging buffers of the root graph, each with the lexicographically smallest name among its users'
/// tags; data without a tagged user stays with the owner. Whether a buffer changes is read from the signature. Call it when all nodes
/// are tagged. Returns the data that several tags use, and what sharing it costs.
constexpr auto tag_constant_data(partition_result& result, const program_view& program, data_sharing sharing = data_sharing::share)
    -> vector<shared_data> {
  return detail::tag_data(result, program, false, sharing);
}

/// The same for the buffers that the program changes: the part then keeps the state. Only one part can, so a returned entry tells of an
/// error to come (`shared_mutable_buffer`).
constexpr auto tag_mutated_buffer(partition_result& result, const program_view& program) -> vector<shared_data> {
  return detail::tag_data(result, program, true, data_sharing::own);
}

/// A partitioner that does as another one does, and gives each part the parameters, constants and unchanging buffers of the root graph that
/// its nodes use (`tag_constant_data`): `baton::with_constants<my_partitioner>`. Without it they are arguments of the call, of which a
/// backend knows the types alone. The partitioner is not `final`: it is derived from. Errors: the partitioner's own.
template <partitioner Partitioner>
struct with_constants : Partitioner {
  constexpr auto partition(const exported_program& program) const -> result<partition_result> {
    result<partition_result> made = Partitioner::partition(program);
    if (made) static_cast<void>(tag_constant_data(made.value, program));
    return made;
  }
};

}  // namespace baton
