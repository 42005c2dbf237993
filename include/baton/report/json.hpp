// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A program as JSON (RFC 8259), for tools and for the HTML page.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/plan/memory_plan.hpp>
#include <baton/report/detail/json_report.hpp>
#include <baton/report/provenance.hpp>
#include <baton/report/survey.hpp>

namespace baton::report {

/// Returns a program as one JSON object; docs/report.md lists the members. `baton_report` is the version of the format. Later versions of
/// Baton may add members. A reference to a record is the index of this record in its list. Numbers of bytes and multiply-adds are for one
/// run. If `plan` is null, the member `memory` is null. Names are not shortened, except in the member `text` of a `separation`.
constexpr auto json(const program_view& program, const survey& facts, const memory_plan* plan = nullptr, const provenance& from = {})
    -> text_buffer {
  return detail::json_report(program, facts, plan, from).run();
}

}  // namespace baton::report
