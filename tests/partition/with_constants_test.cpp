// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Parts that have their constants, and all else that a partitioner says.
#include <baton/core/builder.hpp>
#include <baton/lower/verdicts.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/partition/constant_tagging.hpp>

#include <doctest/doctest.h>

namespace {

using namespace baton;

struct npu {
  static constexpr auto id = name<"Npu">;
};
using products = by_support<npu, operators<"mm">>;

/// Weights of a product, of a sum, and of both.
constexpr auto program() -> exported_program {
  constexpr char bytes[] = {1, 2, 3, 4};
  const auto four = tensor(dtype::int8, 4);
  program_builder b;
  const auto x = b.user_input("x", four);
  const auto a = b.parameter("a", four, bytes);
  const auto c = b.parameter("c", four, bytes);
  const auto both = b.parameter("both", four, bytes);
  const auto state = b.mutable_buffer("state", four);
  const auto product = b.call("mm", {x, a, both, state}, four);
  const auto sum = b.call("add", {product, c, both}, four);
  b.mutation(sum, "state");
  b.output(sum);
  return b.finish();
}
constexpr auto has_tag(const partition_result& tagged, std::string_view name) -> bool {
  const auto given = program();
  for (std::uint32_t v = 0; v < given.values.size(); ++v) {
    if (program_view(given).text(given.values[v].name) == name) return tagged.tag_of(value_id{v}) != none<tag_id>;
  }
  return false;
}

constexpr auto parts_have_what_their_nodes_use() -> bool {
  const auto plain = products::partition(program());
  const auto made = with_constants<products>{}.partition(program());
  return made && !has_tag(plain, "p_a") && has_tag(made.value, "p_a") && has_tag(made.value, "p_both") && !has_tag(made.value, "p_c") &&
         !has_tag(made.value, "b_state") && !has_tag(made.value, "x");
}
static_assert(parts_have_what_their_nodes_use());

constexpr auto reasons_are_the_partitioners() -> bool {
  const auto verdicts = verdicts_of(program(), with_constants<products>{});
  return verdicts.value[0].is_taken && view(verdicts.value[1].reason) == "the operator is not in the list";
}
static_assert(reasons_are_the_partitioners());
static_assert(explaining_partitioner<with_constants<products>> && !explaining_partitioner<with_constants<archetypes::partitioner>>);

struct failing {
  static constexpr auto partition(const exported_program&) -> result<partition_result> { return broken<rule::malformed_cost>("as told"); }
};
constexpr auto failures_are_the_partitioners() -> bool {
  const auto made = with_constants<failing>{}.partition(program());
  return !made && view(made.error.reason) == "as told";
}
static_assert(failures_are_the_partitioners());

}  // namespace

TEST_CASE("parts have the constants that their nodes use, and no states") { CHECK(parts_have_what_their_nodes_use()); }
TEST_CASE("reasons are the partitioner's") { CHECK(reasons_are_the_partitioners()); }
TEST_CASE("failures are the partitioner's") { CHECK(failures_are_the_partitioners()); }
