// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The reader that every report is a view of: what a (lowered) program's nodes are, who takes each and why not, and what it costs.
#pragma once

#include <baton/backend/lowered_module.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/operators/find_definition.hpp>
#include <baton/report/detail/borders.hpp>
#include <baton/report/detail/bytes_of.hpp>
#include <baton/report/text.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace baton::report {

/// What is known of a program, record by record: `nodes[i]` is about node i, and so on.
struct survey {
  /// Where a graph stands: the root, a branch or body of a node, or what a delegate was made from.
  enum class graph_role : std::uint8_t { root, subgraph, original };

  struct graph_facts {
    text_buffer name;
    graph_role role = graph_role::root;
    std::uint32_t owner = npos;  ///< of a subgraph: its node; of an original: its delegate
  };

  struct node_facts {
    std::uint32_t graph = 0;
    std::uint32_t delegate = npos;  ///< of a delegate call: what it calls
    std::uint32_t within = npos;    ///< of a node that was taken: the delegate whose original it lies in
    text_buffer computed_by;        ///< a backend's id, or what the explanation says of a node that stays; empty: not known
    text_buffer reason;             ///< why no backend takes it; empty: nothing to say
    std::uint64_t output_bytes = 0;
    std::uint64_t constant_bytes = 0;  ///< of its constant operands
    std::uint64_t multiply_adds = 0;
  };

  struct delegate_facts {
    std::uint64_t argument_bytes = 0;  ///< what crosses the border into it, constants of the owner not counted
    std::uint64_t result_bytes = 0;    ///< what crosses the border out of it
    std::uint64_t multiply_adds = 0;
    std::size_t nodes = 0;
    std::uint32_t graph = npos;  ///< the graph that calls it
    delegate_border border;      ///< why it is one of its own
  };

  /// What one taker has of a program: a backend, or who computes nodes that stay.
  struct share {
    text_buffer who;  ///< empty: not known
    bool is_backend = false;
    std::size_t delegates = 0;
    std::size_t nodes = 0;
    std::uint64_t multiply_adds = 0;
    std::uint64_t output_bytes = 0;    ///< what its nodes compute
    std::uint64_t boundary_bytes = 0;  ///< what crosses the borders of its delegates, in and out
    std::uint64_t blob_bytes = 0;
  };

  /// Sums over the operations of a program: its nodes, those within delegates and branches counted, delegate calls themselves not.
  struct sums {
    std::size_t nodes = 0;
    std::size_t delegated = 0;
    std::size_t delegates = 0;
    std::uint64_t multiply_adds = 0;
    std::uint64_t delegated_multiply_adds = 0;
    std::uint64_t boundary_bytes = 0;  ///< what crosses the borders of delegates, in and out
    std::uint64_t blob_bytes = 0;
  };

  vector<graph_facts> graphs;
  vector<node_facts> nodes;
  vector<delegate_facts> delegates;
  vector<std::uint32_t> between;  ///< the nodes that `border.between` names
  vector<share> shares;           ///< backends in the order of their delegates, then who computes what stays
  sums totals;
};

namespace detail {

template <class Explain>
class surveyor {
 public:
  constexpr surveyor(const program_view& program, Explain explain) : program_(program), explain_(std::move(explain)) {
    made_.graphs.assign(program.graphs.size(), survey::graph_facts{});
    made_.nodes.assign(program.nodes.size(), survey::node_facts{});
    made_.delegates.assign(program.delegates.size(), survey::delegate_facts{});
  }

  constexpr auto run() -> survey {
    list_graphs();
    survey_delegates();
    for (std::uint32_t n = 0; n < made_.nodes.size(); ++n) survey_node(n);
    return std::move(made_);
  }

 private:
  constexpr void list_graphs() {
    callers_.assign(made_.delegates.size(), npos);
    for (std::uint32_t g = 0; g < made_.graphs.size(); ++g) {
      made_.graphs[g].name = join(program_.text(program_.graphs[g].name));
      const auto run = program_.graphs[g].nodes;
      for (std::uint32_t n = run.first; n < run.first + run.size; ++n) {
        made_.nodes[n].graph = g;
        if (const auto called = program_.nodes[n].delegate; called != none<delegate_id>) callers_[index(called)] = n;
        for (const auto inner : program_.subgraphs_of(program_.nodes[n])) {
          made_.graphs[index(inner)].role = survey::graph_role::subgraph;
          made_.graphs[index(inner)].owner = n;
        }
      }
    }
    for (std::uint32_t d = 0; d < program_.delegates.size(); ++d) {
      auto& graph = made_.graphs[index(program_.delegates[d].original)];
      graph.role = survey::graph_role::original;
      graph.owner = d;
    }
    within_.assign(made_.graphs.size(), npos);
    for (std::uint32_t g = 0; g < made_.graphs.size(); ++g) within_[g] = enclosing_delegate(g);
  }

