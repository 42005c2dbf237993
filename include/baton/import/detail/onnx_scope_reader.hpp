// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Reads the graphs of an ONNX model into records. A call of a function is replaced by the function's nodes.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/detail/onnx_attributes.hpp>
#include <baton/import/detail/onnx_functions.hpp>
#include <baton/import/detail/onnx_names.hpp>
#include <baton/import/detail/onnx_reading.hpp>
#include <baton/import/detail/onnx_schema.hpp>
#include <baton/import/detail/onnx_scope.hpp>
#include <baton/import/detail/onnx_sparse_tensors.hpp>
#include <baton/import/shared/rules.hpp>
#include <baton/operators/shared/rules.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace baton::onnx::detail {

/// Returns the hash of the name of an operator in the program: `onnx.Conv`, or `onnx.com.microsoft.QGemm` if the domain is not the default.
constexpr auto hash_of_operator(std::string_view domain, std::string_view op) -> std::uint64_t {
  constexpr auto prefix = hash_of("onnx.");
  return hash_of(op, is_default_domain(domain) ? prefix : hash_of(".", hash_of(domain, prefix)));
}

/// A reader of graphs. Bodies of control flow are separate graphs. In `scopes()`, each body precedes the graph that contains it.
class scope_reader {
 public:
  constexpr scope_reader(reading& model, attribute_reader& attributes, tensor_reader& tensors, const function_list& functions)
      : reading_(model),
        attributes_(attributes),
        tensors_(tensors),
        functions_(functions) {}

  constexpr auto scopes() -> vector<scope>& { return scopes_; }

  /// Reads a graph, and returns its index in `scopes`, or `npos` after an error. `version` is the version of the default operator set.
  /// `call` is the function call whose attributes the nodes may refer to, or null. `depth` is the nesting depth of graphs and functions.
  constexpr auto read(const field& source_field, std::uint64_t version, const function_call* call = nullptr, std::uint32_t depth = 0)
      -> std::uint32_t {
    if (depth > reading::max_nesting) {
      reading_.refuse<"nested_too_deep">("more than ", reading::max_nesting, " graphs or functions");
      return npos;
    }
    scope target;
    std::uint32_t position = 0;
    field f{};
    for (message graph(reading_.reader, source_field); graph.next(f);) {
      switch (f.number) {
        case number::graph::node:
          read_node(target, f, {++position, version, call, nullptr, depth});
          if (reading_.why) return npos;
          break;
        case number::graph::name:
          target.name = reading_.text(f);
          break;
        case number::graph::initializer:
          if (auto constant = tensors_.read(f); reading_.check_errors("an initializer")) define_constant(target, constant);
          if (reading_.why) return npos;
          break;
        case number::graph::input:
          target.input_types.push_back(f);
          break;
        case number::graph::output:
          target.output_types.push_back(f);
          break;
        case number::graph::value_info:
          target.stated_types.push_back(f);
          break;
        case number::graph::sparse_initializer:
          if (auto constant = sparse_tensor_reader(reading_, tensors_).read(f); reading_.check_errors("a sparse initializer"))
            define_constant(target, constant);
          if (reading_.why) return npos;
          break;
        default:
          break;
      }
    }
    target.node_count = position;
    read_inputs(target, depth == 0);
    for (const auto& output : target.output_types) target.outputs.push_back(target.names.insert(name_of_value(output, "an output")));
    if (!reading_.check_errors("graph ", baton::view(printable_name(target.name)))) return npos;
    for (std::uint32_t v = 0; v < target.names.size(); ++v) {
      const auto& named = target.names[v];
      if (named.is_defined()) continue;
      if (named.is_hidden()) reading_.refuse<"damaged_model">("no node of the function defines ", baton::view(printable_name(named.name)));
      target.captures.push_back(v);
    }
    scopes_.push_back(std::move(target));
    return static_cast<std::uint32_t>(scopes_.size() - 1);
  }

 private:
  /// The context in which a node is read.
  struct node_context {
    std::uint32_t position;     ///< the position in the graph, counted from 1; in a function, the position of the outermost call
    std::uint64_t version;      ///< the version of the default operator set
    const function_call* call;  ///< the call whose attributes the node may refer to
    local_names* locals;        ///< the names of the function, or null if the node uses the names of the graph
    std::uint32_t depth;
  };

  /// Returns the name in a `ValueInfoProto`. Fails with `damaged_model` if the name is missing or empty.
  constexpr auto name_of_value(const field& source_field, std::string_view role) -> std::string_view {
    std::string_view name;
    field f{};
    for (message value(reading_.reader, source_field); value.next(f);) {
      if (f.number == number::value::name) name = reading_.text(f);
    }
    if (name.empty()) reading_.refuse<"damaged_model">(role, " has no name");
    return name;
  }

