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

/// Nothing is fetched, and the data ends where it should, whatever the model's names hold. What the page does is tested in a browser.
auto the_page_needs_nothing_else() -> bool {
  const auto program = lowered();
  const auto facts = report::survey_of(program, explain);
  const auto memory = plan();
  const auto page = report::html(program, facts, &memory);
  const auto text = view(page);
  const auto has = [&](std::string_view part) { return text.find(part) != std::string_view::npos; };
  const auto fetches = [&] {  // a `url(#…)` is a place in the page itself
    for (auto at = text.find("url("); at != text.npos; at = text.find("url(", at + 1)) {
      if (text[at + 4] != '#') return true;
    }
    return false;
  };
  return text.starts_with("<!doctype html>") && has(view(report::json(program, facts, &memory))) && !has("src=") && !has("@import") &&
         !fetches() && !has("fetch(") && text.ends_with("</script></body></html>\n");
}
TEST_CASE("html: one page that needs nothing else") { CHECK(the_page_needs_nothing_else()); }

/// The page has the facts that its program does not hold, escaped as all of its data.
auto the_page_says_where_it_comes_from() -> bool {
  const auto program = lowered();
  const auto memory = plan();
  const auto page = report::html(program, report::survey_of(program), &memory, {"<net>.tflite", "overlap", "my kernels"});
  const auto has = [&](std::string_view part) { return view(page).find(part) != std::string_view::npos; };
  return has(R"("file": "\u003cnet>.tflite", "policy": "in_place", "target": "my kernels")");
}
TEST_CASE("html: the page names the model's file, the policy and the target") { CHECK(the_page_says_where_it_comes_from()); }

}  // namespace
