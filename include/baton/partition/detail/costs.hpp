// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The costs that a user measures for nodes and for values that cross a boundary, and the cost of an assignment of nodes to devices. A value
// crosses a boundary if it enters or leaves a backend. A value between two parts of one backend crosses no boundary. A part is the nodes of
// a graph that become one delegate.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/locate.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/work_array.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/partition/detail/device_parts.hpp>
#include <baton/partition/operator_support.hpp>
#include <baton/partition/shared/rules.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton {

/// A cost in 1/1024 of the user's unit. Any unit is possible (cycles, microseconds, microjoules), because costs are only compared.
using cost_amount = std::int64_t;

/// The costs of nodes on the portable kernels (the kernels of nodes that are not delegated): `static constexpr auto node(const
/// baton::program_view&, const baton::node&) -> double`.
template <class T>
concept host_costs = requires(const program_view& program, const node& candidate) {
  { T::node(program, candidate) } -> std::convertible_to<double>;
};

/// The costs of a backend: `node` as in `host_costs`, and `byte`, the cost of each byte that enters or leaves the backend. Two members are
/// optional: `call`, the cost of each delegate call, and `capacity`, the maximum size of the constants of one part, in bytes.
template <class T>
concept backend_costs = host_costs<T> && requires {
  { T::byte } -> std::convertible_to<double>;
};

/// The costs of one program on several devices, computed once, so that many assignments can be compared.
struct cost_table {
  static constexpr cost_amount impossible = -1;

  vector<vector<cost_amount>> nodes;     ///< indexed by device and node; `impossible` if the device cannot compute the node
  vector<cost_amount> calls;             ///< indexed by device: the cost of one delegate call; 0 for the portable kernels
  vector<std::uint64_t> capacities;      ///< indexed by device: the maximum size of the constants of one part, in bytes
  vector<vector<cost_amount>> values;    ///< indexed by device and value: the cost of a transfer to or from the device; 0 for device 0
  vector<std::uint64_t> constant_bytes;  ///< indexed by node: the size of the node's constants, in bytes

  constexpr auto devices() const -> device_index { return static_cast<device_index>(nodes.size()); }
};

namespace detail {

/// Returns whether `T` satisfies a concept: `backend_costs` if `IsBackend` is true, otherwise `host_costs`. Reports a compile-time error if
/// `T` does not.
template <class T, bool IsBackend>
consteval auto require_costs() -> bool {
  constexpr bool has_node = host_costs<T>;
  constexpr bool has_byte = !IsBackend || !has_node || backend_costs<T>;
  static_assert(
      has_node,
      "baton not_costs: the struct of costs has no function node; write: static constexpr auto node(const baton::program_view&, const "
      "baton::node&) -> double");
  static_assert(
      has_byte,
      "baton not_costs: the costs of the backend have no cost of a byte that crosses its boundary; write: static constexpr double byte = "
      "0.5;");
  return has_node && has_byte;
}

inline constexpr double max_cost = 1e9;

/// Converts a cost to a `cost_amount`. Returns -1 if the cost is negative, not a number, or at least `max_cost`.
constexpr auto to_amount(double cost) -> cost_amount {
  if (!(cost >= 0) || !(cost < max_cost)) return -1;
  return static_cast<cost_amount>(cost * 1024 + 0.5);
}

/// Returns the end of a reason why `number` is not a valid cost or capacity, for example " is negative".
constexpr auto number_error(double number) -> std::string_view {
  if (number < 0) return " is negative";
  return number >= 0 ? " is 10^9 or more" : " is not a number";
}

template <class Costs>
constexpr auto call_cost_of() -> double {
  if constexpr (requires { Costs::call; }) return Costs::call;
  return 0;
}
/// Returns the capacity of a backend in bytes, or `UINT64_MAX` (no limit) if the capacity is omitted, invalid, or at least 2^64. Fails with
/// `malformed_capacity` if the capacity is negative or not a number.
template <class Costs>
constexpr auto capacity_of() -> result<std::uint64_t> {
  result<std::uint64_t> capacity{std::uint64_t{UINT64_MAX}};
  if constexpr (requires { Costs::capacity; }) {
    const auto bytes = static_cast<double>(Costs::capacity);
    if (!(bytes >= 0)) capacity.error = broken<"malformed_capacity">("the capacity", number_error(bytes));
    if (bytes >= 0 && bytes < 0x1p64) capacity.value = static_cast<std::uint64_t>(Costs::capacity);
  }
  return capacity;
}

/// Returns the size of the owned data (parameters, buffers and constants) that a node uses, in bytes.
constexpr auto constant_bytes_of(const program_view& program, const node& record) -> std::uint64_t {
  std::uint64_t bytes = 0;
  for (const auto input : program.inputs(record)) {
    if (input != none<value_id> && is_owned_data(program[input].kind)) bytes += program[input].data.size;
  }
  return bytes;
}
/// Returns the size of the owned data that each node uses, in bytes.
constexpr auto constant_bytes_of(const program_view& program) -> vector<std::uint64_t> {
  vector<std::uint64_t> bytes;
  bytes.reserve(program.nodes.size());
  for (const auto& record : program.nodes) bytes.push_back(constant_bytes_of(program, record));
  return bytes;
}

/// Computes the costs of the nodes in `nodes` for which `supports` returns true. Stores the costs in `costs`, which is indexed by node.
/// Fails with `malformed_cost` if a cost is not valid; `where` names the device in the reason.
template <class Costs, class Supports>
constexpr auto add_node_costs(const program_view& program, span<const node_id> nodes, vector<cost_amount>& costs, std::string_view where,
                              Supports supports) -> failure {
  for (const auto id : nodes) {
    if (!supports(id)) continue;
    const auto cost = to_amount(Costs::node(program, program[id]));
    costs.data()[index(id)] = cost;
    if (cost < 0) {
      return broken_at<"malformed_cost">(program, id, "the cost of this node", where, number_error(Costs::node(program, program[id])));
    }
  }
  return {};
}

template <class Costs>
constexpr auto value_costs(const program_view& program, vector<cost_amount>& costs) -> failure {
  if (to_amount(Costs::byte) < 0) return broken<"malformed_cost">("the cost of a byte", number_error(Costs::byte));
  costs.resize(program.values.size());
  auto* cost = costs.data();
  const auto* const end = program.values.data() + program.values.size();
  for (const auto* record = program.values.data(); record != end; ++record, ++cost) {
    const bool is_constant = is_owned_data(record->kind) && record->kind != value_kind::mutable_buffer;
    if (is_constant || record->kind == value_kind::scratch) continue;  // a part owns its constants and scratch, so they cross no boundary
    const auto bytes = byte_count(record->type, program.integer_list(record->shape));
    if (bytes > 0 && (*cost = to_amount(static_cast<double>(bytes) * Costs::byte)) < 0) {
      return broken<"malformed_cost">("the cost of transferring value ", program.text(record->name), ", ", bytes, " bytes,",
                                      number_error(max_cost));
    }
  }
  return {};
}

/// Returns `sum + times * (total of amounts)`. Stops early if the result exceeds `limit`.
constexpr auto add_amounts(cost_amount sum, const vector<cost_amount>& amounts, cost_amount times, cost_amount limit) -> cost_amount {
  const auto* const end = amounts.data() + amounts.size();
  for (const auto* amount = amounts.data(); amount != end && sum <= limit; ++amount) sum += *amount * times;
  return sum;
}

}  // namespace detail