  /// Returns the index of the value with this name. Adds the value if the name is new. Returns `npos` if the name is empty, or if the
  /// function call omits the value.
  constexpr auto find_or_add(scope& target, const node_context& context, std::string_view name) -> std::uint32_t {
    if (name.empty()) return npos;
    if (context.locals != nullptr) return context.locals->find(target.names, name);
    return target.names.insert(name);
  }

  constexpr void define_constant(scope& target, const value& constant) {
    const auto name = reading_.builder.draft().text(constant.name);
    if (name.empty()) {
      reading_.refuse<"damaged_model">("an initializer has no name");
      return;
    }
    define_constant(target, target.names.insert(name), constant);
  }
  constexpr void define_constant(scope& target, std::uint32_t at, const value& constant) {
    auto& defined = target.names[at];
    if (defined.is_defined()) {
      reading_.refuse<"value_defined_twice">("value ", baton::view(printable_name(defined.name)));
      return;
    }
    defined.constant = static_cast<std::uint32_t>(target.constants.size());
    target.constants.push_back(constant);
  }

  /// Reads the inputs of a graph. An input of the root graph that is also an initializer is a constant. In other graphs, such an input is
  /// an error (`value_defined_twice`).
  constexpr void read_inputs(scope& target, bool is_root) {
    vector<field> types;
    for (const auto& input : target.input_types) {
      const auto at = target.names.insert(name_of_value(input, "an input"));
      auto& named = target.names[at];
      if (is_root && named.constant != npos) continue;
      if (named.is_defined()) reading_.refuse<"value_defined_twice">("input ", baton::view(printable_name(named.name)));
      named.is_input = true;
      target.inputs.push_back(at);
      types.push_back(input);
    }
    target.input_types = std::move(types);
  }

  constexpr void read_node(scope& target, const field& source_field, const node_context& context) {
    node_record record{.handle = context.position, .version = context.version};
    record.inputs.first = static_cast<std::uint32_t>(target.operands.size());
    record.attributes.first = static_cast<std::uint32_t>(target.attributes.size());
    vector<std::uint32_t> outputs;
    std::string_view overload;
    field f{};
    for (message node(reading_.reader, source_field); node.next(f);) {
      switch (f.number) {
        case number::node::input:
          target.operands.push_back(find_or_add(target, context, reading_.text(f)));
          break;
        case number::node::output:
          outputs.push_back(find_or_add(target, context, reading_.text(f)));
          break;
        case number::node::name:
          record.name = reading_.text(f);
          break;
        case number::node::op_type:
          record.op = reading_.text(f);
          break;
        case number::node::attribute:
          target.attributes.push_back({.name = {}, .source = f});
          break;
        case number::node::domain:
          record.domain = reading_.text(f);
          break;
        case number::node::overload:
          overload = reading_.text(f);
          break;
        default:
          break;
      }
    }
    record.inputs.size = static_cast<std::uint32_t>(target.operands.size()) - record.inputs.first;
    record.outputs = {static_cast<std::uint32_t>(target.operands.size()), static_cast<std::uint32_t>(outputs.size())};
    record.attributes.size = static_cast<std::uint32_t>(target.attributes.size()) - record.attributes.first;
    target.operands.insert(target.operands.end(), outputs.begin(), outputs.end());
    for (const auto output : outputs) {
      if (record.name.empty() && output != npos) record.name = target.names[output].name;
    }
    if (!reading_.reader.charge(target.names.take_collisions()) ||
        !reading_.check_errors("node ", context.position, ", ", baton::view(printable_name(record.name)))) {
      reading_.check_errors("node ", context.position);
      return;
    }
    if (context.call != nullptr) resolve_references(target, record, *context.call);
    if (!functions_.empty()) {
      if (const auto* function = functions_.find(reading_, record.domain, record.op, overload))
        return inline_function(target, record, *function, context);
    }
    record.hash = hash_of_operator(record.domain, record.op);
    if (record.is("onnx.Constant")) return read_constant(target, record);
    for (const auto output : outputs) {
      if (output == npos) continue;
      auto& named = target.names[output];
      if (named.is_defined()) {
        reading_.refuse<"value_defined_twice">("value ", baton::view(printable_name(named.name)), ", by node ",
                                               baton::view(printable_name(record.name)));
        return;
      }
      named.producer = static_cast<std::uint32_t>(target.nodes.size());
    }
    if (is_control_flow(record)) read_bodies(target, record, context);
    target.nodes.push_back(record);
  }

  constexpr void read_constant(scope& target, const node_record& record) {
    const auto output = record.outputs.size == 1 ? target.operands[record.outputs.first] : npos;
    if (output == npos || record.attributes.size != 1) {
      reading_.refuse<"damaged_model">("constant ", baton::view(printable_name(record.name)), " needs one output and one attribute");
      return;
    }
    const auto constant = attributes_.constant(target.attributes[record.attributes.first], target.names[output].name);
    if (reading_.check_errors("constant ", baton::view(printable_name(record.name)))) define_constant(target, output, constant);
  }

