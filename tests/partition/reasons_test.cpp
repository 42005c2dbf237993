// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/partition/shared/reasons.hpp>

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/verdict.hpp>
#include <baton/partition/operator_support.hpp>

#include "conformance/drawn_graph.hpp"

#include <doctest/doctest.h>

#include <cstdint>

namespace {

using namespace baton;

constexpr auto reasons_have_a_default() -> bool {
  return view(reason_of(refuse("it has ", 3, " operands"))) == "it has 3 operands" && view(reason_of(verdict{})) == "it is not supported";
}
TEST_CASE("reason_of returns the reason of a verdict, or a default") {
  static_assert(reasons_have_a_default());
  CHECK(reasons_have_a_default());
}

constexpr auto reasons_are_joined_in_order() -> bool {
  text_buffer reasons;
  add_reason(reasons, "", "first");
  add_reason(reasons, "Npu", "second");
  return view(reasons) == "first; Npu: second";
}
TEST_CASE("add_reason joins reasons in order, each after its name if it has one") {
  static_assert(reasons_are_joined_in_order());
  CHECK(reasons_are_joined_in_order());
}

constexpr auto a_support_has_a_reason() -> bool {
  using conv = operator_names<"conv">;
  const auto program = conformance::draw("conv(x) view(conv) relu(view) -> relu");
  const auto why = [&]<class Support>(Support, std::uint32_t n) { return detail::why_unsupported<Support>(program, node_id{n}); };
  auto added = join("no pattern");
  detail::add_refusal<no_support>(added, program, node_id{2});
  if (view(added) != "no pattern") return false;
  detail::add_refusal<conv>(added, program, node_id{2});
  using followed = with_followers<conv, operator_names<"view">>;
  return view(added) == "no pattern; the operator is not in the list" && why(conv{}, 0).empty() &&
         view(why(followed{}, 1)) == "it is delegated only with the producer of its input, which is not delegated" &&
         view(why(followed{}, 2)) == "the operator is not in the list";
}
TEST_CASE("why_unsupported returns the reason of a support, also for a follower") {
  static_assert(a_support_has_a_reason());
  CHECK(a_support_has_a_reason());
}

}  // namespace
