// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Who computes each operation of a program, and why no backend does, as a table for a terminal.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/npos.hpp>
#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/report/survey.hpp>
#include <baton/report/text.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::report {

namespace detail {

class assignment_report {
 public:
  constexpr assignment_report(const program_view& program, const survey& facts, std::size_t width)
      : program_(program),
        facts_(facts),
        seen_(program.graphs.size(), 0),
        table_(width, {">#", "operation", "operator", "output", "computed by", ">mult-adds", ">bytes"}) {}

  constexpr auto run() -> text_buffer {
    for (std::uint32_t g = 0; g < seen_.size(); ++g) add_graph(static_cast<graph_id>(g));
    const auto& totals = facts_.totals;
    table_.row({join(""), join("total"), join(""), join(""), join(totals.delegated, " of ", totals.nodes, " delegated"),
                join(totals.multiply_adds), join(bytes_)});
    return table_.print(join("operations in order: ", totals.delegated_multiply_adds, " of ", totals.multiply_adds,
                             " multiply-adds delegated, ", totals.boundary_bytes, " bytes cross the borders of delegates\n"));
  }

 private:
  /// What a call or a branch runs stands in its place.
  constexpr void add_graph(graph_id id) {
    if (seen_[index(id)] != 0) return;
    seen_[index(id)] = 1;
    const auto run = program_[id].nodes;
    for (std::uint32_t n = run.first; n < run.first + run.size; ++n) {
      const auto& record = program_.nodes[n];
      if (record.delegate != none<delegate_id>) {
        add_graph(program_[record.delegate].original);
        continue;
      }
      add_node(n);
      for (const auto inner : program_.subgraphs_of(record)) add_graph(inner);
    }
  }
  constexpr void add_node(std::uint32_t n) {
    const auto& record = program_.nodes[n];
    const auto& facts = facts_.nodes[n];
    auto computed_by = join(facts.computed_by.empty() ? "-" : view(facts.computed_by));
    if (facts.within != npos) append(append(computed_by, ", "), program_.text(program_.delegates[facts.within].name));
    table_.row({join(count_++), printable(program_.text(record.name)), printable(program_.text(record.target)),
                types_text(program_, program_.outputs_of(record)), computed_by, join(facts.multiply_adds), join(facts.output_bytes)});
    if (!facts.reason.empty()) table_.below(words_of(view(join("not delegated: ", view(facts.reason)))));
    bytes_ += facts.output_bytes;
  }

  program_view program_;
  const survey& facts_;
  vector<char> seen_;
  table table_;
  std::uint32_t count_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace detail

/// Every operation of a program, those that delegates took included, in the order in which they run: who computes it, why no backend does,
/// its multiply-adds and the bytes of its outputs.
constexpr auto assignment_table(const program_view& program, const survey& facts, std::size_t width = line_width) -> text_buffer {
  return detail::assignment_report(program, facts, width).run();
}

}  // namespace baton::report
