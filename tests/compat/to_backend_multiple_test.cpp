// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/compat/executorch/to_backend_multiple.hpp>
#include <baton/backend/lowered_module.hpp>
#include <baton/core/compare.hpp>
#include <baton/core/error.hpp>
#include <baton/core/rules.hpp>
#include <baton/partition/by_support.hpp>

#include "conformance/graphs.hpp"
#include "core/refusals.hpp"

#include <doctest/doctest.h>

#include <array>
#include <type_traits>

namespace {

using namespace baton;

/// This backend can preprocess all methods together. The older form calls it for each part.
struct npu {
  static constexpr auto id = name<"Npu">;
  static constexpr auto preprocess(const exported_program& part, const compile_specs&) -> preprocess_result {
    return preprocess_result(view(join(part.nodes.size(), " nodes")));
  }
  static constexpr auto preprocess_multimethod(const by_method<exported_program>&, const by_method<compile_specs>&)
      -> result<by_method<preprocess_result>> {
    return refuse_part("not asked");
  }
};
constexpr auto target = backends<npu>;
using sums = by_support<npu, operator_names<"aten.add.Tensor">>;
using products = by_support<npu, operator_names<"aten.mm.default">>;

constexpr static_program add3{conformance::make<conformance::g_add3>{}};
constexpr static_program mmadd{conformance::make<conformance::g_mmadd>{}};

// R44 to R46: the partitioner is a type, and a part owns its constant operands.
constexpr auto lowered_add3 = to_backend<sums>(target, add3);
constexpr auto parts_own_their_constants() -> bool {
  const auto lowered = to_backend<sums>(target, conformance::g_add3());
  const auto original = delegates(lowered)[0].original();
  const program_view program = lowered;
  return same(lowered, lowered_add3) && program.inputs(program.root()).size() == 1 && program.inputs(program[original]).size() == 4 &&
         program.inputs(program.nodes_of(program.root())[0]).size() == 1;
}
static_assert(parts_own_their_constants());
static_assert(to_backend(target, conformance::g_add3(), sums{}).graphs[0].inputs.size ==
              4);  // in the present form, a part owns data only on request

// Both parts own data that both use (R46).
constexpr auto data_of_two_parts_is_shared() -> bool {
  using lonely = by_support<npu, operator_names<"aten.add.Tensor", "aten.sub.Tensor">, partition_options{.max_nodes = 1}>;
  const auto lowered = to_backend<lonely>(target, conformance::g_reuse());
  const auto modules = delegates(lowered);
  const program_view program = lowered;
  return modules.size() == 2 && program.inputs(program.root()).size() == 1 && program.inputs(program[modules[0].original()]).size() == 2 &&
         program.inputs(program[modules[1].original()]).size() == 2;
}
static_assert(data_of_two_parts_is_shared());

// R50: one partitioner for all methods, or one for each. Unknown names are ignored, and other methods are unchanged.
constexpr auto exported_both() -> exported_methods {
  return methods(method<"add3">(conformance::g_add3()), method<"mmadd">(conformance::g_mmadd()));
}
constexpr auto both = methods(method<"add3">(add3), method<"mmadd">(mmadd));
constexpr auto all_lowered = to_backend_multiple<sums>(target, both);
constexpr auto some = partitioners(for_method<"nowhere">(sums{}), for_method<"mmadd">(products{}, sums{}));
constexpr auto some_lowered = to_backend_multiple(target, both, some);
static_assert(std::is_same_v<decltype(some_lowered[name<"add3">]), std::remove_const_t<decltype(add3)>>);

constexpr auto one_partitioner_lowers_all_methods() -> bool {
  const auto lowered = to_backend_multiple<sums>(target, exported_both());
  return same(lowered["add3"], all_lowered[name<"add3">]) && same(lowered["mmadd"], all_lowered[name<"mmadd">]) && lowered.size() == 2 &&
         delegates(lowered["mmadd"])[0].processed_bytes() == "1 nodes" &&
         same(to_backend_multiple(target, exported_both(), sums{})["mmadd"], lowered["mmadd"]);
}
static_assert(one_partitioner_lowers_all_methods());

constexpr auto partitioners_by_method_lower_some() -> bool {
  const auto lowered = to_backend_multiple(target, exported_both(), some);
  return same(lowered["add3"], conformance::g_add3()) && same(lowered["mmadd"], some_lowered[name<"mmadd">]) &&
         delegates(lowered["mmadd"]).size() == 4;
}
static_assert(partitioners_by_method_lower_some());

// A method has at most one entry; tests/fail has the compile-time message.
constexpr auto two_entries = std::array{refusals::error{
    "two partitioner entries for one method",
    [] { return partitioners(for_method<"add3">(sums{}), for_method("add3", products{})).check_names(); },
    [] { to_backend_multiple(target, exported_both(), partitioners(for_method<"add3">(sums{}), for_method("add3", products{}))); },
    rule<"duplicate_method">::sentence, " [method: add3]"}};
static_assert(refusals::table<two_entries>::are_all_reported);

}  // namespace

TEST_CASE("the parts of a partitioner that is passed as a type own the data that they use (R44 to R46)") {
  CHECK(parts_own_their_constants());
  CHECK(data_of_two_parts_is_shared());
}

TEST_CASE("several methods are lowered one by one (R50)") {
  CHECK(one_partitioner_lowers_all_methods());
  CHECK(partitioners_by_method_lower_some());
}

TEST_CASE("two partitioner entries for one method are refused") { refusals::check(two_entries); }

// The error concerns types, so the compiler reports it in both cases (tests/fail). It depends on this condition:
TEST_CASE("several methods have one partitioner, or a map of partitioners by name; anything else is refused (E47)") {
  const auto lambda = [] { return sums{}; };
  CHECK(detail::tags_methods<sums>);
  CHECK(detail::tags_methods<decltype(lambda)>);
  CHECK(detail::tags_methods<std::remove_const_t<decltype(some)>>);
  CHECK(detail::tags_methods<decltype(partitioners())>);
  CHECK_FALSE(detail::tags_methods<npu>);
  CHECK_FALSE(detail::tags_methods<int>);
}
