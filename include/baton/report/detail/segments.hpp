// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The segments of a memory plan: the rows of each output that are kept, and the memory of each segment. A segment is a range of nodes that
// run row by row.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/plan/memory_plan.hpp>
#include <baton/plan/shared/row_graph.hpp>
#include <baton/plan/shared/streams.hpp>
#include <baton/report/printable.hpp>
#include <baton/report/shared/table.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace baton::report::detail {

/// The block of memory of a segment, which contains its kept rows and the scratch (working memory) of its kernels. Offsets are in the
/// arena, in bytes.
struct segment_block {
  std::uint32_t entry = npos;  ///< the entry of the memory plan; `npos` if the segment needs no memory
  std::uint64_t offset = npos;
  std::uint64_t bytes = 0;
  std::uint64_t scratch_offset = npos;  ///< `npos` if no kernel of the segment needs scratch
  std::uint64_t scratch_bytes = 0;      ///< the maximum over the kernels of the segment
  std::uint64_t bytes_over_input = 0;   ///< the bytes that the block and the input of the segment both occupy
  std::uint64_t bytes_over_output = 0;  ///< the bytes that the block and the output of the segment both occupy
};

/// Returns the number of bytes that the entries `a` and `b` both occupy. Returns 0 if one of them is `npos`.
constexpr auto common_bytes(const memory_plan& plan, std::uint32_t a, std::uint32_t b) -> std::uint64_t {
  if (a == npos || b == npos) return 0;
  const auto end = [&](std::uint32_t entry) { return plan.offsets[entry] + plan.needs.lifetimes[entry].bytes; };
  const auto begin = std::max(plan.offsets[a], plan.offsets[b]);
  return std::max(begin, std::min(end(a), end(b))) - begin;
}

/// Returns the block of memory of a segment of `plan`.
constexpr auto block_of(const memory_plan& plan, const stream_segment& segment) -> segment_block {
  segment_block result;
  const auto* const nodes = plan.streams.graph.nodes.data() + segment.first;
  for (std::uint32_t i = 0; i < segment.count; ++i) {
    const auto& kept = plan.streams.kept_of(segment)[i];
    result.scratch_bytes = std::max(result.scratch_bytes, std::uint64_t{kept.scratch_bytes(nodes[i])});
  }
  result.entry = plan.needs.scratch_entries[index(plan.steps.nodes[segment.first])];
  if (result.entry == npos) return result;
  result.offset = plan.offsets[result.entry];
  result.bytes = segment.bytes;
  if (result.scratch_bytes != 0) result.scratch_offset = result.offset + segment.scratch_offset;
  result.bytes_over_input = common_bytes(plan, result.entry, plan.needs.value_entries[index(segment.input)]);
  result.bytes_over_output = common_bytes(plan, result.entry, plan.needs.value_entries[index(nodes[segment.count - 1].output)]);
  return result;
}

/// Returns a text that says how many rows or pixels of a node's output a segment keeps: `3 of 25 rows`, `1 pixel`, `sums, then all rows`.
constexpr auto kept_text(const baton::row_node& node, const baton::kept_rows& kept) -> text_buffer {
  if (kept.pixels != 0) return join(kept.pixels, kept.pixels == 1 ? " pixel" : " pixels");
  if (kept.in_user)
    return join(kept.rows, " of ", node.rows, kept.rows == 1 ? " rows, in" : " rows, beginning in", " the newest row of its user");
  if (kept.in_output) return join(kept.rows, " of ", node.rows, " rows, in the output of the segment");
  if (kept.rows != 0) return join(kept.rows, " of ", node.rows, node.rows == 1 ? " row" : " rows");
  return join(node.sum_bytes != 0 ? "sums, then all rows" : "all rows");
}

/// Returns a text that says how many rows a step of a node computes: `1`, `2`, or `1 instead of 2` for a kernel that prefers two rows.
constexpr auto step_text(const baton::row_node& node, const baton::kept_rows& kept) -> text_buffer {
  if (kept.by_single_rows) return join("1 instead of ", node.rows_per_step);
  return join(node.rows_per_step);
}

/// Returns two tables. The first lists the nodes that run row by row, and the kept rows or pixels of their outputs. The second lists the
/// memory of each segment. Returns an empty text if no node runs row by row.
constexpr auto segments_table(const program_view& program, const memory_plan& plan, std::size_t width) -> text_buffer {
  if (plan.streams.segments.empty()) return {};
  std::size_t streamed = 0;
  table rows(width, {">#", "node", "segment", ">output bytes", "rows per step", "kept"});
  table blocks(width, {">segment", ">offset", ">bytes", ">scratch offset", ">scratch bytes", ">over input", ">over output"});
  for (std::size_t s = 0; s < plan.streams.segments.size(); ++s) {
    const auto& segment = plan.streams.segments[s];
    streamed += segment.count;
    for (std::uint32_t i = 0; i < segment.count; ++i) {
      const auto& node = plan.streams.graph.nodes[segment.first + i];
      const auto& kept = plan.streams.kept_of(segment)[i];
      const auto n = index(plan.steps.nodes[segment.first + i]);
      rows.row({join(n), printable(program.text(program.nodes[n].name)), join(s),
                join(std::size_t{node.row_bytes()} * static_cast<std::size_t>(node.rows)), step_text(node, kept), kept_text(node, kept)});
    }
    const auto block = block_of(plan, segment);
    const auto offset = [](std::uint64_t of) {
      if (of == npos) return join("-");
      return join(of);
    };
    blocks.row({join(s), offset(block.offset), join(block.bytes), offset(block.scratch_offset), join(block.scratch_bytes),
                join(block.bytes_over_input), join(block.bytes_over_output)});
  }
  auto text = rows.print(
      join("segments: ", plan.streams.segments.size(), "; ", streamed, " of ", program.root().nodes.size, " nodes run row by row\n"));
  append(text,
         view(blocks.print(join("memory of segments: kept rows and scratch, and the bytes that share memory with the input or output\n"))));
  return text;
}

}  // namespace baton::report::detail
