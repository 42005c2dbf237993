// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A program as tables for a terminal: operators, quantization, delegates, and memory.
#pragma once

#include <baton/backend/lowered_module.hpp>
#include <baton/core/decimal.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/nested_graphs.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/operators/shared/control_flow.hpp>
#include <baton/plan/memory_plan.hpp>
#include <baton/report/detail/memory_text.hpp>
#include <baton/report/detail/range_text.hpp>
#include <baton/report/detail/segments.hpp>
#include <baton/report/shared/table.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace baton::report {

namespace detail {

/// Returns the type of a tensor as text: `int8[1,96,96,1]`. An unknown size is printed as `?`. Returns `-` for an omitted value.
constexpr auto type_text(const program_view& program, value_id id) -> text_buffer {
  if (id == none<value_id>) return join("-");
  auto text = join(facts(program[id].type).name, "[");
  bool is_first = true;
  for (const auto size : program.shape(id)) {
    if (!is_first) text.push_back(',');
    is_first = false;
    if (size < 0) {
      text.push_back('?');
    } else {
      append(text, size);
    }
  }
  text.push_back(']');
  return text;
}

/// Returns the types of values as text, separated by spaces. A long list is cut, and ends with the number of omitted values.
constexpr auto types_text(const program_view& program, span<const value_id> ids) -> text_buffer {
  text_buffer text;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (text.size() > line_width / 2) return append(append(append(text, " and "), static_cast<std::int64_t>(ids.size() - i)), " more");
    if (i != 0) text.push_back(' ');
    append(text, view(type_text(program, ids[i])));
  }
  return text;
}

constexpr auto user_inputs(const program_view& program, const graph& record) -> vector<value_id> {
  vector<value_id> values;
  for (const auto id : program.inputs(record)) {
    if (program[id].kind == value_kind::user_input) values.push_back(id);
  }
  return values;
}

}  // namespace detail

/// Returns the nodes of a graph, one per line: index, name, operator, and the types of operands and outputs. `-` is an omitted operand.
constexpr auto operator_table(const program_view& program, graph_id id = graph_id{0}, std::size_t width = line_width) -> text_buffer {
  const auto& graph = program[id];
  table rows(width, {">#", "node", "operator", "operands", "outputs"});
  for (std::uint32_t n = graph.nodes.first; n < graph.nodes.first + graph.nodes.size; ++n) {
    const auto& record = program.nodes[n];
    rows.row({join(n), printable(program.text(record.name)), printable(program.text(record.target)),
              detail::types_text(program, program.inputs(record)), detail::types_text(program, program.outputs_of(record))});
  }
  return rows.print(join("operators of ", view(printable(program.text(graph.name))), ": ", graph.nodes.size, "\n"));
}

namespace detail {

/// Returns the quantization of a tensor as text: `0.5 zero point 3` for one scale, `per channel (16) axis 3` for several.
constexpr auto quantization_text(const program_view& program, value_id id) -> text_buffer {
  const auto& quant = program[id].quant;
  if (quant.channels > 1) return join("per channel (", quant.channels, ") axis ", quant.axis);
  text_buffer text;
  append_real(text, program.scale(quant));
  if (program.zero_point(quant) != 0) append(append(text, " zero point "), program.zero_point(quant));
  return text;
}

constexpr auto is_quantized(const program_view& program, value_id id) -> bool {
  return id != none<value_id> && program[id].quant.channels != 0;
}

/// Returns the quantization of the quantized values in `ids`. Includes only owned data (parameters, buffers and constants) if `is_owned` is
/// true, and only other values if `is_owned` is false.
constexpr auto quantizations_text(const program_view& program, span<const value_id> ids, bool is_owned) -> text_buffer {
  text_buffer text;
  for (const auto id : ids) {
    if (!is_quantized(program, id) || is_owned_data(program[id].kind) != is_owned) continue;
    if (!text.empty()) append(text, ", ");
    append(text, view(quantization_text(program, id)));
  }
  return text;
}

}  // namespace detail

