// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A program as text in the style of torch.fx: `%relu = call_function[target=aten.relu.default](%conv)`.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/print_literal.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace baton {

namespace detail {

/// A printer of programs.
class printer {
  // Templates come first, because Clang evaluates only templates that are defined before their use.
  template <class... Parts>
  constexpr void add(Parts... parts) {
    (append(text_, parts), ...);
  }
  constexpr void begin_line(std::size_t depth) {
    for (std::size_t i = 0; i < depth; ++i) add("  ");
  }
  constexpr void end_line() {
    add("\n");
    has_comment_ = false;
  }
  /// Begins the next item in the comment of the current line.
  constexpr void remark() {
    add(has_comment_ ? ", " : "  # ");
    has_comment_ = true;
  }
  /// Calls `f` for each record, with commas in between.
  template <class Records, class F>
  constexpr void list(const Records& records, F f) {
    bool is_first = true;
    for (const auto& record : records) {
      if (!is_first) add(", ");
      is_first = false;
      f(record);
    }
  }

 public:
  constexpr explicit printer(const program_view& program)
      : program_(program),
        is_inner_(program.graphs.size(), 0),
        is_called_(program.delegates.size(), 0) {
    for (const auto& record : program.nodes) {
      for (const auto g : program.subgraphs_of(record)) is_inner_[index(g)] = 1;
      if (record.delegate != none<delegate_id>) is_called_[index(record.delegate)] = 1;
    }
    for (const auto& module : program.delegates) is_inner_[index(module.original)] = 1;
  }

  constexpr auto run() -> text_buffer {
    for (std::uint32_t g = 0; g < program_.graphs.size(); ++g) {
      if (g == 0 || is_inner_[g] == 0) print_titled(static_cast<graph_id>(g), 0);
    }
    // Prints the modules that no node calls. `to_backend` without a partitioner produces such a module.
    for (std::size_t d = 0; d < program_.delegates.size(); ++d) {
      if (is_called_[d] != 0) continue;
      add("lowered module of ", name_of(program_.delegates[d].original));
      print_facts(program_.delegates[d]);
    }
    return std::move(text_);
  }

 private:
  constexpr auto name_of(value_id id) const -> std::string_view { return program_.text(program_[id].name); }
  constexpr auto name_of(graph_id id) const -> std::string_view { return program_.text(program_[id].name); }

  constexpr void print_titled(graph_id id, std::size_t depth) {
    begin_line(depth);
    add(name_of(id), ":");
    end_line();
    print_graph(id, depth + 1);
  }

  constexpr void print_graph(graph_id id, std::size_t depth) {
    // Each nested graph adds at most two levels of indentation. So a graph whose depth exceeds twice the number of graphs contains itself;
    // `verify` rejects such programs.
    if (depth > 2 * program_.graphs.size()) return;
    const auto& g = program_[id];
    for (const auto input : program_.inputs(g)) print_placeholder(input, depth);
    for (const auto& record : program_.nodes_of(g)) print_node(record, depth);
    print_return(g, depth);
  }

  constexpr void print_placeholder(value_id id, std::size_t depth) {
    const auto& record = program_[id];
    begin_line(depth);
    add("%", name_of(id), " = placeholder[target=", record.target.size != 0 ? program_.text(record.target) : name_of(id), "]");
    remark_type(id);
    if (is_owned_data(record.kind)) {
      remark();
      add(kind_text(record.kind));
    }
    remark_tag(record.tag);
    end_line();
  }

  constexpr void print_node(const node& record, std::size_t depth) {
    begin_line(depth);
    const auto outputs = program_.outputs_of(record);
    list(outputs, [this](value_id output) { add("%", name_of(output)); });
    add(outputs.empty() ? "" : " = ", "call_function[target=", program_.text(record.target), "](");
    print_arguments(record);
    add(")");
    for (const auto output : outputs) remark_type(output);
    for (const auto input : program_.inputs(record)) remark_scratch(input);
    remark_tag(record.tag);
    end_line();
    // A graph that several nodes call is printed below the first of these nodes.
    for (const auto subgraph : program_.subgraphs_of(record)) {
      if (is_inner_[index(subgraph)] == 2) continue;
      is_inner_[index(subgraph)] = 2;
      print_titled(subgraph, depth + 1);
    }
    if (record.delegate != none<delegate_id>) print_module(program_[record.delegate], depth + 1);
  }

