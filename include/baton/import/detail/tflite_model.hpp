// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A TFLite model, from its root table to its graphs.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/import/detail/flatbuffer.hpp>
#include <baton/import/detail/open_sizes.hpp>
#include <baton/import/detail/tflite_entry.hpp>
#include <baton/import/detail/tflite_graph_values.hpp>
#include <baton/import/detail/tflite_held_variables.hpp>
#include <baton/import/detail/tflite_input_shapes.hpp>
#include <baton/import/detail/tflite_nodes.hpp>
#include <baton/import/detail/tflite_operator_codes.hpp>
#include <baton/import/detail/tflite_reading.hpp>
#include <baton/import/detail/tflite_schema.hpp>
#include <baton/import/detail/tflite_slots.hpp>
#include <baton/import/detail/tflite_tensors.hpp>
#include <baton/import/detail/tflite_variables.hpp>
#include <baton/import/shared/rules.hpp>
#include <baton/import/tflite_choices.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton::tflite::detail {

/// What becomes of variables behind handles.
enum class variable_form : std::uint8_t { states, handles };

/// Reads one model; a number in an error is the index of a tensor, operator or graph in the file.
class model_reader {
 public:
  constexpr model_reader(span<const char> bytes, const choices& chosen, variable_form variables)
      : to_(bytes),
        codes_(to_),
        tensors_(to_),
        values_(to_, tensors_),
        found_(to_.reader),
        variables_(to_, found_, values_, tensors_),
        nodes_(to_, codes_, values_, variables_),
        chosen_(chosen),
        variable_form_(variables) {
    to_.builder.define(chosen.operators);
  }
  model_reader(const model_reader&) = delete;  // its parts refer to one another
  auto operator=(const model_reader&) -> model_reader& = delete;

  /// The tensors of the root graph as values, by position, for `run` of another reader; one without a name could not be read.
  constexpr auto read_tensors() -> exported_program {
    if (!open_model()) return {};
    const auto tensors = to_.stored_graph(graph_id{0}).elements<table>(slot::subgraph::tensors);
    to_.reserve(tensors.size(), 0);
    for (std::size_t i = 0; i < tensors.size() && to_.reader.ok(); ++i) {
      auto record = tensors_.read(tensors[i], i);
      if (!to_.all_is_well("tensor ", i)) record.name = {};
      to_.why = {};
      to_.builder.add_value(record);
    }
    return to_.builder.finish();
  }

  /// The program with its open sizes noted, not verified yet. `known` is what `read_tensors` gave, or empty.
  constexpr auto run(const baton::program_view& known = {}) -> result<exported_program> {
    tensors_.set_known(known);
    if (!read_model()) return std::move(to_.why);
    auto program = to_.builder.finish();
    baton::detail::note_open_shapes(program, values_.open());
    return program;
  }

 private:
  using table = flatbuffer::table;

  /// Finds the graph of the entry point.
  constexpr auto open_model() -> bool {
    if (!flatbuffer::has_identifier(to_.reader, file_identifier)) return to_.refuse<"foreign_file">();
    const auto model = flatbuffer::root(to_.reader);
    const auto version = model.scalar<std::uint32_t>(slot::model::version);
    const auto buffers = model.elements<table>(slot::model::buffers);
    const auto codes = model.elements<table>(slot::model::operator_codes);
    const auto graphs = model.elements<table>(slot::model::subgraphs);
    if (!to_.all_is_well("its root table")) return false;
    if (version != schema_version) return to_.refuse<"unsupported_model">("version ", version, " of the format");
    if (graphs.empty()) return to_.refuse<"damaged_model">("there is no graph");
    tensors_.set_buffers(buffers);
    for (std::size_t i = 0; i < codes.size(); ++i) {
      codes_.add(codes[i]);
      if (!to_.all_is_well("operator code ", i)) return false;
    }
    nodes_.begin();
    if (variable_form_ == variable_form::states) found_.run(graphs, buffers, codes_.uses());
    if (!to_.all_is_well("its variables")) return false;
    const auto entry = find_entry(model, chosen_.entry);
    if (!to_.all_is_well("its signatures")) return false;
    if (!entry) to_.why = entry.error;
    to_.set_graphs(graphs);
    return entry && to_.find_graph(entry.value) != none<graph_id>;
  }

  constexpr auto read_model() -> bool {
    if (!open_model()) return false;
    for (std::uint32_t g = 0; g < to_.graphs_found(); ++g) {
      const auto id = static_cast<graph_id>(g);
      to_.builder.enter(id);
      if (!to_.all_is_well("graph ", to_.number_of(id)) || !read_graph(to_.stored_graph(id), to_.number_of(id))) return false;
    }
    return true;
  }

  constexpr auto read_graph(const table& stored, std::uint32_t number) -> bool {
    const auto tensors = stored.elements<table>(slot::subgraph::tensors);
    const auto inputs = stored.elements<std::int32_t>(slot::subgraph::inputs);
    const auto outputs = stored.elements<std::int32_t>(slot::subgraph::outputs);
    const auto operations = stored.elements<table>(slot::subgraph::operators);
    values_.begin(tensors, operations);
    if (variables_.are_states()) variables_.begin(tensors.size());
    if (index(to_.builder.current()) == 0) to_.reserve(tensors.size(), operations.size());
    to_.pay_for_elements(inputs.size() + outputs.size());
    for (std::size_t i = 0; i < inputs.size(); ++i) values_.find(inputs[i], role::user_input);
    if (!to_.all_is_well("the inputs of graph ", number)) return false;
    if (index(to_.builder.current()) == 0 && !input_shapes(to_, chosen_.shapes).check(tensors, inputs, values_.met())) return false;
    for (std::size_t i = 0; i < operations.size(); ++i) {
      if (!nodes_.read(operations[i], i)) return false;
    }
    variables_.add_mutations();
    for (std::size_t i = 0; i < outputs.size(); ++i) to_.builder.output(values_.find(outputs[i], role::operand));
    if (!to_.all_is_well("the outputs of graph ", number)) return false;
    for (std::size_t i = 0; i < inputs.size(); ++i) to_.builder.add_input(values_.find(inputs[i], role::user_input));
    return true;
  }

  reading to_;
  operator_codes codes_;
  tensor_reader tensors_;
  graph_values values_;
  variable_scan found_;
  held_variables variables_;
  node_reader nodes_;
  choices chosen_;
  variable_form variable_form_;
};

/// Whether a model is too large to be read and checked in one constant: Clang, which allows 1,048,576 steps, takes some 1,800 a tensor or
/// operator.
constexpr auto is_large(span<const char> bytes) -> bool {
  using table = flatbuffer::table;
  byte_reader reader{bytes};
  const auto graphs = flatbuffer::root(reader).elements<table>(slot::model::subgraphs);
  std::size_t records = 0;
  for (std::size_t g = 0; g < graphs.size(); ++g) {
    const auto graph = graphs[g];
    records += graph.elements<table>(slot::subgraph::tensors).size() + graph.elements<table>(slot::subgraph::operators).size();
  }
  return records > 400;
}

}  // namespace baton::tflite::detail
