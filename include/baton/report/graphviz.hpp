// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Draws a program with Graphviz. Nodes are boxes, delegates and subgraphs are clusters, and each backend has a color. A box shows why its
// node is not delegated, or why its delegate is separate from other delegates.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/graph/def_use.hpp>
#include <baton/report/detail/reasons.hpp>
#include <baton/report/shared/table.hpp>
#include <baton/report/survey.hpp>
#include <baton/report/text.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::report {

namespace detail {

/// Fill colors that are distinguishable with color blindness: the scheme "light" of P. Tol (Colour schemes, SRON/EPS/TN/09-002, 2021).
inline constexpr std::string_view fills[] = {"#77aadd", "#ee8866", "#eedd88", "#ffaabb", "#99ddff", "#44bb99", "#bbcc33", "#aaaa00"};
inline constexpr std::string_view plain_fill = "#eeeeee";

class graphviz_report {
  // `line` is defined before its first use, because Clang evaluates a template in a constant expression only after its definition.
  template <class... Parts>
  constexpr void line(Parts... parts) {
    append(text_, view(join(parts...)));
    text_.push_back('\n');
  }

 public:
  constexpr graphviz_report(const program_view& program, const survey& facts)
      : program_(program),
        facts_(facts),
        producers_(producers_of(program)),
        is_passed_data_(program.values.size(), 0) {}

  constexpr auto run() -> text_buffer {
    line("digraph \"", view(escaped(view(facts_.graphs[0].name))), "\" {");
    line("  node [shape=box, style=\"rounded,filled\", fillcolor=\"", plain_fill, "\", fontname=\"sans-serif\", fontsize=10];");
    line("  edge [fontname=\"sans-serif\", fontsize=8];");
    write_graph(graph_id{0});
    line("}");
    return std::move(text_);
  }

 private:
  static constexpr auto escaped(std::string_view text, std::size_t max_size = 40) -> text_buffer {
    text_buffer clean;
    const auto line = printable(text, max_size);
    for (const char c : line) {
      if (c == '"' || c == '\\') clean.push_back('\\');
      clean.push_back(c);
    }
    return clean;
  }
  /// Returns `why` for the label of a node, wrapped into short lines.
  static constexpr auto label_lines(std::string_view why) -> text_buffer {
    constexpr std::size_t max_column = 32;
    text_buffer text;
    auto column = max_column;
    for (const auto& word : words_of(why)) {
      append(text, column + word.size() >= max_column ? "\\n" : " ");
      column = column + word.size() >= max_column ? word.size() : column + 1 + word.size();
      append(text, view(escaped(view(word), word.size())));
    }
    return text;
  }
  /// True if a node is not delegated although the program has delegates. Such a node has a dashed border, so that it is distinguishable
  /// without colors.
  constexpr auto is_undelegated(const survey::node_facts& facts) const -> bool {
    return facts.delegate == npos && facts.within == npos && facts_.totals.delegates != 0;
  }
  constexpr auto fill_of(const survey::node_facts& facts) -> std::string_view {
    const auto delegate = facts.delegate != npos ? facts.delegate : facts.within;
    if (delegate == npos) return plain_fill;
    const auto backend = program_.text(program_.delegates[delegate].backend_id);
    std::size_t at = 0;
    while (at < backends_.size() && backends_[at] != backend) ++at;
    if (at == backends_.size()) backends_.push_back(backend);
    return fills[at % std::size(fills)];
  }

  constexpr void write_graph(graph_id id) {
    const auto& graph = program_[id];
    for (const auto input : program_.inputs(graph)) {
      if (!has_edge(input)) continue;
      line("  v", index(input), " [shape=ellipse, label=\"", view(escaped(program_.text(program_[input].name))), "\\n",
           view(type_text(program_, input)), "\"];");
    }
    for (std::uint32_t n = graph.nodes.first; n < graph.nodes.first + graph.nodes.size; ++n) write_node(n);
    for (std::uint32_t o = 0; o < graph.outputs.size; ++o) {
      const auto& spec = program_.outputs_of(graph)[o];
      line("  g", index(id), "o", o, " [shape=ellipse, label=\"",
           spec.kind == output_kind::buffer_mutation ? view(escaped(program_.text(spec.target))) : std::string_view{"output"}, "\"];");
      write_edge(spec.value, join("g", index(id), "o", o));
    }
  }

