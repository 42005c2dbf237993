// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A random partitioner: parts in every graph, tags in several graphs, islands, nodes that keep an earlier tag, and owned data with every
// sharing policy. Most tags are legal; the others must be rejected. A seed produces the same tags at compile time and at run time.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/partition/partitioner.hpp>

#include "properties/random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace properties {

/// The strategy for tagging the nodes of a graph.
enum class tagging : std::uint8_t {
  levels,   ///< levels never decrease along uses, so there is no cycle
  ranges,   ///< ranges of adjacent nodes, so there is no cycle
  islands,  ///< any tags; cycles are rejected
};

class random_tags {
 public:
  constexpr random_tags(const baton::program_view& program, std::uint64_t seed)
      : program_(program),
        result_(program),
        random_(seed),
        level_(program.values.size(), 0),
        is_used_(program.values.size(), 0),
        is_live_(program.nodes.size(), 0) {}

  constexpr auto make() -> baton::partition_result {
    const auto how = static_cast<tagging>(std::min<std::size_t>(random_.below(6) / 2, 2));
    baton::vector<char> counts(program_.graphs.size(), 1);
    for (const auto& module : program_.delegates) counts[index(module.original)] = random_.once_in(8) ? 1 : 0;
    for (std::uint32_t g = 0; g < program_.graphs.size(); ++g) {
      if (counts[g] != 0 && !random_.once_in(6)) tag_graph(program_.graphs[g], how);
    }
    const auto outputs = program_.outputs_of(program_.root());
    if (random_.once_in(60) && !outputs.empty()) result_.tag_value(outputs[0].value, tag(0));
    return std::move(result_);
  }

 private:
  constexpr void tag_graph(const baton::graph& g, tagging how) {
    // The tag numbers of graphs overlap, so that some tags are in several graphs.
    first_tag_ = random_.once_in(2) ? 0 : random_.below(6);
    mark_live(g);
    std::size_t number = 0;
    for (auto n = g.nodes.first; n < g.nodes.first + g.nodes.size; ++n) {
      const auto& record = program_.nodes[n];
      if (how == tagging::ranges) {
        number += random_.once_in(3) ? 1 : 0;
      } else if (how == tagging::islands) {
        number = random_.below(4);
      } else {
        number = level_after(record);
      }
      if (how == tagging::levels) {
        for (const auto output : program_.outputs_of(record)) level_[index(output)] = number;
      }
      // Nodes with odd numbers are not tagged. A part of dead code is rejected.
      if (number % 2 == 0 && (is_live_[n] != 0 || random_.once_in(50))) tag_node(n, first_tag_ + number / 2);
    }
    for (const auto input : program_.inputs(g)) tag_input(g, input);
  }

  /// Marks the nodes on which outputs of the graph depend.
  constexpr void mark_live(const baton::graph& g) {
    for (const auto& spec : program_.outputs_of(g)) is_used_[index(spec.value)] = 1;
    for (auto n = g.nodes.first + g.nodes.size; n-- > g.nodes.first;) {
      const auto outputs = program_.outputs_of(program_.nodes[n]);
      if (std::none_of(outputs.begin(), outputs.end(), [&](baton::value_id id) { return is_used_[index(id)] != 0; })) continue;
      is_live_[n] = 1;
      for (const auto input : program_.inputs(program_.nodes[n])) {
        if (input != baton::none<baton::value_id>) is_used_[index(input)] = 1;
      }
    }
  }

  constexpr auto level_after(const baton::node& record) -> std::size_t {
    std::size_t level = 0;
    for (const auto input : program_.inputs(record)) {
      if (input != baton::none<baton::value_id>) level = std::max(level, level_[index(input)]);
    }
    return level + (random_.once_in(3) ? 1 : 0);
  }

  /// Returns a tag by number. Some tags are `none`, so that their nodes keep their earlier tags.
  constexpr auto tag(std::size_t number) -> baton::tag_id {
    while (tags_.size() <= number) tags_.push_back(unset);
    if (tags_[number] == unset) {
      const auto name = baton::join("tag", number);
      const auto backend = random_.once_in(2) ? std::string_view{"First"} : std::string_view{"Second"};
      tags_[number] =
          random_.once_in(12) ? baton::none<baton::tag_id> : result_.add_tag(baton::view(name), baton::delegation_spec{backend});
    }
    return tags_[number];
  }
  constexpr void tag_node(std::uint32_t n, std::size_t number) {
    if (const auto id = tag(number); id != baton::none<baton::tag_id>) result_.tag_node(static_cast<baton::node_id>(n), id);
  }

