// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The nodes that a pass cannot replace, in one message.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/locate.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/transform/shared/rules.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace baton::detail {

/// A collector of nodes that cannot be replaced. Nodes of one operator with the same reason are counted, so that the message of a large
/// program stays short.
class refused_nodes {
 public:
  /// The maximum number of pairs of an operator and a reason in a message. The nodes of further pairs are only counted.
  static constexpr std::size_t max_groups = 32;

  constexpr explicit refused_nodes(const program_view& program) : program_(program) {}

  constexpr auto empty() const -> bool { return groups_.empty(); }

  constexpr void add(node_id id, std::string_view reason) {
    for (auto& each : groups_) {
      if (program_[each.first].op != program_[id].op || view(each.reason) != reason) continue;
      ++each.count;
      return;
    }
    if (groups_.size() == max_groups) {
      ++others_;
      return;
    }
    group added{id, 1, {}};
    append(added.reason, reason);
    groups_.push_back(std::move(added));
  }

  /// Returns the failure of the first node. The reason of the failure also lists the other nodes, grouped by operator and cause. At least
  /// one node must have been added.
  constexpr auto why() const -> failure {
    failure result = broken_at<"unsupported_operator">(program_, groups_[0].first, view(groups_[0].reason));
    append_count(result.reason, groups_[0]);
    for (std::size_t i = 1; i < groups_.size(); ++i) {
      const auto& record = program_[groups_[i].first];
      append(append(append(result.reason, "; also "), program_.text(record.target)), " ");
      append(append(append(result.reason, program_.text(record.name)), ": "), view(groups_[i].reason));
      append_count(result.reason, groups_[i]);
    }
    if (others_ != 0) append(append(append(result.reason, "; and "), others_), " other nodes");
    return result;
  }

 private:
  /// The nodes of one operator that have the same reason.
  struct group {
    node_id first;
    std::int64_t count;
    text_buffer reason;
  };
  static constexpr void append_count(text_buffer& to, const group& of) {
    if (of.count > 1) append(append(append(to, " ("), of.count), " nodes)");
  }

  program_view program_;
  vector<group> groups_;
  std::int64_t others_ = 0;
};

}  // namespace baton::detail
