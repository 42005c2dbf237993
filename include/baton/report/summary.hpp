// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What went where, why not, and why in so many parts: three short tables for a terminal.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/report/detail/reasons.hpp>
#include <baton/report/detail/table.hpp>
#include <baton/report/survey.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::report {

namespace detail {

/// `12  40%`: all is 100 %, and nothing less is; nothing is 0 %, and nothing more is.
constexpr auto share_text(std::uint64_t part, std::uint64_t whole) -> text_buffer {
  if (whole == 0) return join(part);
  const auto percent = static_cast<std::uint64_t>(static_cast<double>(part) / static_cast<double>(whole) * 100 + 0.5);
  if (percent == 0 && part != 0) return join(part, "  <1%");
  if (percent >= 100 && part < whole) return join(part, " >99%");
  return join(part, percent < 10 ? "   " : percent < 100 ? "  " : " ", percent, "%");
}

constexpr auto of_backend(std::uint64_t count, bool is_backend) -> text_buffer {
  auto text = join("-");
  if (is_backend) text = join(count);
  return text;
}

/// Who takes how much: a line a backend and whoever computes what stays. Bytes are what the operations put out, what crosses the borders of
/// delegates (in and out), and blobs.
constexpr auto shares_table(const survey& facts, std::size_t width = line_width) -> text_buffer {
  detail::table rows(width, {"taken by", ">parts", ">operations", ">multiply-adds", ">bytes made", ">across", ">blobs"});
  const auto& totals = facts.totals;
  std::uint64_t output_bytes = 0;
  for (const auto& share : facts.shares) output_bytes += share.output_bytes;
  const auto add = [&](const survey::share& share) {
    rows.row({printable(share.who.empty() ? std::string_view{"-"} : view(share.who)), detail::of_backend(share.delegates, share.is_backend),
              detail::share_text(share.nodes, totals.nodes), detail::share_text(share.multiply_adds, totals.multiply_adds),
              detail::share_text(share.output_bytes, output_bytes), detail::of_backend(share.boundary_bytes, share.is_backend),
              detail::of_backend(share.blob_bytes, share.is_backend)});
  };
  for (const auto& share : facts.shares) add(share);
  rows.row({join("total"), join(totals.delegates), join(totals.nodes), join(totals.multiply_adds), join(output_bytes),
            join(totals.boundary_bytes), join(totals.blob_bytes)});
  return rows.print(join("what went where: ", totals.delegated, " of ", totals.nodes, " operations delegated, in ", totals.delegates,
                         totals.delegates == 1 ? " part\n" : " parts\n"));
}

/// Why operations stay, the costliest reason first: how many operations and multiply-adds it concerns, how many parts begin behind one of
/// them, and how many fewer parts there would be if they were taken.
constexpr auto reasons_table(const program_view& program, const survey& facts, std::size_t width = line_width) -> text_buffer {
  detail::table rows(width, {"operator", ">operations", ">multiply-adds", ">keeps apart", ">fewer parts if taken"});
  const auto reasons = reasons_of(program, facts);
  for (const auto& each : reasons) {
    rows.row({printable(each.op), join(each.nodes), join(each.multiply_adds), join(each.keeps_apart), join(each.keeps_apart_alone)});
    if (each.is_delegate) rows.below(detail::words_of("parts of this backend lie between parts of another"));
    if (!each.reason.empty()) rows.below(detail::words_of(view(each.reason)));
  }
  if (reasons.empty()) return join("why not delegated: nothing to say\n");
  return rows.print(join("why not delegated, and what keeps parts apart\n"));
}

/// The delegates in their order, and why each is one of its own.
constexpr auto delegates_table(const program_view& program, const survey& facts, std::size_t width = line_width) -> text_buffer {
  if (facts.delegates.empty()) return join("parts: none\n");
  detail::table rows(width, {"part", "taken by", ">operations", ">multiply-adds", ">bytes in", ">bytes out"});
  for (std::uint32_t d = 0; d < facts.delegates.size(); ++d) {
    const auto& delegate = facts.delegates[d];
    rows.row({detail::delegate_name(program, facts, d), printable(program.text(program.delegates[d].backend_id)), join(delegate.nodes),
              join(delegate.multiply_adds), join(delegate.argument_bytes), join(delegate.result_bytes)});
    rows.below(detail::words_of(view(border_text(program, facts, delegate_id{d}))));
  }
  return rows.print(join("parts: ", facts.delegates.size(), ", and why each is one of its own\n"));
}

}  // namespace detail

/// The three tables, a blank line between them.
constexpr auto summary(const program_view& program, const survey& facts, std::size_t width = line_width) -> text_buffer {
  return join(view(detail::shares_table(facts, width)), "\n", view(detail::reasons_table(program, facts, width)), "\n",
              view(detail::delegates_table(program, facts, width)));
}

}  // namespace baton::report