  constexpr void tag_input(const baton::graph& g, baton::value_id id) {
    const auto kind = program_[id].kind;
    if (!baton::is_owned_data(kind)) {
      if (random_.once_in(150)) result_.tag_value(id, tag(0));
      return;
    }
    if (random_.once_in(3)) return;
    const auto wanted = tag_of_a_user(g, id);
    if (wanted == baton::none<baton::tag_id>) return;
    auto sharing = static_cast<baton::data_sharing>(random_.below(4));
    const bool is_alone = has_one_tag(g, id, wanted);
    // Rarely illegal, or few programs would be lowered.
    if (kind == baton::value_kind::mutable_buffer && !(is_alone && is_written_by(g, id, wanted)) && !random_.once_in(10)) return;
    if (sharing == baton::data_sharing::own && !is_alone && !random_.once_in(10)) sharing = baton::data_sharing::share;
    result_.tag_value(id, wanted, sharing);
  }

  /// Returns the tag of a node, or `none` for an earlier tag.
  constexpr auto tag_at(std::uint32_t n) const -> baton::tag_id {
    const auto id = result_.tag_of(baton::node_id{n});
    return id != baton::none<baton::tag_id> && index(id) >= program_.tags.size() ? id : baton::none<baton::tag_id>;
  }
  constexpr auto uses(std::uint32_t n, baton::value_id id) const -> bool {
    const auto inputs = program_.inputs(program_.nodes[n]);
    return std::find(inputs.begin(), inputs.end(), id) != inputs.end();
  }
  constexpr auto tag_of_a_user(const baton::graph& g, baton::value_id id) -> baton::tag_id {
    baton::vector<baton::tag_id> candidates;
    for (auto n = g.nodes.first; n < g.nodes.first + g.nodes.size; ++n) {
      if (uses(n, id) && tag_at(n) != baton::none<baton::tag_id>) candidates.push_back(tag_at(n));
    }
    return candidates.empty() ? baton::none<baton::tag_id> : random_.one_of(candidates);
  }
  constexpr auto has_one_tag(const baton::graph& g, baton::value_id id, baton::tag_id wanted) const -> bool {
    for (auto n = g.nodes.first; n < g.nodes.first + g.nodes.size; ++n) {
      if (uses(n, id) && tag_at(n) != wanted) return false;
    }
    const auto outputs = program_.outputs_of(g);
    return std::none_of(outputs.begin(), outputs.end(), [&](const baton::output_spec& spec) { return spec.value == id; });
  }
  /// True if that tag produces the new value of a buffer, and the value has no other role.
  constexpr auto is_written_by(const baton::graph& g, baton::value_id id, baton::tag_id wanted) const -> bool {
    const auto outputs = program_.outputs_of(g);
    for (const auto& spec : outputs) {
      if (spec.kind != baton::output_kind::buffer_mutation || program_.text(spec.target) != program_.text(program_[id].target)) continue;
      if (std::count_if(outputs.begin(), outputs.end(), [&](const baton::output_spec& other) { return other.value == spec.value; }) > 1)
        return false;
      for (auto n = g.nodes.first; n < g.nodes.first + g.nodes.size; ++n) {
        const auto produced = program_.outputs_of(program_.nodes[n]);
        if (std::find(produced.begin(), produced.end(), spec.value) != produced.end()) return tag_at(n) == wanted;
      }
      return false;
    }
    return true;
  }

  static constexpr auto unset = static_cast<baton::tag_id>(0xfffffffeu);

  baton::program_view program_;
  baton::partition_result result_;
  random_numbers random_;
  baton::vector<std::size_t> level_;  ///< per value
  baton::vector<char> is_used_;       ///< per value
  baton::vector<char> is_live_;       ///< per node
  baton::vector<baton::tag_id> tags_;
  std::size_t first_tag_ = 0;
};

struct random_partitioner {
  std::uint64_t seed = 0;

  constexpr auto partition(const baton::program_view& program) const -> baton::partition_result {
    return random_tags(program, seed).make();
  }
};

}  // namespace properties
