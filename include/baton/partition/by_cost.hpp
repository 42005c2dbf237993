// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The cost partitioner, which assigns nodes to backends so that the total cost is low.
#pragma once

#include <baton/core/compile_specs.hpp>
#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/add_reason.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/partition/detail/cost_search.hpp>
#include <baton/partition/detail/costs.hpp>
#include <baton/partition/detail/unmatched_names.hpp>
#include <baton/partition/operator_support.hpp>
#include <baton/partition/partitioner.hpp>
#include <baton/partition/shared/reasons.hpp>
#include <baton/partition/shared/rules.hpp>
#include <baton/partition/shared/visible_graphs.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace baton {

/// The limits of `by_cost_within`. A part is the nodes of a graph that become one delegate.
struct cost_options {
  std::uint32_t min_nodes = 1;            ///< parts with fewer nodes stay on the portable kernels
  std::uint32_t max_parts = 0xffffffffu;  ///< beyond this number, the parts that save the least stay on the portable kernels
};

/// A backend for `by_cost`, with its operator support and its costs. Followers (`with_followers`) are treated like other supported nodes.
/// `Specs()` returns the compile specs (key-value pairs for the backend's `preprocess`), which are the same for all parts.
template <class Backend, required_support Support, class Costs, auto Specs = no_compile_specs{}>
  requires(detail::require_costs<Costs, true>() || true)  // always satisfied, because `require_costs` reports errors with `static_assert`
struct costed_backend {
  using backend = Backend;
  using support = detail::valid_support<Support>;
  using costs = Costs;

  static constexpr auto specs() -> compile_specs { return Specs(); }
};

namespace detail {

template <class T>
inline constexpr bool is_costed_backend = false;
template <class Backend, class Support, class Costs, auto Specs>
inline constexpr bool is_costed_backend<costed_backend<Backend, Support, Costs, Specs>> = true;

/// Returns whether `Backends` is a non-empty list of costed backends. Reports a compile-time error if it is not.
template <class... Backends>
consteval auto require_costed_backends() -> bool {
  constexpr bool are_costed_backends = sizeof...(Backends) != 0 && (is_costed_backend<Backends> && ...);
  static_assert(are_costed_backends,
                "baton not_a_costed_backend: an argument of by_cost is not a costed backend; write: "
                "baton::by_cost<my_host_costs, baton::costed_backend<my_npu, my_support, my_npu_costs>>");
  return are_costed_backends;
}

}  // namespace detail

/// A partitioner that assigns each node to a backend or to the portable kernels (the kernels of nodes that are not delegated). It minimizes
/// the total cost of nodes, of bytes that enter or leave a backend, and of delegate calls. Bytes between two parts of the same backend cost
/// nothing. `Host` defines the costs of nodes on the portable kernels. The costs of a backend may have a capacity: the maximum size of the
/// constants of one part, in bytes. Example:
/// `baton::by_cost_within<baton::cost_options{.max_parts = 4}, host, baton::costed_backend<my_npu, my_support, my_costs>>{}`.
///
/// With one backend and no cost per call, the assignment is optimal before the limits in `Options` are applied. With several backends or a
/// cost per call, the partitioner uses a local search by expansion moves (Boykov, Veksler, Zabih). The search has one start for the
/// portable kernels and one for each backend, and keeps the best assignment. Parts that cost more than they save move back to the portable
/// kernels (`cost_search.hpp`). The time is nearly linear in the size of the program. At compile time, a program of 1,000 nodes with one
/// backend stays within the default limits of every compiler. With two backends and call costs, these limits suffice for 250 nodes.
///
/// Fails with `malformed_cost` if a cost is negative, is not a number, or is at least 10^9. Fails with `costs_overflow` if the costs add up
/// to more than 10^12. Fails with `malformed_capacity` if a capacity is negative or not a number. Fails with `capacity_too_small` if a
/// backend supports nodes, but the constants of each of these nodes exceed the capacity.
template <cost_options Options, class Host, class... Backends>
  requires((detail::require_costs<Host, false>() || true) && (detail::require_costed_backends<Backends...>() || true))  // always satisfied
struct by_cost_within {
  static constexpr cost_options options = Options;

