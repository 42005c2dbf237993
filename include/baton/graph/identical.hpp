// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Structural equality of graphs, within one program or between two programs.
#pragma once

#include <baton/core/compare.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/graph/def_use.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton {

/// True if two attributes of two programs have the same name, kind and value.
constexpr auto is_identical(const program_view& left, const attribute& a, const program_view& right, const attribute& b) -> bool {
  if (a.key != b.key || a.kind != b.kind) return false;
  switch (a.kind) {
    case attribute_kind::integer:
    case attribute_kind::boolean:
      return a.integer == b.integer;
    case attribute_kind::real:
      return a.real == b.real;
    case attribute_kind::text:
    case attribute_kind::bytes:
      return left.text(a.bytes) == right.text(b.bytes);
    case attribute_kind::integers:
      return baton::same(left.integer_list(a.list), right.integer_list(b.list));
    case attribute_kind::reals:
      return baton::same(left.real_list(a.list), right.real_list(b.list));
  }
  return false;
}

namespace detail {

/// A comparison of two programs. It collects the pairs of values, nodes and graphs that must be identical, and compares each pair. A pair
/// of values or graphs is compared once, even if it is collected several times. There is no recursion.
class structural_comparison {
 public:
  constexpr structural_comparison(const program_view& left, const program_view& right)
      : left_(left),
        right_(right),
        left_partner_(left.values.size(), none<value_id>),
        right_partner_(right.values.size(), none<value_id>),
        graph_partner_(left.graphs.size(), none<graph_id>),
        left_producers_(producers_of(left)),
        right_producers_(producers_of(right)) {}

  constexpr void pair(graph_id a, graph_id b) {
    auto& partner = graph_partner_[index(a)];
    expect(partner == none<graph_id> || partner == b);
    if (partner == none<graph_id>) graphs_.emplace_back(a, b);
    partner = b;
  }
  constexpr void pair(node_id a, node_id b) { nodes_.emplace_back(a, b); }

  constexpr auto run() -> bool {
    while (is_same_ && !(graphs_.empty() && nodes_.empty())) {
      if (!graphs_.empty()) {
        const auto [a, b] = graphs_.back();
        graphs_.pop_back();
        compare(left_[a], right_[b]);
      } else {
        const auto [a, b] = nodes_.back();
        nodes_.pop_back();
        compare(left_[a], right_[b]);
      }
    }
    return is_same_;
  }

 private:
  constexpr void expect(bool is_so) { is_same_ = is_same_ && is_so; }
  constexpr auto same(byte_ref a, byte_ref b) const -> bool { return left_.text(a) == right_.text(b); }

  constexpr void pair(value_id a, value_id b) {
    if (a == none<value_id> || b == none<value_id>) return expect(a == b);
    auto& forth = left_partner_[index(a)];
    auto& back = right_partner_[index(b)];
    expect((forth == none<value_id> && back == none<value_id>) || (forth == b && back == a));
    if (forth == b) return;
    forth = b;
    back = a;
    compare(left_[a], right_[b]);
    const auto producers = std::pair{left_producers_[index(a)], right_producers_[index(b)]};
    expect((producers.first == none<node_id>) == (producers.second == none<node_id>));
    if (producers.first == none<node_id>) return expect(same(left_[a].name, right_[b].name));
    if (is_same_) nodes_.push_back(producers);
  }
  template <class Records>
  constexpr void pair_all(const Records& a, const Records& b) {
    expect(a.size() == b.size());
    for (std::size_t i = 0; is_same_ && i < a.size(); ++i) pair(a[i], b[i]);
  }

  constexpr void compare(const value& a, const value& b) {
    expect(a.type == b.type && a.kind == b.kind && same(a.target, b.target) &&
           baton::same(left_.integer_list(a.shape), right_.integer_list(b.shape)) && same(a.quant.scales, b.quant.scales) &&
           same(a.quant.zero_points, b.quant.zero_points) && a.quant.channels == b.quant.channels && a.quant.axis == b.quant.axis);
  }

