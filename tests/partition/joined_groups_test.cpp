// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/partition/detail/joined_groups.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>

#include "conformance/graphs.hpp"

#include <doctest/doctest.h>

#include <initializer_list>
#include <string_view>

namespace {

using namespace baton;

constexpr auto type = conformance::two_by_two;

/// Nodes 0 to 3, `a` to `d`, in a row; the first two use the parameters `p` and `q`, values 0 and 1.
constexpr auto row() -> exported_program {
  program_builder b;
  const auto p = b.parameter("p", type);
  const auto q = b.parameter("q", type);
  auto last = b.user_input("x", type);
  last = b.call("a", "op", {last, p, q}, type);
  last = b.call("b", "op", {last, p, q}, type);
  last = b.call("c", "op", {last}, type);
  b.output(b.call("d", "op", {last}, type));
  return b.finish();
}

/// The groups of lists: `a p, b c`.
constexpr auto joined(std::initializer_list<node_list> lists) -> text_buffer {
  const auto owner = row();
  const program_view program = owner;
  detail::joined_groups joined(program);
  for (const auto& list : lists) joined.add(list);
  text_buffer text;
  for (const auto& group : joined.groups()) {
    if (!text.empty()) append(text, ",");
    for (const auto id : group.nodes) append(append(text, text.empty() ? "" : " "), program.text(program[id].name));
    for (const auto id : group.placeholders) append(append(text, " "), program.text(program[id].name));
  }
  return text;
}
constexpr auto are(std::initializer_list<node_list> lists, std::string_view groups) -> bool { return view(joined(lists)) == groups; }

constexpr node_id a{0};
constexpr node_id b{1};
constexpr node_id c{2};
constexpr node_id d{3};
constexpr value_id p{0};
constexpr value_id q{1};

constexpr auto lists_with_a_common_node_are_one() -> bool {
  return are({{{a}}, {{b}}, {{c, d}}}, "a, b, c d") && are({{{a, b}}, {{c, d}}, {{b, d}}}, "a b c d") && are({{{d, b}}, {{b}}}, "b d");
}
static_assert(lists_with_a_common_node_are_one());

constexpr auto owned_data_stays_with_the_first_that_names_it() -> bool {
  return are({{{b}, {p}}, {{a}, {p, q}}}, "a p_q, b p_p") && are({{{a}, {p}}, {{b}, {p}}, {{a, b}}}, "a b p_p");
}
static_assert(owned_data_stays_with_the_first_that_names_it());

constexpr auto nothing_makes_no_group() -> bool { return are({}, "") && are({{{}}}, ""); }
static_assert(nothing_makes_no_group());

}  // namespace

TEST_CASE("lists of nodes become groups") {
  CHECK(lists_with_a_common_node_are_one());
  CHECK(owned_data_stays_with_the_first_that_names_it());
  CHECK(nothing_makes_no_group());
}
