// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/lower/detail/batch.hpp>
#include <baton/backend/backend.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/lower/rules.hpp>
#include <baton/partition/tagging.hpp>

#include "conformance/graphs.hpp"
#include "lower/tags.hpp"

#include <doctest/doctest.h>

#include <array>
#include <string_view>

namespace {

using namespace baton;

/// A backend whose blob is what it was told.
struct npu {
  static constexpr auto id = name<"Npu">;
  static constexpr auto preprocess(const exported_program& part, const compile_specs& specs) -> result<preprocess_result> {
    if (specs.empty()) return refuse_part("no specs");
    return preprocess_result(view(join(part.nodes.size(), view(specs[0].value))));
  }
};
static_assert(!batch_backend<npu>);

using programs = by_method<exported_program>;
using specs = by_method<compile_specs>;

constexpr auto two_methods() -> programs {
  programs parts;
  parts["b"].push_back(conformance::g_mmadd());
  parts["b"].push_back(conformance::g_sin());
  parts["a"].push_back(conformance::g_sin());
  return parts;
}
constexpr auto specs_of(std::initializer_list<std::string_view> b, std::initializer_list<std::string_view> a) -> specs {
  specs told;
  for (const auto value : a) told["a"].push_back({{"k", value}});  // in another order than the parts: what counts is the name
  for (const auto value : b) told["b"].push_back({{"k", value}});
  return told;
}

constexpr auto each_part_is_preprocessed_in_order() -> bool {
  const auto made = preprocess_each<npu>(two_methods(), specs_of({"x", "y"}, {"z"}));
  const auto blob = [&](std::size_t method, std::size_t part) { return view(made.value.entries[method].parts[part].processed_bytes); };
  return made && made.value.entries.size() == 2 && view(made.value.entries[0].method) == "b" && blob(0, 0) == "5x" && blob(0, 1) == "1y" &&
         view(made.value.entries[1].method) == "a" && blob(1, 0) == "1z" && preprocess_each<npu>({}, {}).value.entries.empty();
}
static_assert(each_part_is_preprocessed_in_order());

constexpr auto says(const failure& why, std::string_view sentence, std::string_view facts) -> bool {
  return view(message(why)) == view(join(sentence, facts));
}

// E5, E6
constexpr auto specs_must_match_the_parts() -> bool {
  auto without_b = specs_of({}, {"z"});
  return says(preprocess_each<npu>(two_methods(), without_b).error, rule::unmatched_specs::sentence,
              " [method: b] [backend: Npu] [it has no list of compile specs]") &&
         says(preprocess_each<npu>(two_methods(), specs_of({"x"}, {"z"})).error, rule::unmatched_specs::sentence,
              " [method: b] [backend: Npu] [2 parts, compile specs for 1]") &&
         says(preprocess_each<npu>(two_methods(), specs_of({"x", "y"}, {"z", "z"})).error, rule::unmatched_specs::sentence,
              " [method: a] [backend: Npu] [1 parts, compile specs for 2]");
}
static_assert(specs_must_match_the_parts());

constexpr auto a_refusal_names_the_method() -> bool {
  auto told = specs_of({"x"}, {"z"});
  told["b"].push_back({});
  return says(preprocess_each<npu>(two_methods(), told).error, rule::refused_part::sentence, " [method: b] [backend: Npu] [no specs]");
}
static_assert(a_refusal_names_the_method());

// Q3: counts are compared, method by method
constexpr auto results_must_match_the_parts() -> bool {
  const auto parts = two_methods();
  const auto good = preprocess_each<npu>(parts, specs_of({"x", "y"}, {"z"})).value;
  auto too_few = good, without_a = good, of_another = good, too_many = good;
  too_few["b"].pop_back();
  without_a.entries.pop_back();
  of_another["c"].push_back({});
  too_many["a"].push_back({});
  const auto sentence = rule::unmatched_results::sentence;
  return !detail::check_results(parts, good) &&
         says(detail::check_results(parts, too_few), sentence, " [method: b] [2 parts, 1 results]") &&
         says(detail::check_results(parts, without_a), sentence, " [method: a] [1 parts, 0 results]") &&
         says(detail::check_results(parts, of_another), sentence, " [method: c] [0 parts, 1 results]") &&
         says(detail::check_results(parts, too_many), sentence, " [method: a] [1 parts, 2 results]");
}
static_assert(results_must_match_the_parts());

// R33, R34: backends as they are first met, method by method and in the order of the tag map; parts of a graph in the order of their calls,
// nested graphs behind the graph that holds them.

template <class... Parts>
constexpr auto tagged(const exported_program& program) -> exported_program {
  return tag_program(program, tags::partitioner<Parts...>{}).value;
}

constexpr auto parts_are_gathered_in_order() -> bool {
  // The map of the first names the sums behind the products; the calls stand the other way round.
  const auto first =
      tagged<tags::part<"late", "Npu", "add_1">, tags::part<"dsp", "Dsp", "sub">, tags::part<"early", "Npu", "mm">>(conformance::g_mmadd());
  const auto second = tagged<tags::part<"t", "Dsp", "sin">>(conformance::g_sin());
  const std::array<program_view, 2> views{first, second};
  const auto batches = detail::batch_finder().run(views);
  const auto tag_of = [&](std::size_t batch, std::size_t member) {
    const auto& at = batches[batch].members[member];
    return views[at.method].text(views[at.method][at.tag].name);
  };
  return batches.size() == 2 && batches[0].backend_id == "Npu" && batches[0].members.size() == 2 && tag_of(0, 0) == "early" &&
         tag_of(0, 1) == "late" && batches[1].backend_id == "Dsp" && batches[1].members.size() == 2 && tag_of(1, 0) == "dsp" &&
         batches[1].members[1].method == 1 && batches[0].members[0].number == 2;
}
static_assert(parts_are_gathered_in_order());

constexpr auto nested_graphs_follow_the_graph_that_holds_them() -> bool {
  // G-COND: what stands behind the choice is gathered before what stands within it, the true branch before the false one.
  const auto program = tagged<tags::part<"t", "Npu", "sub mm">>(conformance::g_cond());
  const std::array<program_view, 1> views{program};
  const auto batches = detail::batch_finder().run(views);
  if (batches.size() != 1 || batches[0].members.size() != 3) return false;
  const auto& cond = program.nodes[4];
  const auto branches = views[0].subgraphs_of(cond);
  const auto graph_of = [&](std::size_t member) { return parts_of(views[0])[batches[0].members[member].number].graph; };
  return graph_of(0) == graph_id{0} && branches.size() == 2 && graph_of(1) == branches[0] && graph_of(2) == branches[1];
}
static_assert(nested_graphs_follow_the_graph_that_holds_them());

}  // namespace

TEST_CASE("a backend without a hook of its own preprocesses part by part") {
  CHECK(each_part_is_preprocessed_in_order());
  CHECK(a_refusal_names_the_method());
}

TEST_CASE("a backend is given as many lists of compile specs as it has parts, or it is refused (E5, E6)") {
  CHECK(specs_must_match_the_parts());
}

TEST_CASE("a backend that preprocesses several parts returns one result for each, or it is refused (Q3)") {
  CHECK(results_must_match_the_parts());
}

TEST_CASE("parts are gathered by backend, in order (R33, R34)") {
  CHECK(parts_are_gathered_in_order());
  CHECK(nested_graphs_follow_the_graph_that_holds_them());
}
