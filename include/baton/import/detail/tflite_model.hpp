// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The reader of a TFLite model: converts the root table and the graphs to a program.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/pool_sizes.hpp>
#include <baton/core/span.hpp>
#include <baton/import/detail/flatbuffer.hpp>
#include <baton/import/detail/loop_sizes.hpp>
#include <baton/import/detail/open_values.hpp>
#include <baton/import/detail/tflite_entry.hpp>
#include <baton/import/detail/tflite_graph_values.hpp>
#include <baton/import/detail/tflite_graph_variables.hpp>
#include <baton/import/detail/tflite_input_shapes.hpp>
#include <baton/import/detail/tflite_nodes.hpp>
#include <baton/import/detail/tflite_operator_codes.hpp>
#include <baton/import/detail/tflite_reading.hpp>
#include <baton/import/detail/tflite_schema.hpp>
#include <baton/import/detail/tflite_slots.hpp>
#include <baton/import/detail/tflite_tensors.hpp>
#include <baton/import/detail/tflite_variables.hpp>
#include <baton/import/shared/rules.hpp>
#include <baton/import/tflite_read_options.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton::tflite::detail {

/// The requested representation of resource variables in the program. A handle is a tensor by which operators refer to a variable.
/// - `states`: mutable buffers (buffers that keep their values from run to run). If the model does not meet the conditions of
///   `variable_scan`, the result is the same as for `handles`.
/// - `handles`: the handles and all nodes that use variables, as in the file.
enum class variable_representation : std::uint8_t { states, handles };

/// A reader of one model. A number in an error is the index of a tensor, operator or graph in the file.
class model_reader {
 public:
  constexpr model_reader(span<const char> bytes, const read_options& user_options, variable_representation variables)
      : reading_(bytes),
        codes_(reading_),
        tensors_(reading_),
        values_(reading_, tensors_),
        scan_(reading_.reader),
        variables_(reading_, scan_, values_, tensors_),
        nodes_(reading_, codes_, tensors_, values_, variables_),
        chosen_(user_options),
        variable_representation_(variables) {
    reading_.builder.define(user_options.operators);
  }
  model_reader(const model_reader&) = delete;  // its members refer to each other
  auto operator=(const model_reader&) -> model_reader& = delete;

  /// Returns the tensors of the root graph as values, in the file's order. `run` of another reader takes the result as `known`, so that two
  /// constant expressions share the work (`read_in_steps`). A value without a name marks a tensor that could not be read.
  constexpr auto read_tensors() -> exported_program {
    if (!open_model()) return {};
    const auto tensors = reading_.stored_graph(graph_id{0}).elements<table>(slot::subgraph::tensors);
    reading_.reserve(tensors.size(), 0);
    for (std::size_t i = 0; i < tensors.size() && reading_.reader.ok(); ++i) {
      auto record = tensors_.read(tensors[i], i);
      if (!reading_.check_errors("tensor ", i)) record.name = {};
      reading_.why = {};
      reading_.builder.add_value(record);
    }
    return reading_.builder.finish();
  }

  /// Reads the model and returns the program, without verifying it. `exported_program::integers` ends with a temporary list of the values
  /// with open sizes (sizes that the file does not state); `pop_open_shapes` removes this list. `known` is the result of `read_tensors`, or
  /// empty.
  constexpr auto run(const baton::program_view& known = {}) -> result<exported_program> {
    tensors_.set_known(known);
    if (!read_model()) return std::move(reading_.why);
    auto program = reading_.builder.finish();
    if (!values_.open().empty() && program.graphs.size() > 1) baton::detail::loop_sizes(program, values_.open()).copy();
    baton::detail::push_open_shapes(program, values_.open());
    return program;
  }

 private:
  using table = flatbuffer::table;

  /// Reads the root table and finds the graph of the entry point.
  constexpr auto open_model() -> bool {
    if (!flatbuffer::has_identifier(reading_.reader, file_identifier))
      return reading_.refuse<"foreign_file">("TensorFlow Lite files have the identifier TFL3 at byte 4");
    const auto model = flatbuffer::root(reading_.reader);
    const auto version = model.scalar<std::uint32_t>(slot::model::version);
    const auto buffers = model.elements<table>(slot::model::buffers);
    const auto codes = model.elements<table>(slot::model::operator_codes);
    const auto graphs = model.elements<table>(slot::model::subgraphs);
    if (!reading_.check_errors("the root table")) return false;
    if (version != schema_version)
      return reading_.refuse<"unsupported_model">("the file has version ", version, " of the format; the importer reads version ",
                                                  schema_version);
    if (graphs.empty()) return reading_.refuse<"damaged_model">("there is no graph");
    tensors_.set_buffers(buffers);
    for (std::size_t i = 0; i < codes.size(); ++i) {
      codes_.add(codes[i]);
      if (!reading_.check_errors("operator code ", i)) return false;
    }
    nodes_.read_arena_offsets();
    if (variable_representation_ == variable_representation::states) scan_.run(graphs, buffers, codes_.variable_uses());
    if (!reading_.check_errors("the variables")) return false;
    const auto entry = find_entry(model, chosen_.entry);
    if (!reading_.check_errors("the signatures")) return false;
    if (!entry) reading_.why = entry.error;
    reading_.set_graphs(graphs);
    return entry && reading_.find_graph(entry.value) != none<graph_id>;
  }

