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
#include <baton/partition/tagging.hpp>

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
  std::vector<device_index> devices;
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
    for (device_index all_on = 1; all_on < table_.devices() && !is_exact(); ++all_on) {
      auto other = improved(all_on);
      if (other.cost < best.cost) best = std::move(other);
    }
    return limited(std::move(best));
  }

 private:
  constexpr auto is_exact() const -> bool { return table_.devices() == 2 && table_.calls[1] == 0; }

  /// The best that expansion moves reach from where one device has all that it supports.
  constexpr auto improved(device_index all_on) const -> costed_assignment {
    costed_assignment best;
    for (const auto cost : table_.nodes[all_on]) best.devices.push_back(cost == cost_table::impossible ? device_index{0} : all_on);
    complete(best);
    // Each device in turn, until none of them has helped since the last change.
    const auto enough = is_exact() ? device_index{1} : table_.devices();
    for (device_index failed = 0, to = is_exact() ? device_index{1} : device_index{0}; failed < enough;
         to = static_cast<device_index>((to + 1) % table_.devices())) {
      ++failed;
      costed_assignment next;
      next.devices = expanded(best.devices, to);
      if (next.devices == best.devices) continue;
      complete(next);
      auto lean = without_dear_parts(std::move(next));
      if (lean.cost >= best.cost) continue;
      best = std::move(lean);
      failed = is_exact() ? enough : device_index{0};
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
  constexpr auto expanded(const std::vector<device_index>& now, device_index to) const -> std::vector<device_index> {
    minimum_cut network;
    network.reserve(2 + now.size() + table_.devices() * cost_.carried().size(),
                    6 * (now.size() + table_.devices() * cost_.carried().size()));
    const auto stay = network.add_vertex();
    const auto move = network.add_vertex();
    std::vector<std::uint32_t> vertices;
    vertices.reserve(now.size());
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
    for (const auto& value : cost_.carried()) add_value(network, value, now, to, vertices, stay, move);
    network.solve(stay, move);
    auto next = now;
    for (std::size_t n = 0; n < now.size(); ++n) {
      if (!network.is_on_source_side(vertices[n])) next[n] = to;
    }
    return next;
  }

  /// What carrying a value costs, as edges that are cut exactly when it is carried.
  constexpr void add_value(minimum_cut& network, const carried_value& value, const std::vector<device_index>& now, device_index to,
                           const std::vector<std::uint32_t>& vertices, std::uint32_t stay, std::uint32_t move) const {
    const bool is_input = value.maker == carried_value::nobody;
    const auto home = is_input ? device_index{0} : now[value.maker];
    const auto from = is_input ? stay : vertices[value.maker];
    if (const auto cost = table_.values[to][value.value]; cost != 0) {
      // Into `to`: the maker stays elsewhere, a user is there.
      const auto into = network.add_vertex();
      network.add_edge(from, into, cost);
      for (const auto user : value.users) network.add_edge(into, vertices[user], minimum_cut::unlimited);
      // Out of `to`: the maker is there, a user stays elsewhere.
      const auto out = network.add_vertex();
      network.add_edge(out, from, cost);
      for (const auto user : value.users) network.add_edge(vertices[user], out, minimum_cut::unlimited);
      if (value.is_returned) network.add_edge(stay, out, minimum_cut::unlimited);
    }
    for (device_index other = 1; other < table_.devices(); ++other) {
      if (other == to || table_.values[other][value.value] == 0) continue;
      if (other == home) add_leaving(network, value, now, vertices, move);
      add_entry(network, value, other, now, vertices, move);
    }
  }
  /// Out of where it is made now: the maker stays, and somebody is or goes elsewhere.
  constexpr void add_leaving(minimum_cut& network, const carried_value& value, const std::vector<device_index>& now,
                             const std::vector<std::uint32_t>& vertices, std::uint32_t move) const {
    const auto home = now[value.maker];
    const auto leaving = network.add_vertex();
    network.add_edge(vertices[value.maker], leaving, table_.values[home][value.value]);
    bool leaves_anyway = value.is_returned;
    for (const auto user : value.users) {
      if (now[user] == home) network.add_edge(leaving, vertices[user], minimum_cut::unlimited);
      leaves_anyway = leaves_anyway || now[user] != home;
    }
    if (leaves_anyway) network.add_edge(leaving, move, minimum_cut::unlimited);
  }
  /// Into another device: a user stays there, and the maker, if it was there, moves away.
  constexpr void add_entry(minimum_cut& network, const carried_value& value, device_index other, const std::vector<device_index>& now,
                           const std::vector<std::uint32_t>& vertices, std::uint32_t move) const {
    const auto is_there = [&](std::uint32_t user) { return now[user] == other; };
    if (std::none_of(value.users.begin(), value.users.end(), is_there)) return;
    const auto entry = network.add_vertex();
    for (const auto user : value.users) {
      if (is_there(user)) network.add_edge(vertices[user], entry, minimum_cut::unlimited);
    }
    const bool is_made_there = value.maker != carried_value::nobody && now[value.maker] == other;
    network.add_edge(entry, is_made_there ? vertices[value.maker] : move, table_.values[other][value.value]);
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
    device_index place = 1;
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

  /// What another partitioner's choice costs by these tables, in their unit. Errors: those of `tag_program`, `malformed_cost`,
  /// `capacity_too_small`; `unsupported_node`, if it gives a backend a node that the offer does not support.
  template <partitioner Other>
  static constexpr auto cost(const exported_program& program, const Other& other) -> result<double> {
    const auto tagged = tag_program(program, other);
    if (!tagged) return tagged.error;
    const auto table = costs(program);
    if (!table) return table.error;
    std::vector<device_index> devices;
    cost_amount calls = 0;
    std::vector<graph_id> seen(tagged.value.tags.size(), none<graph_id>);
    for (std::uint32_t g = 0; g < program.graphs.size(); ++g) {
      for (const auto& record : program_view(tagged.value).nodes_of(tagged.value.graphs[g])) {
        devices.push_back(device_of(tagged.value, record.tag));
        if (devices.back() == 0) continue;
        auto& counted = seen[index(record.tag)];
        if (counted != static_cast<graph_id>(g)) calls += table.value.calls[devices.back()];
        counted = static_cast<graph_id>(g);
      }
    }
    for (std::uint32_t n = 0; n < devices.size(); ++n) {
      if (table.value.nodes[devices[n]][n] == cost_table::impossible)
        return broken_at<rule::unsupported_node>(program, static_cast<node_id>(n));
    }
    return in_units(assignment_cost(program, table.value).without_calls(devices) + calls);
  }
  static constexpr auto in_units(cost_amount amount) -> double { return static_cast<double>(amount) / 1024; }

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
  static constexpr auto add_offer(const program_view& program, cost_table& table, device_index place) -> failure {
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

  static constexpr auto device_of(const program_view& tagged, tag_id tag) -> device_index {
    if (tag == none<tag_id>) return 0;
    device_index place = 0;
    device_index found = 0;
    static_cast<void>(((++place, to_text(Offers::backend::id) == tagged.text(tagged[tag].backend_id) && (found = place, true)) || ...));
    return found;
  }
  static constexpr auto backend_id(device_index on) -> std::string_view {
    std::string_view id;
    device_index place = 1;
    static_cast<void>(((place++ == on && (id = to_text(Offers::backend::id), true)) || ...));
    return id;
  }
};

}  // namespace baton
