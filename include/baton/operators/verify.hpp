// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The verifier: checks that a program is well-formed, and reports the first broken rule.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/locate.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rules.hpp>
#include <baton/core/shared/is_shape_like.hpp>
#include <baton/core/shared/sort.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/graph/adjacency.hpp>
#include <baton/graph/order.hpp>
#include <baton/operators/detail/verify_states.hpp>
#include <baton/operators/shared/control_flow.hpp>
#include <baton/operators/shared/operator_names.hpp>
#include <baton/operators/shared/rules.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace baton {

namespace detail {

/// A check of a program that stops at the first broken rule.
class verifier {
 public:
  constexpr explicit verifier(const program_view& program) : program_(program), defined_(program.values.size(), 0) {}

  constexpr auto run() -> failure {
    if (program_.graphs.empty()) return broken<"misplaced_index">("the program has no graph");
    if (auto why = check_ranges()) return why;
    if (auto why = check_values()) return why;
    if (auto why = check_nesting()) return why;
    for (std::size_t g = 0; g < program_.graphs.size(); ++g) {
      if (auto why = check_graph(static_cast<graph_id>(g))) return why;
    }
    return verify_states(program_);
  }

 private:
  /// The maximum nesting depth of graphs. The limit bounds the recursion of passes into subgraphs, also in constant expressions.
  static constexpr std::uint32_t max_nesting = 64;

  template <class Pool>
  static constexpr auto inside(range indices, const Pool& pool) -> bool {
    return indices.first <= pool.size() && indices.size <= pool.size() - indices.first;
  }
  constexpr auto inside(byte_ref ref) const -> bool { return ref.outside != nullptr || inside(range{ref.first, ref.size}, program_.bytes); }
  constexpr auto inside(value_id id) const -> bool { return index(id) < program_.values.size(); }
  constexpr auto is_tag(tag_id id) const -> bool { return id == none<tag_id> || index(id) < program_.tags.size(); }

  constexpr auto check_ranges() const -> failure {
    for (const auto& g : program_.graphs) {
      const bool is_valid =
          inside(g.name) && inside(g.nodes, program_.nodes) && inside(g.inputs, program_.operands) && inside(g.outputs, program_.outputs);
      if (!is_valid) return broken<"misplaced_index">("a graph's lists");
      for (const auto input : program_.inputs(g)) {
        if (!inside(input)) return broken<"misplaced_index">("a graph input");
      }
      for (const auto& spec : program_.outputs_of(g)) {
        if (!inside(spec.value) || !inside(spec.target)) return broken<"misplaced_index">("a graph output");
      }
    }
    for (std::size_t v = 0; v < program_.values.size(); ++v) {
      const auto& record = program_.values[v];
      const bool is_valid = inside(record.name) && inside(record.shape, program_.integers) && inside(record.data) &&
                            inside(record.target) && inside(record.quant.scales) && inside(record.quant.zero_points) &&
                            index(record.graph) < program_.graphs.size() && is_tag(record.tag);
      if (!is_valid) return broken<"misplaced_index">("value ", v);
    }
    for (std::size_t n = 0; n < program_.nodes.size(); ++n) {
      if (!has_valid_ranges(program_.nodes[n])) return broken<"misplaced_index">("node ", n);
    }
    return check_delegate_ranges();
  }

  constexpr auto check_delegate_ranges() const -> failure {
    for (const auto& record : program_.delegates) {
      const bool is_valid = inside(record.name) && inside(record.backend_id) && inside(record.processed_bytes) && inside(record.info) &&
                            index(record.original) < program_.graphs.size() && inside(record.compile_specs, program_.compile_specs) &&
                            inside(record.debug_map, program_.mappings) && inside(record.named_data, program_.named_data) &&
                            inside(record.packing, program_.integers);
      if (!is_valid) return broken<"misplaced_index">("a lowered module");
    }
    for (const auto& record : program_.compile_specs) {
      if (!inside(record.key) || !inside(record.value)) return broken<"misplaced_index">("a compile spec");
    }
    for (const auto& record : program_.mappings) {
      if (!inside(record.text) || !inside(record.handles, program_.integers)) return broken<"misplaced_index">("a delegate mapping");
    }
    for (const auto& record : program_.named_data) {
      const bool is_valid = inside(record.key) && inside(record.data) && inside(record.external_tag) &&
                            inside(record.sizes, program_.integers) && inside(record.dim_order, program_.integers);
      if (!is_valid) return broken<"misplaced_index">("named data");
      if (record.alignment == 0) return broken<"malformed_alignment">("key ", program_.text(record.key), " has the alignment 0");
    }
    for (const auto& record : program_.tags) {
      const bool is_valid = inside(record.name) && inside(record.backend_id) && inside(record.compile_specs, program_.compile_specs);
      if (!is_valid) return broken<"misplaced_index">("a tag");
    }
    return {};
  }

