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

/// Writes down what it was given.
template <fixed_string Id>
struct listing {
  static constexpr auto id = name<Id>;
  static constexpr auto preprocess(const exported_program& part, const compile_specs&) -> result<preprocess_result> {
    preprocess_result made;
    for (const auto& node : part.nodes_of(part.root())) {
      if (node.is("aten.sub.Tensor")) return refuse_part("no differences");
      append(append(made.processed_bytes, part.text(node.name)), ";");
    }
    return made;
  }
};
using npu = listing<"Npu">;
using dsp = listing<"Dsp">;
constexpr auto target = backends<npu, dsp>;

constexpr static_program mmadd{conformance::make<conformance::g_mmadd>{}};

using products = by_support<npu, operator_names<"aten.mm.default">>;
using sums = by_support<dsp, operator_names<"aten.add.Tensor">>;
/// All that is left for it.
using both = by_support<dsp, operator_names<"aten.mm.default", "aten.add.Tensor">>;

constexpr auto is_equal(const program_view& a, const program_view& b) -> bool {
  return same(a, b) && std::string_view{a.bytes.data(), a.bytes.size()} == std::string_view{b.bytes.data(), b.bytes.size()};
}

// One call is as many calls one after the other, to the byte, in both times.

constexpr auto at_once = to_backend(target, mmadd, in_order(products{}, sums{}));
constexpr auto in_two_calls = to_backend(target, to_backend(target, mmadd, products{}), sums{});
// Each is a constant of its own: Clang counts steps by constant.
constexpr auto lowered_at_once() -> bool {
  return same(to_backend(target, conformance::g_mmadd(), in_order(products{}, sums{})), at_once) && delegates(at_once).size() == 4;
}
constexpr auto one_call_is_several() -> bool {
  const auto given = conformance::g_mmadd();
  return is_equal(to_backend(target, given, in_order(products{}, sums{})),
                  to_backend(target, to_backend(target, given, products{}), sums{}));
}
static_assert(lowered_at_once());
static_assert(is_equal(at_once, in_two_calls));
static_assert(std::is_same_v<typename std::remove_const_t<decltype(at_once)>::backend_types, backend_list<npu, dsp>>);

// Who comes first gets what both want.

constexpr auto the_greedy_comes_last() -> bool {
  return same(to_backend(target, conformance::g_mmadd(), in_order(products{}, both{})), at_once);
}
constexpr auto the_greedy_comes_first() -> bool {
  const auto lowered = to_backend(target, conformance::g_mmadd(), in_order(both{}, products{}));
  return is_equal(lowered, to_backend(target, conformance::g_mmadd(), both{})) && delegates(lowered).size() == 2;
}
static_assert(the_greedy_comes_last());
static_assert(the_greedy_comes_first());

// The cost partitioner weighs what is left: it neither asks nor charges for what an earlier delegate holds.

struct left_costs {
  static constexpr auto node(const program_view&, const baton::node& record) -> double {
    if (record.is(call_delegate)) return 0;
    return record.is("aten.mm.default") ? -1 : 5;  // a product would be an error in the table
  }
};
struct free_of_charge {
  static constexpr auto node(const program_view&, const baton::node&) -> double { return 0; }
  static constexpr double byte = 0;
};
using cheapest = by_cost<left_costs, costed_backend<dsp, operator_names<"aten.add.Tensor">, free_of_charge>>;
constexpr auto cheapest_of_what_is_left = to_backend(target, mmadd, in_order(products{}, cheapest{}));
constexpr auto only_what_is_left_is_weighed() -> bool {
  const auto weighed = cheapest{}.assign(to_backend(target, conformance::g_mmadd(), products{}));
  return weighed && cheapest::in_units(weighed.value.cost) == 5 && !cheapest{}.assign(conformance::g_mmadd());  // the difference stays
}
static_assert(only_what_is_left_is_weighed());
static_assert(delegates(cheapest_of_what_is_left).size() == 4);

