// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/core/rule.hpp>
#include <baton/core/error.hpp>
#include <baton/core/rules.hpp>
#include <baton/core/shared/static_failure.hpp>

#include <doctest/doctest.h>

#include <string_view>
#include <type_traits>

// A user-defined rule. tests/fail/custom_rule.cpp reports such a rule at compile time.
template <>
struct baton::rule<"acme wide_part"> {
  static constexpr std::string_view sentence = "acme wide_part: a part must have at most 8 inputs; this one has more; split it";
  template <class Facts>
  static consteval void report() {
    static_assert(baton::always_false<Facts>, "acme wide_part: a part must have at most 8 inputs; this one has more; split it");
  }
};

// A rule without `report`, so it has no compile-time message. Its sentence does not begin with its name.
template <>
struct baton::rule<"acme without_report"> {
  static constexpr std::string_view sentence = "a part must be small; this one is large; split it";
};

namespace {

using namespace baton;

constexpr auto a_failure_is_identified_by_its_rule() -> bool {
  const auto ours = broken<"malformed_data">("9 bytes");
  const auto theirs = broken<"acme wide_part">();
  return ours.is<"malformed_data">() && !ours.is<"misplaced_index">() && !ours.is<"acme wide_part">() &&
         ours.rule_name == "malformed_data" && theirs.is<"acme wide_part">() && theirs.rule_name == "acme wide_part" &&
         broken<"acme without_report">().is<"acme without_report">() && !failure{}.is<"malformed_data">() && failure{}.rule_name.empty();
}
static_assert(a_failure_is_identified_by_its_rule());

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

/// The rule type that is recovered from a static failure.
template <fixed_string Rule>
using recovered_rule = decltype(baton::detail::rule_broken_by<broken_once<Rule>::why>());

static_assert(std::is_same_v<recovered_rule<"malformed_data">, rule<"malformed_data">>);
static_assert(std::is_same_v<recovered_rule<"acme wide_part">, rule<"acme wide_part">>);
static_assert(std::is_same_v<recovered_rule<"acme without_report">, rule<"">>);  // no rule has this name

}  // namespace

TEST_CASE("a failure is identified by the name of its rule") { CHECK(a_failure_is_identified_by_its_rule()); }

TEST_CASE("a generated sentence is as long as its literal") { CHECK(a_sentence_ends_where_its_literal_ends()); }

TEST_CASE("a broken rule is thrown at run time with its sentence and reason, also a user-defined rule") {
  CHECK_THROWS_WITH_AS(raise(broken<"malformed_data">()), rule<"malformed_data">::sentence.data(), error);
  CHECK_THROWS_WITH_AS(raise(broken<"acme wide_part">("9 inputs")),
                       "acme wide_part: a part must have at most 8 inputs; this one has more; split it [9 inputs]", error);
}
