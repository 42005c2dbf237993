// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Finds the users of a value by operator and operand position.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/shared/sort.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace baton {

/// A node that has a value as one of its operands.
struct operand_user {
  value_id used = none<value_id>;
  std::uint64_t op = 0;
  std::uint32_t position = 0;  ///< the position of the value among the operands
  node_id user = none<node_id>;

  constexpr auto operator<(const operand_user& other) const -> bool {
    if (used != other.used) return index(used) < index(other.used);
    if (op != other.op) return op < other.op;
    return position != other.position ? position < other.position : index(user) < index(other.user);
  }
};

/// The users of all values of a program. The first query collects and sorts the users. Each query uses binary search.
class operand_users {
 public:
  /// Returns the nodes of the operator `op` that have the value `used` as operand `position`, in program order. Each call must pass the
  /// same program.
  constexpr auto of(const program_view& program, value_id used, std::uint64_t op, std::uint32_t position) -> span<const operand_user> {
    if (users_.empty()) collect(program);
    const auto* const begin = users_.data();
    const auto* const end = begin + users_.size();
    const auto* const first = std::lower_bound(begin, end, operand_user{used, op, position, node_id{0}});
    const auto* const last = std::lower_bound(first, end, operand_user{used, op, position, none<node_id>});
    return {first, static_cast<std::size_t>(last - first)};
  }

 private:
  constexpr void collect(const program_view& program) {
    for (std::uint32_t n = 0; n < program.nodes.size(); ++n) {
      const auto inputs = program.inputs(program.nodes[n]);
      for (std::uint32_t i = 0; i < inputs.size(); ++i) {
        if (inputs[i] != none<value_id>) users_.push_back({inputs[i], program.nodes[n].op, i, node_id{n}});
      }
    }
    sort(users_.begin(), users_.end());
  }

  vector<operand_user> users_;
};

}  // namespace baton