/// Returns the quantization of a graph's values, with one line for each user input and each node. A user input is a tensor that the caller
/// passes to a run. A line has the scale, and the zero point unless the zero point is 0. The line of a node describes the node's outputs,
/// and those operands that are weights or other owned data (`is_owned_data`), in operand order. Values without quantization are omitted.
constexpr auto quantization_table(const program_view& program, graph_id id = graph_id{0}, std::size_t width = line_width) -> text_buffer {
  const auto& graph = program[id];
  table rows(width, {">#", "node", "scale of outputs", "scales of constants"});
  std::size_t count = 0;
  const auto add = [&](const text_buffer& where, byte_ref name, const text_buffer& outputs, const text_buffer& constants) {
    if (outputs.empty() && constants.empty()) return;
    ++count;
    rows.row({where, printable(program.text(name)), outputs, constants});
  };
  for (const auto input : detail::user_inputs(program, graph)) {
    add(join("input"), program[input].name, detail::quantizations_text(program, span{&input, 1}, false), {});
  }
  for (std::uint32_t n = graph.nodes.first; n < graph.nodes.first + graph.nodes.size; ++n) {
    const auto& record = program.nodes[n];
    add(join(n), record.name, detail::quantizations_text(program, program.outputs_of(record), false),
        detail::quantizations_text(program, program.inputs(record), true));
  }
  const auto title = join("quantization of ", view(printable(program.text(graph.name))), count == 0 ? ": none\n" : "\n");
  if (count == 0) return title;
  return rows.print(title);
}

/// The backend or kernels that compute an undelegated node, and the reason why the node is not delegated. A member is empty if its content
/// is unknown.
struct undelegated_reason {
  text_buffer computed_by;
  text_buffer reason;
  text_buffer float_reason{};  ///< why a node of a quantized model computes in float32; empty if the node does not compute in float32

  constexpr auto operator==(const undelegated_reason&) const -> bool = default;
};

namespace detail {

constexpr auto node_names(const program_view& program, span<const node> nodes) -> vector<text_buffer> {
  vector<text_buffer> names;
  for (const auto& record : nodes) names.push_back(printable(program.text(record.name)));
  return names;
}

/// Returns the arguments of a delegate call: the types of the computed values, and the number of values that are weights or other owned
/// data.
constexpr auto arguments_text(const program_view& program, const node& call) -> text_buffer {
  vector<value_id> computed;
  for (const auto id : program.inputs(call)) {
    if (id == none<value_id> || !is_owned_data(program[id].kind)) computed.push_back(id);
  }
  auto text = types_text(program, computed);
  const auto constants = call.inputs.size - computed.size();
  if (constants != 0)
    append(append(append(text, text.empty() ? "" : " and "), static_cast<std::int64_t>(constants)),
           constants == 1 ? " constant" : " constants");
  return text;
}

constexpr void add_delegate(table& rows, const program_view& program, const node& call, std::uint32_t at) {
  const auto& module = program[call.delegate];
  const auto inner = program.nodes_of(program[module.original]);
  rows.row({join(at), printable(program.text(module.backend_id)), join(inner.size()), join(module.processed_bytes.size),
            join(module.scratch_bytes)});
  rows.below(words_of(view(join(program.text(module.name), "(", view(arguments_text(program, call)), ") -> ",
                                view(types_text(program, program.outputs_of(call)))))));
  rows.below(node_names(program, inner));
}

/// Returns the title and the table of one graph. The table lists the graph's delegates, and the ranges of nodes that are not delegated.
/// Node numbers are indices in the program, as in `operator_table`.
template <class Explain>
constexpr auto graph_partitions(const program_view& program, graph_id id, const Explain& explain, std::size_t width) -> text_buffer {
  const auto nodes = program.nodes_of(program[id]);
  const auto first = program[id].nodes.first;
  table rows(width, {">#", "assigned to", ">nodes", ">processed bytes", ">scratch bytes"});
  std::size_t delegates = 0;
  std::size_t delegated = 0;
  std::size_t undelegated = 0;
  for (std::uint32_t n = 0; n < nodes.size();) {
    if (nodes[n].delegate != none<delegate_id>) {
      add_delegate(rows, program, nodes[n], first + n);
      ++delegates;
      delegated += program[program[nodes[n].delegate].original].nodes.size;
      ++n;
      continue;
    }
    undelegated_reason why = explain(program, nodes[n]);
    auto end = n + 1;
    while (end < nodes.size() && nodes[end].delegate == none<delegate_id> && explain(program, nodes[end]) == why) ++end;
    if (why.computed_by.empty()) why.computed_by = join("-");
    rows.row({range_text(first + n, first + end - 1), why.computed_by, join(end - n), join("-"), join("-")});
    if (!why.reason.empty()) rows.below(words_of(view(join("not delegated: ", view(why.reason)))));
    rows.below(node_names(program, nodes.subspan(n, end - n)));
    undelegated += end - n;
    n = end;
  }
  auto title = join("partition");
  if (id != graph_id{0}) append(append(title, " of "), view(printable(program.text(program[id].name))));
  return rows.print(join(view(title), ": ", delegated, " of ", delegated + undelegated, " nodes delegated, in ", delegates,
                         delegates == 1 ? " part\n" : " parts\n"));
}

}  // namespace detail