  constexpr void write_node(std::uint32_t n) {
    const auto& record = program_.nodes[n];
    const auto& facts = facts_.nodes[n];
    const bool is_call = record.delegate != none<delegate_id>;
    const auto name = is_call ? program_[record.delegate].name : record.name;
    const auto does = is_call ? program_[record.delegate].backend_id : record.target;
    auto why = join(view(facts.reason));
    if (is_call) why = separation_text(program_, facts_, record.delegate);
    line("  n", n, " [label=\"", view(escaped(program_.text(name))), "\\n", view(escaped(program_.text(does))),
         view(label_lines(view(why))), "\", fillcolor=\"", fill_of(facts), "\"",
         is_undelegated(facts) ? ", style=\"rounded,filled,dashed\"" : "", why.empty() ? "" : ", tooltip=\"",
         view(escaped(view(why), why.size())), why.empty() ? "" : "\"", "];");
    for (const auto input : program_.inputs(record)) {
      if (input != none<value_id>) write_edge(input, join("n", n));
    }
    if (is_call) {
      mark_passed_data(record);
      write_cluster(n, program_[record.delegate].original,
                    join(program_.text(program_[record.delegate].name), " (", program_.text(program_[record.delegate].backend_id), ")"));
    }
    for (const auto inner : program_.subgraphs_of(record)) write_cluster(n, inner, join(program_.text(program_[inner].name)));
  }
  constexpr auto has_edge(value_id id) const -> bool {
    const auto kind = program_[id].kind;
    return is_passed_data_[index(id)] == 0 && kind != value_kind::external_constant &&
           (!is_owned_data(kind) || kind == value_kind::mutable_buffer);
  }
  /// Marks each input of a delegate's graph for which the delegate call passes constant data, such as weights. These inputs are not drawn.
  constexpr void mark_passed_data(const node& call) {
    std::uint32_t argument = 0;
    for (const auto input : program_.inputs(program_[program_[call.delegate].original])) {
      if (program_[input].kind != value_kind::user_input || argument == call.inputs.size) continue;
      const auto passed = program_.inputs(call)[argument++];
      is_passed_data_[index(input)] = passed != none<value_id> && !has_edge(passed) ? 1 : 0;
    }
  }
  constexpr void write_edge(value_id from, const text_buffer& to) {
    if (!has_edge(from) || program_[from].kind == value_kind::scratch) return;
    const auto producer = producers_[index(from)];
    line(producer == none<node_id> ? "  v" : "  n", producer == none<node_id> ? index(from) : index(producer), " -> ", view(to),
         " [label=\"", view(type_text(program_, from)), "\"];");
  }
  constexpr void write_cluster(std::uint32_t n, graph_id inner, const text_buffer& title) {
    line("  subgraph cluster_", n, "_", index(inner), " {");
    line("  label=\"", view(escaped(view(title), title.size())), "\"; style=\"rounded\";");
    write_graph(inner);
    line("  }");
    if (program_[inner].nodes.size != 0) line("  n", n, " -> n", program_[inner].nodes.first, " [style=dotted, arrowhead=none];");
  }

  program_view program_;
  const survey& facts_;
  vector<std::string_view> backends_;  // in the order of their first use
  vector<node_id> producers_;
  vector<char> is_passed_data_;  // indexed by value: 1 if the value is an input of a delegate's graph, and the call passes constant data
  text_buffer text_;
};

}  // namespace detail

/// Returns a drawing of a program in the Graphviz language: `dot -Tsvg program.dot -o program.svg`. The nodes that a delegate computes are
/// in a cluster below the delegate call. Nodes that are not delegated have a dashed border if the program has delegates. Weights and other
/// constant data are omitted.
constexpr auto graphviz(const program_view& program, const survey& facts) -> text_buffer {
  return detail::graphviz_report(program, facts).run();
}

}  // namespace baton::report