  constexpr void compare(const graph& a, const graph& b) {
    pair_all(left_.inputs(a), right_.inputs(b));
    expect(a.nodes.size == b.nodes.size);
    for (std::uint32_t n = 0; is_same_ && n < a.nodes.size; ++n) compare(left_.nodes[a.nodes.first + n], right_.nodes[b.nodes.first + n]);
    const auto outputs = left_.outputs_of(a);
    const auto others = right_.outputs_of(b);
    expect(outputs.size() == others.size());
    for (std::size_t i = 0; is_same_ && i < outputs.size(); ++i) {
      expect(outputs[i].kind == others[i].kind && same(outputs[i].target, others[i].target));
      pair(outputs[i].value, others[i].value);
    }
  }

  constexpr void compare(const node& a, const node& b) {
    expect(a.op == b.op);
    pair_all(left_.outputs_of(a), right_.outputs_of(b));
    pair_all(left_.inputs(a), right_.inputs(b));
    pair_all(left_.subgraphs_of(a), right_.subgraphs_of(b));
    const auto literals = left_.attributes_of(a);
    const auto others = right_.attributes_of(b);
    expect(literals.size() == others.size());
    for (std::size_t i = 0; is_same_ && i < literals.size(); ++i) expect(is_identical(left_, literals[i], right_, others[i]));
    expect((a.delegate == none<delegate_id>) == (b.delegate == none<delegate_id>));
    if (is_same_ && a.delegate != none<delegate_id>) compare(left_[a.delegate], right_[b.delegate]);
  }

  constexpr void compare(const lowered_module_ref& a, const lowered_module_ref& b) {
    expect(same(a.backend_id, b.backend_id) && same(a.processed_bytes, b.processed_bytes) && a.compile_specs.size == b.compile_specs.size);
    for (std::uint32_t i = 0; is_same_ && i < a.compile_specs.size; ++i) {
      const auto& spec = left_.compile_specs[a.compile_specs.first + i];
      const auto& other = right_.compile_specs[b.compile_specs.first + i];
      expect(same(spec.key, other.key) && same(spec.value, other.value));
    }
    pair(a.original, b.original);
  }

  program_view left_;
  program_view right_;
  vector<value_id> left_partner_;
  vector<value_id> right_partner_;
  vector<graph_id> graph_partner_;
  vector<node_id> left_producers_;
  vector<node_id> right_producers_;
  vector<std::pair<graph_id, graph_id>> graphs_;
  vector<std::pair<node_id, node_id>> nodes_;
  bool is_same_ = true;
};

}  // namespace detail

/// True if two graphs are identical. Nodes at the same position must have the same operator, operands, attributes and output types.
/// Placeholders at the same position must have the same name, target, kind and type. A placeholder is an input, parameter, buffer or
/// constant. Graph outputs must have the same kinds and targets, and must return the same values. Subgraphs must be identical. Lowered
/// modules must have the same backend, processed bytes and compile specs, and identical original graphs. Names of nodes, debug handles,
/// tags, named data and the bytes of constants are ignored. O(size of both programs).
constexpr auto is_identical(const program_view& left, graph_id left_graph, const program_view& right, graph_id right_graph) -> bool {
  detail::structural_comparison comparison(left, right);
  comparison.pair(left_graph, right_graph);
  return comparison.run();
}
/// True if the root graphs are identical, or if neither program has graphs.
constexpr auto is_identical(const program_view& left, const program_view& right) -> bool {
  if (left.graphs.empty() || right.graphs.empty()) return left.graphs.empty() && right.graphs.empty();
  return is_identical(left, graph_id{0}, right, graph_id{0});
}
/// True if both lists have the same length, and each node of `left_nodes` is identical to the node at the same position of `right_nodes`.
/// Two nodes are identical if they have the same operator, attributes and types, and identical operands, subgraphs and lowered modules. Two
/// operands are identical if they are placeholders with the same name, target, kind and type, or the same output of identical nodes. The
/// positions of nodes in their programs are ignored.
constexpr auto is_identical(const program_view& left, span<const node_id> left_nodes, const program_view& right,
                            span<const node_id> right_nodes) -> bool {
  if (left_nodes.size() != right_nodes.size()) return false;
  detail::structural_comparison comparison(left, right);
  for (std::size_t i = 0; i < left_nodes.size(); ++i) comparison.pair(left_nodes[i], right_nodes[i]);
  return comparison.run();
}
/// True if two nodes are identical.
constexpr auto is_identical(const program_view& left, node_id left_node, const program_view& right, node_id right_node) -> bool {
  return is_identical(left, span{&left_node, 1}, right, span{&right_node, 1});
}

}  // namespace baton
