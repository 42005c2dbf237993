// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/core/error.hpp>
#include <baton/core/rules.hpp>

#include <boost/hana/for_each.hpp>
#include <boost/hana/size.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace {

using namespace baton;

constexpr std::size_t rule_count = decltype(boost::hana::size(rule::catalogue))::value;

constexpr auto sentences() -> std::array<std::string_view, rule_count> {
  std::array<std::string_view, rule_count> all{};
  std::size_t at = 0;
  boost::hana::for_each(rule::catalogue, [&](auto each) { all[at++] = decltype(each)::type::sentence; });
  return all;
}

/// The identifier of a sentence, "" if it has not the form `baton <identifier>: <what must hold>; ...; <what to do>`.
constexpr auto identifier_of(std::string_view sentence) -> std::string_view {
  constexpr std::string_view prefix = "baton ";
  if (!sentence.starts_with(prefix)) return {};
  const auto colon = sentence.find(": ");
  if (colon == std::string_view::npos) return {};
  const auto identifier = sentence.substr(prefix.size(), colon - prefix.size());
  for (const char c : identifier) {
    if (!(c == '_' || (c >= 'a' && c <= 'z'))) return {};
  }
  const bool has_two_parts = sentence.find("; ", colon) != std::string_view::npos;
  return has_two_parts && sentence.back() != '.' && sentence.back() != ' ' ? identifier : std::string_view{};
}

constexpr auto every_sentence_has_the_form() -> bool {
  for (const auto sentence : sentences()) {
    if (identifier_of(sentence).empty()) return false;
  }
  return true;
}
static_assert(every_sentence_has_the_form());

constexpr auto every_rule_is_unique() -> bool {
  std::array<std::uint64_t, rule_count> names{};
  std::size_t at = 0;
  for (const auto sentence : sentences()) names[at++] = hash_of(identifier_of(sentence));
  std::sort(names.begin(), names.end());
  return std::adjacent_find(names.begin(), names.end()) == names.end();
}
static_assert(every_rule_is_unique());

constexpr auto a_rule_is_named_as_it_is_spelt() -> bool {
  return identifier_of(rule::shared_constant::sentence) == "shared_constant" &&
         identifier_of(rule::unordered_rule::sentence) == "unordered_rule";
}
static_assert(a_rule_is_named_as_it_is_spelt());

constexpr auto every_rule_is_found_again_in_a_static_failure() -> bool {
  std::size_t expected = 0;
  bool good = true;
  boost::hana::for_each(rule::catalogue,
                        [&](auto each) { good = good && static_failure{broken<typename decltype(each)::type>()}.rule == expected++; });
  failure unknown;
  unknown.rule = "baton of_a_user: a rule that the catalogue does not have";
  return good && static_failure{unknown}.rule == rule_count - 1;
}
static_assert(every_rule_is_found_again_in_a_static_failure());

}  // namespace

TEST_CASE("every rule has a sentence of its own") {
  CHECK(every_sentence_has_the_form());
  CHECK(every_rule_is_unique());
  CHECK(a_rule_is_named_as_it_is_spelt());
  CHECK(every_rule_is_found_again_in_a_static_failure());
}

TEST_CASE("every rule is raised at run time with its own sentence") {
  boost::hana::for_each(rule::catalogue, [](auto each) {
    using each_rule = typename decltype(each)::type;
    const auto sentence = std::string(each_rule::sentence);
    CHECK_THROWS_WITH_AS(raise(broken<each_rule>()), sentence.c_str(), error);
  });
}
