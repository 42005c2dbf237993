// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Supports that match no node are reported on request, and in the reasons for nodes that are not delegated.
#include <baton/partition/detail/unmatched_names.hpp>

#include <baton/backend/backends.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/static_program.hpp>
#include <baton/lower/verdicts.hpp>
#include <baton/operators/operator_definition.hpp>
#include <baton/operators/operator_dialect.hpp>
#include <baton/partition/by_cost.hpp>
#include <baton/partition/by_lists.hpp>
#include <baton/partition/by_support.hpp>

#include <doctest/doctest.h>

#include <string_view>

namespace {

using namespace baton;

struct device {
  static constexpr auto id = name<"Device">;
  static constexpr auto preprocess(const exported_program&, const compile_specs&) -> preprocess_result { return {}; }
};

constexpr auto add_and_fft() -> exported_program {
  constexpr auto type = tensor(dtype::int8, 4);
  program_builder build;
  const auto x = build.user_input("x", type);
  build.output(build.call("my_company.fft", {build.call("tfl.add", {x, x}, type)}, type));
  return build.finish();
}

using matched = operator_names<"tfl.add", "tfl.sub">;
using unmatched = operator_names<"xyz.foo", "tfl.sub">;
/// Names an operator of the program, but no node has such operands.
using wrong_type = operator_table<table_row<"tfl.add", dtypes<dtype::float32>>>;
struct custom {
  static constexpr auto supports(const program_view&, const node&) -> verdict { return refuse("never"); }
};

constexpr auto supports_without_matches_are_detected() -> bool {
  const auto program = add_and_fft();
  return every_support_matches<>(program) && every_support_matches<matched>(program) &&
         every_support_matches<matched, operator_names<"my_company.fft">>(program) && !every_support_matches<unmatched>(program) &&
         !every_support_matches<matched, unmatched>(program) && !every_support_matches<wrong_type>(program);
}
static_assert(supports_without_matches_are_detected());
TEST_CASE("every_support_matches detects a support that matches no node") { CHECK(supports_without_matches_are_detected()); }

constexpr static_program model{[] { return add_and_fft(); }};
static_assert(every_support_matches<matched>(model) && !every_support_matches<unmatched>(model));

template <class Support>
constexpr auto has_remark(std::string_view expected) -> bool {
  const auto program = add_and_fft();
  return view(detail::unmatched_remark<Support>(program)) == expected;
}
constexpr auto names_that_match_nothing_are_reported() -> bool {
  constexpr std::string_view none = "the support matches no node of the program";
  return has_remark<matched>("") && has_remark<operator_names<"my_company.other", "tfl.add">>("") && has_remark<custom>(none) &&
         has_remark<wrong_type>(none) &&
         has_remark<unmatched>("the support matches no node of the program, which has no xyz.foo, tfl.sub") &&
         has_remark<with_followers<any_of<operator_names<"a.a">, all_of<operator_names<"a.b", "a.c">>, operator_table<table_row<"a.d">>>>>(
             "the support matches no node of the program, which has no a.a, a.b, a.c, a.d") &&
         has_remark<operator_names<"a.a", "a.b", "a.c", "a.d", "a.e", "a.f">>(
             "the support matches no node of the program, which has no a.a, a.b, a.c, a.d and 2 more") &&
         has_remark<operator_names<"tfl.add", "aten.add.Tensor", "cond", "xyz.foo", "MY_FFT">>(
             "the program has no operator in the namespace of xyz.foo, MY_FFT, which the support names");
}
static_assert(names_that_match_nothing_are_reported());
TEST_CASE("a remark names the operators that a program does not have") { CHECK(names_that_match_nothing_are_reported()); }

constexpr operator_definition foreign_operators[] = {{.name = "xyz.foo"}};
constexpr operator_list foreign_lists[] = {foreign_operators};
constexpr auto foreign_dialect = operator_dialect::of<foreign_lists>();
constexpr auto names_in_the_dialect_are_known() -> bool {
  auto program = add_and_fft();
  program.dialect = &foreign_dialect;
  using both = operator_names<"tfl.add", "xyz.foo">;
  return detail::unmatched_remark<both>(program).empty() && !detail::unmatched_remark<both>(add_and_fft()).empty();
}
static_assert(names_in_the_dialect_are_known());
TEST_CASE("the operators of the program's dialect are known names") { CHECK(names_in_the_dialect_are_known()); }

template <class Partitioner>
constexpr auto first_reason_is(std::string_view expected) -> bool {
  const auto verdicts = verdicts_of(add_and_fft(), Partitioner{});
  return verdicts && view(verdicts.value[0].reason) == expected;
}
struct each_alone {
  constexpr auto operator()(const program_view&) const -> vector<node_list> { return {}; }
};
struct kernel_costs {
  static constexpr auto node(const program_view&, const baton::node&) -> double { return 2; }
};
struct cheap {
  static constexpr auto node(const program_view&, const baton::node&) -> double { return 1; }
  static constexpr double byte = 0;
};
constexpr auto reasons_report_that_a_support_matches_nothing() -> bool {
  constexpr std::string_view expected =
      "the operator is not in the list; the support matches no node of the program, which has no xyz.foo, tfl.sub";
  return first_reason_is<by_support<device, unmatched>>(expected) &&
         first_reason_is<by_groups<device, each_alone{}, unmatched>>(expected) &&
         first_reason_is<by_cost<kernel_costs, costed_backend<device, unmatched, cheap>>>(expected) &&
         first_reason_is<by_support<device, no_support>>("it is not supported") &&
         first_reason_is<by_support<device, operator_names<"my_company.fft">>>("the operator is not in the list");
}
static_assert(reasons_report_that_a_support_matches_nothing());
TEST_CASE("the reason for a node reports that the support matches no node") { CHECK(reasons_report_that_a_support_matches_nothing()); }

}  // namespace