  constexpr auto has_valid_ranges(const node& record) const -> bool {
    const bool is_valid = inside(record.name) && inside(record.target) && inside(record.inputs, program_.operands) &&
                          inside(record.outputs, program_.operands) && inside(record.attributes, program_.attributes) &&
                          inside(record.subgraphs, program_.subgraphs) && inside(record.folded_handles, program_.integers) &&
                          (record.delegate == none<delegate_id> || index(record.delegate) < program_.delegates.size()) &&
                          is_tag(record.tag);
    if (!is_valid) return false;
    for (const auto& literal : program_.attributes_of(record)) {
      const bool is_reals = literal.kind == attribute_kind::reals;
      if (!inside(literal.name) || !inside(literal.bytes)) return false;
      if (is_reals ? !inside(literal.list, program_.reals) : !inside(literal.list, program_.integers)) return false;
    }
    for (const auto g : program_.subgraphs_of(record)) {
      if (index(g) >= program_.graphs.size()) return false;
    }
    for (const auto id : program_.inputs(record)) {
      if (id != none<value_id> && !inside(id)) return false;
    }
    for (const auto id : program_.outputs_of(record)) {
      if (!inside(id)) return false;
    }
    return true;
  }

  constexpr auto check_values() const -> failure {
    for (const auto& record : program_.values) {
      if (auto why = check_value(record)) {
        if (why.reason.empty()) why.reason = join("value ", program_.text(record.name));
        return why;
      }
    }
    return {};
  }

  constexpr auto check_value(const value& record) const -> failure {
    const auto shape = program_.integer_list(record.shape);
    bool is_dynamic = false;
    for (const auto size : shape) {
      if (size < -1) return broken<"malformed_shape">();
      is_dynamic = is_dynamic || size == -1;
    }
    const auto bytes = byte_count(record.type, shape);
    if (!is_dynamic && facts(record.type).bits != 0 && (bytes < 0 || bytes > 0xffffffffll)) return broken<"malformed_shape">();
    if (record.data.size != 0 && bytes >= 0 && bytes != record.data.size) {
      return broken<"malformed_data">("value ", program_.text(record.name), " needs ", bytes, " bytes and has ", record.data.size);
    }
    const auto& quant = record.quant;
    if (quant.channels == 0) return {};
    const bool has_axis = quant.axis >= 0 && static_cast<std::size_t>(quant.axis) < shape.size();
    const bool fits = quant.channels == 1 || (has_axis && shape[static_cast<std::size_t>(quant.axis)] == quant.channels);
    const bool has_data =
        quant.scales.size == std::uint64_t{4} * quant.channels &&
        (quant.zero_points.size == 0 || quant.zero_points.size == 8 || quant.zero_points.size == std::uint64_t{8} * quant.channels);
    if (!fits || !has_data) return broken<"malformed_quantization">();
    return {};
  }

  constexpr auto check_nesting() const -> failure {
    vector<edge> contained;  // edges from a graph to the subgraphs of its nodes and the original graphs of its delegates
    for (std::uint32_t g = 0; g < program_.graphs.size(); ++g) {
      for (const auto& record : program_.nodes_of(program_.graphs[g])) {
        for (const auto inner : program_.subgraphs_of(record)) contained.emplace_back(g, index(inner));
        if (record.delegate != none<delegate_id>) contained.emplace_back(g, index(program_[record.delegate].original));
      }
    }
    const adjacency within(contained, program_.graphs.size());
    const auto order = topological_order(within);
    vector<std::uint32_t> depth(program_.graphs.size(), 0);
    for (const auto outer : order) {
      if (depth[outer] > max_nesting) return broken<"nested_too_deep">("graph ", program_.text(program_.graphs[outer].name));
      for (const auto inner : within[outer]) depth[inner] = std::max(depth[inner], depth[outer] + 1);
    }
    if (order.size() != program_.graphs.size()) return broken<"recursive_graph">();
    return {};
  }

