// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Splits each constant that a part owns (a tagged constant) and that also has users outside this part. A part is the nodes of a graph that
// become one delegate. Each part that uses the constant gets a separate placeholder (an input, parameter, buffer or constant). The users
// outside all parts share one placeholder.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/pools.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/lower/shared/part.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace baton {

namespace detail {

/// A pass that splits shared constants, graph by graph. O(program size + uses · log(parts per constant)).
class constant_splitting_pass {
 public:
  constexpr explicit constant_splitting_pass(exported_program tagged)
      : program_(std::move(tagged)),
        positions_(program_.values.size(), npos),
        can_be_split_(program_.values.size(), 0) {}

  constexpr auto run() -> exported_program {
    const auto is_lowered = lowered_graphs(program_);
    for (std::uint32_t g = 0; g < is_lowered.size(); ++g) {
      if (is_lowered[g] != 0) visit(static_cast<graph_id>(g));
    }
    return std::move(program_);
  }

 private:
  /// The placeholder for a group of users. `group` is the tag of a part, or `none` for the group of all nodes outside parts and all graph
  /// outputs.
  struct split {
    tag_id group;
    value_id placeholder;
  };
  /// A constant to split: the placeholder of each group of users, and the placeholders that were added to the graph.
  struct candidate {
    value_id data;
    vector<split> splits;     ///< sorted by group
    vector<value_id> copies;  ///< in order of first use
  };

  constexpr auto group_of(tag_id tag) const -> tag_id { return has_spec(program_, tag) ? tag : none<tag_id>; }

  constexpr void visit(graph_id id) {
    candidates_.clear();
    if (!find_candidates(program_.graphs[index(id)])) return;
    const auto nodes = program_.graphs[index(id)].nodes;
    for (std::uint32_t n = nodes.first; n < nodes.first + nodes.size; ++n) split_operands(program_.nodes[n]);
    const auto outputs = program_.graphs[index(id)].outputs;
    for (std::uint32_t o = outputs.first; o < outputs.first + outputs.size; ++o) {
      auto& returned = program_.outputs[o].value;
      returned = placeholder_for(returned, none<tag_id>);
    }
    list_copies(program_.graphs[index(id)]);
  }

  /// Removes the tags of data with `data_sharing::borrow`. Then finds the tagged constants that can be split and that have a user with a
  /// different tag or no tag. Returns true if such a constant was found.
  constexpr auto find_candidates(const graph& g) -> bool {
    for (const auto input : program_.inputs(g)) {
      auto& record = program_.values[index(input)];
      if (!is_owned_data(record.kind) || !has_spec(program_, record.tag)) continue;
      if (record.sharing == data_sharing::borrow) record.tag = none<tag_id>;
      const bool can_be_split =
          record.kind != value_kind::mutable_buffer && (record.sharing == data_sharing::share || record.sharing == data_sharing::duplicate);
      can_be_split_[index(input)] = can_be_split ? 1 : 0;
    }
    const auto add_candidate_if_shared = [&](value_id used, tag_id group) {
      if (used == none<value_id> || can_be_split_[index(used)] == 0 || program_[used].tag == group || positions_[index(used)] != npos)
        return;
      positions_[index(used)] = static_cast<std::uint32_t>(candidates_.size());
      candidates_.push_back({used, {}, {}});
    };
    for (const auto& record : program_.nodes_of(g)) {
      for (const auto input : program_.inputs(record)) add_candidate_if_shared(input, group_of(record.tag));
    }
    for (const auto& spec : program_.outputs_of(g)) add_candidate_if_shared(spec.value, none<tag_id>);
    return !candidates_.empty();
  }

  /// Replaces operands of a node by the placeholders of the node's group. The first replacement copies the operand list, because other
  /// nodes may refer to the same list.
  constexpr void split_operands(node& record) {
    const auto group = group_of(record.tag);
    bool is_copied = false;
    for (std::uint32_t i = 0; i < record.inputs.size; ++i) {
      const auto before = program_.operands[record.inputs.first + i];
      const auto after = placeholder_for(before, group);
      if (after == before) continue;
      if (!std::exchange(is_copied, true)) record.inputs = append_copy(program_.operands, record.inputs);
      program_.operands[record.inputs.first + i] = after;
    }
  }

  constexpr auto placeholder_for(value_id used, tag_id group) -> value_id {
    if (used == none<value_id> || index(used) >= positions_.size() || positions_[index(used)] == npos) return used;
    auto& shared = candidates_[positions_[index(used)]];
    const auto earlier = [](const split& at, tag_id wanted) { return index(at.group) < index(wanted); };
    const auto position = std::lower_bound(shared.splits.begin(), shared.splits.end(), group, earlier);
    if (position != shared.splits.end() && position->group == group) return position->placeholder;
    const auto placeholder = shared.splits.empty() ? used : add_copy(shared);
    program_.values[index(placeholder)].tag = group;
    shared.splits.insert(position, {group, placeholder});
    return placeholder;
  }

  constexpr auto add_copy(candidate& shared) -> value_id {
    auto record = program_[shared.data];
    record.name = own_bytes(program_, view(join(program_.text(record.name), "_copy_", shared.copies.size())));
    if (record.sharing == data_sharing::duplicate && record.data.size != 0) {
      record.data = own_bytes(program_, program_.text(record.data));
    }
    shared.copies.push_back(static_cast<value_id>(add_to(program_.values, record)));
    return shared.copies.back();
  }

  /// Inserts the copies into the inputs of the graph. The copies of a constant precede the constant.
  constexpr void list_copies(graph& g) {
    vector<value_id> inputs;
    for (const auto input : program_.inputs(g)) {
      const auto position = positions_[index(input)];
      if (position != npos) inputs.insert(inputs.end(), candidates_[position].copies.begin(), candidates_[position].copies.end());
      inputs.push_back(input);
    }
    if (inputs.size() != g.inputs.size) g.inputs = add_to(program_.operands, span<const value_id>{inputs});
  }

  exported_program program_;
  vector<std::uint32_t> positions_;  ///< for each value of the tagged program: the value's index in `candidates_`, or `npos`
  vector<char> can_be_split_;        ///< for each value of the tagged program: 1 if the value can be split
  vector<candidate> candidates_;
};

}  // namespace detail

/// Returns the tagged program, changed so that no part uses a constant of another part. If a user of a tagged constant has a different tag,
/// or no tag, the constant is split. A group consists of the users in one part, or of the users outside all parts. The first group keeps
/// the placeholder, and every other group gets a copy of it. A copy has the same `target` (the fully qualified name) and the name
/// `<name>_copy_<i>`. In the graph's inputs, the copies precede the constant, in order of first use. With `data_sharing::share`, the copies
/// refer to the same bytes; with `duplicate`, the bytes are copied, too. A constant or mutable buffer with `borrow` is not split, but loses
/// its tag. All other mutable buffers, and constants with `own`, do not change. `check_parts` rejects such a buffer or constant if it has
/// users outside its part.
///
/// ExecuTorch splits by user instead of by part, does not split operands in lists, and stores unused bytes. This function avoids these
/// errors.
constexpr auto split_shared_constants(exported_program tagged) -> exported_program {
  return detail::constant_splitting_pass(std::move(tagged)).run();
}

}  // namespace baton
