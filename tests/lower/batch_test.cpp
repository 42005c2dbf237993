// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/lower/detail/batch.hpp>
#include <baton/backend/backend.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/lower/shared/rules.hpp>
#include <baton/partition/partitioner.hpp>

#include "conformance/graphs.hpp"
#include "lower/tags.hpp"

#include <doctest/doctest.h>

#include <array>
#include <string_view>

namespace {

using namespace baton;

constexpr auto has_message(const failure& why, std::string_view sentence, std::string_view facts) -> bool {
  return view(message(why)) == view(join(sentence, facts));
}

// Q3: the counts are compared for each method.
constexpr auto results_must_match_the_parts() -> bool {
  by_method<exported_program> parts;
  by_method<preprocess_result> good;
  parts["b"].resize(2);
  parts["a"].resize(1);
  good["b"].resize(2);
  good["a"].resize(1);
  auto too_few = good, without_a = good, with_other_method = good, too_many = good;
  too_few["b"].pop_back();
  without_a.entries.pop_back();
  with_other_method["c"].push_back({});
  too_many["a"].push_back({});
  const auto sentence = rule<"unmatched_results">::sentence;
  return !detail::check_results(parts, good) &&
         has_message(detail::check_results(parts, too_few), sentence,
                     " [method: b] [the number of parts is 2, the number of results is 1]") &&
         has_message(detail::check_results(parts, without_a), sentence,
                     " [method: a] [the number of parts is 1, the number of results is 0]") &&
         has_message(detail::check_results(parts, with_other_method), sentence,
                     " [method: c] [the number of parts is 0, the number of results is 1]") &&
         has_message(detail::check_results(parts, too_many), sentence,
                     " [method: a] [the number of parts is 1, the number of results is 2]");
}
static_assert(results_must_match_the_parts());

// R33, R34: backends in the order of their first use, by method and in the order of the tag map. Parts of a graph are in the order of their
// calls; nested graphs follow the graph that contains them.

template <class... Parts>
constexpr auto tagged(const exported_program& program) -> exported_program {
  return tag_program(program, tags::partitioner<Parts...>{}).value;
}

constexpr auto parts_are_gathered_in_order() -> bool {
  // The tag map of the first method names the sums before the products; the calls have the opposite order.
  const auto first =
      tagged<tags::part<"late", "Npu", "add_1">, tags::part<"dsp", "Dsp", "sub">, tags::part<"early", "Npu", "mm">>(conformance::g_mmadd());
  const auto second = tagged<tags::part<"t", "Dsp", "sin">>(conformance::g_sin());
  const std::array<detail::tagged_method, 2> methods{{{"first", first}, {"second", second}}};
  const auto batches = detail::batch_finder().run(methods);
  const auto tag_of = [&](std::size_t batch, std::size_t member) {
    const auto& at = batches[batch].members[member];
    const auto& program = methods[at.method].program;
    return program.text(program[at.id.tag].name);
  };
  return batches.size() == 2 && batches[0].backend_id == "Npu" && batches[0].members.size() == 2 && tag_of(0, 0) == "early" &&
         tag_of(0, 1) == "late" && batches[1].backend_id == "Dsp" && batches[1].members.size() == 2 && tag_of(1, 0) == "dsp" &&
         batches[1].members[1].method == 1 && batches[0].members[0].number == 2;
}
static_assert(parts_are_gathered_in_order());

constexpr auto nested_graphs_follow_the_graph_that_holds_them() -> bool {
  // G-COND: parts after the conditional precede parts within it, and the true branch precedes the false branch.
  const auto program = tagged<tags::part<"t", "Npu", "sub mm">>(conformance::g_cond());
  const std::array<detail::tagged_method, 1> methods{{{"only", program}}};
  const auto batches = detail::batch_finder().run(methods);
  if (batches.size() != 1 || batches[0].members.size() != 3) return false;
  const auto& cond = program.nodes[4];
  const auto branches = methods[0].program.subgraphs_of(cond);
  const auto parts = parts_of(program);
  const auto graph_of = [&](std::size_t member) {
    const auto& at = batches[0].members[member];
    return parts[at.number].graph == at.id.graph ? at.id.graph : none<graph_id>;
  };
  return graph_of(0) == graph_id{0} && branches.size() == 2 && graph_of(1) == branches[0] && graph_of(2) == branches[1];
}
static_assert(nested_graphs_follow_the_graph_that_holds_them());

// A single program is one batch: its parts in their order, of all backends.
constexpr auto one_program_is_one_batch() -> bool {
  const auto program = tagged<tags::part<"late", "Npu", "add_1">, tags::part<"dsp", "Dsp", "sub">>(conformance::g_mmadd());
  const auto parts = parts_of(program);
  const auto members = detail::batch_members_of(program);
  return members.size() == 2 && parts.size() == 2 && members[0].id.tag == parts[0].tag && members[1].id.tag == parts[1].tag &&
         members[1].number == 1 && members[1].method == 0;
}
static_assert(one_program_is_one_batch());

}  // namespace

TEST_CASE("a backend that preprocesses several parts must return one result for each (Q3)") { CHECK(results_must_match_the_parts()); }

TEST_CASE("parts are gathered by backend, in order (R33, R34)") {
  CHECK(parts_are_gathered_in_order());
  CHECK(nested_graphs_follow_the_graph_that_holds_them());
  CHECK(one_program_is_one_batch());
}