  constexpr auto check_graph(graph_id id) -> failure {
    const auto& g = program_[id];
    states_.clear();
    for (const auto input : program_.inputs(g)) {
      const auto& record = program_[input];
      if (record.graph != id) return broken<"foreign_value">("graph input ", program_.text(record.name));
      if (record.kind == value_kind::intermediate || record.kind == value_kind::scratch)
        return broken<"malformed_signature">("graph input ", program_.text(record.name));
      if (defined_[index(input)] != 0) return broken<"value_defined_twice">("graph input ", program_.text(record.name));
      defined_[index(input)] = 1;
      if (record.kind == value_kind::mutable_buffer) states_.push_back(program_.text(record.target));
    }
    if (const auto duplicate = duplicate_in(states_); duplicate != states_.end())
      return broken<"malformed_signature">("two mutable buffers have the name ", *duplicate);
    for (std::uint32_t n = g.nodes.first; n < g.nodes.first + g.nodes.size; ++n) {
      if (auto why = check_node(id, program_.nodes[n])) return locate(std::move(why), program_, static_cast<node_id>(n));
    }
    return check_outputs(id);
  }

  constexpr auto check_node(graph_id id, const node& record) -> failure {
    for (const auto input : program_.inputs(record)) {
      if (input == none<value_id>) continue;
      if (program_[input].graph != id) return broken<"foreign_value">("operand ", program_.text(program_[input].name));
      if (program_[input].kind == value_kind::scratch && may_have_scratch(record)) continue;
      if (defined_[index(input)] == 0) return broken<"undefined_value">("operand ", program_.text(program_[input].name));
    }
    for (const auto output : program_.outputs_of(record)) {
      const auto& produced = program_[output];
      if (produced.graph != id) return broken<"foreign_value">("output ", program_.text(produced.name));
      if (produced.kind != value_kind::intermediate || defined_[index(output)] != 0) {
        return broken<"value_defined_twice">("output ", program_.text(produced.name));
      }
      defined_[index(output)] = 1;
    }
    if ((record.delegate != none<delegate_id>) != record.is(call_delegate))
      return broken<"malformed_operator">("a node has a delegate if and only if it is a delegate call");
    if (record.delegate != none<delegate_id>) {
      if (auto why = check_delegate_call(record)) return why;
    }
    return check_control_flow(program_, record);
  }

  /// True if a node may have scratch operands. Only custom operators receive scratch memory as an operand.
  constexpr auto may_have_scratch(const node& record) const -> bool {
    return tflite::detail::is_custom_operator(program_.text(record.target)) && !record.is(call_delegate) && record.subgraphs.size == 0;
  }

  /// Checks a delegate call against the lowered module's original graph. The operands must match the graph inputs that are not owned data
  /// (`is_owned_data`). The outputs must match the user outputs.
  constexpr auto check_delegate_call(const node& record) const -> failure {
    const auto& original = program_[program_[record.delegate].original];
    vector<value_id> arguments;
    vector<value_id> results;
    for (const auto input : program_.inputs(original)) {
      if (!inside(input)) return broken<"misplaced_index">("a graph input");
      if (!is_owned_data(program_[input].kind)) arguments.push_back(input);
    }
    for (const auto& spec : program_.outputs_of(original)) {
      if (!inside(spec.value)) return broken<"misplaced_index">("a graph output");
      if (spec.kind == output_kind::user_output) results.push_back(spec.value);
    }
    if (auto why = check_types(program_.inputs(record), arguments, "arguments")) return why;
    return check_types(program_.outputs_of(record), results, "outputs");
  }
  constexpr auto check_types(span<const value_id> call_values, span<const value_id> original_values, std::string_view list_name) const
      -> failure {
    if (call_values.size() != original_values.size()) {
      return broken<"malformed_operator">("the number of ", list_name, " is ", original_values.size(), " in the lowered module and ",
                                          call_values.size(), " in the call");
    }
    for (std::size_t i = 0; i < call_values.size(); ++i) {
      if (call_values[i] != none<value_id> && have_same_type(call_values[i], original_values[i])) continue;
      return broken<"malformed_operator">("the ", list_name, " differ in type at position ", i, ", ",
                                          program_.text(program_[original_values[i]].name));
    }
    return {};
  }
  /// True if two values have the same dtype and compatible shapes. An unknown size is compatible with any size.
  constexpr auto have_same_type(value_id a, value_id b) const -> bool {
    return program_[a].type == program_[b].type && is_shape_like(program_.shape(a), program_.shape(b));
  }

