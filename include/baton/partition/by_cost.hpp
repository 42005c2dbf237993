// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The cost partitioner: the assignment of nodes to backends that costs least.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rules.hpp>
#include <baton/partition/costs.hpp>
#include <baton/partition/device_parts.hpp>
#include <baton/partition/minimum_cut.hpp>
#include <baton/partition/operator_support.hpp>
#include <baton/partition/partitioner.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace baton {

/// A backend that offers itself, what it supports, and what it costs.
template <class Backend, operator_support Support, backend_costs Costs>
struct offer {
  using backend = Backend;
  using support = Support;
  using costs = Costs;
};

/// What `by_cost` keeps to.
struct cost_options {
  std::uint32_t least_nodes = 1;           ///< smaller parts stay with the portable kernels
  std::uint32_t most_parts = 0xffffffffu;  ///< those that save least stay
};

/// An assignment of nodes to devices, the parts it makes, and what it costs in all.
struct costed_assignment {
  std::vector<device> devices;
  std::vector<device_part> parts;
  cost_amount cost = 0;
};

namespace detail {

/// Finds cheap assignments. One backend without a fixed cost a call and with room enough: the cheapest, by one minimum cut (H. S. Stone,
/// Multiprocessor scheduling with the aid of network flow algorithms, IEEE TSE SE-3, 1977). More backends: expansion moves, each a minimum
/// cut that lets any nodes move to one backend at once, until none helps, from each device in turn (Y. Boykov, O. Veksler, R. Zabih, Fast
/// approximate energy minimization via graph cuts, IEEE TPAMI 23, 2001). Fixed costs: then parts that cost more than they save move back,
/// one by one.
class cost_search {
 public:
  constexpr cost_search(const program_view& program, const cost_table& table, const cost_options& options)
      : program_(program),
        table_(table),
        options_(options),
        cost_(program, table) {}

  constexpr auto run() -> costed_assignment {
    auto best = improved(0);
    for (device all_on = 1; all_on < table_.devices() && !is_exact(); ++all_on) {
      auto other = improved(all_on);
      if (other.cost < best.cost) best = std::move(other);
    }
    return limited(std::move(best));
  }

 private:
  constexpr auto is_exact() const -> bool { return table_.devices() == 2 && table_.calls[1] == 0; }

  /// The best that expansion moves reach from where one device has all that it supports.
  constexpr auto improved(device all_on) const -> costed_assignment {
    costed_assignment best;
    for (const auto cost : table_.nodes[all_on]) best.devices.push_back(cost == cost_table::impossible ? device{0} : all_on);
    complete(best);
    for (bool improves = true; improves;) {
      improves = false;
      for (device to = 0; to < table_.devices(); ++to) {
        costed_assignment next;
        next.devices = expanded(best.devices, to);
        complete(next);
        auto lean = without_dear_parts(std::move(next));
        if (lean.cost >= best.cost) continue;
        best = std::move(lean);
        improves = !is_exact();
      }
    }
    return best;
  }

  constexpr void complete(costed_assignment& of) const {
    of.parts = parts_on_devices(program_, of.devices, table_.capacities, table_.constant_bytes);
    of.cost = cost_.without_calls(of.devices);
    for (const auto& part : of.parts) of.cost += table_.calls[part.on];
  }
  constexpr auto without(const costed_assignment& of, const device_part& part) const -> costed_assignment {
    costed_assignment less;
    less.devices = of.devices;
    for (const auto n : part.nodes) less.devices[index(n)] = 0;
    complete(less);
    return less;
  }

  /// Parts move back to the portable kernels as long as that is cheaper.
  constexpr auto without_dear_parts(costed_assignment of) const -> costed_assignment {
    const bool has_call_costs = std::any_of(table_.calls.begin(), table_.calls.end(), [](cost_amount call) { return call != 0; });
    for (std::size_t at = 0; has_call_costs && at < of.parts.size();) {
      auto less = without(of, of.parts[at]);
      if (less.cost < of.cost) {
        of = std::move(less);
        at = 0;
      } else {
        ++at;
      }
    }
    return of;
  }

