// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Tables for a terminal: the totals of each backend, the reasons for undelegated nodes, the delegates, and all nodes.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/report/detail/reasons.hpp>
#include <baton/report/shared/table.hpp>
#include <baton/report/survey.hpp>
#include <baton/report/text.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::report {

namespace detail {

/// Returns `part` and its percentage of `whole`: `12  40%`. Only `whole` itself is shown as 100%, and only 0 is shown as 0%.
/// Returns `part` alone if `whole` is 0.
constexpr auto share_text(std::uint64_t part, std::uint64_t whole) -> text_buffer {
  if (whole == 0) return join(part);
  const auto percent = static_cast<std::uint64_t>(static_cast<double>(part) / static_cast<double>(whole) * 100 + 0.5);
  if (percent == 0 && part != 0) return join(part, "  <1%");
  if (percent >= 100 && part < whole) return join(part, " >99%");
  return join(part, percent < 10 ? "   " : percent < 100 ? "  " : " ", percent, "%");
}

constexpr auto backend_text(std::uint64_t count, bool is_backend) -> text_buffer {
  auto text = join("-");
  if (is_backend) text = join(count);
  return text;
}

/// Returns the table of shares, with one line for each backend or kernel list. A line counts the parts (delegates), the nodes, their
/// multiply-adds and output bytes, the bytes that cross the boundaries of delegates, and the processed bytes. Processed bytes are the
/// result of a backend's `preprocess`.
constexpr auto shares_table(const survey& facts, std::size_t width = line_width) -> text_buffer {
  table rows(width, {"assigned to", ">parts", ">nodes", ">multiply-adds", ">output B", ">boundary B", ">processed B"});
  const auto& totals = facts.totals;
  std::uint64_t output_bytes = 0;
  for (const auto& share : facts.shares) output_bytes += share.output_bytes;
  const auto add = [&](const survey::share& share) {
    rows.row({printable(share.computed_by.empty() ? std::string_view{"-"} : view(share.computed_by)),
              detail::backend_text(share.delegates, share.is_backend), detail::share_text(share.nodes, totals.nodes),
              detail::share_text(share.multiply_adds, totals.multiply_adds), detail::share_text(share.output_bytes, output_bytes),
              detail::backend_text(share.boundary_bytes, share.is_backend), detail::backend_text(share.processed_bytes, share.is_backend)});
  };
  for (const auto& share : facts.shares) add(share);
  rows.row({join("total"), join(totals.delegates), join(totals.nodes), join(totals.multiply_adds), join(output_bytes),
            join(totals.boundary_bytes), join(totals.processed_bytes)});
  return rows.print(join("node assignment: ", totals.delegated, " of ", totals.nodes, " nodes delegated, in ", totals.delegates,
                         totals.delegates == 1 ? " part\n" : " parts\n"));
}

/// Returns the reasons why nodes are not delegated or parts are separate, in the order of `reasons_of`. A line counts the nodes, their
/// multiply-adds, and the parts that these nodes separate from a preceding part. The last column is the maximum number of parts that would
/// be saved if these nodes were delegated.
constexpr auto reasons_table(const program_view& program, const survey& facts, std::size_t width = line_width) -> text_buffer {
  table rows(width, {"operator", ">nodes", ">multiply-adds", ">separated parts", ">avoidable parts"});
  const auto reasons = reasons_of(program, facts);
  for (const auto& each : reasons) {
    rows.row({printable(each.op), join(each.nodes), join(each.multiply_adds), join(each.separated_parts), join(each.avoidable_parts)});
    if (each.is_delegate) rows.below(words_of("parts of this backend are between parts of another"));
    if (!each.reason.empty()) rows.below(words_of(view(each.reason)));
  }
  if (reasons.empty()) return join("reasons for undelegated nodes: none\n");
  return rows.print(join("reasons for undelegated nodes and separate parts\n"));
}

/// Returns the table of delegates in record order, each with the reason why it is separate from the preceding delegates.
constexpr auto delegates_table(const program_view& program, const survey& facts, std::size_t width = line_width) -> text_buffer {
  if (facts.delegates.empty()) return join("parts: none\n");
  table rows(width, {"part", "assigned to", ">nodes", ">multiply-adds", ">input bytes", ">output bytes"});
  for (std::uint32_t d = 0; d < facts.delegates.size(); ++d) {
    const auto& delegate = facts.delegates[d];
    rows.row({detail::delegate_name(program, facts, d), printable(program.text(program.delegates[d].backend_id)), join(delegate.nodes),
              join(delegate.multiply_adds), join(delegate.argument_bytes), join(delegate.result_bytes)});
    rows.below(words_of(view(separation_text(program, facts, delegate_id{d}))));
  }
  return rows.print(join("parts: ", facts.delegates.size(), ", each with the reason why it is separate\n"));
}

}  // namespace detail

/// Returns the tables of shares, reasons and delegates, separated by blank lines.
constexpr auto summary(const program_view& program, const survey& facts, std::size_t width = line_width) -> text_buffer {
  return join(view(detail::shares_table(facts, width)), "\n", view(detail::reasons_table(program, facts, width)), "\n",
              view(detail::delegates_table(program, facts, width)));
}

namespace detail {

class assignment_report {
 public:
  constexpr assignment_report(const program_view& program, const survey& facts, std::size_t width)
      : program_(program),
        facts_(facts),
        seen_(program.graphs.size(), 0),
        table_(width, {">#", "node", "operator", "output", "assigned to", ">mult-adds", ">bytes"}) {}

  constexpr auto run() -> text_buffer {
    for (std::uint32_t g = 0; g < seen_.size(); ++g) add_graph(static_cast<graph_id>(g));
    const auto& totals = facts_.totals;
    table_.row({join(""), join("total"), join(""), join(""), join(totals.delegated, " of ", totals.nodes, " delegated"),
                join(totals.multiply_adds), join(bytes_)});
    return table_.print(join("nodes in execution order: ", totals.delegated_multiply_adds, " of ", totals.multiply_adds,
                             " multiply-adds delegated, ", totals.boundary_bytes, " bytes cross delegate boundaries\n"));
  }

 private:
  /// Adds the nodes of a graph. A delegate call is replaced by the nodes of its delegate. The nodes of branches and loop bodies follow the
  /// node that calls these graphs.
  constexpr void add_graph(graph_id id) {
    if (seen_[index(id)] != 0) return;
    seen_[index(id)] = 1;
    const auto nodes = program_[id].nodes;
    for (std::uint32_t n = nodes.first; n < nodes.first + nodes.size; ++n) {
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

/// Returns all nodes of a program in execution order, including nodes in delegates. The line of a node contains the backend or kernels that
/// compute the node, and the reason why the node is not delegated. The line also contains the multiply-adds of the node, and the bytes of
/// its outputs.
constexpr auto assignment_table(const program_view& program, const survey& facts, std::size_t width = line_width) -> text_buffer {
  return detail::assignment_report(program, facts, width).run();
}

}  // namespace baton::report
