// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The reader of an ONNX model: converts the bytes of the file to a program.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/is_shape_like.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/detail/onnx_attributes.hpp>
#include <baton/import/detail/onnx_emitter.hpp>
#include <baton/import/detail/onnx_functions.hpp>
#include <baton/import/detail/onnx_reading.hpp>
#include <baton/import/detail/onnx_schema.hpp>
#include <baton/import/detail/onnx_scope.hpp>
#include <baton/import/detail/onnx_scope_reader.hpp>
#include <baton/import/detail/onnx_stated_types.hpp>
#include <baton/import/detail/onnx_tensors.hpp>
#include <baton/import/onnx_read_options.hpp>
#include <baton/import/shared/rules.hpp>
#include <baton/operators/find_definition.hpp>
#include <baton/operators/onnx.hpp>
#include <baton/operators/shared/onnx_types.hpp>
#include <baton/operators/shared/rules.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton::onnx::detail {

/// Returns true if the bytes appear to be an ONNX model. ONNX files have no identifier, but all known writers write the field `ir_version`
/// first. If another field comes first, the model must have the fields `ir_version` and `graph`.
constexpr auto is_model(span<const char> bytes) -> bool {
  if (bytes.empty()) return false;
  constexpr char first_tag = number::model::ir_version << 3 | static_cast<char>(wire_type::varint);
  if (bytes[0] == first_tag) return true;
  byte_reader reader{bytes};
  bool has_version = false;
  bool has_graph = false;
  field f{};
  for (message model(reader, 0, bytes.size()); model.next(f);) {
    if (f.number == number::model::ir_version) has_version = f.wire == wire_type::varint;
    if (f.number == number::model::graph) has_graph = f.wire == wire_type::bytes;
  }
  return reader.ok() && has_version && has_graph;
}

/// A reader of one model.
class model_reader {
 public:
  static constexpr std::uint64_t min_version = 11;
  static constexpr std::uint64_t max_version = 22;

  constexpr model_reader(span<const char> bytes, const read_options& user_options)
      : reading_(bytes, user_options),
        tensors_(reading_),
        attributes_(reading_, tensors_),
        symbols_(reading_),
        scopes_(reading_, attributes_, tensors_, functions_),
        size_(bytes.size()) {
    reading_.builder.define(user_options.operators);
    reading_.builder.set_dialect(dialect);
  }
  model_reader(const model_reader&) = delete;  // its members refer to each other
  auto operator=(const model_reader&) -> model_reader& = delete;

  /// Reads the model and returns the program, without verifying it.
  constexpr auto run() -> result<exported_program> {
    if (!read() || !reading_.check_errors("the model")) return std::move(reading_.why);
    return reading_.builder.finish();
  }

 private:
  constexpr auto read() -> bool {
    field graph{};
    if (!open(graph)) return false;
    const auto root = scopes_.read(graph, version_);
    if (root == npos || !reading_.check_errors("the graph")) return false;
    auto& scopes = scopes_.scopes();
    if (!check_operators(scopes)) return false;
    number_nodes(scopes);
    auto& main = scopes[root];
    reading_.builder.draft().graphs[0].name = main.name.empty() ? program_builder::view("main") : reading_.view(main.name);
    emitter emit(reading_, attributes_, scopes, symbols_);
    vector<value_id> inputs;
    if (!add_inputs(main, inputs) || !emit.emit(main)) return false;
    for (std::size_t i = 0; i < main.outputs.size(); ++i) {
      const auto id = emit.value_of(main, main.outputs[i]);
      if (id == none<value_id>) {
        return reading_.refuse<"damaged_model">("no node computes output ", baton::view(printable_name(main.names[main.outputs[i]].name)));
      }
      if (!check_output(main, i, id)) return false;
      reading_.builder.output(id);
    }
    for (const auto id : inputs) reading_.builder.add_input(id);
    emit.finish();
    return true;
  }

  /// Reads the version of the default operator set, and the functions of the model. Sets `graph` to the field of the root graph.
  constexpr auto open(field& graph) -> bool {
    vector<field> functions;
    field f{};
    for (message model(reading_.reader, 0, size_); model.next(f);) {
      if (f.number == number::model::graph) graph = f;
      if (f.number == number::model::functions) functions.push_back(f);
      if (f.number != number::model::opset_import) continue;
      if (const auto version = default_opset_version(reading_, f); version != 0) version_ = version;
    }
    if (!reading_.check_errors("the fields of the model")) return false;
    if (!graph) return reading_.refuse<"damaged_model">("there is no graph");
    if (!check_version(version_, "the model")) return false;
    for (const auto& each : functions) {
      if (!check_version(functions_.add(reading_, each, version_), "a function")) return false;
    }
    return reading_.check_errors("the functions of the model");
  }
  constexpr auto check_version(std::uint64_t version, std::string_view user) -> bool {
    if (version >= min_version && version <= max_version) return true;
    return reading_.refuse<"unsupported_model">(user, " uses version ", version, " of the ONNX operators; the importer reads ", min_version,
                                                " to ", max_version, "; convert the model (onnx.version_converter)");
  }

