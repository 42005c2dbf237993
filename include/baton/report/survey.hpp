// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The facts about a program that all reports show: the nodes, the component that computes each node, the reasons why nodes are not
// delegated, and the costs.
#pragma once

#include <baton/backend/lowered_module.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/operators/find_definition.hpp>
#include <baton/report/detail/bytes_of.hpp>
#include <baton/report/detail/separations.hpp>
#include <baton/report/text.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace baton::report {

/// The facts of a program, indexed like its records: `nodes[i]` describes node i, and so on.
struct survey {
  /// The role of a graph: the root, a branch or loop body that a node calls, or the original graph (the nodes before `preprocess`) of a
  /// delegate.
  enum class graph_role : std::uint8_t { root, subgraph, original };

  struct graph_facts {
    text_buffer name;
    graph_role role = graph_role::root;
    std::uint32_t owner = npos;  ///< the node that calls a subgraph, or the delegate of an original graph
  };

  struct node_facts {
    std::uint32_t graph = 0;
    std::uint32_t delegate = npos;  ///< the delegate that the node calls; `npos` if the node is no delegate call
    std::uint32_t within = npos;    ///< the outermost delegate that contains the node; `npos` if the node is not delegated
    text_buffer computed_by;        ///< a backend's id, or `undelegated_reason::computed_by`; empty if it is unknown
    text_buffer reason;             ///< why the node is not delegated; empty if no reason is known
    /// Why a node of a quantized model computes in float32 (`undelegated_reason::float_reason`). The text is empty if the node does not
    /// compute in float32, or if the node is delegated.
    text_buffer float_reason;
    std::uint64_t output_bytes = 0;
    std::uint64_t constant_bytes = 0;  ///< bytes of the node's operands that are owned data (`is_owned_data`), including mutable buffers
    std::uint64_t multiply_adds = 0;
  };

  struct delegate_facts {
    std::uint64_t argument_bytes = 0;  ///< bytes of the call's inputs, without owned data of the caller (`is_owned_data`)
    std::uint64_t result_bytes = 0;    ///< bytes of the call's outputs
    std::uint64_t multiply_adds = 0;   ///< the multiply-adds of the nodes that `nodes` counts
    std::size_t nodes = 0;             ///< number of nodes whose outermost delegate is this delegate
    std::uint32_t graph = npos;        ///< the graph that contains the call of the delegate; `npos` if there is no call
    delegate_separation separation;    ///< why the delegate was not merged with a preceding delegate
  };

  /// The share of a program that a backend or another component computes.
  struct share {
    text_buffer computed_by;  ///< the backend's id, or `undelegated_reason::computed_by`; empty if it is unknown
    bool is_backend = false;
    std::size_t delegates = 0;
    std::size_t nodes = 0;
    std::uint64_t multiply_adds = 0;
    std::uint64_t output_bytes = 0;    ///< bytes of the outputs of the nodes that `nodes` counts
    std::uint64_t boundary_bytes = 0;  ///< bytes of the inputs and outputs of the backend's outermost delegates
    std::uint64_t processed_bytes = 0;
  };

  /// Totals over the nodes of a program. Nodes in delegates and branches are included; delegate calls are not.
  struct sums {
    std::size_t nodes = 0;
    std::size_t delegated = 0;  ///< the number of delegated nodes
    std::size_t delegates = 0;
    std::uint64_t multiply_adds = 0;
    std::uint64_t delegated_multiply_adds = 0;
    std::uint64_t boundary_bytes = 0;  ///< bytes of the inputs and outputs of outermost delegates
    std::uint64_t processed_bytes = 0;
  };

  vector<graph_facts> graphs;
  vector<node_facts> nodes;
  vector<delegate_facts> delegates;
  vector<std::uint32_t> between;  ///< the nodes between delegates; `delegate_separation::between` is a range of this list
  vector<share> shares;           ///< backends in the order of their first delegates, then other components
  sums totals;
};

namespace detail {

template <class Explain>
class surveyor {
 public:
  constexpr surveyor(const program_view& program, Explain explain) : program_(program), explain_(std::move(explain)) {
    result_.graphs.assign(program.graphs.size(), survey::graph_facts{});
    result_.nodes.assign(program.nodes.size(), survey::node_facts{});
    result_.delegates.assign(program.delegates.size(), survey::delegate_facts{});
  }

  constexpr auto run() -> survey {
    list_graphs();
    survey_delegates();
    for (std::uint32_t n = 0; n < result_.nodes.size(); ++n) survey_node(n);
    return std::move(result_);
  }

 private:
  constexpr void list_graphs() {
    callers_.assign(result_.delegates.size(), npos);
    for (std::uint32_t g = 0; g < result_.graphs.size(); ++g) {
      result_.graphs[g].name = join(program_.text(program_.graphs[g].name));
      const auto nodes = program_.graphs[g].nodes;
      for (std::uint32_t n = nodes.first; n < nodes.first + nodes.size; ++n) {
        result_.nodes[n].graph = g;
        if (const auto called = program_.nodes[n].delegate; called != none<delegate_id>) callers_[index(called)] = n;
        for (const auto inner : program_.subgraphs_of(program_.nodes[n])) {
          result_.graphs[index(inner)].role = survey::graph_role::subgraph;
          result_.graphs[index(inner)].owner = n;
        }
      }
    }
    for (std::uint32_t d = 0; d < program_.delegates.size(); ++d) {
      auto& graph = result_.graphs[index(program_.delegates[d].original)];
      graph.role = survey::graph_role::original;
      graph.owner = d;
    }
    within_.assign(result_.graphs.size(), npos);
    for (std::uint32_t g = 0; g < result_.graphs.size(); ++g) within_[g] = enclosing_delegate(g);
  }

