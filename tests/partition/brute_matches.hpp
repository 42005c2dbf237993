// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The reference for the search for patterns: tries every injective map of a pattern's nodes to nodes of a graph, and both operand orders of
// each commutative node.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/partition/operator_support.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>

namespace reference {

/// Finds all matches of a pattern in a root graph, including overlapping ones. A match lists the node for each node of the pattern.
/// Exponential. Attributes are ignored.
template <baton::operator_support Commuting>
class brute_matcher {
 public:
  brute_matcher(const baton::program_view& program, const baton::program_view& pattern) : program_(program), pattern_(pattern) {}

  auto run() -> baton::vector<baton::vector<baton::node_id>> {
    choose();
    return matches_;
  }

 private:
  void choose() {
    if (image_.size() == pattern_.root().nodes.size) {
      if (is_match()) matches_.push_back(image_);
      return;
    }
    for (std::uint32_t n = 0; n < program_.root().nodes.size; ++n) {
      const auto id = static_cast<baton::node_id>(n);
      if (std::find(image_.begin(), image_.end(), id) != image_.end()) continue;
      if (pattern_.nodes[image_.size()].op != program_[id].op) continue;
      image_.push_back(id);
      choose();
      image_.pop_back();
    }
  }

  auto is_match() const -> bool {
    for (std::uint32_t orders = 0; orders < 1u << image_.size(); ++orders) {
      if (agrees(orders)) return true;
    }
    return false;
  }

  /// Whether the chosen nodes are a match. The nodes whose bit is set in `orders` have their first two operands swapped.
  auto agrees(std::uint32_t orders) const -> bool {
    std::map<baton::value_id, baton::value_id> values;
    std::set<baton::value_id> used;
    const auto put = [&](baton::value_id from, baton::value_id to) {
      if (const auto known = values.find(from); known != values.end()) return known->second == to;
      values[from] = to;
      return used.insert(to).second;
    };
    for (std::size_t n = 0; n < image_.size(); ++n) {
      const auto& sought = pattern_.nodes[n];
      const auto& candidate = program_[image_[n]];
      const bool is_swapped = (orders >> n & 1) != 0;
      if (sought.inputs.size != candidate.inputs.size || sought.outputs.size != candidate.outputs.size) return false;
      if (is_swapped && (candidate.inputs.size < 2 || !Commuting::supports(program_, candidate).accepted)) return false;
      for (std::size_t i = 0; i < sought.inputs.size; ++i) {
        if (!put(pattern_.inputs(sought)[i], program_.inputs(candidate)[is_swapped && i < 2 ? 1 - i : i])) return false;
      }
      for (std::size_t i = 0; i < sought.outputs.size; ++i) {
        if (!put(pattern_.outputs_of(sought)[i], program_.outputs_of(candidate)[i])) return false;
      }
    }
    return is_closed(values) && is_convex();
  }

  auto is_inside(std::uint32_t n) const -> bool {
    return std::find(image_.begin(), image_.end(), static_cast<baton::node_id>(n)) != image_.end();
  }
  static auto is_returned(const baton::program_view& owner, baton::value_id id) -> bool {
    const auto outputs = owner.outputs_of(owner.root());
    return std::any_of(outputs.begin(), outputs.end(), [&](const baton::output_spec& spec) { return spec.value == id; });
  }

  auto is_closed(const std::map<baton::value_id, baton::value_id>& values) const -> bool {
    for (const auto& [from, to] : values) {
      const auto placeholders = pattern_.inputs(pattern_.root());
      if (is_returned(pattern_, from) || std::find(placeholders.begin(), placeholders.end(), from) != placeholders.end()) continue;
      if (is_returned(program_, to)) return false;
      for (std::uint32_t n = 0; n < program_.root().nodes.size; ++n) {
        const auto inputs = program_.inputs(program_.nodes[n]);
        if (!is_inside(n) && std::find(inputs.begin(), inputs.end(), to) != inputs.end()) return false;
      }
    }
    return true;
  }

  auto uses(std::uint32_t user, std::uint32_t producer) const -> bool {
    const auto inputs = program_.inputs(program_.nodes[user]);
    const auto outputs = program_.outputs_of(program_.nodes[producer]);
    return std::find_first_of(inputs.begin(), inputs.end(), outputs.begin(), outputs.end()) != inputs.end();
  }
  /// Whether no node outside the match both depends on it and is used by it.
  auto is_convex() const -> bool {
    const auto count = program_.root().nodes.size;
    for (std::uint32_t outside = 0; outside < count; ++outside) {
      if (!is_inside(outside) && reaches_match(outside, true) && reaches_match(outside, false)) return false;
    }
    return true;
  }
  auto reaches_match(std::uint32_t from, bool downwards) const -> bool {
    for (std::uint32_t n = 0; n < program_.root().nodes.size; ++n) {
      if (!(downwards ? uses(n, from) : uses(from, n))) continue;
      if (is_inside(n) || reaches_match(n, downwards)) return true;
    }
    return false;
  }

  baton::program_view program_;
  baton::program_view pattern_;
  baton::vector<baton::node_id> image_;
  baton::vector<baton::vector<baton::node_id>> matches_;
};

template <baton::operator_support Commuting>
auto brute_matches(const baton::program_view& program, const baton::program_view& pattern) -> baton::vector<baton::vector<baton::node_id>> {
  return brute_matcher<Commuting>(program, pattern).run();
}

}  // namespace reference