  constexpr void print_arguments(const node& record) {
    bool is_first = true;
    const auto separate = [&] {
      if (!is_first) add(", ");
      is_first = false;
    };
    if (record.delegate != none<delegate_id>) {
      separate();
      add("%", program_.text(program_[record.delegate].name));
    }
    for (const auto input : program_.inputs(record)) {
      separate();
      if (input == none<value_id>) {
        add("None");
      } else {
        add("%", name_of(input));
      }
    }
    for (const auto& literal : program_.attributes_of(record)) {
      separate();
      add(program_.text(literal.name), "=");
      append_literal(text_, program_, literal);
    }
    if (record.subgraphs.size != 0) {
      separate();
      add("subgraphs=[");
      list(program_.subgraphs_of(record), [this](graph_id subgraph) { add(name_of(subgraph)); });
      add("]");
    }
  }

  constexpr void remark_type(value_id id) {
    remark();
    add(facts(program_[id].type).name, "[");
    list(program_.shape(id), [this](std::int64_t size) {
      if (size < 0) {
        add("?");
      } else {
        add(size);
      }
    });
    add("]");
  }

  constexpr void remark_scratch(value_id id) {
    if (id == none<value_id> || program_[id].kind != value_kind::scratch) return;
    remark();
    add("scratch %", name_of(id));
    remark_type(id);
  }

  constexpr void remark_tag(tag_id id) {
    if (id == none<tag_id>) return;
    remark();
    add("tag ", program_.text(program_[id].name));
  }

  static constexpr auto kind_text(value_kind kind) -> std::string_view {
    switch (kind) {
      case value_kind::parameter:
        return "parameter";
      case value_kind::buffer:
        return "buffer";
      case value_kind::mutable_buffer:
        return "mutable buffer";
      case value_kind::constant:
        return "constant";
      case value_kind::external_constant:
        return "external constant";
      case value_kind::user_input:
      case value_kind::intermediate:
      case value_kind::scratch:
        break;
    }
    return "";
  }

  constexpr void print_return(const graph& g, std::size_t depth) {
    const auto outputs = program_.outputs_of(g);
    begin_line(depth);
    add("return (");
    list(outputs, [this](const output_spec& spec) { add("%", name_of(spec.value)); });
    add(outputs.size() == 1 ? ",)" : ")");
    for (const auto& spec : outputs) {
      if (spec.kind != output_kind::buffer_mutation) continue;
      remark();
      add("%", name_of(spec.value), " mutates ", program_.text(spec.target));
    }
    end_line();
  }

  constexpr void print_module(const lowered_module_ref& module, std::size_t depth) {
    begin_line(depth);
    add(program_.text(module.name));
    print_facts(module);
    print_graph(module.original, depth + 1);
  }
  constexpr void print_facts(const lowered_module_ref& module) {
    add(": backend ", program_.text(module.backend_id), ", ", static_cast<std::int64_t>(module.processed_bytes.size), " bytes");
    end_line();
  }

  program_view program_;
  vector<char> is_inner_;   ///< indexed by graph: 1 if the graph is a subgraph of a node, or the original graph of a lowered module; 2 if
                            ///< the subgraph has been printed
  vector<char> is_called_;  ///< indexed by lowered module: 1 if a node calls the module
  text_buffer text_;
  bool has_comment_ = false;
};

}  // namespace detail

/// Returns a program as text in the style of torch.fx, one line per node. Text after `  # ` is a comment: dtype, shape, kind, scratch
/// operands, tag, mutated buffers. Subgraphs, and the original graphs of lowered modules (the parts before `preprocess`), are indented
/// below the node that calls them. The first operand of a delegate call is its lowered module, as in ExecuTorch. The program must pass
/// `verify`.
constexpr auto print(const program_view& program) -> text_buffer { return detail::printer(program).run(); }

}  // namespace baton
