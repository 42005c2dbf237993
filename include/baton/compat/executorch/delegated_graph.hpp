// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A lowered program as text in the format of ExecuTorch's `print_delegated_graph`, with `get_attr` lines and numbers of users. A lowered
// module is the nodes that a backend's `preprocess` has compiled.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/nested_graphs.hpp>
#include <baton/core/shared/print_literal.hpp>
#include <baton/core/shared/sort.hpp>
#include <baton/core/vector.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace baton::report {

namespace detail {

class delegated_graph_printer {
 public:
  constexpr delegated_graph_printer(const program_view& program, reach how_far) : program_(program), how_far_(how_far) {}

  constexpr auto run() -> text_buffer {
    append(text_, "graph():\n");
    if (!program_.graphs.empty()) print_graph(graph_id{0}, 1);
    return std::move(text_);
  }

 private:
  template <class... Parts>
  constexpr void add(Parts... parts) {
    append(text_, view(join(parts...)));
  }
  constexpr void begin_line(std::size_t depth) {
    for (std::size_t i = 0; i < depth; ++i) add("  ");
  }
  constexpr auto name_of(value_id id) const -> std::string_view { return program_.text(program_[id].name); }

  constexpr void print_graph(graph_id id, std::size_t depth) {
    // Each nested graph adds two levels to `depth`. So a graph at a depth beyond this limit contains itself; `verify` rejects such
    // programs.
    if (depth > 2 * program_.graphs.size() + 1) return;
    count_users(id);
    const auto& g = program_[id];
    for (const auto input : program_.inputs(g)) {
      begin_line(depth);
      add("%", name_of(input), " : [num_users=", users_of_[index(input)], "] = placeholder[target=", name_of(input), "]\n");
    }
    vector<delegate_id> printed;
    for (const auto& record : program_.nodes_of(g)) {
      if (record.delegate != none<delegate_id> && std::find(printed.begin(), printed.end(), record.delegate) == printed.end()) {
        printed.push_back(record.delegate);
        print_module(g, record.delegate, depth);
      }
      print_node(record, depth);
    }
    begin_line(depth);
    add("return (");
    const auto outputs = program_.outputs_of(g);
    for (std::size_t i = 0; i < outputs.size(); ++i) add(i == 0 ? "" : ", ", name_of(outputs[i].value));
    add(outputs.size() == 1 ? ",)\n" : ")\n");
  }

  /// Counts the users of each value. A node counts once, even if several of its operands are the same value. All outputs of the graph
  /// together count as one user.
  constexpr void count_users(graph_id id) {
    users_of_.resize(program_.values.size(), 0);
    for (const auto input : program_.inputs(program_[id])) users_of_[index(input)] = 0;
    for (const auto& record : program_.nodes_of(program_[id])) {
      for (const auto output : program_.outputs_of(record)) users_of_[index(output)] = 0;
    }
    vector<value_id> operands;
    const auto count = [&] {
      sort(operands.begin(), operands.end());
      operands.erase(std::unique(operands.begin(), operands.end()), operands.end());
      for (const auto value : operands) users_of_[index(value)] += value == none<value_id> ? 0u : 1u;
      operands.clear();
    };
    for (const auto& record : program_.nodes_of(program_[id])) {
      for (const auto input : program_.inputs(record)) {
        if (input != none<value_id>) operands.push_back(input);
      }
      count();
    }
    for (const auto& spec : program_.outputs_of(program_[id])) operands.push_back(spec.value);
    count();
  }

  constexpr void print_module(const graph& owner, delegate_id id, std::size_t depth) {
    const auto& module = program_[id];
    const auto nodes = program_.nodes_of(owner);
    const auto calls = std::count_if(nodes.begin(), nodes.end(), [&](const node& record) { return record.delegate == id; });
    const auto name = program_.text(module.name);
    begin_line(depth);
    add("%", name, " : [num_users=", calls, "] = get_attr[target=", name, "]\n");
    begin_line(depth + 1);
    add("backend_id: ", program_.text(module.backend_id), "\n");
    begin_line(depth + 1);
    add("lowered graph():\n");
    print_graph(module.original, depth + 2);
  }

  constexpr void print_node(const node& record, std::size_t depth) {
    begin_line(depth);
    const auto outputs = program_.outputs_of(record);
    for (std::size_t i = 0; i < outputs.size(); ++i) add(i == 0 ? "%" : ", %", name_of(outputs[i]));
    add(outputs.empty() ? "" : " : [num_users=");
    for (std::size_t i = 0; i < outputs.size(); ++i) add(i == 0 ? "" : ", ", users_of_[index(outputs[i])]);
    add(outputs.empty() ? "" : "] = ", "call_function[target=", program_.text(record.target), "](args = (");
    print_arguments(record);
    add("), kwargs = {");
    const auto literals = program_.attributes_of(record);
    for (std::size_t i = 0; i < literals.size(); ++i) {
      add(i == 0 ? "" : ", ", program_.text(literals[i].name), ": ");
      append_literal(text_, program_, literals[i]);
    }
    add("})\n");
    if (how_far_ == reach::graph) return;
    for (const auto subgraph : program_.subgraphs_of(record)) {
      begin_line(depth + 1);
      add(program_.text(program_[subgraph].name), " graph():\n");
      print_graph(subgraph, depth + 2);
    }
  }

  /// Prints the arguments of a node: first the lowered module or the subgraphs, which ExecuTorch reads with `get_attr`, then the operands.
  constexpr void print_arguments(const node& record) {
    std::size_t count = 0;
    const auto argument = [&](std::string_view sign, std::string_view name) { add(count++ == 0 ? "" : ", ", sign, name); };
    if (record.delegate != none<delegate_id>) argument("%", program_.text(program_[record.delegate].name));
    for (const auto subgraph : program_.subgraphs_of(record)) argument("%", program_.text(program_[subgraph].name));
    for (const auto input : program_.inputs(record)) {
      if (input == none<value_id>) {
        argument("", "None");
      } else {
        argument("%", name_of(input));
      }
    }
    if (count == 1) add(",");
  }

  program_view program_;
  reach how_far_;
  vector<std::uint32_t> users_of_;  ///< indexed by value
  text_buffer text_;
};

}  // namespace detail

/// Returns a program and its lowered modules as text. Each node is one line, which includes the number of users of each output. As in
/// ExecuTorch, a `get_attr` line, the backend's id and the lines of the original graph precede the first call of a lowered module in each
/// graph. The original graph has the module's nodes as they were before `preprocess`. `reach::branches` and `reach::delegates` also print
/// each subgraph below the node that calls it. The program must pass `verify`.
constexpr auto delegated_graph(const program_view& program, reach how_far = reach::graph) -> text_buffer {
  return detail::delegated_graph_printer(program, how_far).run();
}

}  // namespace baton::report
