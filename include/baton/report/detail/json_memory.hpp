// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The memory plan of a report, as JSON.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/kernel/min_distance.hpp>
#include <baton/plan/memory_plan.hpp>
#include <baton/plan/schedule.hpp>
#include <baton/plan/shared/row_graph.hpp>
#include <baton/plan/shared/streams.hpp>
#include <baton/plan/storage_map.hpp>
#include <baton/report/detail/json_writer.hpp>
#include <baton/report/detail/memory_text.hpp>
#include <baton/report/detail/overlaps.hpp>
#include <baton/report/detail/segments.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::report::detail {

/// A writer of the member `memory` of a report; docs/report.md describes the format of this member.
class json_memory {
 public:
  constexpr json_memory(const program_view& program, const memory_plan& plan, json_writer& to) : program_(program), plan_(plan), to_(to) {}

  constexpr void run() {
    to_.open('{');
    to_.key("arena_bytes").number(plan_.arena_bytes);
    to_.key("lower_bound").number(plan_.lower_bound);
    to_.key("is_optimal").boolean(plan_.is_optimal);
    to_.key("strategy").text(plan_.strategy);
    to_.key("alignment").number(plan_.alignment);
    to_.key("steps").open('[');
    for (const auto& step : plan_.steps.steps_of(graph_id{0})) {
      to_.open('[');
      for (const auto n : plan_.steps.nodes_of(step)) to_.number(index(n));
      to_.close(']');
    }
    to_.close(']');
    if (plan_.regions.are_given()) write_regions();
    range root{};  // the entries of the root graph, including the memory of called graphs
    if (!plan_.graphs.empty()) root = plan_.graphs.back().entries;
    const auto contents = contents_of_entries(plan_);
    write_entries(contents, root);
    to_.key("graphs").open('[');
    for (std::size_t g = 0; g + 1 < plan_.graphs.size(); ++g) {
      const auto& memory = plan_.graphs[g];
      to_.line();
      to_.open('{');
      to_.key("graph").number(index(memory.graph));
      to_.key("bytes").number(memory.bytes);
      to_.key("lower_bound").number(memory.lower_bound);
      to_.key("is_optimal").boolean(memory.is_optimal);
      to_.key("strategy").text(memory.strategy);
      write_entries(contents, memory.entries);
      to_.close('}');
    }
    to_.close(']');
    write_overlaps();
    if (!plan_.streams.segments.empty()) write_segments();
    write_copies();
    if (!plan_.decided.empty()) write_proposals();
    to_.close('}');
  }