  /// Reads the graphs among the attributes of a node. The outer values that these graphs use become `captures` of the node.
  constexpr void read_bodies(scope& target, node_record& record, const node_context& context) {
    record.captures.first = static_cast<std::uint32_t>(target.operands.size());
    for (std::uint32_t a = 0; a < record.attributes.size; ++a) {
      const auto source = target.attributes[record.attributes.first + a].source;
      field f{}, graph{};
      for (message attribute(reading_.reader, source); attribute.next(f);) {
        if (f.number == number::attribute::name) {
          auto& name = target.attributes[record.attributes.first + a].name;
          if (name.empty()) name = reading_.text(f);
        }
        if (f.number == number::attribute::graph) graph = f;
      }
      if (!graph) continue;
      const auto body = read(graph, context.version, context.call, context.depth + 1);
      if (body == npos) return;
      target.attributes[record.attributes.first + a].body = body;
      for (const auto captured : scopes_[body].captures) {
        const auto outer = find_or_add(target, context, scopes_[body].names[captured].name);
        scopes_[body].captured_from.push_back(outer);
        if (outer != npos) add_capture(target, record, outer);
      }
    }
  }
  constexpr void add_capture(scope& target, node_record& record, std::uint32_t outer) {
    const auto known = span<const std::uint32_t>{target.operands}.subspan(record.captures.first, record.captures.size);
    reading_.reader.charge(known.size() + 1);
    for (const auto other : known) {
      if (other == outer) return;
    }
    target.operands.push_back(outer);
    record.captures.size += 1;
  }

  /// Resolves the attributes of `record` that refer to an attribute of the function call (`ref_attr_name`). A referring attribute keeps its
  /// name and gets the value of the call's attribute. If the call does not have that attribute, removes the referring attribute.
  constexpr void resolve_references(scope& target, node_record& record, const function_call& call) {
    auto kept = record.attributes.first;
    for (std::uint32_t a = 0; a < record.attributes.size; ++a) {
      auto resolved = target.attributes[record.attributes.first + a];
      std::string_view reference;
      field f{};
      for (message attribute(reading_.reader, resolved.source); attribute.next(f);) {
        if (f.number == number::attribute::name) resolved.name = reading_.text(f);
        if (f.number == number::attribute::reference) reference = reading_.text(f);
      }
      if (!reference.empty()) {
        const auto* const argument = call.find(reference);
        if (argument == nullptr) continue;
        resolved.source = argument->source;
      }
      target.attributes[kept++] = resolved;
    }
    record.attributes.size = kept - record.attributes.first;
    target.attributes.resize(kept);
  }

  /// Reads the nodes of a function in place of a call.
  constexpr void inline_function(scope& target, const node_record& caller, const function_record& function, const node_context& context) {
    if (context.depth >= reading::max_nesting) {
      reading_.refuse<"nested_too_deep">("more than ", reading::max_nesting, " graphs or functions, in function ", function.name);
      return;
    }
    function_call call;
    for (std::uint32_t a = 0; a < caller.attributes.size; ++a) {
      auto argument = target.attributes[caller.attributes.first + a];
      if (argument.name.empty()) argument.name = name_of_attribute(reading_, argument.source);
      call.attributes.push_back(argument);
    }
    for (const auto& each : function.defaults) {
      const auto name = name_of_attribute(reading_, each);
      if (call.find(name) == nullptr) call.attributes.push_back({.name = name, .source = each});
    }
    if (caller.inputs.size > function.inputs.size() || caller.outputs.size > function.outputs.size()) {
      reading_.refuse<"malformed_operator">("node ", baton::view(printable_name(caller.name)),
                                            " has more operands or outputs than the function ", function.name);
      return;
    }
    local_names locals;
    for (std::uint32_t i = 0; i < function.inputs.size(); ++i) {
      locals.bind(function.inputs[i], i < caller.inputs.size ? target.operands[caller.inputs.first + i] : npos);
    }
    for (std::uint32_t i = 0; i < caller.outputs.size; ++i) {
      const auto output = target.operands[caller.outputs.first + i];
      if (output != npos) locals.bind(function.outputs[i], output);
    }
    for (const auto& node : function.nodes) {
      if (!reading_.reader.charge(reading::cost_of_record))
        reading_.refuse<"damaged_model">("function ", function.name, " is called more often than the size of the file allows");
      if (reading_.why) return;
      read_node(target, node, {context.position, function.version, &call, &locals, context.depth + 1});
    }
  }

  reading& reading_;
  attribute_reader& attributes_;
  tensor_reader& tensors_;
  const function_list& functions_;
  vector<scope> scopes_;
};

}  // namespace baton::onnx::detail