  /// Returns the table of all costs of the program. Fails as stated at `by_cost_within`.
  static constexpr auto costs(const program_view& program) -> result<cost_table> {
    cost_table table;
    table.nodes.assign(1 + sizeof...(Backends), vector<cost_amount>{});
    table.values.assign(1 + sizeof...(Backends), vector<cost_amount>{});
    table.values[0].assign(program.values.size(), 0);
    table.calls.push_back(0);
    table.capacities.push_back(UINT64_MAX);
    table.constant_bytes = detail::constant_bytes_of(program);
    table.nodes[0].assign(program.nodes.size(), 0);  // also for nodes inside existing delegates, which `nodes` does not contain
    const auto nodes = visible_nodes(program);
    const auto supports_all = [](node_id) { return true; };
    if (auto why = detail::add_node_costs<Host>(program, nodes, table.nodes[0], " on the portable kernels", supports_all)) return why;
    failure why;
    device_index position = 1;
    static_cast<void>(((why = add_costed_backend<Backends>(program, nodes, table, position++)) || ...));
    if (why) return why;
    if (why = check_costs(program, table, ids); why) return why;
    return table;
  }

  /// Returns the assignment that `partition` writes as tags. A tag is the name of a part. Fails with the errors of `costs`.
  constexpr auto assign(const program_view& program) const -> result<costed_assignment> {
    const auto table = costs(program);
    if (!table) return table.error;
    return detail::cost_search(program, table.value, options.min_nodes, options.max_parts).run();
  }

  /// Returns the cost of the assignment that the partitioner `other` computes, measured with the costs and in the unit of this partitioner.
  /// Fails with the errors of `tag_program` and `costs`. Fails with `unsupported_node` if `other` assigns a node to a backend of `Backends`
  /// that does not support the node, or whose capacity is less than the size of the node's constants. A node of a backend that is not in
  /// `Backends` counts as a node of the portable kernels.
  template <partitioner Other>
  static constexpr auto cost(const exported_program& program, const Other& other) -> result<double> {
    const auto tagged = tag_program(program, other);
    if (!tagged) return tagged.error;
    const auto table = costs(program);
    if (!table) return table.error;
    vector<device_index> devices(program.nodes.size(), 0);  // indexed by node; the ranges of graphs may have any order
    cost_amount calls = 0;
    vector<graph_id> seen(tagged.value.tags.size(), none<graph_id>);
    for (std::uint32_t g = 0; g < program.graphs.size(); ++g) {
      const auto nodes = tagged.value.graphs[g].nodes;
      for (auto n = nodes.first; n < nodes.first + nodes.size; ++n) {
        const auto tag = tagged.value.nodes[n].tag;
        devices[n] = device_of(tagged.value, tag);
        if (devices[n] == 0) continue;
        auto& counted = seen[index(tag)];
        if (counted != static_cast<graph_id>(g)) calls += table.value.calls[devices[n]];
        counted = static_cast<graph_id>(g);
      }
    }
    for (std::uint32_t n = 0; n < devices.size(); ++n) {
      if (table.value.nodes[devices[n]][n] == cost_table::impossible)
        return broken_at<"unsupported_node">(program, static_cast<node_id>(n));
    }
    return in_units(assignment_cost(program, table.value).without_calls(devices) + calls);
  }

  /// Converts an amount to the unit of the user's costs.
  static constexpr auto in_units(cost_amount amount) -> double { return static_cast<double>(amount) / 1024; }