/// Checks that the costs of a table add up to at most 10^12, so that no sum overflows in `cost_search`. The sum covers all devices, with
/// one call per node and two crossings per value. Each cost must be below 10^9. `ids` contains an empty string for the portable kernels,
/// and then the id of each backend. Fails with `costs_overflow` at the most expensive node.
constexpr auto check_costs(const program_view& program, const cost_table& table, span<const std::string_view> ids) -> failure {
  // The search doubles all amounts. It assigns the cost `minimum_cut::unlimited / 1024` to the move of a node to a device that does not
  // support the node. Twice `limit` is less than this cost.
  constexpr auto limit = cost_amount{1'000'000'000'000} * 1024;
  cost_amount sum = 0;
  for (std::size_t d = 0; d < table.nodes.size() && sum <= limit; ++d) {
    sum += table.calls[d] * static_cast<cost_amount>(table.nodes[d].size());
    sum = detail::add_amounts(sum, table.nodes[d], 1, limit);
    sum = detail::add_amounts(sum, table.values[d], 2, limit);  // a value can leave one device and enter another
  }
  if (sum <= limit) return {};
  std::size_t on = 0;
  std::size_t max_node = 0;
  for (std::size_t d = 0; d < table.nodes.size(); ++d) {
    const auto maximum = std::max_element(table.nodes[d].begin(), table.nodes[d].end());
    if (maximum == table.nodes[d].end() || *maximum <= table.nodes[on][max_node]) continue;
    on = d;
    max_node = static_cast<std::size_t>(maximum - table.nodes[d].begin());
  }
  if (program.nodes.empty()) return broken<"costs_overflow">();
  auto why =
      broken_at<"costs_overflow">(program, static_cast<node_id>(max_node), "this node costs ", table.nodes[on][max_node] / 1024,
                                  on == 0 ? " on the portable kernels" : "", ", the highest cost of the ", program.nodes.size(), " nodes");
  why.backend = join(ids[on]);
  return why;
}

/// A value that can cross a boundary, with its producer and its users.
struct carried_value {
  std::uint32_t value = 0;
  std::uint32_t producer = npos;  ///< the node that produces the value, or `npos` for a graph input
  range users{};                  ///< range in `assignment_cost::users`; a node that uses the value twice occurs twice
  bool is_returned = false;
};

