// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The name of the method that delegates receive in `init` and in `execute`.
#include <baton/core/compare.hpp>
#include <baton/core/static_program.hpp>
#include <baton/lower/methods.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/run/basic_executor.hpp>
#include <baton/run/basic_methods_executor.hpp>
#include <baton/run/executor_backend.hpp>

#include "conformance/graphs.hpp"
#include "reference/kernels.hpp"

#include <doctest/doctest.h>

#include <string_view>
#include <type_traits>

namespace {

using namespace baton;
using text = std::string_view;

/// Records the names that `init` and `execute` receive.
struct listener {
  static constexpr auto id = name<"Listener">;
  struct state {
    text method = "nobody";
  };
  static inline text in_init;
  static inline text in_execute;
  static constexpr auto preprocess(const exported_program&, const compile_specs&) -> preprocess_result { return {}; }
  static void init(const init_context<>& context, state& self) { self.method = context.method; }
  static void execute(const execution_context<>& context, state& self) {
    in_init = self.method;
    in_execute = context.method;
  }
};

/// True if a delegate of the program receives this name in both functions.
template <auto Program>
auto receives_name(text method) -> bool {
  static basic_executor<Program, reference::any_aten> net;
  listener::in_init = listener::in_execute = {};
  net.init();
  net.run();
  return listener::in_init == method && listener::in_execute == method;
}

constexpr auto target = backends<listener, executor_backend>;
constexpr static_program model{conformance::make<conformance::g_mmadd>{}};
using products = by_support<listener, operator_names<"aten.mm.default">>;
using everything = by_support<executor_backend, not_of<no_support>>;

constexpr auto all_methods = methods(method<"prefill">(model), method<"decode">(model), method<"idle">(model));

// One partitioner for all methods; partitioners by method; a program that was lowered alone and becomes a method; a method with another
// name.
constexpr auto by_one = to_backend(target, all_methods, products{});
constexpr auto by_map = to_backend(target, all_methods, partitioners(for_method<"decode">(products{})));
constexpr auto alone = to_backend(target, model, products{});
constexpr auto assembled = methods(method<"prefill">(alone), method<"decode">(by_one[name<"prefill">]));
// Delegates within a delegate that the executor backend runs.
constexpr auto nested = to_backend(target, by_one, partitioners(for_method<"decode">(everything{})));
static_assert(delegates(nested[name<"decode">]).size() == 1 && nested[name<"decode">]->delegates.size() == 3);

// If the delegates have the right name already, or there are none, the program of a method is unchanged.
static_assert(std::is_same_v<decltype(by_map[name<"idle">]), std::remove_const_t<decltype(model)>>);
static_assert(std::is_same_v<decltype(methods(method<"forward">(alone))[name<"forward">]), std::remove_const_t<decltype(alone)>>);
// Otherwise only the name changes; backends and processed bytes are kept.
static_assert(same(assembled[name<"decode">], by_one[name<"decode">]));
static_assert(stored_processed_bytes<decltype(assembled[name<"decode">]), delegate_id{0}>().data() ==
              stored_processed_bytes<decltype(by_one[name<"prefill">]), delegate_id{0}>().data());

constexpr auto names_are_equal_at_both_times() -> bool {
  const auto exported = methods(method<"prefill">(conformance::g_mmadd()), method("decode", conformance::g_mmadd()));
  const auto lowered = to_backend(target, exported, products{});
  auto assembled_at_run_time = methods(method("prefill", to_backend(target, conformance::g_mmadd(), products{})));
  assembled_at_run_time.add(method("decode", lowered["prefill"]));
  return same(lowered["prefill"], by_one[name<"prefill">]) && same(lowered["decode"], by_one[name<"decode">]) &&
         same(assembled_at_run_time["prefill"], assembled[name<"prefill">]) &&
         same(assembled_at_run_time["decode"], assembled[name<"decode">]) && same(exported["decode"], conformance::g_mmadd());
}
static_assert(names_are_equal_at_both_times());

}  // namespace

TEST_CASE("delegates receive the name of their method (R235)") {
  CHECK(receives_name<by_one[name<"prefill">]>("prefill"));
  CHECK(receives_name<by_one[name<"decode">]>("decode"));
  CHECK(receives_name<by_map[name<"decode">]>("decode"));
  CHECK(receives_name<alone>("forward"));
}

TEST_CASE("delegates that were lowered in another program receive the name of the method that contains them") {
  CHECK(receives_name<assembled[name<"prefill">]>("prefill"));
  CHECK(receives_name<assembled[name<"decode">]>("decode"));
}

TEST_CASE("nested delegates receive the name of the method") { CHECK(receives_name<nested[name<"decode">]>("decode")); }

TEST_CASE("delegates of methods in one arena receive the names of their methods") {
  static basic_methods_executor<by_one, reference::any_aten> net;
  net.run<"prefill">();
  CHECK(listener::in_init == "prefill");
  CHECK(listener::in_execute == "prefill");
  net.method<"decode">().init();
  net.run<"decode">();
  CHECK(listener::in_init == "decode");
  CHECK(listener::in_execute == "decode");
}

TEST_CASE("names of methods are equal at run time and at compile time") { CHECK(names_are_equal_at_both_times()); }
