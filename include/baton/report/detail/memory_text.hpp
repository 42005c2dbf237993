// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The tables of a memory plan: the names and offsets of entries, overlaps, proposals and copies.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/kernel/min_distance.hpp>
#include <baton/operators/shared/control_flow.hpp>
#include <baton/plan/memory_plan.hpp>
#include <baton/plan/memory_problem.hpp>
#include <baton/plan/storage_map.hpp>
#include <baton/report/detail/overlaps.hpp>
#include <baton/report/detail/range_text.hpp>
#include <baton/report/shared/table.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace baton::report::detail {

/// The contents of an entry of a memory plan. An entry holds values that share memory, the memory of a node, a copy at the end of a graph,
/// or addresses of bound tensors. Bound tensors are inputs and outputs in buffers of the caller. The memory of a node is one of these: the
/// scratch (working memory) of the node's delegate or kernel, the memory of the node's subgraphs, or the rows that a segment keeps. A
/// segment is a range of nodes that run row by row.
struct entry_contents {
  vector<value_id> values;
  vector<value_id> nested;           ///< values that are stored inside `values`, or inside the scratch
  std::uint32_t node = npos;         ///< the node whose memory the entry holds; for rows, the first node of the segment
  std::uint32_t last = npos;         ///< the last node of the segment whose rows the entry holds
  value_id copied = none<value_id>;  ///< the value whose copy the entry holds
  bool has_addresses = false;
};

/// Returns the contents of each entry of a plan.
constexpr auto contents_of_entries(const memory_plan& plan) -> vector<entry_contents> {
  vector<entry_contents> contents(plan.needs.lifetimes.size(), entry_contents{});
  for (std::size_t v = 0; v < plan.needs.value_entries.size(); ++v) {
    const auto entry = plan.needs.value_entries[v];
    const auto id = static_cast<value_id>(v);
    if (entry != npos) (plan.needs.is_nested(id) ? contents[entry].nested : contents[entry].values).push_back(id);
  }
  for (const auto id : plan.steps.nodes) {
    const auto n = index(id);
    const auto entry = plan.needs.scratch_entries[n];
    if (entry == npos) continue;
    auto& scratch = contents[entry];
    (scratch.node == npos ? scratch.node : scratch.last) = n;  // the nodes of a segment share the entry
  }
  for (const auto& copy : plan.needs.copies) {
    if (copy.memory != npos) contents[copy.memory].copied = copy.from;
  }
  if (plan.needs.address_entry != npos) contents[plan.needs.address_entry].has_addresses = true;
  return contents;
}

/// Returns the name of an entry, such as `a = b`, `a (contains b)`, `scratch of lowered_module_0 (contains c)` or `graphs of cond`. `print`
/// converts the name of a value or node to printable text.
template <class Print>
constexpr auto entry_name(const program_view& program, const entry_contents& entry, Print print) -> text_buffer {
  if (entry.has_addresses) return join("addresses of bound tensors");
  text_buffer name;
  std::string_view last;
  for (const auto id : entry.values) {
    const auto next = program.text(program[id].name);
    if (!name.empty() && next == last) continue;  // the values of one state in several graphs have the same name
    append(append(name, name.empty() ? "" : " = "), view(print(next)));
    last = next;
  }
  const auto with_nested = [&](text_buffer whole) {
    std::string_view between = " (contains ";
    for (const auto id : entry.nested) {
      append(append(whole, between), view(print(program.text(program[id].name))));
      between = ", ";
    }
    if (!entry.nested.empty()) whole.push_back(')');
    return whole;
  };
  if (entry.copied != none<value_id>) return join("copy of ", view(print(program.text(program[entry.copied].name))));
  if (entry.node == npos) return with_nested(std::move(name));
  const auto& record = program.nodes[entry.node];
  if (entry.last != npos) {
    return join("rows of ", view(print(program.text(record.name))), " to ", view(print(program.text(program.nodes[entry.last].name))));
  }
  if (record.delegate != none<delegate_id>) {
    return with_nested(join("scratch of ", view(print(program.text(program[record.delegate].name)))));
  }
  if (control_flow_of(program, record) == control_flow::none) return join("scratch of ", view(print(program.text(record.name))));
  return join("graphs of ", view(print(program.text(record.name))));
}

/// Returns a drawing of a lifetime over the steps of a graph: `.##.`.
constexpr auto drawn(const lifetime& life, std::uint32_t steps) -> text_buffer {
  text_buffer text;
  for (std::uint32_t step = 0; step < steps; ++step) text.push_back(life.first <= step && step <= life.last ? '#' : '.');
  return text;
}

/// Returns the offset of an entry, such as `32`. In a split arena, the text begins with the region (the fast or the slow memory): `fast 32`
/// or `slow 32`.
constexpr auto offset_text(const memory_plan& plan, const memory_plan::graph_memory& memory, std::uint64_t offset) -> text_buffer {
  if (!plan.is_split(memory.graph)) return join(offset);
  if (offset < plan.regions.fast) return join("fast ", offset);
  return join("slow ", offset - plan.regions.fast);
}