  /// The limits on parts, kept at the least cost that giving up one part at a time finds.
  constexpr auto limited(costed_assignment of) const -> costed_assignment {
    for (std::size_t at = 0; at < of.parts.size();) {
      if (of.parts[at].nodes.size() >= options_.least_nodes) {
        ++at;
      } else {
        of = without(of, of.parts[at]);
        at = 0;
      }
    }
    while (of.parts.size() > options_.most_parts) {
      auto best = without(of, of.parts[0]);
      for (std::size_t at = 1; at < of.parts.size(); ++at) {
        auto other = without(of, of.parts[at]);
        if (other.cost < best.cost) best = std::move(other);
      }
      of = std::move(best);
    }
    return of;
  }

  /// The cheapest of all assignments in which every node stays where it is or moves to one device. Vertices on the source's side stay.
  constexpr auto expanded(const std::vector<device>& now, device to) const -> std::vector<device> {
    minimum_cut network;
    const auto stay = network.add_vertex();
    const auto move = network.add_vertex();
    std::vector<std::uint32_t> vertices;
    for (std::size_t n = 0; n < now.size(); ++n) {
      vertices.push_back(network.add_vertex());
      const auto cost = table_.nodes[to][n];
      if (now[n] == to) {
        network.add_edge(vertices[n], move, minimum_cut::unlimited);
      } else if (cost == cost_table::impossible) {
        network.add_edge(stay, vertices[n], minimum_cut::unlimited);
      } else {
        network.add_edge(stay, vertices[n], cost);
        network.add_edge(vertices[n], move, table_.nodes[now[n]][n]);
      }
    }
    for (std::size_t v = 0; v < program_.values.size(); ++v) add_value(network, v, now, to, vertices, stay, move);
    network.solve(stay, move);
    auto next = now;
    for (std::size_t n = 0; n < now.size(); ++n) {
      if (!network.is_on_source_side(vertices[n])) next[n] = to;
    }
    return next;
  }

  /// What carrying a value costs, as edges that are cut exactly when it is carried.
  constexpr void add_value(minimum_cut& network, std::size_t v, const std::vector<device>& now, device to,
                           const std::vector<std::uint32_t>& vertices, std::uint32_t stay, std::uint32_t move) const {
    const auto maker = cost_.maker(v);
    const auto home = maker == 0xffffffffu ? device{0} : now[maker];
    const auto from = maker == 0xffffffffu ? stay : vertices[maker];
    // Into `to`: the maker stays elsewhere, a user is there.
    const auto into = network.add_vertex();
    network.add_edge(from, into, table_.values[to][v]);
    for (const auto user : cost_.users(v)) network.add_edge(into, vertices[user], minimum_cut::unlimited);
    // Out of `to`: the maker is there, a user stays elsewhere.
    const auto out = network.add_vertex();
    network.add_edge(out, from, table_.values[to][v]);
    for (const auto user : cost_.users(v)) network.add_edge(vertices[user], out, minimum_cut::unlimited);
    if (cost_.is_returned(v)) network.add_edge(stay, out, minimum_cut::unlimited);
    // Out of where it is made now: the maker stays, and somebody is or goes elsewhere.
    if (home != 0 && home != to) {
      const auto leaving = network.add_vertex();
      network.add_edge(from, leaving, table_.values[home][v]);
      bool leaves_anyway = cost_.is_returned(v);
      for (const auto user : cost_.users(v)) {
        if (now[user] == home) network.add_edge(leaving, vertices[user], minimum_cut::unlimited);
        leaves_anyway = leaves_anyway || now[user] != home;
      }
      if (leaves_anyway) network.add_edge(leaving, move, minimum_cut::unlimited);
    }
    for (device other = 1; other < table_.devices(); ++other) {
      if (other != to) add_entry(network, v, other, now, vertices, home == other ? from : stay, move);
    }
  }
  /// Into another device: a user stays there, and the maker, if it was there, moves away.
  constexpr void add_entry(minimum_cut& network, std::size_t v, device other, const std::vector<device>& now,
                           const std::vector<std::uint32_t>& vertices, std::uint32_t maker, std::uint32_t move) const {
    const auto entry = network.add_vertex();
    bool is_used = false;
    for (const auto user : cost_.users(v)) {
      if (now[user] != other) continue;
      network.add_edge(vertices[user], entry, minimum_cut::unlimited);
      is_used = true;
    }
    const bool was_made_there = cost_.maker(v) != 0xffffffffu && now[cost_.maker(v)] == other;
    if (is_used) network.add_edge(entry, was_made_there ? maker : move, table_.values[other][v]);
  }