  /// Returns the outermost delegate that contains graph `g`, directly or through branches. Returns `npos` if no delegate contains the
  /// graph.
  constexpr auto enclosing_delegate(std::uint32_t g) const -> std::uint32_t {
    auto outermost = npos;
    for (std::size_t steps = 0; steps < result_.graphs.size(); ++steps) {
      const auto& graph = result_.graphs[g];
      if (graph.role == survey::graph_role::root) break;
      if (graph.role == survey::graph_role::original) outermost = graph.owner;
      const auto caller = graph.role == survey::graph_role::subgraph ? graph.owner : callers_[graph.owner];
      if (caller == npos) break;
      g = result_.nodes[caller].graph;
    }
    return outermost;
  }
  constexpr void survey_delegates() {
    auto separations = separations_of(program_);
    result_.between = std::move(separations.between);
    result_.totals.delegates = result_.delegates.size();
    for (std::uint32_t d = 0; d < result_.delegates.size(); ++d) {
      const auto& module = program_.delegates[d];
      result_.delegates[d].separation = separations.separations[d];
      if (callers_[d] != npos) result_.delegates[d].graph = result_.nodes[callers_[d]].graph;
      result_.totals.processed_bytes += module.processed_bytes.size;
      auto& share = share_of(program_.text(module.backend_id), true);
      share.delegates += 1;
      share.processed_bytes += module.processed_bytes.size;
    }
  }
  constexpr auto share_of(std::string_view computed_by, bool is_backend) -> survey::share& {
    for (auto& share : result_.shares) {
      if (share.is_backend == is_backend && view(share.computed_by) == computed_by) return share;
    }
    auto& share = result_.shares.emplace_back();
    share.computed_by = join(computed_by);
    share.is_backend = is_backend;
    return share;
  }
  constexpr void survey_node(std::uint32_t n) {
    const auto& record = program_.nodes[n];
    auto& node = result_.nodes[n];
    node.within = within_[node.graph];
    for (const auto output : program_.outputs_of(record)) node.output_bytes += bytes_of(program_, output);
    for (const auto input : program_.inputs(record)) {
      if (input != none<value_id> && is_owned_data(program_[input].kind)) node.constant_bytes += bytes_of(program_, input);
    }
    if (record.delegate != none<delegate_id>) return survey_call(record, node);
    node.multiply_adds = multiply_adds(program_, record);
    auto& totals = result_.totals;
    totals.nodes += 1;
    totals.multiply_adds += node.multiply_adds;
    if (node.within != npos) {
      node.computed_by = join(program_.text(program_.delegates[node.within].backend_id));
      totals.delegated += 1;
      totals.delegated_multiply_adds += node.multiply_adds;
      result_.delegates[node.within].nodes += 1;
      result_.delegates[node.within].multiply_adds += node.multiply_adds;
    } else {
      undelegated_reason why = explain_(program_, record);
      node.computed_by = std::move(why.computed_by);
      node.reason = std::move(why.reason);
      node.float_reason = std::move(why.float_reason);
    }
    auto& share = share_of(view(node.computed_by), node.within != npos);
    share.nodes += 1;
    share.multiply_adds += node.multiply_adds;
    share.output_bytes += node.output_bytes;
  }

  constexpr void survey_call(const node& record, survey::node_facts& call) {
    call.delegate = index(record.delegate);
    call.computed_by = join(program_.text(program_[record.delegate].backend_id));
    auto& delegate = result_.delegates[call.delegate];
    delegate.result_bytes = call.output_bytes;
    for (const auto input : program_.inputs(record)) {
      if (input != none<value_id> && !is_owned_data(program_[input].kind)) delegate.argument_bytes += bytes_of(program_, input);
    }
    if (call.within != npos) return;
    result_.totals.boundary_bytes += delegate.argument_bytes + delegate.result_bytes;
    share_of(view(call.computed_by), true).boundary_bytes += delegate.argument_bytes + delegate.result_bytes;
  }

  program_view program_;
  Explain explain_;
  survey result_;
  vector<std::uint32_t> within_;   // indexed by graph: the outermost delegate that contains the graph, or `npos`
  vector<std::uint32_t> callers_;  // indexed by delegate: a node that calls the delegate, or `npos`
};

}  // namespace detail

/// Returns the facts of a program. `explain(program, node)` returns an `undelegated_reason` for a node that is not delegated.
template <class Explain>
constexpr auto survey_of(const program_view& program, Explain explain) -> survey {
  return detail::surveyor<Explain>(program, std::move(explain)).run();
}
/// Same as the overload above, with empty reasons.
constexpr auto survey_of(const program_view& program) -> survey {
  return survey_of(program, [](const program_view&, const node&) { return undelegated_reason{}; });
}

}  // namespace baton::report
