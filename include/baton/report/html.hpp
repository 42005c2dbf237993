// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A program as one self-contained HTML page: the graph, the component that computes each node, the reasons, and the memory plan.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/plan/memory_plan.hpp>
#include <baton/report/detail/html_drawing.hpp>
#include <baton/report/detail/html_page.hpp>
#include <baton/report/detail/html_script.hpp>
#include <baton/report/json.hpp>
#include <baton/report/provenance.hpp>
#include <baton/report/survey.hpp>

#include <cstddef>
#include <string_view>

namespace baton::report {

namespace detail {
/// Returns a view of a string literal in O(1), without a search for its terminating zero.
template <std::size_t Size>
constexpr auto literal_text(const char (&literal)[Size]) -> std::string_view {
  return {literal, Size - 1};
}
}  // namespace detail

/// Returns a program as one self-contained page, which consists of the program's JSON and a script that draws the program. Delegates and
/// branches can be opened. Reasons are shown in a list and in tooltips. The memory plan is drawn with the steps of a run on the x axis and
/// the addresses of the arena on the y axis. The title is `from.file`, or the program's name if `from.file` is empty.
constexpr auto html(const program_view& program, const survey& facts, const memory_plan* plan = nullptr, const provenance& from = {})
    -> text_buffer {
  auto page = join("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Baton report</title><style>",
                   detail::literal_text(detail::html_style));
  append(append(page, "</style></head><body>"), detail::literal_text(detail::html_body));
  append(page, "<script type=\"application/json\" id=\"data\">\n");
  append(page, view(json(program, facts, plan, from)));
  append(append(append(page, "</script><script>"), detail::literal_text(detail::html_script)), detail::literal_text(detail::html_drawing));
  append(page, "</script></body></html>\n");
  return page;
}

}  // namespace baton::report
