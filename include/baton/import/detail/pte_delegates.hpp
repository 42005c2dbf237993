// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Converts the delegate calls of an ExecuTorch program to calls of lowered modules (`lowered_module`).
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/detail/flatbuffer.hpp>
#include <baton/import/detail/pte_decoded.hpp>
#include <baton/import/detail/pte_file.hpp>
#include <baton/import/detail/pte_kernel_calls.hpp>
#include <baton/import/detail/pte_operators.hpp>
#include <baton/import/detail/pte_reading.hpp>
#include <baton/import/detail/pte_schema.hpp>
#include <baton/import/detail/pte_scope.hpp>
#include <baton/import/detail/pte_values.hpp>
#include <baton/import/shared/rules.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::pte::detail {

/// An emitter of delegate calls. It adds a lowered module for each call, with the processed bytes and the compile specs of the file.
/// Processed bytes are the result of a backend's `preprocess`, and compile specs are its key-value options.
/// - Named data are bytes that delegates look up by key. A file does not state which named data a delegate uses. So every lowered module
///   has all named data of the program and of the external files.
/// - The delegate replaces the original graph of the lowered module, the graph before `preprocess`. If the processed bytes can be decoded
///   (`decoded_graphs`), the decoded graph becomes the original graph, and the call has the attribute `decoded`. Otherwise, the original
///   graph has one node, `executorch.opaque_part`, with the operands and outputs of the call.
/// - `Method` reads the programs that delegates contain.
template <class Method>
class delegate_calls {
 public:
  using arguments = call_reader::arguments;

  constexpr delegate_calls(reading& from, method_values& values, kernel_calls& nodes, scope_values& in, const table& method)
      : model_(from),
        values_(values),
        nodes_(nodes),
        scopes_(in),
        decoded_(from, nodes, in),
        stored_(method.elements<table>(slot::execution_plan::delegates)) {}

  /// Adds instruction `at`, a call of delegate `index`. The arguments `list` must have been checked (`call_reader::check`). Returns false
  /// after an error.
  constexpr auto emit(scope& in, std::int64_t index, const arguments& list, std::size_t at) -> bool {
    if (index < 0 || static_cast<std::size_t>(index) >= stored_.size())
      return model_.refuse<"damaged_model">("instruction ", at, " calls delegate ", index, ", but the number of delegates is ",
                                            stored_.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (!values_.is_tensor(call_reader::number_at(list, i)))
        return model_.refuse<"unsupported_model">("argument ", i, " of instruction ", at, ", a delegate call, is not a tensor");
    }
    const auto inputs = input_count(in, list);
    if (inputs == list.size()) return model_.refuse<"damaged_model">("instruction ", at, ", a delegate call, writes nothing");
    vector<value_id> operands;
    vector<value_id> outputs;
    for (std::size_t i = 0; i < inputs && !model_.why; ++i) operands.push_back(scopes_.read(in, call_reader::number_at(list, i)));
    if (model_.why) return false;
    for (std::size_t i = inputs; i < list.size(); ++i) {
      const auto number = call_reader::number_at(list, i);
      if (!model_.options.shapes.empty() && values_.tensor(number).is_dynamic)
        return model_.refuse<"unresolved_type">("the sizes of an output of instruction ", at,
                                                ", a delegate call, do not follow from its operands");
      outputs.push_back(scopes_.add_output(in, number, nodes_.name_of(number, at)));
    }
    if (!model_.check_errors("instruction ", at)) return false;
    const auto module = add_module(stored_[static_cast<std::size_t>(index)], operands, outputs, at);
    if (module == none<delegate_id>) return false;
    nodes_.add_node(call_delegate, at, operands, outputs);
    model_.builder.latest_node().delegate = module;
    if (is_decoded_) nodes_.add_integer("decoded", 1);
    nodes_.add_orders(operands, outputs);
    return model_.check_errors("instruction ", at);
  }

 private:
  /// Returns the number of inputs of a call. The inputs precede the outputs. All arguments up to the last argument with a value are inputs.
  /// Omitted views directly after that argument are also inputs. An omitted view is the output of a view operator that the exporter has
  /// removed (`memory_contents`). The last argument is never taken for an omitted view, because a call writes at least one output. Any
  /// other argument without a value is an omitted view if its memory contains another value, and no node has used that value yet. If a node
  /// has used it, the exporter has reused the memory for an output.
  constexpr auto input_count(const scope& in, const arguments& list) -> std::size_t {
    auto inputs = list.size();
    while (inputs > 0 && scopes_.is_unwritten(in, call_reader::number_at(list, inputs - 1))) --inputs;
    for (std::size_t i = inputs; i + 1 < list.size(); ++i) {
      const auto base = scopes_.viewed(in, call_reader::number_at(list, i));
      if (base == npos || in.names.current(base) == none<value_id> || has_user(in.names.current(base))) break;
      inputs = i + 1;
    }
    return inputs;
  }
  /// True if a node uses a value.
  constexpr auto has_user(value_id id) -> bool {
    const auto& draft = model_.builder.draft();
    model_.reader.charge(draft.nodes.size() + draft.operands.size());
    for (const auto& record : draft.nodes) {
      for (std::uint32_t i = 0; i < record.inputs.size; ++i) {
        if (draft.operands[record.inputs.first + i] == id) return true;
      }
    }
    return false;
  }

