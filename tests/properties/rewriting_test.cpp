// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Random programs after rewriting: copied records are equal, and erasing unused nodes changes no output and no state, in programs and in
// lowered programs. BATON_PROPERTY_SEEDS is the number of programs, 5000 by default.
#include <baton/core/compare.hpp>
#include <baton/core/print.hpp>
#include <baton/core/program.hpp>
#include <baton/graph/identical.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/operators/verify.hpp>
#include <baton/transform/rewriter.hpp>

#include "properties/environment.hpp"
#include "properties/properties.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace {

using namespace baton;

constexpr auto erased(const program_view& program) -> exported_program {
  rewriter change(program);
  change.erase_dead();
  return change.finish();
}

/// Returns the error of a rewritten program, or an empty text.
constexpr auto wrong_with_rewriting(const program_view& program) -> std::string_view {
  rewriter untouched(program);
  if (!same(untouched.finish(), program)) return "an untouched program is not the same";
  rewriter carried(program);
  static_cast<void>(carried.edit(value_id{0}));
  const auto copy = carried.finish();
  if (verify(copy)) return "what was carried over does not verify";
  if (!is_identical(copy, program) || copy.graphs.size() != program.graphs.size()) return "what was carried over is not identical";
  if (copy.tags.size() != program.tags.size() || copy.values.size() != program.values.size()) return "a record was lost";
  for (std::size_t n = 0; n < program.nodes.size(); ++n) {
    if (copy.nodes[n].tag != program.nodes[n].tag || copy.nodes[n].debug_handle != program.nodes[n].debug_handle)
      return "a tag or handle was lost";
  }
  const auto lean = erased(program);
  if (verify(lean)) return "without dead nodes it does not verify";
  if (!properties::computes_the_same(program, lean)) return "without dead nodes it computes something else";
  if (!same(erased(lean), lean)) return "something dead was left";
  return {};
}

constexpr auto holds_at_compile_time() -> bool {
  return wrong_with_rewriting(properties::with_earlier_tags(properties::make_program(29, {5, 2}))).empty();
}
static_assert(holds_at_compile_time());

}  // namespace

TEST_CASE("random programs are rewritten to equal ones") {
  CHECK(holds_at_compile_time());
  const auto seeds = properties::number_from_environment("BATON_PROPERTY_SEEDS", 5000);
  std::uint64_t smaller = 0;
  std::uint64_t with_fewer_graphs = 0;
  std::uint64_t lowered = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const auto program = properties::with_earlier_tags(properties::make_program(seed));
    auto wrong = wrong_with_rewriting(program);
    const auto lean = erased(program);
    smaller += lean.nodes.size() < program.nodes.size() ? 1 : 0;
    with_fewer_graphs += lean.graphs.size() < program.graphs.size() ? 1 : 0;
    const auto delegated = baton::try_to_backend(properties::target, program, properties::random_partitioner{seed}, validation::on);
    if (wrong.empty() && delegated) {
      lowered += 1;
      wrong = wrong_with_rewriting(delegated.value);
    }
    if (!wrong.empty()) {
      const auto text = print(program);
      FAIL_CHECK("seed " << seed << ": " << std::string(wrong) << "\n" << std::string(text.begin(), text.end()));
      break;
    }
  }
  MESSAGE(seeds << " programs, " << smaller << " with dead nodes, " << with_fewer_graphs << " with dead graphs, " << lowered << " lowered");
  CHECK(4 * smaller > seeds);
  CHECK(20 * with_fewer_graphs > seeds);
  CHECK(4 * lowered > seeds);
}
