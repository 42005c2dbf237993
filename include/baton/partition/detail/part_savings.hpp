// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What each part saves.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/shared/work_array.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/partition/detail/costs.hpp>
#include <baton/partition/detail/device_parts.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::detail {

/// What the parts of an assignment save, each against leaving its nodes to the portable kernels while all others stay: below 0 if it
/// costs more. Linear.
class part_savings {
 public:
  constexpr part_savings(const program_view& program, const cost_table& table, const assignment_cost& weigh, const device_index* devices,
                         const part_former& former)
      : program_(program),
        table_(table),
        weigh_(weigh),
        devices_(devices),
        users_on_(weigh.carried().size() * table.devices()),
        own_users_(weigh.carried().size()),
        seen_in_(weigh.carried().size()),
        made_in_(weigh.carried().size()) {
    count_users();
    const auto parts = former.parts();
    vector<std::uint32_t> first(parts.size() + 1, 0);
    for (std::size_t p = 0; p < parts.size(); ++p) first[p + 1] = first[p] + parts[p].size;
    vector<std::uint32_t> nodes(program.nodes.size());
    auto end = first;
    for (std::uint32_t n = 0; n < program.nodes.size(); ++n) {
      if (const auto part = former.part_of()[n]; part != npos) nodes.data()[end[part]++] = n;
    }
    for (std::uint32_t p = 0; p < parts.size(); ++p)
      saved_.push_back(saved_by(p, parts[p].on, {nodes.data() + first[p], parts[p].size}) - table.calls[parts[p].on]);
  }

  /// By part.
  constexpr auto operator[](std::size_t part) const -> cost_amount { return saved_[part]; }

 private:
  constexpr void count_users() {
    std::uint32_t c = 0;
    for (const auto& value : weigh_.carried()) {
      for (std::uint32_t i = 0; i < value.users.size; ++i)
        users_on_.items[c * std::size_t{table_.devices()} + devices_[weigh_.users()[value.users.first + i]]] += 1;
      ++c;
    }
  }

  constexpr auto saved_by(std::uint32_t part, device_index on, span<const std::uint32_t> nodes) -> cost_amount {
    cost_amount saved = 0;
    touched_.clear();
    for (const auto n : nodes) {
      saved += table_.nodes[0][n] - table_.nodes[on][n];
      for (const auto input : program_.inputs(program_.nodes[n])) {
        if (input != none<value_id> && touch(part, input)) own_users_.items[weigh_.position_of(input) - 1] += 1;
      }
      for (const auto output : program_.outputs_of(program_.nodes[n])) {
        if (touch(part, output)) made_in_.items[weigh_.position_of(output) - 1] = part + 1;
      }
    }
    for (const auto c : touched_) saved += carried_less(c, part, on);
    return saved;
  }
  /// Whether the value is carried at all.
  constexpr auto touch(std::uint32_t part, value_id value) -> bool {
    const auto position = weigh_.position_of(value);
    if (position == 0) return false;
    if (seen_in_.items[position - 1] != part + 1) {
      seen_in_.items[position - 1] = part + 1;
      own_users_.items[position - 1] = 0;
      touched_.push_back(position - 1);
    }
    return true;
  }
  constexpr auto carried_less(std::uint32_t c, std::uint32_t part, device_index on) const -> cost_amount {
    const auto& value = weigh_.carried()[c];
    const auto* const users = users_on_.items + c * std::size_t{table_.devices()};
    const auto own = own_users_.items[c];
    const auto home = value.producer == npos ? device_index{0} : devices_[value.producer];
    const auto home_without = made_in_.items[c] == part + 1 ? device_index{0} : home;
    const auto is_used = [&](device_index d) { return users[d] != 0; };
    const auto is_used_without = [&](device_index d) { return users[d] + (d == 0 ? own : 0) != (d == on ? own : 0); };
    return weigh_.carrying(value, home_without, is_used_without) - weigh_.carrying(value, home, is_used);
  }

  program_view program_;
  const cost_table& table_;
  const assignment_cost& weigh_;
  const device_index* devices_;
  work_array<std::uint32_t> users_on_;   // by carried value and device
  work_array<std::uint32_t> own_users_;  // by carried value: in the part that is looked at
  work_array<std::uint32_t> seen_in_;    // by carried value: 1 + the last part that had it
  work_array<std::uint32_t> made_in_;
  vector<std::uint32_t> touched_;
  vector<cost_amount> saved_;
};

}  // namespace baton::detail