// An empty list, and one of one.

constexpr auto an_empty_list_changes_nothing() -> bool {
  return is_equal(to_backend(target, conformance::g_mmadd(), in_order()), conformance::g_mmadd());
}
constexpr auto a_list_of_one_is_the_one() -> bool {
  const auto given = conformance::g_mmadd();
  return is_equal(to_backend(target, given, in_order(products{})), to_backend(target, given, products{}));
}
static_assert(an_empty_list_changes_nothing());
static_assert(a_list_of_one_is_the_one());
static_assert(std::is_same_v<decltype(to_backend(target, mmadd, in_order())), std::remove_const_t<decltype(mmadd)>>);

// Partitioners with state: as they are at run time, made by lambdas in the compiler.

struct takes {
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
constexpr auto reported =
    to_backend(target, mmadd, in_order([] { return takes{"aten.add.Tensor"}; }, [] { return takes{"aten.mm.default"}; }));
constexpr auto partitioners_may_have_state() -> bool {
  const auto lowered = to_backend(target, conformance::g_mmadd(), in_order(takes{"aten.add.Tensor"}, takes{"aten.mm.default"}));
  return same(lowered, reported) && delegates(lowered).size() == 2;
}
static_assert(partitioners_may_have_state());

// Checks can be left out.
static_assert(same(to_backend(target, mmadd, in_order(products{}, sums{}), without_validation), in_two_calls));

// Several methods: the list is for all of them, in rounds.

constexpr static_program sine{conformance::make<conformance::g_sin>{}};
constexpr auto two = methods(method<"mmadd">(mmadd), method<"sine">(sine));
constexpr auto exported_two() -> exported_methods {
  return methods(method<"mmadd">(conformance::g_mmadd()), method<"sine">(conformance::g_sin()));
}
constexpr auto methods_lowered = to_backend(target, two, in_order(products{}, sums{}));
constexpr auto a_list_for_all_methods() -> bool {
  const auto lowered = to_backend(target, exported_two(), in_order(products{}, sums{}));
  auto alone = thaw(at_once);  // of another name: delegates are told their method's
  detail::name_method(alone, "mmadd");
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

// Mistakes say which partitioner they come from; in the compiler they are errors in tests/fail.

template <class List>
constexpr auto refused(std::string_view what, List, std::string_view sentence, std::string_view facts) -> refusals::error {
  return {what, [] { return try_to_backend(target, conformance::g_mmadd(), List{}, validation::on).error; },
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

constexpr auto mistake_in_methods() -> bool {
  const auto made = try_to_backend(target, exported_two(), in_order(products{}, unknown{}), validation::on);
  return view(message(made.error)) ==
         view(join(rule<"unknown_backend">::sentence,
                   " [method: mmadd] [tag: t] [backend: Invalid] [partitioner 2 of 2: the list has: Npu Dsp]"));
}
static_assert(mistake_in_methods());

}  // namespace

TEST_CASE("several partitioners in one call are calls one after the other, in both times") {
  CHECK(lowered_at_once());
  CHECK(one_call_is_several());
  CHECK(is_equal(at_once, in_two_calls));
}

TEST_CASE("a node belongs to the first partitioner that tags it") {
  CHECK(the_greedy_comes_last());
  CHECK(the_greedy_comes_first());
}

TEST_CASE("by_cost weighs what earlier partitioners left") { CHECK(only_what_is_left_is_weighed()); }

TEST_CASE("an empty list changes nothing, a list of one is the one; partitioners may have state") {
  CHECK(an_empty_list_changes_nothing());
  CHECK(a_list_of_one_is_the_one());
  CHECK(partitioners_may_have_state());
}

TEST_CASE("a list of partitioners for several methods is rounds") {
  CHECK(a_list_for_all_methods());
  CHECK(a_list_is_rounds());
}

TEST_CASE("an error says which partitioner of the list it comes from") {
  refusals::check(errors);
  CHECK(mistake_in_methods());
}
