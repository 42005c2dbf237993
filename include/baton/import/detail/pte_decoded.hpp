// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Decodes delegates whose processed bytes have a known format, and adds their original graphs. Processed bytes are the result of a
// backend's `preprocess`; an original graph is the graph before `preprocess`.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/graph/copy.hpp>
#include <baton/import/detail/pte_kernel_calls.hpp>
#include <baton/import/detail/pte_reading.hpp>
#include <baton/import/detail/pte_scope.hpp>
#include <baton/import/detail/pte_vela.hpp>
#include <baton/import/detail/pte_xnnpack_graph.hpp>
#include <baton/import/shared/rules.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::pte::detail {

/// A delegate call, and the delegate that it calls.
struct call_of_delegate {
  delegate_id id;
  std::string_view backend_id;
  byte_ref name;
  span<const char> bytes;  ///< the processed bytes
  range named_data;
  span<const value_id> operands;
  span<const value_id> outputs;
  std::size_t at;  ///< the position of the instruction
};

/// A decoder of delegates whose processed bytes have a known format. It adds the original graphs of these delegates. If a delegate contains
/// a program, `Method` reads this program. These formats are known:
/// - `ExecutorBackend`: the processed bytes are a program (.pte). The original graph is the default method of this program.
/// - `XnnpackBackend`: the processed bytes are a graph of XNNPACK. The original graph has operators of Baton's kernels (`xnnpack_decoder`).
/// - `EthosUBackend`: the processed bytes are the output of Vela, Arm's compiler for Ethos-U. The original graph has one node with the
///   operator `tfl.custom.ethos-u`. The constants of the node are views of the processed bytes.
template <class Method>
class decoded_graphs {
 public:
  constexpr decoded_graphs(reading& from, kernel_calls& nodes, scope_values& in) : model_(from), nodes_(nodes), scopes_(in) {}

  /// Adds the original graph of a delegate, and returns its id. Returns `none` if the format of the processed bytes is not known, and after
  /// an error.
  constexpr auto add(const call_of_delegate& call) -> graph_id {
    const auto here = model_.builder.current();
    auto graph = none<graph_id>;
    if (call.backend_id == "ExecutorBackend") graph = add_program(call);
    if (call.backend_id == "XnnpackBackend") graph = add_xnnpack(call);
    if (call.backend_id == "EthosUBackend" && is_vela_stream(call.bytes)) graph = add_vela(call);
    model_.builder.enter(here);
    return model_.why ? none<graph_id> : graph;
  }

 private:
  /// The maximum nesting of programs. It bounds the recursion of the importer.
  static constexpr std::uint32_t max_depth = 8;

  constexpr void refuse(const call_of_delegate& call, const failure& why) {
    if (model_.why) return;
    model_.why = why;
    model_.why.reason = join("the delegate of instruction ", call.at, ", ", call.backend_id, ", whose processed bytes are at byte ",
                             model_.position_of(call.bytes), ": ", baton::view(why.reason));
  }
  template <fixed_string Rule, class... Parts>
  constexpr void refuse(const call_of_delegate& call, Parts... reason) {
    refuse(call, broken<Rule>(reason...));
  }

  // A program in a program

  constexpr auto add_program(const call_of_delegate& call) -> graph_id {
    auto result = none<graph_id>;
    // Nested programs do not share bytes. So in a valid file, their total size is at most the size of the file.
    program_bytes_ += call.bytes.size();
    if (program_bytes_ > model_.file_bytes()) {
      refuse<"damaged_model">(call, "the programs of several delegates overlap");
    } else if (model_.depth >= max_depth) {
      refuse<"unsupported_model">(call, "programs are nested deeper than ", max_depth, " levels");
    } else if (const auto program = Method::read_nested(call.bytes, model_.options, model_.depth + 1); !program) {
      refuse(call, program.error);
    } else if (matches(program.value, call)) {
      const auto& draft = model_.builder.draft();
      const auto values = draft.values.size(), nodes = draft.nodes.size(), modules = draft.delegates.size();
      program_copier copier(program.value, model_.builder);
      result = copier.copy_graph(graph_id{0});
      model_.builder.draft().graphs[index(result)].name = call.name;
      scopes_.note_values();
      adopt(call, values, nodes, modules);
    }
    return result;
  }

