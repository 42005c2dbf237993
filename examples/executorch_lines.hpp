// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The Python lines of the nodes of an ExecuTorch program, read from its ETRecord, for the reports of the tools.
#pragma once

#include <baton/baton.hpp>
#include <baton/import/etrecord.hpp>
#include <baton/report.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace choices {

/// Returns a line for each node of an imported method and of the graphs of its delegates: the node's name, its operator, and the Python
/// lines of its operators. `record` is the name of the file. The debug handle of a node is the position of its instruction plus 1, which
/// the record maps to operators. The operators of an XNNPACK graph have the debug handles of the record.
inline auto python_lines_text(const baton::program_view& program, const baton::pte::source_lines& lines, std::string_view record)
    -> baton::text_buffer {
  using baton::append;
  auto text = baton::join("Python lines, from ", record, ":\n");
  const auto print = [&](const baton::node& node, baton::span<const std::int64_t> handles) {
    const auto name = baton::report::printable(program.text(node.name));
    const auto target = baton::report::printable(program.text(node.target));
    append(text, view(baton::join("  ", view(name), " (", view(target), "):")));
    const baton::pte::source_lines::line* last = nullptr;
    for (const auto handle : handles) {
      const auto* const line = lines.line_of(handle);
      if (line == nullptr || (last != nullptr && line->number == last->number && view(line->file) == view(last->file))) continue;
      const auto file = baton::report::printable(view(line->file), line->file.size());
      const auto function = baton::report::printable(view(line->function)), code = baton::report::printable(view(line->text), 80);
      append(text, view(baton::join(last == nullptr ? " " : "\n    ", view(file), ":", line->number, " in ", view(function))));
      if (!code.empty()) append(append(text, ": "), view(code));
      last = line;
    }
    append(text, last == nullptr ? " unknown\n" : "\n");
  };
  for (std::uint32_t n = 0; n < program.nodes.size(); ++n) {
    const auto& node = program.nodes[n];
    const auto* module = static_cast<const baton::lowered_module_ref*>(nullptr);
    for (const auto& each : program.delegates) {
      if (each.original == baton::none<baton::graph_id>) continue;
      const auto nodes = program.graphs[baton::index(each.original)].nodes;
      if (n >= nodes.first && n - nodes.first < nodes.size) module = &each;
    }
    if (module != nullptr && program.text(module->backend_id) == "XnnpackBackend") {
      baton::vector<std::int64_t> handles(1, node.debug_handle);
      for (const auto handle : program.folded_handles(node)) handles.push_back(handle);
      print(node, handles);
    } else {
      print(node, lines.handles_of(std::int64_t{node.debug_handle} - 1));
    }
  }
  return text;
}

}  // namespace choices