/// The cost of an assignment: the costs of nodes, and of values that cross boundaries. The costs of calls are not included, because the
/// number of calls depends on the number of parts on each device.
/// If a backend produces a value that another device uses or that a graph returns, the value leaves the backend once. If a backend uses a
/// value that it does not produce, the value enters the backend once.
class assignment_cost {
 public:
  constexpr assignment_cost(const program_view& program, const cost_table& table)
      : table_(&table),
        carried_(program.values.size()),
        users_(program.operands.size()) {
    const work_array<std::uint32_t> position_of(program.values.size());  // 1 + position in `carried_`, or 0 if not in `carried_`
    find_carried(program.values.size(), position_of.items);
    add_users(program, position_of.items);
  }

  /// Returns the values with a nonzero cost on at least one device (`cost_table::values`).
  constexpr auto carried() const -> span<const carried_value> { return {carried_.items, carried_count_}; }
  /// Returns an array of `use_count()` nodes: the users of the first carried value, then the users of the second value, and so on.
  /// `carried_value::users` is the range of a value's users in this array.
  constexpr auto users() const -> const std::uint32_t* { return users_.items; }
  constexpr auto use_count() const -> std::uint32_t { return use_count_; }

  /// Returns the cost of an assignment, without the costs of calls.
  constexpr auto without_calls(span<const device_index> devices) const -> cost_amount {
    cost_amount sum = 0;
    const auto* const on = devices.data();
    const auto* const nodes = table_->nodes.data();
    const auto count = devices.size();
    for (std::size_t n = 0; n < count; ++n) sum += nodes[on[n]][n];
    for (std::uint32_t c = 0; c < carried_count_; ++c) sum += carrying(carried_.items[c], on);
    return sum;
  }

  /// Returns the cost of carrying a value across boundaries. The producer of the value is on device `home`. `is_used(d)` returns whether
  /// device `d` uses the value.
  template <class IsUsed>
  constexpr auto carrying(const carried_value& value, device_index home, IsUsed is_used) const -> cost_amount {
    cost_amount sum = 0;
    bool is_leaving = value.is_returned && home != 0;
    for (device_index d = 0; d < table_->devices(); ++d) {
      if (d == home || !is_used(d)) continue;
      is_leaving = true;
      sum += table_->values[d][value.value];
    }
    return is_leaving ? sum + table_->values[home][value.value] : sum;
  }

 private:
  constexpr void find_carried(std::size_t values, std::uint32_t* positions) {
    for (const auto& costs : table_->values) {
      const auto* const cost = costs.data();
      for (std::size_t v = 0; v < values; ++v) positions[v] |= cost[v] != 0 ? 1u : 0u;
    }
    for (std::uint32_t v = 0; v < values; ++v) {
      if (positions[v] == 0) continue;
      carried_.items[carried_count_++].value = v;
      positions[v] = carried_count_;
    }
  }

  constexpr void add_users(const program_view& program, const std::uint32_t* positions) {
    auto* const carried = carried_.items;
    const auto* const operands = program.operands.data();
    const auto* const nodes = program.nodes.data();
    const auto count = static_cast<std::uint32_t>(program.nodes.size());
    const auto each_use = [&](auto use) {
      for (std::uint32_t n = 0; n < count; ++n) {
        const auto inputs = nodes[n].inputs;
        for (auto i = inputs.first; i < inputs.first + inputs.size; ++i) {
          if (operands[i] == none<value_id> || positions[static_cast<std::uint32_t>(operands[i])] == 0) continue;
          use(carried[positions[static_cast<std::uint32_t>(operands[i])] - 1].users, n);
        }
      }
    };
    each_use([](range& users, std::uint32_t) { ++users.size; });
    auto& end = use_count_;
    for (std::uint32_t c = 0; c < carried_count_; ++c) {
      carried[c].users.first = end;
      end += carried[c].users.size;
      carried[c].users.size = 0;
    }
    each_use([this](range& users, std::uint32_t n) { users_.items[users.first + users.size++] = n; });
    for (std::uint32_t n = 0; n < count; ++n) {
      const auto outputs = nodes[n].outputs;
      for (auto i = outputs.first; i < outputs.first + outputs.size; ++i) {
        if (const auto at = positions[static_cast<std::uint32_t>(operands[i])]; at != 0) carried[at - 1].producer = n;
      }
    }
    for (const auto& spec : program.outputs) {
      if (const auto at = positions[index(spec.value)]; at != 0) carried[at - 1].is_returned = true;
    }
  }

  constexpr auto carrying(const carried_value& value, const device_index* on) const -> cost_amount {
    const auto* const first = users_.items + value.users.first;
    const auto home = value.producer == npos ? device_index{0} : on[value.producer];
    // Fast path for values that cross no boundary: most values have one user, on the device of the producer.
    bool is_at_home = !value.is_returned || home == 0;
    for (std::uint32_t i = 0; i < value.users.size; ++i) is_at_home = is_at_home && on[first[i]] == home;
    if (is_at_home) return 0;
    return carrying(value, home, [&](device_index d) {
      for (std::uint32_t i = 0; i < value.users.size; ++i) {
        if (on[first[i]] == d) return true;
      }
      return false;
    });
  }

  const cost_table* table_;
  work_array<carried_value> carried_;
  work_array<std::uint32_t> users_;
  std::uint32_t carried_count_ = 0;
  std::uint32_t use_count_ = 0;
};

}  // namespace baton