  /// The outermost delegate that a graph lies in, through however many branches.
  constexpr auto enclosing_delegate(std::uint32_t g) const -> std::uint32_t {
    auto found = npos;
    for (std::size_t steps = 0; steps < made_.graphs.size(); ++steps) {
      const auto& graph = made_.graphs[g];
      if (graph.role == survey::graph_role::root) break;
      if (graph.role == survey::graph_role::original) found = graph.owner;
      const auto caller = graph.role == survey::graph_role::subgraph ? graph.owner : callers_[graph.owner];
      if (caller == npos) break;
      g = made_.nodes[caller].graph;
    }
    return found;
  }
  constexpr void survey_delegates() {
    auto borders = borders_of(program_);
    made_.between = std::move(borders.between);
    made_.totals.delegates = made_.delegates.size();
    for (std::uint32_t d = 0; d < made_.delegates.size(); ++d) {
      const auto& module = program_.delegates[d];
      made_.delegates[d].border = borders.of[d];
      if (callers_[d] != npos) made_.delegates[d].graph = made_.nodes[callers_[d]].graph;
      made_.totals.blob_bytes += module.processed_bytes.size;
      auto& share = share_of(program_.text(module.backend_id), true);
      share.delegates += 1;
      share.blob_bytes += module.processed_bytes.size;
    }
  }
  constexpr auto share_of(std::string_view who, bool is_backend) -> survey::share& {
    for (auto& share : made_.shares) {
      if (share.is_backend == is_backend && view(share.who) == who) return share;
    }
    auto& share = made_.shares.emplace_back();
    share.who = join(who);
    share.is_backend = is_backend;
    return share;
  }
  constexpr void survey_node(std::uint32_t n) {
    const auto& record = program_.nodes[n];
    auto& node = made_.nodes[n];
    node.within = within_[node.graph];
    for (const auto output : program_.outputs_of(record)) node.output_bytes += bytes_of(program_, output);
    for (const auto input : program_.inputs(record)) {
      if (input != none<value_id> && is_owned_data(program_[input].kind)) node.constant_bytes += bytes_of(program_, input);
    }
    if (record.delegate != none<delegate_id>) return survey_call(record, node);
    node.multiply_adds = multiply_adds(program_, record);
    auto& totals = made_.totals;
    totals.nodes += 1;
    totals.multiply_adds += node.multiply_adds;
    if (node.within != npos) {
      node.computed_by = join(program_.text(program_.delegates[node.within].backend_id));
      totals.delegated += 1;
      totals.delegated_multiply_adds += node.multiply_adds;
      made_.delegates[node.within].nodes += 1;
      made_.delegates[node.within].multiply_adds += node.multiply_adds;
    } else {
      stay why = explain_(program_, record);
      node.computed_by = std::move(why.computed_by);
      node.reason = std::move(why.reason);
    }
    auto& share = share_of(view(node.computed_by), node.within != npos);
    share.nodes += 1;
    share.multiply_adds += node.multiply_adds;
    share.output_bytes += node.output_bytes;
  }

  constexpr void survey_call(const node& record, survey::node_facts& call) {
    call.delegate = index(record.delegate);
    call.computed_by = join(program_.text(program_[record.delegate].backend_id));
    auto& delegate = made_.delegates[call.delegate];
    delegate.result_bytes = call.output_bytes;
    for (const auto input : program_.inputs(record)) {
      if (input != none<value_id> && !is_owned_data(program_[input].kind)) delegate.argument_bytes += bytes_of(program_, input);
    }
    if (call.within != npos) return;
    made_.totals.boundary_bytes += delegate.argument_bytes + delegate.result_bytes;
    share_of(view(call.computed_by), true).boundary_bytes += delegate.argument_bytes + delegate.result_bytes;
  }

  program_view program_;
  Explain explain_;
  survey made_;
  vector<std::uint32_t> within_;   // by graph
  vector<std::uint32_t> callers_;  // by delegate
};

}  // namespace detail

/// Reads a program; `explain(program, node)` gives the `stay` of a node that no delegate takes.
template <class Explain>
constexpr auto survey_of(const program_view& program, Explain explain) -> survey {
  return detail::surveyor<Explain>(program, std::move(explain)).run();
}
constexpr auto survey_of(const program_view& program) -> survey {
  return survey_of(program, [](const program_view&, const node&) { return stay{}; });
}

}  // namespace baton::report