/// Returns a remark on the size of a graph's memory. For a split arena, returns the used bytes of each region. For any other arena, returns
/// an empty text if the size equals the lower bound, or if the strategy is `no_reuse`. In all other cases, returns `; optimal` if no
/// smaller plan exists, else the number of bytes above the lower bound. The lower bound is `graph_memory::lower_bound`.
constexpr auto size_remark(const memory_plan& plan, const memory_plan::graph_memory& memory) -> text_buffer {
  if (plan.is_split(memory.graph)) {
    return join("; fast region ", plan.used.fast, " of ", plan.regions.fast, " bytes, slow ", plan.used.slow, " of ", plan.regions.slow);
  }
  if (memory.bytes == memory.lower_bound || memory.strategy == "no_reuse") return {};
  if (memory.is_optimal) return join("; optimal");
  return join("; best plan found, ", memory.bytes - memory.lower_bound, " bytes above the lower bound");
}

/// Returns the table of a graph's entries. A line contains an entry's name, offset, size in bytes, and lifetime in steps.
constexpr auto graph_memory_table(text_buffer title, const program_view& program, const memory_plan& plan,
                                  const memory_plan::graph_memory& memory, const vector<entry_contents>& contents, std::size_t width)
    -> text_buffer {
  constexpr std::uint32_t max_drawn = 40;
  const auto steps = plan.steps.graph_steps[index(memory.graph)].size + 1;
  table rows(width, {"value (a = b: shared memory)", ">offset", ">bytes", ">steps", steps <= max_drawn ? "|lifetime" : "|"});
  for (auto i = memory.entries.first; i < memory.entries.first + memory.entries.size; ++i) {
    const auto& life = plan.needs.lifetimes[i];
    rows.row({entry_name(program, contents[i], [](std::string_view text) { return printable(text); }),
              offset_text(plan, memory, plan.offsets[i]), join(life.bytes), range_text(life.first, life.last),
              drawn(life, steps <= max_drawn ? steps : 0)});
  }
  return rows.print(
      join(view(title), memory.bytes, " bytes, lower bound ", memory.lower_bound,
           memory.distances.size == 0 ? " (maximum live bytes), alignment " : " (if operands and outputs may overlap), alignment ",
           plan.alignment, ", strategy: ", memory.strategy, view(size_remark(plan, memory)), "\n"));
}

/// Returns the table of operand-output pairs. A line states that the operand and the output overlap, or the reason why they are disjoint.
/// Returns an empty text if no pair overlaps.
constexpr auto overlaps_table(const program_view& program, const memory_plan& plan, std::size_t width) -> text_buffer {
  const auto overlaps = overlaps_of(program, plan);
  if (overlaps.empty()) return {};
  std::size_t overlapping = 0;
  table rows(width, {">#", "output", "operand", ">shared bytes", "result"});
  const auto name_of = [&](value_id id) { return printable(program.text(program[id].name)); };
  for (const auto& each : overlaps) {
    const bool is_overlap = each.kind == overlap_kind::overlaps;
    if (is_overlap) ++overlapping;
    auto bytes = join("-");
    auto outcome = join(overlap_kind_names[static_cast<std::size_t>(each.kind)]);
    if (is_overlap) {
      bytes = join(each.bytes);
      outcome = join("overlaps, ", plan.order_of(each.node) == write_order::ascending ? "ascending" : "descending", " writes");
    }
    rows.row({join(each.node), name_of(each.output), name_of(each.input), std::move(bytes), std::move(outcome)});
  }
  return rows.print(join("overlaps: ", overlapping, " of ", overlaps.size(), " operands share memory with the output\n"));
}

/// Returns the table of proposals. Kernels and backends propose containers for values, so that the values need no copy. A container is the
/// memory that contains a value. Returns an empty text if there are no proposals.
constexpr auto proposals_table(const program_view& program, const memory_plan& plan, std::size_t width) -> text_buffer {
  if (plan.decided.empty()) return {};
  std::size_t accepted = 0;
  table rows(width, {">#", "value", "proposed container", ">offset", "result"});
  for (const auto& [proposed, why] : plan.decided) {
    if (why == refusal::none) ++accepted;
    const auto& where = proposed.where;
    const bool is_scratch = where.in == container::scratch;
    const auto in = program.text(is_scratch ? program.nodes[where.id].name : program.values[where.id].name);
    rows.row({join(index(proposed.node)), printable(program.text(program[proposed.value].name)),
              join(is_scratch ? "scratch of " : "in ", view(printable(in))), join(where.offset),
              join(refusal_names[static_cast<std::size_t>(why)])});
  }
  return rows.print(join("proposals that avoid a copy: ", accepted, " of ", plan.decided.size(), " accepted\n"));
}

/// Returns the table of copies at the ends of graphs. Returns an empty text if there are no copies.
constexpr auto copies_table(const program_view& program, const memory_plan& plan, std::size_t width) -> text_buffer {
  const auto& copies = plan.needs.copies;
  if (copies.empty()) return {};
  std::uint64_t bytes = 0;
  table rows(width, {"value", "copied to", "at the end of", ">bytes", "reason"});
  const auto name_of = [&](value_id id) { return printable(program.text(program[id].name)); };
  const auto target_of = [&](const planned_copy& copy) {
    if (copy.to != none<value_id>) return name_of(copy.to);
    return join("copy of ", view(name_of(copy.from)));
  };
  for (const auto& copy : copies) {
    bytes += copy.bytes;
    auto source = name_of(copy.from);
    if (copy.saved_by != npos) source = target_of(copies[copy.saved_by]);
    rows.row({std::move(source), target_of(copy), printable(program.text(program[copy.graph].name)), join(copy.bytes),
              join(baton::copy_reason_names[static_cast<std::size_t>(copy.reason)])});
  }
  return rows.print(join("copies: ", copies.size(), ", ", bytes, " bytes in total if each runs once\n"));
}

}  // namespace baton::report::detail
