// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/transform/transform.hpp>
#include <baton/backend/backends.hpp>
#include <baton/compat/executorch/inspection.hpp>
#include <baton/core/compare.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rules.hpp>
#include <baton/core/static_program.hpp>
#include <baton/executor.hpp>
#include <baton/lower/methods.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/transform/shared/rules.hpp>

#include "conformance/graphs.hpp"
#include "core/refusals.hpp"
#include "transform/small_passes.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <string>
#include <type_traits>

namespace {

using namespace baton;
using namespace transform_tests;

/// Adds one to each of two floats.
struct npu {
  static constexpr auto id = name<"Npu">;
  static constexpr auto preprocess(const exported_program& part, const compile_specs&) -> preprocess_result {
    preprocess_result result;
    for (const auto& node : part.nodes) append(append(result.processed_bytes, part.text(node.name)), ";");
    return result;
  }
  static void execute(const delegate_call& call) {
    for (std::size_t i = 0; i < 2; ++i) {
      float x = 0;
      std::memcpy(&x, call.inputs[0].data() + 4 * i, 4);
      x += 1;
      std::memcpy(call.outputs[0].data() + 4 * i, &x, 4);
    }
  }
};
using increments = by_support<npu, operator_names<"test.increment">>;

/// Increments x, doubles the result and adds it to the state `sum`.
constexpr auto build() -> exported_program {
  constexpr auto two = tensor(dtype::float32, 2);
  program_builder b;
  const auto sum = b.mutable_buffer("sum", two);
  const auto x = b.user_input("x", two);
  const auto more = b.call("test.increment", {x}, two);
  const auto twice = b.call("tfl.add", {more, more}, two);
  const auto next = b.call("tfl.add", {twice, sum}, two);
  b.mutation(next, "sum");
  b.output(next);
  return b.finish();
}
constexpr static_program model{[] { return build(); }};
constexpr auto once = passes<signs<'a'>, signs<'b'>>;
constexpr auto transformed = transform(model, once);

// The same at compile time and at run time.
static_assert(same(transformed, transform(build(), once)));
static_assert(view(names_in(transformed)) == "test_incrementab tfl_addab tfl_add_1ab ");
// The same passes on the same program have the same type.
static_assert(
    std::is_same_v<decltype(transform(transform(model, passes<signs<'a'>>), passes<signs<'b'>>)), decltype(transform(model, once))>);
static_assert(std::is_same_v<std::remove_const_t<decltype(model)>, decltype(transform(model, passes<>))>);

// Passes before lowering and after it.
constexpr auto lowered = to_backend(backends<npu>, transformed, increments{});
constexpr auto changed_after = transform(lowered, passes<signs<'c'>>);
static_assert(delegates(changed_after).size() == 1 && delegates(changed_after)[0].processed_bytes() == "test_incrementab;");
static_assert(same(changed_after, transform(to_backend(backends<npu>, transform(build(), once), increments{}), passes<signs<'c'>>)));
// Passes between two lowerings: the remaining nodes may be lowered, too.
static_assert(delegates(to_backend(backends<npu>, changed_after, by_support<npu, operator_names<"tfl.add">>{})).size() == 2);

// All methods are transformed. Each has the same type as if it were transformed alone, even if two methods have the same program.
constexpr auto two_methods =
    methods(method<"forward">(model), method<"prefill">(static_program{conformance::make<conformance::g_sin>{}}), method<"again">(model));
constexpr auto changed_methods = transform(two_methods, once);
static_assert(std::is_same_v<decltype(changed_methods[name<"forward">]), std::remove_const_t<decltype(transformed)>>);
static_assert(std::is_same_v<decltype(changed_methods[name<"forward">]), decltype(changed_methods[name<"again">])>);
static_assert(view(names_in(changed_methods[name<"prefill">])) == "sinab ");
// Lowered methods keep their backends, and their delegates keep the names of the methods.
constexpr auto lowered_methods = to_backend(backends<npu>, changed_methods, increments{});
constexpr auto methods_changed_after = transform(lowered_methods, passes<signs<'c'>>);
using lowered_forward = decltype(methods_changed_after[name<"forward">]);
static_assert(std::is_same_v<lowered_forward::backend_types, backend_list<npu>> && delegates(lowered_forward{}).size() == 1);
static_assert(view(names_in(methods_changed_after[name<"prefill">])) == "sinabc ");

constexpr auto methods_are_the_same_at_run_time() -> bool {
  const auto result = transform(methods(method<"forward">(build()), method<"prefill">(conformance::g_sin())), once);
  return result.size() == 2 && same(result["forward"], changed_methods[name<"forward">]) &&
         same(result["prefill"], changed_methods[name<"prefill">]);
}
static_assert(methods_are_the_same_at_run_time());

executor<lowered> net;
executor<changed_after> net_changed_after;

/// Runs a network twice, checks the first output and returns the second.
template <class Net>
auto run_twice(Net& executed) -> std::array<float, 2> {
  std::array<float, 2> first{};
  std::array<float, 2> second{};
  executed.run(std::array<float, 2>{1, 2}, first);
  executed.run(std::array<float, 2>{10, 20}, second);
  CHECK(first == std::array<float, 2>{4, 6});
  return second;
}

}  // namespace

TEST_CASE("passes return the same program at compile time and at run time") {
  CHECK(same(transformed, transform(build(), once)));
  CHECK(same(changed_after, transform(to_backend(backends<npu>, transform(build(), once), increments{}), passes<signs<'c'>>)));
}

TEST_CASE("a program that is transformed before or after lowering runs and keeps its states") {
  CHECK(run_twice(net) == std::array<float, 2>{26, 48});
  CHECK(run_twice(net_changed_after) == std::array<float, 2>{26, 48});
}

TEST_CASE("the error of a pass that returns an invalid program names the pass") {
  const auto text = refusals::text_thrown_by([] { static_cast<void>(transform(conformance::g_sin(), passes<loses_a_node>)); });
  CHECK(text == std::string(rule<"broken_by_pass">::sentence) + " [pass loses_a_node: undefined_value, graph output sin]");
}

TEST_CASE("all methods are transformed, and a failure names its method") {
  CHECK(methods_are_the_same_at_run_time());
  const auto both = methods(method<"forward">(build()), method<"prefill">(conformance::g_crt()));
  const auto text = refusals::text_thrown_by([&] { static_cast<void>(transform(both, passes<refuses_tan>)); });
  CHECK(text == std::string(rule<"malformed_operator">::sentence) +
                    " [method: prefill] [node: tan] [operator: aten.tan.default] [pass refuses_tan: no tangents]");
}
