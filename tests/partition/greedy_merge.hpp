// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// References for partitioners: ExecuTorch's greedy merge, step by step as in the specification (2.Q), and a naive search for cycles.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>

#include <algorithm>
#include <cstddef>
#include <map>
#include <random>
#include <set>
#include <utility>

namespace reference {

using node_set = std::set<std::size_t>;

/// A graph of two operators, `s` (supported) and `u` (unsupported). Stores for each node whether it is supported, and the nodes that it
/// uses.
struct dag {
  baton::vector<char> supported;
  baton::vector<baton::vector<std::size_t>> uses;
};

/// Returns a random graph. The test seeds `random`, so a failure is reproducible.
inline auto random_dag(std::mt19937& random, std::size_t max_nodes) -> dag {
  dag graph;
  const auto nodes = 1 + random() % max_nodes;
  const auto density = 1 + random() % 4;
  const auto share = 30 + random() % 60;
  for (std::size_t n = 0; n < nodes; ++n) {
    graph.supported.push_back(random() % 100 < share ? 1 : 0);
    graph.uses.emplace_back();
    for (std::size_t earlier = 0; earlier < n; ++earlier) {
      if (random() % (nodes + 1) < density) graph.uses.back().push_back(earlier);
    }
  }
  return graph;
}

/// Returns the graph as a program with the same node numbers, in which the value of every node is an output.
constexpr auto program_of(const dag& graph) -> baton::exported_program {
  constexpr auto type = baton::tensor(baton::dtype::int8, 1);
  baton::program_builder b;
  const auto x = b.user_input("x", type);
  baton::vector<baton::value_id> values;
  for (std::size_t n = 0; n < graph.uses.size(); ++n) {
    baton::vector<baton::value_id> inputs;
    for (const auto used : graph.uses[n]) inputs.push_back(values[used]);
    if (inputs.empty()) inputs.push_back(x);
    const auto output = b.add_value(b.make_value("v", type, baton::value_kind::intermediate));
    b.add_node(b.make_node("n", graph.supported[n] != 0 ? "s" : "u"), inputs, baton::span{&output, 1});
    values.push_back(output);
  }
  for (const auto value : values) b.output(value);
  return b.finish();
}

/// The greedy merge, R195 to R202, with parts of single nodes. At least cubic.
class greedy_merge {
 public:
  explicit greedy_merge(const dag& graph) : users_(graph.uses.size()), downstream_(graph.uses.size()) {
    for (std::size_t n = 0; n < graph.uses.size(); ++n) {
      for (const auto used : graph.uses[n]) users_[used].insert(n);
    }
    for (std::size_t n = graph.uses.size(); n-- > 0;) {
      for (const auto user : users_[n]) {
        downstream_[n].insert(user);
        downstream_[n].insert(downstream_[user].begin(), downstream_[user].end());
      }
    }
    for (std::size_t n = graph.uses.size(); n-- > 0;) visit(n, graph.supported[n] != 0);
  }

  auto parts() const -> std::map<std::size_t, node_set> {
    std::map<std::size_t, node_set> nodes;
    for (const auto& [id, formed] : parts_) nodes[id] = formed.nodes;
    return nodes;
  }

 private:
  struct part {
    node_set nodes;
    std::size_t order = 0;
    node_set users;
    std::set<std::size_t> reach;
  };

  void visit(std::size_t n, bool is_supported) {
    baton::vector<std::size_t> candidates;
    if (is_supported) {
      const auto id = next_id_++;
      parts_[id] = {{n}, id, users_[n], {}};
      for (const auto v : with_downstream(users_[n])) {
        if (const auto entry = assigned_.find(v); entry != assigned_.end()) {
          const auto transitive = parts_[entry->second].reach;
          parts_[id].reach.insert(entry->second);
          parts_[id].reach.insert(transitive.begin(), transitive.end());
        }
      }
      assigned_[n] = id;
      candidates.push_back(id);
    }
    baton::vector<std::pair<std::size_t, std::size_t>> others;
    for (const auto& [id, existing] : parts_) {
      if (candidates.empty() || id != candidates.front()) others.emplace_back(existing.order, id);
    }
    std::sort(others.begin(), others.end());
    for (const auto& [order, id] : others) candidates.push_back(id);
    for (std::size_t i = 1; i < candidates.size(); ++i) candidates[i] = merged(candidates[i - 1], candidates[i]);
  }

  auto with_downstream(const node_set& nodes) const -> node_set {
    auto all = nodes;
    for (const auto n : nodes) all.insert(downstream_[n].begin(), downstream_[n].end());
    return all;
  }

  /// Tries to merge two parts. Returns the part with which the next part is merged.
  auto merged(std::size_t self, std::size_t other) -> std::size_t {
    auto& a = parts_[self];
    auto& b = parts_[other];
    auto nodes = a.nodes;
    nodes.insert(b.nodes.begin(), b.nodes.end());
    auto users = a.users;
    users.insert(b.users.begin(), b.users.end());
    for (const auto n : nodes) users.erase(n);
    const auto downstream = with_downstream(users);
    auto reach = a.reach;
    reach.insert(b.reach.begin(), b.reach.end());
    for (const auto v : downstream) {
      if (nodes.count(v) != 0) return self;
      const auto entry = assigned_.find(v);
      if (entry == assigned_.end()) continue;
      const auto& between = parts_[entry->second].reach;
      if (between.count(self) != 0 || between.count(other) != 0) return self;
      reach.insert(entry->second);
    }
    reach.erase(self);
    reach.erase(other);
    const bool other_is_larger = b.nodes.size() > a.nodes.size();
    const auto kept = other_is_larger ? other : self;
    const auto removed_id = other_is_larger ? self : other;
    for (const auto n : nodes) assigned_[n] = kept;
    parts_[kept] = {std::move(nodes), std::min(a.order, b.order), std::move(users), std::move(reach)};
    parts_.erase(removed_id);
    return kept;
  }

  baton::vector<node_set> users_;
  baton::vector<node_set> downstream_;
  std::map<std::size_t, part> parts_;
  std::map<std::size_t, std::size_t> assigned_;
  std::size_t next_id_ = 0;
};

/// Whether the root graph of a tagged program has no cycle, if each tag counts as one node. Repeatedly removes the nodes that wait for
/// no other node.
inline auto is_acyclic(const baton::program_view& program) -> bool {
  const auto nodes = program.nodes_of(program.root());
  const auto unit_of = [&](std::size_t n) {
    return nodes[n].tag == baton::none<baton::tag_id> ? n : nodes.size() + baton::index(nodes[n].tag);
  };
  std::map<baton::value_id, std::size_t> producer;
  std::map<std::size_t, std::set<std::size_t>> waits_for;
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    waits_for[unit_of(n)];
    for (const auto output : program.outputs_of(nodes[n])) producer[output] = unit_of(n);
  }
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    for (const auto input : program.inputs(nodes[n])) {
      const auto entry = producer.find(input);
      if (entry != producer.end() && entry->second != unit_of(n)) waits_for[unit_of(n)].insert(entry->second);
    }
  }
  for (bool removed = true; removed;) {
    removed = false;
    for (auto at = waits_for.begin(); at != waits_for.end();) {
      if (!at->second.empty()) {
        ++at;
        continue;
      }
      for (auto& [unit, dependencies] : waits_for) dependencies.erase(at->first);
      at = waits_for.erase(at);
      removed = true;
    }
  }
  return waits_for.empty();
}

}  // namespace reference