  constexpr auto partition(const program_view& program) const -> result<partition_result> {
    const auto assigned = assign(program);
    if (!assigned) return assigned.error;
    partition_result tagged{program};
    const auto& parts = assigned.value.parts;
    tagged.reserve(parts.size());
    vector<delegation_spec> specs;  // indexed by device minus 1, because the portable kernels have no spec
    (specs.push_back(delegation_spec{to_text(Backends::backend::id), Backends::specs()}), ...);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const auto tag = tagged.add_tag(view(join("tag", i)), specs[parts[i].on - 1]);
      for (const auto n : parts[i].nodes) tagged.tag_node(n, tag);
    }
    return tagged;
  }

  /// Returns a callable that explains why a node is not delegated, with one reason per backend. Each reason is a refusal by the support,
  /// constants that exceed the capacity, or a lower total cost on the portable kernels. In the last case, the reason includes two rounded
  /// costs of the node alone: on the portable kernels and on the backend. If `Options` has limits, this reason also names the limits,
  /// because they may exclude the part. With several backends, each reason is prefixed with the backend's id.
  static constexpr auto explain_undelegated(const program_view& tagged) {
    vector<text_buffer> remarks;  // indexed by backend
    (remarks.push_back(detail::unmatched_remark<typename Backends::support>(tagged)), ...);
    return [tagged, remarks = std::move(remarks)](node_id id) {
      text_buffer why;
      std::size_t at = 0;
      const auto add = [&](std::string_view from, const text_buffer& reason) {
        add_reason(why, sizeof...(Backends) > 1 ? from : "", view(reason));
        detail::add_remark(why, remarks[at++]);
      };
      (add(to_text(Backends::backend::id), why_not_by<Backends>(tagged, id)), ...);
      return why;
    };
  }

 private:
  static constexpr std::string_view ids[] = {"", to_text(Backends::backend::id)...};  ///< indexed by device; empty for the portable kernels

  template <class Backend>
  static constexpr auto why_not_by(const program_view& program, node_id id) -> text_buffer {
    auto answer = Backend::support::supports(program, program[id]);
    if (!answer && !detail::follows_by<typename Backend::support>(program, id)) return reason_of(std::move(answer));
    const auto bytes = detail::constant_bytes_of(program, program[id]);
    if (bytes > detail::capacity_of<typename Backend::costs>().value) {
      return join("it is supported, but its constants of ", bytes, " bytes exceed the capacity");
    }
    constexpr bool is_limited = options.min_nodes > 1 || options.max_parts != cost_options{}.max_parts;
    return join("it is supported, but the executor's kernels are cheaper in total",
                is_limited ? ", or min_nodes or max_parts excludes its part" : "",
                " (this node alone, without transfers and calls: executor's kernels ", rounded(Host::node(program, program[id])),
                ", backend ", rounded(Backend::costs::node(program, program[id])), ")");
  }
  static constexpr auto rounded(double cost) -> std::int64_t { return static_cast<std::int64_t>(cost + 0.5); }

  template <class Backend>
  static constexpr auto add_costed_backend(const program_view& program, span<const node_id> nodes, cost_table& table, device_index position)
      -> failure {
    using costs_type = typename Backend::costs;
    const auto declared = detail::capacity_of<costs_type>();
    const auto capacity = declared.value;
    std::size_t supported = 0;
    std::uint32_t smallest = 0;  // the supported node with the fewest bytes of constants
    const auto supports = [&](node_id id) {
      const auto n = index(id);
      using support = typename Backend::support;
      if (!support::supports(program, program[id]) && !detail::follows_by<support>(program, id)) return false;
      if (supported++ == 0 || table.constant_bytes[n] < table.constant_bytes[smallest]) smallest = n;
      return table.constant_bytes[n] <= capacity;
    };
    const auto call = detail::to_amount(detail::call_cost_of<costs_type>());
    const auto check = [&]() -> failure {
      if (!declared) return declared.error;
      if (call < 0) return broken<"malformed_cost">("the cost of a call", detail::number_error(detail::call_cost_of<costs_type>()));
      table.nodes[position].assign(program.nodes.size(), cost_table::impossible);
      if (auto why = detail::add_node_costs<costs_type>(program, nodes, table.nodes[position], "", supports)) return why;
      if (auto why = detail::value_costs<costs_type>(program, table.values[position])) return why;
      if (supported == 0 || table.constant_bytes[smallest] <= capacity) return {};
      return broken_at<"capacity_too_small">(program, static_cast<node_id>(smallest), "this node needs ", table.constant_bytes[smallest],
                                             " bytes of constants, the least of the ", supported, " supported nodes; the capacity is ",
                                             capacity, " bytes");
    };
    auto why = check();
    if (why) why.backend = join(to_text(Backend::backend::id));
    table.calls.push_back(call);
    table.capacities.push_back(capacity);
    return why;
  }

  static constexpr auto device_of(const program_view& tagged, tag_id tag) -> device_index {
    if (tag == none<tag_id>) return 0;
    const auto* const end = ids + 1 + sizeof...(Backends);
    const auto* const match = std::find(ids + 1, end, tagged.text(tagged[tag].backend_id));
    return match == end ? device_index{0} : static_cast<device_index>(match - ids);
  }
};

/// `by_cost_within` with the default `cost_options`, which exclude no part. Example:
/// `baton::by_cost<host, baton::costed_backend<my_npu, my_support, my_costs>>{}`.
template <class Host, class... Backends>
using by_cost = by_cost_within<cost_options{}, Host, Backends...>;

}  // namespace baton
