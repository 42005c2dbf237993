// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The lines of Python that the nodes of a model come from, for the reports of the tools. An archive of torch.export has them; those of an
// ExecuTorch program are in its ETRecord.
#pragma once

#include <baton/baton.hpp>
#include <baton/import/etrecord.hpp>
#include <baton/import/pt2.hpp>
#include <baton/import/pt2_source_lines.hpp>
#include <baton/import/source_line.hpp>
#include <baton/report.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace choices {

/// The lines of Python of the nodes of a model.
struct python_lines {
  /// Returns the lines of a node as text, such as `net.py:60, in forward: x = F.relu(self.conv(x))`. Null if the model has no lines.
  std::function<std::vector<std::string>(const baton::program_view&, const baton::node&)> of_node;
  bool follow_passes = false;  ///< whether `of_node` also knows the nodes of the program after passes
};

/// Returns the delegate whose graph contains a node, or null.
inline auto delegate_with(const baton::program_view& program, const baton::node& node) -> const baton::lowered_module_ref* {
  const auto n = static_cast<std::size_t>(&node - program.nodes.data());
  for (const auto& each : program.delegates) {
    if (each.original == baton::none<baton::graph_id>) continue;
    const auto& nodes = program[each.original].nodes;
    if (n >= nodes.first && n - nodes.first < nodes.size) return &each;
  }
  return nullptr;
}

/// Returns a line as text, without control characters. A function or text that is empty is omitted.
inline auto line_text(const baton::source_line& line) -> std::string {
  auto text = baton::join(view(line.file), ":", line.number);
  if (!line.function.empty()) baton::append(baton::append(text, ", in "), view(line.function));
  if (!line.text.empty()) baton::append(baton::append(text, ": "), view(line.text));
  const auto printable = baton::report::printable(view(text), text.size());
  return {printable.data(), printable.size()};
}

/// Returns the lines of an archive of torch.export, by the debug handles of the nodes. There are none if it has no stack traces, or if the
/// model has another format.
inline auto lines_of_archive(baton::span<const char> model, std::string_view entry) -> python_lines {
  if (!baton::pt2::importer::recognizes(model)) return {};
  const auto read = baton::pt2::source_lines_of(model, entry);
  if (!read) return {};
  std::vector<std::string> texts;
  bool is_known = false;
  for (const auto& line : read.value) {
    is_known = is_known || !line.file.empty();
    texts.push_back(line.file.empty() ? "" : line_text(line));
  }
  if (!is_known) return {};
  const auto of_node = [texts = std::move(texts)](const baton::program_view& program, const baton::node& node) {
    std::vector<std::string> lines;
    const auto add = [&](std::int64_t handle) {
      if (handle < 1 || handle > static_cast<std::int64_t>(texts.size())) return;
      const auto& line = texts[static_cast<std::size_t>(handle - 1)];
      if (!line.empty()) lines.push_back(line);
    };
    add(node.debug_handle);
    for (const auto handle : program.folded_handles(node)) add(handle);
    return lines;
  };
  return {.of_node = of_node, .follow_passes = true};
}

/// Returns the lines of an ETRecord, for the nodes of the imported program and of the graphs of its delegates. The debug handle of a node
/// is the position of its instruction plus 1, which the record maps to operators. The operators of an XNNPACK graph have the debug handles
/// of the record.
inline auto lines_of_etrecord(baton::pte::source_lines record) -> python_lines {
  const auto of_node = [record = std::move(record)](const baton::program_view& program, const baton::node& node) {
    std::vector<std::string> lines;
    const auto add = [&](std::int64_t handle) {
      const auto* const line = record.line_of(handle);
      if (line != nullptr) lines.push_back(line_text(*line));
    };
    const auto* const delegate = delegate_with(program, node);
    if (delegate != nullptr && program.text(delegate->backend_id) == "XnnpackBackend") {
      add(node.debug_handle);
      for (const auto handle : program.folded_handles(node)) add(handle);
    } else {
      for (const auto handle : record.handles_of(std::int64_t{node.debug_handle} - 1)) add(handle);
    }
    return lines;
  };
  return {.of_node = of_node};
}

/// Returns each line with the nodes of a program that come from it, in the order of the nodes; then the nodes without a line. Empty if the
/// model has no lines.
inline auto python_lines_text(const python_lines& lines, const baton::program_view& program) -> baton::text_buffer {
  if (!lines.of_node) return {};
  struct group {
    std::string line, names;
    std::size_t last_node;
  };
  std::vector<group> groups;
  std::map<std::string, std::size_t> group_of;
  std::string unknown;
  for (std::size_t n = 0; n < program.nodes.size(); ++n) {
    const auto printable = baton::report::printable(program.text(program.nodes[n].name));
    const auto name = " " + std::string(printable.data(), printable.size());
    const auto of_node = lines.of_node(program, program.nodes[n]);
    if (of_node.empty()) unknown += name;
    for (const auto& line : of_node) {
      const auto [at, is_new] = group_of.try_emplace(line, groups.size());
      if (is_new) groups.push_back({line, name, n});
      auto& group = groups[at->second];
      if (group.last_node != n) group.names += name;
      group.last_node = n;
    }
  }
  if (!unknown.empty()) groups.push_back({"unknown", unknown, 0});
  auto text = baton::join("lines of Python and their nodes:\n");
  for (const auto& each : groups)
    baton::append(text, baton::view(baton::join("  ", std::string_view{each.line}, "\n   ", std::string_view{each.names}, "\n")));
  return text;
}

/// Returns the first line of the node of a program that an error names, as the end of a sentence; empty if it has none.
inline auto line_of_error(const python_lines& lines, const baton::program_view& program, const baton::failure& why) -> baton::text_buffer {
  if (!lines.of_node) return {};
  for (const auto& node : program.nodes) {
    if (program.text(node.name) != baton::view(why.node_name)) continue;
    const auto of_node = lines.of_node(program, node);
    if (of_node.empty()) return {};
    return baton::join("; node ", baton::view(why.node_name), " comes from ", std::string_view{of_node[0]});
  }
  return {};
}

}  // namespace choices