/// Returns the delegates of a (lowered) program, with one table for the root graph and for each branch and loop body. A table lists each
/// delegate with its nodes, the types of the call's arguments and outputs, and the sizes of processed bytes and scratch. Processed bytes
/// are the result of a backend's `preprocess`; scratch is working memory. A table also lists the ranges of nodes that are not delegated;
/// `explain(program, node)` returns an `undelegated_reason` for such a node.
template <class Explain>
constexpr auto partition_table(const program_view& program, Explain explain, std::size_t width = line_width) -> text_buffer {
  text_buffer text;
  for (const auto id : nested_graphs(program, graph_id{0}, reach::branches)) {
    append(text, view(detail::graph_partitions(program, id, explain, width)));
  }
  return text;
}
/// Same as the overload above, without reasons and with lines of `line_width` characters.
constexpr auto partition_table(const program_view& program) -> text_buffer {
  return partition_table(program, [](const program_view&, const node&) { return undelegated_reason{}; });
}

/// Returns the tables of a memory plan. The first tables, one for each graph that runs, have the offsets and lifetimes of values. Offsets
/// of the root graph are relative to the arena. In a split arena, they are relative to the region, which is the fast or the slow memory.
/// Offsets of another graph are relative to the memory of the node that calls this graph. Values that share memory have one line; lines are
/// in order of first use. Sizes in bytes are rounded up to the alignment. The last step of a graph, after all nodes, reads the outputs.
/// Lifetimes are drawn if the graph has at most 40 steps, including this one.
///
/// Further tables follow if they are not empty. These tables describe outputs that overlap operands, nodes that run row by row, proposals,
/// and copies at the ends of graphs.
constexpr auto memory_table(const program_view& program, const memory_plan& plan, std::size_t width = line_width) -> text_buffer {
  const auto contents = detail::contents_of_entries(plan);
  text_buffer text;
  for (auto g = plan.graphs.size(); g-- > 0;) {
    const auto& memory = plan.graphs[g];
    auto title = join("memory plan: arena ");
    if (index(memory.graph) != 0) title = join("memory of graph ", view(printable(program.text(program[memory.graph].name))), ": ");
    append(text, view(detail::graph_memory_table(std::move(title), program, plan, memory, contents, width)));
  }
  append(text, view(detail::overlaps_table(program, plan, width)));
  append(text, view(detail::segments_table(program, plan, width)));
  append(text, view(detail::proposals_table(program, plan, width)));
  append(text, view(detail::copies_table(program, plan, width)));
  return text;
}

}  // namespace baton::report
