// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/backend/backends.hpp>
#include <baton/core/compare.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/static_program.hpp>
#include <baton/lower/partitioners.hpp>
#include <baton/lower/shared/rules.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_cost.hpp>
#include <baton/partition/by_support.hpp>

#include "conformance/graphs.hpp"
#include "core/refusals.hpp"
#include "lower/tags.hpp"

#include <doctest/doctest.h>

#include <array>
#include <string_view>
#include <type_traits>

namespace {

using namespace baton;

/// Lists the names of the nodes that it preprocesses.
template <fixed_string Id>
struct listing {
  static constexpr auto id = name<Id>;
  static constexpr auto preprocess(const exported_program& part, const compile_specs&) -> result<preprocess_result> {
    preprocess_result processed;
    for (const auto& node : part.nodes_of(part.root())) {
      if (node.is("aten.sub.Tensor")) return refuse_part("no differences");
      append(append(processed.processed_bytes, part.text(node.name)), ";");
    }
    return processed;
  }
};
using npu = listing<"Npu">;
using dsp = listing<"Dsp">;
constexpr auto target = backends<npu, dsp>;

constexpr static_program mmadd{conformance::make<conformance::g_mmadd>{}};

using products = by_support<npu, operator_names<"aten.mm.default">>;
using sums = by_support<dsp, operator_names<"aten.add.Tensor">>;
/// Supports all nodes of `products` and `sums`.
using both = by_support<dsp, operator_names<"aten.mm.default", "aten.add.Tensor">>;

constexpr auto is_equal(const program_view& a, const program_view& b) -> bool {
  return same(a, b) && std::string_view{a.bytes.data(), a.bytes.size()} == std::string_view{b.bytes.data(), b.bytes.size()};
}

// One call with a list equals one call for each partitioner, byte for byte, at compile time and at run time.

constexpr auto lowered_together = to_backend(target, mmadd, in_order(products{}, sums{}));
constexpr auto lowered_in_two_calls = to_backend(target, to_backend(target, mmadd, products{}), sums{});
// Separate constants, because Clang limits the steps of each constant expression.
constexpr auto lowering_together_works_at_both_times() -> bool {
  return same(to_backend(target, conformance::g_mmadd(), in_order(products{}, sums{})), lowered_together) &&
         delegates(lowered_together).size() == 4;
}
constexpr auto one_call_equals_several() -> bool {
  const auto program = conformance::g_mmadd();
  return is_equal(to_backend(target, program, in_order(products{}, sums{})),
                  to_backend(target, to_backend(target, program, products{}), sums{}));
}
static_assert(lowering_together_works_at_both_times());
static_assert(is_equal(lowered_together, lowered_in_two_calls));
static_assert(std::is_same_v<typename std::remove_const_t<decltype(lowered_together)>::backend_types, backend_list<npu, dsp>>);

// A node that two partitioners support is assigned to the first.

constexpr auto the_larger_support_is_last() -> bool {
  return same(to_backend(target, conformance::g_mmadd(), in_order(products{}, both{})), lowered_together);
}
constexpr auto the_larger_support_is_first() -> bool {
  const auto lowered = to_backend(target, conformance::g_mmadd(), in_order(both{}, products{}));
  return is_equal(lowered, to_backend(target, conformance::g_mmadd(), both{})) && delegates(lowered).size() == 2;
}
static_assert(the_larger_support_is_last());
static_assert(the_larger_support_is_first());

// `by_cost` considers the remaining nodes only: it neither asks for the costs of nodes in earlier delegates nor adds them.

struct undelegated_costs {
  static constexpr auto node(const program_view&, const baton::node& record) -> double {
    if (record.is(call_delegate)) return 0;
    return record.is("aten.mm.default") ? -1 : 5;  // negative, so it would be an error to ask for the cost of a product
  }
};
struct free_of_charge {
  static constexpr auto node(const program_view&, const baton::node&) -> double { return 0; }
  static constexpr double byte = 0;
};
using cheapest = by_cost<undelegated_costs, costed_backend<dsp, operator_names<"aten.add.Tensor">, free_of_charge>>;
constexpr auto cheapest_of_the_rest = to_backend(target, mmadd, in_order(products{}, cheapest{}));
constexpr auto only_remaining_nodes_are_considered() -> bool {
  const auto weighed = cheapest{}.assign(to_backend(target, conformance::g_mmadd(), products{}));
  return weighed && cheapest::in_units(weighed.value.cost) == 5 && !cheapest{}.assign(conformance::g_mmadd());  // the difference remains
}
static_assert(only_remaining_nodes_are_considered());
static_assert(delegates(cheapest_of_the_rest).size() == 4);

// An empty list, and a list of one.

constexpr auto an_empty_list_changes_nothing() -> bool {
  return is_equal(to_backend(target, conformance::g_mmadd(), in_order()), conformance::g_mmadd());
}
constexpr auto a_list_of_one_equals_its_partitioner() -> bool {
  const auto program = conformance::g_mmadd();
  return is_equal(to_backend(target, program, in_order(products{})), to_backend(target, program, products{}));
}
static_assert(an_empty_list_changes_nothing());
static_assert(a_list_of_one_equals_its_partitioner());
static_assert(std::is_same_v<decltype(to_backend(target, mmadd, in_order())), std::remove_const_t<decltype(mmadd)>>);

// Partitioners with state: objects at run time, lambdas that return them at compile time.

struct tags_first {
  std::string_view op;
  constexpr auto partition(const program_view& program) const -> partition_result {
    partition_result tagged(program);
    const auto tag = tagged.add_tag("t", delegation_spec{"Dsp"});
    for (std::uint32_t n = 0; n < program.root().nodes.size; ++n) {
      if (program.text(program.nodes[n].target) == op) {
        tagged.tag_node(static_cast<node_id>(n), tag);
        break;
      }
    }
    return tagged;
  }
};
constexpr auto lowered_with_state =
    to_backend(target, mmadd, in_order([] { return tags_first{"aten.add.Tensor"}; }, [] { return tags_first{"aten.mm.default"}; }));
constexpr auto partitioners_may_have_state() -> bool {
  const auto lowered = to_backend(target, conformance::g_mmadd(), in_order(tags_first{"aten.add.Tensor"}, tags_first{"aten.mm.default"}));
  return same(lowered, lowered_with_state) && delegates(lowered).size() == 2;
}
static_assert(partitioners_may_have_state());

// Checks can be omitted.
static_assert(same(to_backend(target, mmadd, in_order(products{}, sums{}), without_validation), lowered_in_two_calls));

// Several methods: each partitioner of the list is a round over all methods.

constexpr static_program sine{conformance::make<conformance::g_sin>{}};
constexpr auto two = methods(method<"mmadd">(mmadd), method<"sine">(sine));
constexpr auto exported_two() -> exported_methods {
  return methods(method<"mmadd">(conformance::g_mmadd()), method<"sine">(conformance::g_sin()));
}
constexpr auto methods_lowered = to_backend(target, two, in_order(products{}, sums{}));
constexpr auto a_list_for_all_methods() -> bool {
  const auto lowered = to_backend(target, exported_two(), in_order(products{}, sums{}));
  auto alone = thaw(lowered_together);  // the name of the method is part of each delegate
  detail::set_root_graph_name(alone, "mmadd");
  return same(lowered["mmadd"], methods_lowered[name<"mmadd">]) && same(lowered["sine"], methods_lowered[name<"sine">]) &&
         same(lowered["mmadd"], alone);
}
constexpr auto a_list_is_rounds() -> bool {
  const auto lowered =
      to_backend(target, exported_two(), partitioners(for_method("mmadd", products{}, sums{}), for_method("sine", products{}, sums{})));
  return same(lowered["mmadd"], methods_lowered[name<"mmadd">]) && same(lowered["sine"], methods_lowered[name<"sine">]);
}
static_assert(a_list_for_all_methods());
static_assert(a_list_is_rounds());
static_assert(std::is_same_v<decltype(to_backend(target, two, in_order())), std::remove_const_t<decltype(two)>>);

// An error names the position of its partitioner. The compile-time errors are in tests/fail.

template <class List>
constexpr auto refused(std::string_view label, List, std::string_view sentence, std::string_view facts) -> refusals::error {
  return {label, [] { return try_to_backend(target, conformance::g_mmadd(), List{}, validation::on).error; },
          [] { to_backend(target, conformance::g_mmadd(), List{}); }, sentence, facts};
}
using unknown = tags::partitioner<tags::part<"t", "Invalid", "add">>;
using circular = tags::partitioner<tags::part<"t", "Npu", "mm mm_1">>;
using differences = by_support<npu, operator_names<"aten.sub.Tensor">>;
constexpr auto errors = std::array{
    refused("an unknown backend", in_order(products{}, unknown{}), rule<"unknown_backend">::sentence,
            " [tag: t] [backend: Invalid] [partitioner 2 of 2: the list has: Npu Dsp]"),
    refused("a cycle", in_order(circular{}, sums{}, products{}), rule<"dependency_cycle">::sentence,
            " [node: mm] [operator: aten.mm.default] [tag: t] [backend: Npu] [partitioner 1 of 3: mm of t -> add -> sub -> mm_1 of t]"),
    refused("a part that its backend refuses", in_order(sums{}, products{}, differences{}), rule<"refused_part">::sentence,
            " [tag: tag0] [backend: Npu] [partitioner 3 of 3: no differences]"),
};
static_assert(refusals::table<errors>::are_all_reported);

constexpr auto an_error_names_the_method() -> bool {
  const auto lowered = try_to_backend(target, exported_two(), in_order(products{}, unknown{}), validation::on);
  return view(message(lowered.error)) ==
         view(join(rule<"unknown_backend">::sentence,
                   " [method: mmadd] [tag: t] [backend: Invalid] [partitioner 2 of 2: the list has: Npu Dsp]"));
}
static_assert(an_error_names_the_method());

}  // namespace

TEST_CASE("several partitioners in one call equal one call for each, at compile time and at run time") {
  CHECK(lowering_together_works_at_both_times());
  CHECK(one_call_equals_several());
  CHECK(is_equal(lowered_together, lowered_in_two_calls));
}

TEST_CASE("a node belongs to the first partitioner that tags it") {
  CHECK(the_larger_support_is_last());
  CHECK(the_larger_support_is_first());
}

TEST_CASE("by_cost considers only the nodes that earlier partitioners did not tag") { CHECK(only_remaining_nodes_are_considered()); }

TEST_CASE("an empty list changes nothing, a list of one equals its partitioner, and partitioners may have state") {
  CHECK(an_empty_list_changes_nothing());
  CHECK(a_list_of_one_equals_its_partitioner());
  CHECK(partitioners_may_have_state());
}

TEST_CASE("each partitioner of a list is a round over all methods") {
  CHECK(a_list_for_all_methods());
  CHECK(a_list_is_rounds());
}

TEST_CASE("an error names the position of its partitioner in the list") {
  refusals::check(errors);
  CHECK(an_error_names_the_method());
}
