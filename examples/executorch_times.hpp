// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The times that ExecuTorch measured for the nodes of a program, read from its ETDump, for the reports of the tools.
#pragma once

#include <baton/baton.hpp>
#include <baton/import/etdump.hpp>
#include <baton/report.hpp>

#include "python_lines.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace choices {

/// The nodes that an instruction became, without those in delegates: their names and operators, and their lines of Python.
struct instruction_nodes {
  std::string names;
  std::vector<std::string> lines;

  instruction_nodes(const python_lines& of, const baton::program_view& program, std::int64_t position) {
    for (const auto& n : program.nodes) {
      if (n.debug_handle != position + 1 || delegate_with(program, n) != nullptr) continue;
      const auto text = baton::join(names.empty() ? "" : ", ", program.text(n.name), " (", program.text(n.target), ")");
      names.append(text.data(), text.size());
      if (!of.of_node) continue;
      for (const auto& line : of.of_node(program, n)) lines.push_back(line);
    }
    if (names.empty()) names = "no node";
  }
};

/// Returns the measured times as a table: a row for each instruction, with its nodes and their lines of Python, and a row for each operator
/// of a delegate. Ticks are means of the runs; shares are those of a run.
inline auto executorch_times_text(const baton::pte::instruction_times& times, const python_lines& lines, const baton::program_view& program)
    -> baton::text_buffer {
  const auto runs = times.runs();
  auto text = baton::join("times that ExecuTorch measured, in ticks of its clock, means of ", static_cast<std::int64_t>(runs),
                          runs == 1 ? " run:\n" : " runs:\n", "       ticks   share  instruction and its nodes\n");
  const auto add = [&](std::uint64_t ticks, std::string_view name) {
    char numbers[64];
    const auto share = times.ticks() == 0 ? 0.0 : 100.0 * static_cast<double>(ticks) / static_cast<double>(times.ticks());
    std::snprintf(numbers, sizeof numbers, "%12.0f %5.1f %%  ", static_cast<double>(ticks) / static_cast<double>(runs), share);
    baton::append(baton::append(text, std::string_view{numbers}), baton::view(baton::report::printable(name, name.size())));
    text.push_back('\n');
  };
  for (const auto& each : times.instructions()) {
    const instruction_nodes nodes(lines, program, each.position);
    add(each.ticks, baton::view(baton::join(each.position, "  ", std::string_view{nodes.names})));
    for (const auto& line : nodes.lines)
      baton::append(text, baton::view(baton::join("                          ", std::string_view{line}, "\n")));
    for (const auto& part : each.operators)
      add(part.ticks, baton::view(part.name.empty() ? baton::join("  operator ", part.number) : baton::join("  ", part.name)));
  }
  add(times.ticks(), "the whole run");
  return text;
}

}  // namespace choices