  /// Fails with `unsupported_operators` if the model uses an operator that neither Baton nor the user defines. The message names every
  /// undefined operator.
  constexpr auto check_operators(const vector<scope>& scopes) -> bool {
    struct unknown_operator {
      const node_record* node;
      std::size_t count;
    };
    vector<unknown_operator> unknown;
    for (const auto& each : scopes) {
      for (const auto& record : each.nodes) {
        if (is_control_flow(record)) continue;
        const auto& definition = find_definition(record.hash, reading_.options.operators, &dialect);
        if (definition.name.hash == record.hash) continue;
        reading_.reader.charge(unknown.size());
        std::size_t at = 0;
        while (at < unknown.size() && unknown[at].node->hash != record.hash) ++at;
        if (at == unknown.size()) unknown.push_back({&record, 0});
        unknown[at].count += 1;
      }
    }
    if (unknown.empty()) return true;
    text_buffer text;
    for (const auto& each : unknown) {
      append(text, text.empty() ? "" : ", ");
      if (!is_default_domain(each.node->domain)) append(append(text, baton::view(printable_name(each.node->domain))), ".");
      append(append(append(append(text, baton::view(printable_name(each.node->op))), " ("), static_cast<std::int64_t>(each.count)), ")");
    }
    return reading_.refuse<"unsupported_operators">(baton::view(text));
  }

  /// Completes the debug handles, the numbers that identify the nodes of the model. The nodes of the root graph are numbered from 1, in the
  /// order of the file. The nodes of each body (a graph of an `If`, `Loop` or `Scan`) follow. A node that is inlined from a function has
  /// the number of the function's call.
  constexpr void number_nodes(vector<scope>& scopes) {
    auto first = scopes.back().node_count;
    for (std::size_t s = 0; s + 1 < scopes.size(); ++s) {
      for (auto& record : scopes[s].nodes) record.handle += first;
      first += scopes[s].node_count;
    }
  }

  constexpr auto add_inputs(scope& main, vector<value_id>& inputs) -> bool {
    vector<stated_type> types;
    for (std::size_t i = 0; i < main.inputs.size(); ++i) {
      types.push_back(read_stated_type(reading_, main.input_types[i]));
      if (!reading_.check_errors("input ", i)) return false;
    }
    symbols_.bind(types);
    for (std::size_t i = 0; i < main.inputs.size(); ++i) {
      auto& stated = types[i];
      const auto element = element_type_of(static_cast<std::int64_t>(stated.element));
      if (stated.is_other || !element.is_known || element.type == dtype::text) {
        return reading_.refuse<"unsupported_model">("input ", baton::view(printable_name(stated.name)),
                                                    " is not a tensor of numbers, or has no type");
      }
      if (!symbols_.complete(stated)) return false;
      vector<std::int64_t> sizes;
      for (const auto& each : stated.sizes) sizes.push_back(each.size);
      const auto id = reading_.builder.add_value({.name = reading_.view(stated.name),
                                                  .type = element.type,
                                                  .kind = value_kind::user_input,
                                                  .shape = reading_.builder.integers(sizes)});
      main.names[main.inputs[i]].id = id;
      inputs.push_back(id);
    }
    return symbols_.check_options();
  }

  /// Fails with `mismatched_inference` if the inferred type of a model output contradicts the type that the file states.
  constexpr auto check_output(const scope& main, std::size_t at, value_id id) -> bool {
    const auto stated = read_stated_type(reading_, main.output_types[at]);
    const auto element = element_type_of(static_cast<std::int64_t>(stated.element));
    const auto& record = reading_.builder.at(id);
    vector<std::int64_t> sizes;
    for (const auto& each : stated.sizes) sizes.push_back(symbols_.size_of(each));
    const auto shape = reading_.builder.draft().integer_list(record.shape);
    const bool agrees = (stated.element == 0 || (element.is_known && element.type == record.type)) &&
                        (!stated.has_shape || is_shape_like(span<const std::int64_t>{sizes}, shape));
    if (agrees) return reading_.check_errors("output ", at);
    return reading_.refuse<"mismatched_inference">("output ", baton::view(printable_name(stated.name)),
                                                   " has a different type or shape in the file");
  }

  reading reading_;
  tensor_reader tensors_;
  attribute_reader attributes_;
  symbol_table symbols_;
  function_list functions_;
  scope_reader scopes_;
  std::size_t size_;
  std::uint64_t version_ = 0;
};

}  // namespace baton::onnx::detail
