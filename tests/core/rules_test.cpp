// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/core/rules.hpp>
#include <baton/core/error.hpp>
#include <baton/core/shared/static_failure.hpp>

#include <doctest/doctest.h>

#include <string_view>
#include <type_traits>

// A rule of a user, beside Baton's; tests/fail/rule_of_a_user.cpp tells one in the compiler.
namespace acme {
struct wide_part {
  static constexpr std::string_view sentence = "acme wide_part: a part must have at most 8 inputs; this one has more; split it";
  template <class Facts>
  static consteval void report() {
    static_assert(baton::always_false<Facts>, "acme wide_part: a part must have at most 8 inputs; this one has more; split it");
  }
};
}  // namespace acme

template <>
struct baton::rule::named<"acme wide_part"> : std::type_identity<acme::wide_part> {};

namespace {

using namespace baton;

constexpr auto a_rule_has_the_name_that_its_sentence_begins_with() -> bool {
  return rule::name_of(rule::malformed_shape::sentence) == "malformed_shape" &&
         rule::name_of(acme::wide_part::sentence) == "acme wide_part" && rule::name_of("no rule") == "no rule";
}
static_assert(a_rule_has_the_name_that_its_sentence_begins_with());

template <class Rule>
struct broken_once {
  static constexpr static_failure why{broken<Rule>("9 inputs")};
};

struct without_a_name {
  static constexpr std::string_view sentence = "acme without_a_name: it stands in no `named`; the compiler cannot find it";
};

/// The rule that the compiler finds again in the constant of a failure.
template <class Rule>
using found_again = typename decltype(baton::detail::rule_broken_by<broken_once<Rule>::why>())::type;

static_assert(std::is_same_v<found_again<rule::malformed_shape>, rule::malformed_shape>);
static_assert(std::is_same_v<found_again<acme::wide_part>, acme::wide_part>);
static_assert(std::is_same_v<found_again<without_a_name>, rule::unnamed_rule>);

}  // namespace

TEST_CASE("a rule is named by its sentence") { CHECK(a_rule_has_the_name_that_its_sentence_begins_with()); }

TEST_CASE("a rule is raised at run time with its own sentence and its reason, a user's too") {
  CHECK_THROWS_WITH_AS(raise(broken<rule::malformed_shape>()), rule::malformed_shape::sentence.data(), error);
  CHECK_THROWS_WITH_AS(raise(broken<acme::wide_part>("9 inputs")),
                       "acme wide_part: a part must have at most 8 inputs; this one has more; split it [9 inputs]", error);
}
