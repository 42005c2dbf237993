// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/report/html.hpp>
#include <baton/report/json.hpp>
#include <baton/report/survey.hpp>

#include "report/model.hpp"

#include <doctest/doctest.h>

#include <string_view>

namespace {

using namespace report_model;

/// The page loads nothing, and its data end at the right position with any names in the model. A browser test checks the behavior of the
/// page.
auto the_page_loads_nothing() -> bool {
  const auto program = lowered();
  const auto facts = report::survey_of(program, explain_undelegated);
  const auto memory = plan();
  const auto page = report::html(program, facts, &memory);
  const auto text = view(page);
  const auto has = [&](std::string_view part) { return text.find(part) != std::string_view::npos; };
  const auto fetches = [&] {  // a `url(#…)` refers to the page itself
    for (auto at = text.find("url("); at != text.npos; at = text.find("url(", at + 1)) {
      if (text[at + 4] != '#') return true;
    }
    return false;
  };
  return text.starts_with("<!doctype html>") && has(view(report::json(program, facts, &memory))) && !has("src=") && !has("@import") &&
         !fetches() && !has("fetch(") && text.ends_with("</script></body></html>\n");
}
TEST_CASE("html: the page loads no other files") { CHECK(the_page_loads_nothing()); }

/// The page has the facts that are not in the program, escaped like all of its data.
auto the_page_has_its_provenance() -> bool {
  const auto program = lowered();
  const auto memory = plan();
  const auto page = report::html(program, report::survey_of(program), &memory, {"<net>.tflite", "in_place", "my kernels"});
  const auto has = [&](std::string_view part) { return view(page).find(part) != std::string_view::npos; };
  return has(R"("file": "\u003cnet>.tflite", "policy": "in_place", "target": "my kernels")");
}
TEST_CASE("html: the page names the model's file, the policy and the target") { CHECK(the_page_has_its_provenance()); }

}  // namespace
