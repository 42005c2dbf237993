// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/core/error.hpp>
#include <baton/core/locate.hpp>
#include <baton/core/shared/static_failure.hpp>
#include <baton/core/verdict.hpp>
#include <baton/lower/shared/rules.hpp>

#include "conformance/graphs.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <exception>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

namespace {

using namespace baton;

constexpr auto numbers_and_text_are_joined() -> bool {
  const auto text = join("a", 1, -20, std::string_view{"b"}, std::uint8_t{255}, std::numeric_limits<std::int64_t>::min());
  constexpr auto most = std::numeric_limits<std::uint64_t>::max();
  text_buffer appended;
  append(append(append(appended, most), " "), std::int64_t{-1});
  return view(text) == "a1-20b255-9223372036854775808" && join().empty() && view(join(most)) == "18446744073709551615" &&
         view(refuse(most, " rows").reason) == "18446744073709551615 rows" && view(appended) == "18446744073709551615 -1";
}
static_assert(numbers_and_text_are_joined());

constexpr auto counted_nouns_agree_with_the_number_1() -> bool {
  const auto why = refuse("operand ", 1, " has ", 1, " bytes, not ", 21, " bytes in ", 1, " rows");
  return view(why.reason) == "operand 1 has 1 byte, not 21 bytes in 1 row" &&
         view(broken<"shared_constant">("node ", 1, " has ", 1, " inputs").reason) == "node 1 has 1 input" &&
         view(join(1, " bytes")) == "1 bytes";
}
static_assert(counted_nouns_agree_with_the_number_1());

constexpr auto a_failure_with_every_fact() -> failure {
  auto why = broken<"shared_constant">("constant ", "w");
  why = locate(std::move(why), conformance::g_mmadd(), node_id{1});
  why.tag = join("tag0");
  why.backend = join("MyNpu");
  return why;
}

constexpr auto a_message_is_the_sentence_followed_by_the_facts() -> bool {
  const auto why = a_failure_with_every_fact();
  return why.node == 1 && view(message(why)) ==
                              "baton shared_constant: a constant that a part owns has a user with another tag; allow sharing "
                              "(data_sharing), or remove the tag of the constant "
                              "[node: add] [operator: aten.add.Tensor] [tag: tag0] [backend: MyNpu] [constant w]";
}
static_assert(a_message_is_the_sentence_followed_by_the_facts());

constexpr auto a_result_holds_a_value_or_a_failure() -> bool {
  const result<int> good = 3;
  const result<int> bad = broken<"shared_constant">();
  return good && good.value == 3 && !bad && bad.error.is<"shared_constant">() && bad.value == 0 && !failure{} && value_or_raise(good) == 3;
}
static_assert(a_result_holds_a_value_or_a_failure());

constexpr auto a_static_failure_keeps_the_facts() -> bool {
  const static_failure why{a_failure_with_every_fact()};
  const static_failure nothing{failure{}};
  const text_buffer long_text(static_failure::reason_capacity + 1, 'x');
  const static_failure cut{broken<"shared_constant">(view(long_text))};
  return why.is_set && why.node == 1 && why.op.size == 15 && why.tag.characters[3] == '0' && !nothing.is_set && nothing.node == -1 &&
         cut.reason.size == static_failure::reason_capacity;
}
static_assert(a_static_failure_keeps_the_facts());

}  // namespace

TEST_CASE("a counted noun in a message agrees with the number 1") { CHECK(counted_nouns_agree_with_the_number_1()); }
TEST_CASE("a failure holds the sentence of a rule, and facts") {
  CHECK(numbers_and_text_are_joined());
  CHECK(a_message_is_the_sentence_followed_by_the_facts());
  CHECK(a_result_holds_a_value_or_a_failure());
  CHECK(a_static_failure_keeps_the_facts());
}

TEST_CASE("a failure is thrown at run time with the same text") {
  const auto why = a_failure_with_every_fact();
  try {
    raise(why);
  } catch (const std::exception& thrown) {
    CHECK(std::string(thrown.what()) == std::string(view(message(why))));
  }
  CHECK_THROWS_AS(raise(why), error);
  CHECK_THROWS_AS(value_or_raise(result<int>{why}), error);
  try {
    raise(why);
  } catch (const error& thrown) {
    CHECK(thrown.why().is<"shared_constant">());
    CHECK(thrown.why().node == 1);
  }
}
