// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A plan within limits as tables: its memory and instructions, the nodes that do not use their fastest kernel, and the slices. A slice is
// the work of one call of `step`.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/plan/limits.hpp>
#include <baton/report/printable.hpp>
#include <baton/report/shared/table.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace baton::report {

namespace detail {

/// Returns the table of slices. A line contains the number of slices of a node, and the maximum number. The maximum is reached if each
/// slice has as few rows or chunks as possible. A chunk is a small part of a node's output. Slices consist of chunks instead of rows if the
/// node's kernel does not compute rows, if the rows are too long, or if chunks cost less. Nodes in segments (ranges of nodes that run row
/// by row) and in called graphs are omitted.
constexpr auto slices_table(const program_view& program, const limited_plan& limited, std::size_t width) -> text_buffer {
  table nodes(width, {">#", "node", "operator", ">slices", ">max slices"});
  std::size_t cut = 0;
  std::size_t not_shortened = 0;
  for (std::uint32_t n = 0; n < limited.nodes.size(); ++n) {
    const auto& each = limited.nodes[n];
    if (each.slices == 0) continue;
    if (each.slices > 1) ++cut;
    if (each.max_slices == 1) ++not_shortened;
    const auto& record = program.nodes[n];
    nodes.row(
        {join(n), printable(program.text(record.name)), printable(program.text(record.target)), join(each.slices), join(each.max_slices)});
  }
  return nodes.print(join("nodes in several slices: ", cut, ", nodes that cannot be cut into shorter slices: ", not_shortened, "\n"));
}

/// Returns two tables of a plan that the service `within` has chosen. The first has memory and instructions, the second the nodes that do
/// not use their fastest kernel.
constexpr auto choice_tables(const program_view& program, const limited_plan& limited, std::size_t width) -> text_buffer {
  table quantities(width, {"", ">limit", ">plan", ">without limits"});
  const auto add = [&](const char* what, std::uint64_t limit, std::uint64_t planned, std::uint64_t without) {
    auto shown = join("-");
    if (limit != limits::none) shown = join(limit);
    quantities.row({join(what), shown, join(planned), join(without)});
  };
  add("arena, bytes", limited.within.arena_bytes, limited.estimate.arena_bytes, limited.without_limits.arena_bytes);
  if (limited.within.flash_bytes != limits::none) {
    add("flash, bytes", limited.within.flash_bytes, limited.estimate.flash_bytes, limited.without_limits.flash_bytes);
  }
  add("longest slice, instructions", limited.within.slice_instructions, limited.estimate.slice_instructions,
      limited.without_limits.slice_instructions);
  add("inference, instructions", limits::none, limited.estimate.instructions, limited.without_limits.instructions);
  auto text = quantities.print(join("plan within limits, memory policy ", limited.policy, "\n"));

  table nodes(width, {">#", "node", "operator", "kernel", "fastest", ">more instructions", ">less scratch"});
  std::size_t count = 0;
  for (std::uint32_t n = 0; n < limited.nodes.size(); ++n) {
    const auto& each = limited.nodes[n];
    if (each.form == each.fastest) continue;
    ++count;
    const auto& record = program.nodes[n];
    nodes.row({join(n), printable(program.text(record.name)), printable(program.text(record.target)), join(each.form), join(each.fastest),
               join(each.more_instructions), join(each.less_scratch_bytes)});
  }
  const auto title = join("nodes that do not use their fastest kernel: ", count, "\n");
  if (count == 0) append(text, view(title));
  if (count != 0) append(text, view(nodes.print(title)));
  return text;
}

}  // namespace detail

/// Returns two tables. The first compares the plan with its limits, and with the plan without limits. The second lists the nodes that do
/// not use their fastest kernel. Each line contains the `node_cost::form` of the used and of the fastest kernel, the additional
/// instructions, and the saved bytes of scratch (working memory). If slices are limited or a node has several slices, a third table
/// contains the number of slices of each node. This table omits nodes in segments and in called graphs. `limited` is the member
/// `plan_within_result::limited` for `program`, or the result of the function `plan_within_limits()` of the program's executor. Returns
/// only the third table if the executor limits slices by `in_slices::of<MaxOperations>`, but has no service `within`.
constexpr auto limits_table(const program_view& program, const limited_plan& limited, std::size_t width = line_width) -> text_buffer {
  const bool has_choice = !limited.policy.empty();
  const bool is_cut = std::any_of(limited.nodes.begin(), limited.nodes.end(), [](const auto& each) { return each.slices > 1; });
  text_buffer text;
  if (has_choice) text = detail::choice_tables(program, limited, width);
  if (!has_choice || is_cut || limited.within.slice_instructions != limits::none) {
    append(text, view(detail::slices_table(program, limited, width)));
  }
  return text;
}

}  // namespace baton::report