  /// Prefixes the names of a copied program with the name of the lowered module (`lowered_module`). `values`, `nodes` and `modules` are the
  /// positions of the first copied records. The copied nodes get the debug handle of the call, because debug handles are positions of
  /// instructions in the outer file. A debug handle is the number that identifies a node of the model.
  constexpr void adopt(const call_of_delegate& call, std::size_t values, std::size_t nodes, std::size_t modules) {
    auto& draft = model_.builder.draft();
    for (; values < draft.values.size(); ++values) {
      const auto name = draft.values[values].name, target = draft.values[values].target;
      draft.values[values].name = prefixed(call, name);
      draft.values[values].target = prefixed(call, target);
    }
    for (; nodes < draft.nodes.size(); ++nodes) {
      const auto name = draft.nodes[nodes].name;
      draft.nodes[nodes].name = prefixed(call, name);
      draft.nodes[nodes].debug_handle = static_cast<std::uint32_t>(call.at + 1);
    }
    for (; modules < draft.delegates.size(); ++modules) {
      const auto name = draft.delegates[modules].name;
      draft.delegates[modules].name = prefixed(call, name);
    }
  }
  constexpr auto prefixed(const call_of_delegate& call, byte_ref name) -> byte_ref {
    if (name.size == 0) return name;
    const auto& draft = model_.builder.draft();
    const auto text = join(draft.text(call.name), ".", draft.text(name));
    return model_.builder.own(baton::view(text));
  }

  /// True if the inputs and outputs of a program match the call. Otherwise, records an error.
  constexpr auto matches(const program_view& program, const call_of_delegate& call) -> bool {
    vector<value_id> inputs, outputs;
    for (const auto id : program.inputs(program.root())) {
      if (program[id].kind == value_kind::mutable_buffer) {
        refuse<"unsupported_model">(call, "its program changes the buffer ", program.text(program[id].target));
        return false;
      }
      if (program[id].kind == value_kind::user_input) inputs.push_back(id);
    }
    for (const auto& spec : program.outputs_of(program.root())) outputs.push_back(spec.value);
    return have_same_types(program, call, inputs, call.operands, "input") &&
           have_same_types(program, call, outputs, call.outputs, "output");
  }
  constexpr auto have_same_types(const program_view& program, const call_of_delegate& call, span<const value_id> inner,
                                 span<const value_id> outer, std::string_view kind) -> bool {
    if (inner.size() != outer.size()) {
      refuse<"damaged_model">(call, "its program has ", inner.size(), " ", kind, "s, but the call has ", outer.size());
      return false;
    }
    for (std::size_t i = 0; i < inner.size(); ++i) {
      const auto& record = model_.builder.at(outer[i]);
      const auto shape = model_.builder.draft().integer_list(record.shape), other = program.shape(inner[i]);
      bool is_same = record.type == program[inner[i]].type && shape.size() == other.size();
      for (std::size_t d = 0; is_same && d < shape.size(); ++d) is_same = shape[d] == other[d];
      if (is_same) continue;
      refuse<"damaged_model">(call, kind, " ", i, " of its program has another type or shape than in the call");
      return false;
    }
    return true;
  }

  // A graph of XNNPACK