  constexpr auto add_module(const table& stored, span<const value_id> operands, span<const value_id> outputs, std::size_t at)
      -> delegate_id {
    lowered_module_ref module;
    const auto number = model_.builder.draft().delegates.size();
    module.name = model_.own(join("lowered_module_", number));
    module.backend_id = model_.view(stored.text(slot::delegate::id));
    const auto user = join("the delegate of instruction ", at);
    if (module.backend_id.size == 0) model_.refuse<"damaged_model">(baton::view(user), " has no backend id");
    module.processed_bytes = model_.view(processed_bytes(stored.child(slot::delegate::processed), baton::view(user)));
    module.compile_specs = compile_specs(stored.elements<table>(slot::delegate::compile_specs));
    module.named_data = named_data();
    if (!model_.check_errors(baton::view(user))) return none<delegate_id>;
    model_.reader.charge(2 * reading::cost_of_record);
    const auto id = static_cast<delegate_id>(number);
    model_.builder.draft().delegates.push_back(module);
    auto original = none<graph_id>;
    if (!model_.options.keeps_processed_bytes) {
      const auto& draft = model_.builder.draft();
      original = decoded_.add({.id = id,
                               .backend_id = draft.text(module.backend_id),  // a view of the file, so it stays valid
                               .name = module.name,
                               .bytes = draft.data(module.processed_bytes),
                               .named_data = module.named_data,
                               .operands = operands,
                               .outputs = outputs,
                               .at = at});
    }
    if (model_.why) return none<delegate_id>;
    is_decoded_ = original != none<graph_id>;
    if (!is_decoded_) original = add_original(module.name, operands, outputs, at);
    model_.builder.draft().delegates[number].original = original;
    return id;
  }

  constexpr auto processed_bytes(const table& stored, std::string_view user) -> span<const char> {
    if (!stored) {
      model_.refuse<"damaged_model">(user, " does not state where its processed bytes are");
      return {};
    }
    const auto index = stored.scalar<std::uint32_t>(slot::delegate_data::index);
    const auto location = stored.scalar<std::uint8_t>(slot::delegate_data::location);
    if (location == 1) return model_.segment(index, user);
    const auto inline_data = model_.root().elements<table>(slot::program::backend_delegate_data);
    if (location == 0 && index < inline_data.size()) return inline_data[index].bytes(slot::buffer::bytes);
    if (location == 0) {
      model_.refuse<"damaged_model">(user, " has its processed bytes in entry ", index, " of the program, but the number of entries is ",
                                     inline_data.size());
    } else {
      model_.refuse<"damaged_model">(user, " has its processed bytes in the unknown location ", location);
    }
    return {};
  }

  constexpr auto compile_specs(const flatbuffer::vector<table>& stored) -> range {
    auto& pool = model_.builder.draft().compile_specs;
    const auto first = static_cast<std::uint32_t>(pool.size());
    model_.reader.charge(reading::cost_of_record * stored.size());
    for (std::size_t i = 0; i < stored.size() && model_.reader.ok(); ++i) {
      pool.push_back({model_.view(stored[i].text(slot::compile_spec::key)), model_.view(stored[i].bytes(slot::compile_spec::value))});
    }
    return {first, static_cast<std::uint32_t>(pool.size()) - first};
  }

  /// Returns the range of the named data of the program and of the external files. Adds the data at the first call. All lowered modules
  /// share this range.
  constexpr auto named_data() -> range {
    if (has_named_data_) return named_data_;
    has_named_data_ = true;
    const auto first = static_cast<std::uint32_t>(model_.builder.draft().named_data.size());
    const auto stored = model_.root().elements<table>(slot::program::named_data);
    for (std::size_t i = 0; i < stored.size() && model_.reader.ok() && !model_.why; ++i) {
      const auto user = join("named data ", i);
      const auto key = stored[i].text(slot::named_data::key);
      add_named_data(key, model_.segment(stored[i].scalar<std::uint32_t>(slot::named_data::segment_index), baton::view(user)), {});
    }
    for (const auto& file : model_.options.files) add_file(file);
    named_data_ = {first, static_cast<std::uint32_t>(model_.builder.draft().named_data.size()) - first};
    return named_data_;
  }
  constexpr void add_file(const read_options::file& file) {
    data_file data(file.bytes);
    for (std::size_t i = 0; i < data.size() && data.ok() && model_.reader.ok(); ++i)
      add_named_data(data.key(i), data.bytes(i), file.location);
    static_cast<void>(model_.check(data, file));
  }
  constexpr void add_named_data(std::string_view key, span<const char> bytes, std::string_view file) {
    model_.reader.charge(reading::cost_of_record);
    named_data_ref record;
    record.key = model_.view(key);
    record.data = model_.view(bytes);
    record.external_tag = model_.view(file);
    record.is_view = true;
    model_.builder.draft().named_data.push_back(record);
  }

  /// Adds the original graph: an input for each operand of the call, one opaque node, and an output for each output of the call.
  constexpr auto add_original(byte_ref name, span<const value_id> operands, span<const value_id> outputs, std::size_t at) -> graph_id {
    auto& builder = model_.builder;
    const auto here = builder.current();
    auto original = scopes_.add_graph(name);
    vector<value_id> inputs;
    vector<value_id> results;
    for (const auto id : operands) inputs.push_back(scopes_.add_input_like(original, id));
    for (const auto id : outputs) results.push_back(scopes_.add_like(original, id));
    nodes_.add_node("executorch.opaque_part", at, inputs, results);
    nodes_.add_orders(inputs, results);
    for (const auto id : results) builder.output(id);
    builder.enter(here);
    return original.graph;
  }

  reading& model_;
  method_values& values_;
  kernel_calls& nodes_;
  scope_values& scopes_;
  decoded_graphs<Method> decoded_;
  flatbuffer::vector<table> stored_;
  bool is_decoded_ = false;  ///< true if the processed bytes of the latest delegate have been decoded
  bool has_named_data_ = false;
  range named_data_{};
};

}  // namespace baton::pte::detail
