// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Searches for cycles among the parts of a tagged program, with another algorithm than the library.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>

#include <algorithm>
#include <cstddef>

namespace properties {

/// One graph in which every part is one unit. Traverses the uses of every unit depth-first.
class cycle_search {
 public:
  cycle_search(const baton::program_view& program, const baton::graph& of) {
    const auto nodes = program.nodes_of(of);
    baton::vector<std::size_t> producer(program.values.size(), nothing);
    uses_.resize(program.tags.size() + nodes.size());
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      const auto unit = nodes[n].tag == baton::none<baton::tag_id> ? program.tags.size() + n : index(nodes[n].tag);
      for (const auto input : program.inputs(nodes[n])) {
        const auto used = input == baton::none<baton::value_id> ? nothing : producer[index(input)];
        if (used != nothing && used != unit) uses_[unit].push_back(used);
      }
      for (const auto output : program.outputs_of(nodes[n])) producer[index(output)] = unit;
    }
    state_.assign(uses_.size(), state::unseen);
  }
  auto finds_one() -> bool {
    for (std::size_t unit = 0; unit < uses_.size(); ++unit) {
      if (reaches_itself(unit)) return true;
    }
    return false;
  }

 private:
  static constexpr auto nothing = static_cast<std::size_t>(-1);
  enum class state : char { unseen, open, done };

  auto reaches_itself(std::size_t unit) -> bool {
    if (state_[unit] != state::unseen) return state_[unit] == state::open;
    state_[unit] = state::open;
    for (const auto used : uses_[unit]) {
      if (reaches_itself(used)) return true;
    }
    state_[unit] = state::done;
    return false;
  }

  baton::vector<baton::vector<std::size_t>> uses_;
  baton::vector<state> state_;
};
/// True if parts of some graph of a tagged program depend on themselves or on one another.
inline auto has_cycle(const baton::program_view& program) -> bool {
  return std::any_of(program.graphs.begin(), program.graphs.end(),
                     [&](const baton::graph& of) { return cycle_search(program, of).finds_one(); });
}

}  // namespace properties