  program_view program_;
  const cost_table& table_;
  cost_options options_;
  assignment_cost cost_;
};

}  // namespace detail

/// Assigns each node to the portable kernels or to one of several backends so that the total cost is least: nodes, bytes that cross
/// borders, and calls. With one backend, no fixed cost a call and no limits the result is the cheapest there is; otherwise see
/// `detail::cost_search` for the method. `Host` says what nodes cost on the portable kernels. Errors: `malformed_cost` (negative, not a
/// number, or 10^9 and more), `capacity_too_small` (a backend supports nodes, and has room for the constants of none).
/// Example: `baton::by_cost<host, baton::offer<my_npu, my_support, my_costs>>{}`.
template <host_costs Host, class... Offers>
struct by_cost {
  cost_options options{};

  /// Every cost of the program, checked.
  static constexpr auto costs(const program_view& program) -> result<cost_table> {
    cost_table table;
    table.nodes.assign(1 + sizeof...(Offers), std::vector<cost_amount>{});
    table.values.assign(1 + sizeof...(Offers), std::vector<cost_amount>{});
    table.values[0].assign(program.values.size(), 0);
    table.calls.push_back(0);
    table.capacities.push_back(UINT64_MAX);
    for (const auto& record : program.nodes) table.constant_bytes.push_back(detail::constant_bytes_of(program, record));
    if (auto why = detail::node_costs<Host>(program, table.nodes[0], [](const node&) { return true; })) return why;
    failure why;
    device place = 1;
    static_cast<void>(((why = add_offer<Offers>(program, table, place++)) || ...));
    if (why) return why;
    return table;
  }

  /// The assignment, before it is written as tags.
  constexpr auto assign(const program_view& program) const -> result<costed_assignment> {
    const auto table = costs(program);
    if (!table) return table.error;
    return detail::cost_search(program, table.value, options).run();
  }

  constexpr auto partition(const program_view& program) const -> result<partition_result> {
    const auto assigned = assign(program);
    if (!assigned) return assigned.error;
    partition_result tagged{program};
    const auto& parts = assigned.value.parts;
    tagged.reserve(parts.size());
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const auto tag = tagged.add_tag(view(join("tag", i)), delegation_spec{backend_id(parts[i].on)});
      for (const auto n : parts[i].nodes) tagged.tag_node(n, tag);
    }
    return tagged;
  }

 private:
  template <class Offer>
  static constexpr auto add_offer(const program_view& program, cost_table& table, device place) -> failure {
    using costs_type = typename Offer::costs;
    const auto inside = detail::graphs_inside_delegates(program);
    std::vector<char> is_open(program.nodes.size(), 0);
    for (std::uint32_t g = 0; g < program.graphs.size(); ++g) {
      const auto run = program.graphs[g].nodes;
      for (std::uint32_t n = run.first; n < run.first + run.size; ++n) is_open[n] = inside[g] == 0 ? 1 : 0;
    }
    const auto capacity = detail::capacity_of<costs_type>();
    std::size_t supported = 0;
    std::size_t roomy = 0;
    const auto supports = [&](const node& candidate) {
      const auto n = static_cast<std::size_t>(&candidate - program.nodes.data());
      if (is_open[n] == 0 || !Offer::support::supports(program, candidate)) return false;
      ++supported;
      if (table.constant_bytes[n] > capacity) return false;
      ++roomy;
      return true;
    };
    const auto call = detail::to_amount(detail::call_cost_of<costs_type>());
    failure why;
    if (call < 0) {
      why = broken<rule::malformed_cost>("of a call");
    } else if (auto bad_node = detail::node_costs<costs_type>(program, table.nodes[place], supports)) {
      why = std::move(bad_node);
    } else if (auto bad_value = detail::value_costs<costs_type>(program, table.values[place])) {
      why = std::move(bad_value);
    } else if (supported != 0 && roomy == 0) {
      why = broken<rule::capacity_too_small>(supported, " supported nodes, capacity ", capacity, " bytes");
    }
    if (why) why.backend = join(to_text(Offer::backend::id));
    table.calls.push_back(call);
    table.capacities.push_back(capacity);
    return why;
  }

  static constexpr auto backend_id(device on) -> std::string_view {
    std::string_view id;
    device place = 1;
    static_cast<void>(((place++ == on && (id = to_text(Offers::backend::id), true)) || ...));
    return id;
  }
};

}  // namespace baton
