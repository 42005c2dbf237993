// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/partition/operator_support.hpp>

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/verdict.hpp>

#include "conformance/graphs.hpp"
#include "laws/partitioner.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <string_view>

namespace {

using namespace baton;

using adds = operator_names<"aten.add.Tensor">;
using products = operator_names<"aten.mm.default">;
using everything = not_of<no_support>;

/// A user-defined support: accepts nodes whose output has rank 2, and states a reason otherwise.
struct matrices {
  static constexpr auto supports(const program_view& program, const node& candidate) -> verdict {
    const auto rank = program.shape(program.outputs_of(candidate)[0]).size();
    if (rank == 2) return accept();
    return refuse("rank ", rank, " instead of 2");
  }
};
/// A support that must not be queried.
struct never_queried {
  static constexpr auto supports(const program_view& program, const node& candidate) -> verdict {
    if (program.nodes.data() == nullptr) return accept();
    return never_queried::supports({}, candidate);
  }
};

/// Whether a support accepts exactly the nodes of G-MMADD (mm, add, sub, mm, add) that are marked `y`.
template <operator_support Support>
constexpr auto accepts_nodes(std::string_view expected) -> bool {
  const auto program = conformance::g_mmadd();
  for (std::size_t n = 0; n < program.nodes.size(); ++n) {
    if (Support::supports(program, program.nodes[n]).accepted != (expected[n] == 'y')) return false;
  }
  return true;
}

template <operator_support Support>
constexpr auto rejects_with(std::string_view reason) -> bool {
  const auto program = conformance::g_crt();
  const auto answer = Support::supports(program, program.nodes[0]);
  return view(answer.reason) == reason;
}

constexpr auto supports_combine() -> bool {
  return accepts_nodes<no_support>("nnnnn") && accepts_nodes<everything>("yyyyy") && accepts_nodes<adds>("nynny") &&
         accepts_nodes<operator_names<"aten.add.Tensor", "aten.mm.default">>("yynyy") && accepts_nodes<operator_names<>>("nnnnn") &&
         accepts_nodes<any_of<adds, products>>("yynyy") && accepts_nodes<any_of<>>("nnnnn") && accepts_nodes<all_of<>>("yyyyy") &&
         accepts_nodes<all_of<adds, products>>("nnnnn") && accepts_nodes<all_of<everything, adds>>("nynny") &&
         accepts_nodes<not_of<adds>>("ynyyn") && accepts_nodes<not_of<not_of<adds>>>("nynny") &&
         accepts_nodes<all_of<not_of<adds>, matrices>>("ynyyn");
}
static_assert(supports_combine());

constexpr auto later_members_are_queried_only_if_needed() -> bool {
  const auto program = conformance::g_mmadd();
  const auto& mm = program.nodes[0];
  return any_of<products, never_queried>::supports(program, mm).accepted && !all_of<adds, never_queried>::supports(program, mm).accepted;
}
static_assert(later_members_are_queried_only_if_needed());

// The reasons of several supports are joined, without duplicates. An acceptance has no reason.
constexpr auto a_rejection_has_a_reason() -> bool {
  return rejects_with<matrices>("rank 4 instead of 2") && rejects_with<adds>("the operator is not in the list") &&
         rejects_with<any_of<matrices, adds>>("rank 4 instead of 2; the operator is not in the list") &&
         rejects_with<any_of<adds, no_support, adds>>("the operator is not in the list") &&
         rejects_with<all_of<matrices, adds>>("rank 4 instead of 2") && rejects_with<not_of<everything>>("the operator is excluded") &&
         rejects_with<any_of<adds, everything>>("");
}
static_assert(a_rejection_has_a_reason());

constexpr auto the_laws_hold() -> bool {
  const auto program = conformance::g_mmadd();
  return laws::operator_support::all<no_support>(program) && laws::operator_support::all<adds>(program) &&
         laws::operator_support::all<matrices>(program) && laws::operator_support::all<any_of<adds, not_of<products>>>(program) &&
         laws::operator_support::all<all_of<adds, matrices>>(program);
}
static_assert(the_laws_hold());

struct without_verdict {
  static constexpr auto supports(const program_view&, const node&) -> bool { return true; }
};
static_assert(!operator_support<without_verdict> && !operator_support<int>);

}  // namespace

TEST_CASE("operator supports can be combined, and state reasons") {
  CHECK(supports_combine());
  CHECK(later_members_are_queried_only_if_needed());
  CHECK(a_rejection_has_a_reason());
}

TEST_CASE("the laws of operator supports hold") { CHECK(the_laws_hold()); }

// Predefined supports
namespace {

/// Whether a support rejects `count` of the five nodes of G-MMADD (mm, add, sub, mm_1, add_1), the first of them with `reason`.
template <operator_support Support>
constexpr auto rejects(std::size_t count, std::string_view reason) -> bool {
  const auto program = conformance::g_mmadd();
  std::size_t rejected = 0;
  for (const auto& record : program.nodes) {
    const auto answer = Support::supports(program, record);
    if (answer) continue;
    if (rejected++ == 0 && view(answer.reason) != reason) return false;
  }
  return rejected == count;
}
constexpr auto is_sum(const program_view&, const node& record) -> bool { return record.is("aten.add.Tensor"); }
constexpr auto is_a_sum(const program_view& program, const node& record) -> verdict {
  if (is_sum(program, record)) return accept();
  return refuse("it makes no sum");
}

using floats = dtypes<dtype::float32>;
using bytes = dtypes<dtype::int8>;

constexpr auto predefined_supports_state_reasons() -> bool {
  return rejects<operator_table<table_row<"aten.add.Tensor", floats, floats, bytes>, table_row<"aten.mm.default">>>(
             1, "the operator is not in the table") &&
         rejects<operator_table<table_row<"aten.mm.default", dtypes<>, bytes>>>(5, "operand 1 is float32") &&
         rejects<operator_table<table_row<"aten.mm.default", bytes>, table_row<"aten.mm.default", floats>>>(
             3, "the operator is not in the table") &&
         rejects<operator_table<table_row<"aten.mm.default", bytes>, table_row<"aten.mm.default", dtypes<>, bytes>>>(
             5, "operand 0 is float32; operand 1 is float32") &&
         rejects<supported_if<is_sum>>(3, "the node does not meet the condition") && rejects<supported_if<is_a_sum>>(3, "it makes no sum");
}
static_assert(predefined_supports_state_reasons());

}  // namespace

TEST_CASE("predefined supports state reasons") { CHECK(predefined_supports_state_reasons()); }