  /// Checks that the new value of a mutable buffer has the buffer's type. The search for the buffer begins at input `next`, because
  /// mutations are usually in the order of the buffers.
  constexpr auto check_new_state(graph_id id, const output_spec& spec, std::size_t& next) const -> failure {
    const auto inputs = program_.inputs(program_[id]);
    for (std::size_t left = inputs.size(); left > 0; --left) {
      const auto input = inputs[next];
      next = next + 1 == inputs.size() ? 0 : next + 1;
      if (program_[input].kind != value_kind::mutable_buffer || program_.text(program_[input].target) != program_.text(spec.target))
        continue;
      if (have_same_type(spec.value, input)) return {};
      return broken<"malformed_signature">("mutation of ", program_.text(spec.target), " by ", program_.text(program_[spec.value].name),
                                           ", which has a different type");
    }
    return {};
  }
  constexpr auto check_outputs(graph_id id) const -> failure {
    bool user_outputs_began = false;
    vector<std::string_view> mutated;
    std::size_t next = 0;
    for (const auto& spec : program_.outputs_of(program_[id])) {
      const auto name = program_.text(program_[spec.value].name);
      if (program_[spec.value].graph != id) return broken<"foreign_value">("graph output ", name);
      if (defined_[index(spec.value)] == 0) return broken<"undefined_value">("graph output ", name);
      if (spec.kind == output_kind::user_output) {
        user_outputs_began = true;
        continue;
      }
      mutated.push_back(program_.text(spec.target));
      if (!std::binary_search(states_.begin(), states_.end(), mutated.back())) return not_mutable(id, mutated.back());
      if (user_outputs_began) return broken<"malformed_signature">("mutation of ", mutated.back(), " after a user output");
      if (auto why = check_new_state(id, spec, next)) return why;
    }
    if (const auto duplicate = duplicate_in(mutated); duplicate != mutated.end())
      return broken<"malformed_signature">("two mutations of ", *duplicate);
    return {};
  }

  /// Returns the failure for a mutation whose target is not a mutable buffer.
  constexpr auto not_mutable(graph_id id, std::string_view target) const -> failure {
    for (const auto input : program_.inputs(program_[id])) {
      if (program_[input].kind != value_kind::user_input || program_.text(program_[input].name) != target) continue;
      return broken<"mutated_user_input">("user input ", target);
    }
    return broken<"malformed_signature">("mutation of ", target, ", which is not a mutable buffer");
  }

  /// Sorts `names`. Returns an iterator to the first duplicate, or the end if all names are distinct.
  static constexpr auto duplicate_in(vector<std::string_view>& names) -> vector<std::string_view>::iterator {
    sort(names.begin(), names.end());
    return std::adjacent_find(names.begin(), names.end());
  }

  program_view program_;
  vector<std::string_view> states_;  ///< the targets of the mutable buffers of the current graph, sorted
  vector<char> defined_;             // indexed by value: 1 if defined; Clang cannot evaluate libstdc++ 12's vector<bool> in a constant
};

}  // namespace detail

/// Checks that a program is well-formed: indices, order, single definition, shapes, data, quantization, nesting, signature and states.
/// Returns the first broken rule and the node that breaks it, or an empty failure if the program is well-formed.
constexpr auto verify(const program_view& program) -> failure { return detail::verifier(program).run(); }

}  // namespace baton