  constexpr auto add_xnnpack(const call_of_delegate& call) -> graph_id {
    auto original = scopes_.add_graph(call.name);
    const auto user = join("the delegate of instruction ", call.at), prefix = join("part_", index(call.id), "_");
    static_cast<void>(xnnpack_.decode(model_, scopes_, original,
                                      {.processed_bytes = call.bytes,
                                       .named_data = call.named_data,
                                       .name_in_messages = baton::view(user),
                                       .prefix = baton::view(prefix),
                                       .operands = call.operands,
                                       .results = call.outputs}));
    return original.graph;
  }

  // The output of Vela

  constexpr auto add_vela(const call_of_delegate& call) -> graph_id {
    const auto read = vela_reader(call.bytes).run();
    if (!read) {
      refuse(call, read.error);
      return none<graph_id>;
    }
    const auto& stream = read.value;
    if (!fits(call, call.operands, stream.inputs, "input") || !fits(call, call.outputs, stream.outputs, "output")) return none<graph_id>;
    auto original = scopes_.add_graph(call.name);
    const auto scratch = scopes_.add(original, bytes_record(call, "scratch", value_kind::scratch, stream.scratch_bytes), 0);
    vector<value_id> operands{add_constant(call, original, "commands", stream.commands),
                              add_constant(call, original, "weights", stream.weights), scratch, scratch};
    vector<std::int64_t> offsets{-1, -1, 0, 0};
    vector<value_id> results;
    for (std::size_t i = 0; i < call.operands.size(); ++i) {
      operands.push_back(scopes_.add_input_like(original, call.operands[i]));
      offsets.push_back(std::int64_t{stream.inputs[i].offset});
    }
    for (std::size_t i = 0; i < call.outputs.size(); ++i) {
      results.push_back(scopes_.add_like(original, call.outputs[i]));
      offsets.push_back(std::int64_t{stream.outputs[i].offset});
    }
    nodes_.add_node("tfl.custom.ethos-u", call.at, operands, results);
    nodes_.add_list("arena_offsets", offsets);
    nodes_.add_orders(operands, results);
    for (const auto id : results) model_.builder.output(id);
    return original.graph;
  }
  /// True if the values of the call have the sizes and element sizes that the commands expect. Otherwise, records an error. Shapes are not
  /// compared, because elements are passed in memory order, as in ExecuTorch.
  constexpr auto fits(const call_of_delegate& call, span<const value_id> values, span<const vela_stream::place> places,
                      std::string_view kind) -> bool {
    if (values.size() != places.size()) {
      refuse<"damaged_model">(call, "its commands have ", places.size(), " ", kind, "s, but the call has ", values.size());
      return false;
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto& record = model_.builder.at(values[i]);
      const auto bytes = byte_count(record.type, model_.builder.draft().integer_list(record.shape));
      const auto& place = places[i];
      if (static_cast<std::int64_t>(place.bytes) == bytes && place.element_bytes == facts(record.type).bits / 8) continue;
      refuse<"damaged_model">(call, kind, " ", i, " has ", bytes, " bytes in the call and ", place.bytes,
                              " bytes in the commands, in elements of ", place.element_bytes, " bytes");
      return false;
    }
    return true;
  }
  constexpr auto bytes_record(const call_of_delegate& call, std::string_view name, value_kind kind, std::size_t size) -> value {
    const std::int64_t shape[] = {static_cast<std::int64_t>(size)};
    return {
        .name = prefixed(call, program_builder::view(name)), .type = dtype::uint8, .kind = kind, .shape = model_.builder.integers(shape)};
  }
  constexpr auto add_constant(const call_of_delegate& call, scope& original, std::string_view name, span<const char> bytes) -> value_id {
    auto record = bytes_record(call, name, value_kind::constant, bytes.size());
    record.target = record.name;
    record.data = model_.view(bytes);
    return scopes_.add_input(original, record, 0);
  }

  reading& model_;
  kernel_calls& nodes_;
  scope_values& scopes_;
  xnnpack_decoder xnnpack_;
  std::uint64_t program_bytes_ = 0;  ///< the total size of the nested programs
};

}  // namespace baton::pte::detail
