// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/core/rules.hpp>
#include <baton/core/error.hpp>
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

// Whose sentence begins with another name.
template <>
struct baton::rule<"acme without_a_name"> {
  static constexpr std::string_view sentence = "acme with_another_name: it is the name of no rule; the compiler cannot find it";
};

namespace {

using namespace baton;

constexpr auto a_rule_has_the_name_that_its_sentence_begins_with() -> bool {
  return rule_name(rule<"malformed_data">::sentence) == "malformed_data" &&
         rule_name(rule<"acme wide_part">::sentence) == "acme wide_part" && rule_name("no rule") == "no rule";
}
static_assert(a_rule_has_the_name_that_its_sentence_begins_with());

template <fixed_string Rule>
struct broken_once {
  static constexpr static_failure why{broken<Rule>("9 inputs")};
};

/// The rule that the compiler finds again in the constant of a failure.
template <fixed_string Rule>
using found_again = decltype(baton::detail::rule_broken_by<broken_once<Rule>::why>());

static_assert(std::is_same_v<found_again<"malformed_data">, rule<"malformed_data">>);
static_assert(std::is_same_v<found_again<"acme wide_part">, rule<"acme wide_part">>);
static_assert(std::is_same_v<found_again<"acme without_a_name">, rule<"acme with_another_name">>);

}  // namespace

TEST_CASE("a rule is named by its sentence") { CHECK(a_rule_has_the_name_that_its_sentence_begins_with()); }

TEST_CASE("a rule is raised at run time with its own sentence and its reason, a user's too") {
  CHECK_THROWS_WITH_AS(raise(broken<"malformed_data">()), rule<"malformed_data">::sentence.data(), error);
  CHECK_THROWS_WITH_AS(raise(broken<"acme wide_part">("9 inputs")),
                       "acme wide_part: a part must have at most 8 inputs; this one has more; split it [9 inputs]", error);
}
