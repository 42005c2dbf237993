// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/core/rule.hpp>
#include <baton/core/error.hpp>
#include <baton/core/rules.hpp>
#include <baton/core/shared/static_failure.hpp>

#include <doctest/doctest.h>

#include <string_view>
#include <type_traits>

// A rule of a user, beside Baton's; tests/fail/rule_of_a_user.cpp tells one in the compiler.
template <>
struct baton::rule<"acme wide_part"> {
  static constexpr std::string_view sentence = "acme wide_part: a part must have at most 8 inputs; this one has more; split it";
  template <class Facts>
  static consteval void report() {
    static_assert(baton::always_false<Facts>, "acme wide_part: a part must have at most 8 inputs; this one has more; split it");
  }
};

// One that no compiler reports: it has a sentence alone, which does not begin with its name.
template <>
struct baton::rule<"acme without_report"> {
  static constexpr std::string_view sentence = "a part must be small; this one is large; split it";
};

namespace {

using namespace baton;

constexpr auto a_failure_is_found_by_its_rules_name() -> bool {
  const auto ours = broken<"malformed_data">("9 bytes");
  const auto theirs = broken<"acme wide_part">();
  return ours.is<"malformed_data">() && !ours.is<"misplaced_index">() && !ours.is<"acme wide_part">() &&
         ours.rule_name == "malformed_data" && theirs.is<"acme wide_part">() && theirs.rule_name == "acme wide_part" &&
         broken<"acme without_report">().is<"acme without_report">() && !failure{}.is<"malformed_data">() && failure{}.rule_name.empty();
}
static_assert(a_failure_is_found_by_its_rules_name());

constexpr auto a_sentence_ends_where_its_literal_ends() -> bool {
  constexpr auto sentence = rule<"malformed_data">::sentence;
  return sentence.ends_with("correct the shape or the data") && sentence.data()[sentence.size()] == '\0';
}
static_assert(a_sentence_ends_where_its_literal_ends());

template <fixed_string Rule>
struct broken_once {
  static constexpr static_failure why{broken<Rule>("9 inputs")};
};
static_assert(broken_once<"acme wide_part">::why.is<"acme wide_part">() && !broken_once<"acme wide_part">::why.is<"malformed_data">());

/// The rule that the compiler finds again in the constant of a failure.
template <fixed_string Rule>
using found_again = decltype(baton::detail::rule_broken_by<broken_once<Rule>::why>());

static_assert(std::is_same_v<found_again<"malformed_data">, rule<"malformed_data">>);
static_assert(std::is_same_v<found_again<"acme wide_part">, rule<"acme wide_part">>);
static_assert(std::is_same_v<found_again<"acme without_report">, rule<"">>);  // none has this name

}  // namespace

TEST_CASE("a failure is found by its rule's name") { CHECK(a_failure_is_found_by_its_rules_name()); }

TEST_CASE("a generated sentence is as long as its literal") { CHECK(a_sentence_ends_where_its_literal_ends()); }

TEST_CASE("a rule is raised at run time with its own sentence and its reason, a user's too") {
  CHECK_THROWS_WITH_AS(raise(broken<"malformed_data">()), rule<"malformed_data">::sentence.data(), error);
  CHECK_THROWS_WITH_AS(raise(broken<"acme wide_part">("9 inputs")),
                       "acme wide_part: a part must have at most 8 inputs; this one has more; split it [9 inputs]", error);
}