 private:
  constexpr void write_proposals() {
    to_.key("proposals").open('[');
    for (const auto& [proposed, why] : plan_.decided) {
      to_.line();
      to_.open('{');
      to_.key("node").number(index(proposed.node));
      to_.key("value").number(index(proposed.value));
      to_.key(proposed.where.in == container::scratch ? "scratch_of" : "within").number(proposed.where.id);
      to_.key("offset").number(proposed.where.offset);
      if (why != refusal::none) to_.key("rejection").text(refusal_names[static_cast<std::size_t>(why)]);
      to_.close('}');
    }
    to_.close(']');
  }
  constexpr void write_overlaps() {
    to_.key("overlaps").open('[');
    for (const auto& each : overlaps_of(program_, plan_)) {
      to_.line();
      to_.open('{');
      to_.key("node").number(each.node);
      to_.key("output").number(index(each.output));
      to_.key("operand").number(index(each.input));
      if (each.kind == overlap_kind::overlaps) {
        to_.key("bytes").number(each.bytes);
        to_.key("write_order").text(plan_.order_of(each.node) == write_order::ascending ? "ascending" : "descending");
      } else {
        to_.key("reason").text(overlap_kind_names[static_cast<std::size_t>(each.kind)]);
      }
      to_.close('}');
    }
    to_.close(']');
  }
  constexpr void write_segments() {
    to_.key("segments").open('[');
    for (const auto& segment : plan_.streams.segments) {
      to_.line();
      to_.open('{');
      to_.key("first").number(index(plan_.steps.nodes[segment.first]));
      to_.key("last").number(index(plan_.steps.nodes[segment.last()]));
      to_.key("kept").open('[');
      for (std::uint32_t i = 0; i + 1 < segment.count; ++i) {
        const auto& kept = plan_.streams.kept_of(segment)[i];
        to_.open('{');
        to_.key("value").number(index(plan_.streams.graph.nodes[segment.first + i].output));
        to_.key(kept.pixels != 0 ? "pixels" : "rows").number(kept.pixels != 0 ? kept.pixels : kept.rows);
        if (kept.in_user) to_.key("in_user").boolean(true);
        if (kept.in_output) to_.key("in_output").boolean(true);
        to_.close('}');
      }
      to_.close(']');
      write_single_rows(segment);
      write_block(block_of(plan_, segment));
      to_.close('}');
    }
    to_.close(']');
  }
  constexpr void write_single_rows(const stream_segment& segment) {
    const auto kept = plan_.streams.kept_of(segment);
    if (std::none_of(kept.begin(), kept.end(), [](const kept_rows& each) { return each.by_single_rows; })) return;
    to_.key("single_rows").open('[');
    for (std::uint32_t i = 0; i < segment.count; ++i) {
      if (kept[i].by_single_rows) to_.number(index(plan_.steps.nodes[segment.first + i]));
    }
    to_.close(']');
  }
  constexpr void write_block(const segment_block& block) {
    to_.key("bytes").number(block.bytes);
    if (block.offset != npos) to_.key("offset").number(block.offset);
    to_.key("bytes_over_input").number(block.bytes_over_input);
    to_.key("bytes_over_output").number(block.bytes_over_output);
    if (block.scratch_offset == npos) return;
    to_.key("scratch_offset").number(block.scratch_offset);
    to_.key("scratch_bytes").number(block.scratch_bytes);
  }
  constexpr void write_regions() {
    to_.key("regions").open('[');
    const auto write = [this](std::string_view name, std::uint64_t bytes, std::uint64_t used) {
      to_.open('{');
      to_.key("name").text(name);
      to_.key("bytes").number(bytes);
      to_.key("used").number(used);
      to_.close('}');
    };
    write("fast", plan_.regions.fast, plan_.used.fast);
    write("slow", plan_.regions.slow, plan_.used.slow);
    to_.close(']');
  }
  constexpr void write_copies() {
    to_.key("copies").open('[');
    for (const auto& copy : plan_.needs.copies) {
      to_.line();
      to_.open('{');
      to_.key("graph").number(index(copy.graph));
      to_.optional("node", index(copy.call));
      to_.key("from").number(index(copy.from));
      to_.optional("from_copy", copy.saved_by);
      to_.optional("to", index(copy.to));
      to_.key("bytes").number(copy.bytes);
      to_.key("reason").text(baton::copy_reason_names[static_cast<std::size_t>(copy.reason)]);
      to_.close('}');
    }
    to_.close(']');
  }
  constexpr void write_entries(const vector<entry_contents>& contents, range entries) {
    to_.key("entries").open('[');
    for (auto i = entries.first; i < entries.first + entries.size; ++i) {
      const auto& life = plan_.needs.lifetimes[i];
      to_.line();
      to_.open('{');
      to_.key("name").text(view(entry_name(program_, contents[i], [](std::string_view text) { return join(text); })));
      to_.ids("values", contents[i].values);
      if (!contents[i].nested.empty()) to_.ids("nested", contents[i].nested);
      to_.optional("node", contents[i].node);
      to_.key("offset").number(plan_.offsets[i]);
      to_.key("bytes").number(life.bytes);
      to_.key("first").number(life.first);
      to_.key("last").number(life.last);
      to_.close('}');
    }
    to_.close(']');
  }

  program_view program_;
  const memory_plan& plan_;
  json_writer& to_;
};

}  // namespace baton::report::detail