  constexpr auto read_model() -> bool {
    if (!open_model()) return false;
    for (std::uint32_t g = 0; g < reading_.graph_count(); ++g) {
      const auto id = static_cast<graph_id>(g);
      reading_.builder.enter(id);
      if (!reading_.check_errors("graph ", reading_.number_of(id)) || !read_graph(reading_.stored_graph(id), reading_.number_of(id)))
        return false;
    }
    return true;
  }

  constexpr auto read_graph(const table& stored, std::uint32_t number) -> bool {
    const auto tensors = stored.elements<table>(slot::subgraph::tensors);
    const auto inputs = stored.elements<std::int32_t>(slot::subgraph::inputs);
    const auto outputs = stored.elements<std::int32_t>(slot::subgraph::outputs);
    const auto operations = stored.elements<table>(slot::subgraph::operators);
    values_.begin(tensors, operations);
    nodes_.begin(stored);
    if (variables_.are_mutable_buffers()) variables_.begin(tensors.size());
    if (index(reading_.builder.current()) == 0) reading_.reserve(tensors.size(), operations.size());
    reading_.charge_elements(inputs.size() + outputs.size());
    for (std::size_t i = 0; i < inputs.size(); ++i) values_.find(inputs[i], role::user_input);
    if (!reading_.check_errors("the inputs of graph ", number)) return false;
    if (index(reading_.builder.current()) == 0 && !input_shapes(reading_, chosen_.shapes).check(tensors, inputs, values_.values()))
      return false;
    for (std::size_t i = 0; i < operations.size(); ++i) {
      if (!nodes_.read(operations[i], i)) return false;
    }
    variables_.add_mutations();
    for (std::size_t i = 0; i < outputs.size(); ++i) reading_.builder.output(values_.find(outputs[i], role::operand));
    if (!reading_.check_errors("the outputs of graph ", number)) return false;
    for (std::size_t i = 0; i < inputs.size(); ++i) reading_.builder.add_input(values_.find(inputs[i], role::user_input));
    return true;
  }

  reading reading_;
  operator_codes codes_;
  tensor_reader tensors_;
  graph_values values_;
  variable_scan scan_;
  graph_variables variables_;
  node_reader nodes_;
  read_options chosen_;
  variable_representation variable_representation_;
};

/// The numbers of tensors and operators in all graphs of a model.
struct record_counts {
  std::uint32_t tensors = 0;
  std::uint32_t operators = 0;
};
constexpr auto count_records(span<const char> bytes) -> record_counts {
  using table = flatbuffer::table;
  byte_reader reader{bytes};
  const auto graphs = flatbuffer::root(reader).elements<table>(slot::model::subgraphs);
  record_counts counts;
  for (std::size_t g = 0; g < graphs.size(); ++g) {
    const auto graph = graphs[g];
    counts.tensors += static_cast<std::uint32_t>(graph.elements<table>(slot::subgraph::tensors).size());
    counts.operators += static_cast<std::uint32_t>(graph.elements<table>(slot::subgraph::operators).size());
  }
  return counts;
}

/// True if a model is too large to be read and checked in one constant expression. By default, Clang allows 1,048,576 steps per constant
/// expression. Clang needs about 1,800 steps per tensor or operator.
constexpr auto is_large(span<const char> bytes) -> bool {
  const auto counts = count_records(bytes);
  return counts.tensors + counts.operators > 400;
}

/// Returns sizes of the pools that are large enough for most models. The pools are the flat arrays of a program. The sizes follow
/// `reading::reserve`, with additional room for open sizes. The size of the byte pool is not estimated.
constexpr auto expected_sizes(span<const char> bytes) -> pool_sizes {
  const auto [tensors, operators] = count_records(bytes);
  return {16, operators, tensors + 16, 6 * operators, 7 * operators, 8 * tensors, 16, 0, 16, 16, 16, 16, 64, 16, 16};
}

}  // namespace baton::tflite::detail
