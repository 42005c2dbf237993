// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What delegates are told of their method, in `init` and in `execute`: the name it has among the methods.
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

/// Keeps what `init` was told, and says what `execute` is told.
struct listener {
  static constexpr auto id = name<"Listener">;
  struct state {
    text reported = "nobody";
  };
  static inline text in_init;
  static inline text in_execute;
  static constexpr auto preprocess(const exported_program&, const compile_specs&) -> preprocess_result { return {}; }
  static void init(const init_context<>& context, state& own) { own.reported = context.method; }
  static void execute(const execution_context<>& context, state& own) {
    in_init = own.reported;
    in_execute = context.method;
  }
};

/// Whether a delegate of the program is told this name, both times.
template <auto Program>
auto is_reported(text method) -> bool {
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

constexpr auto given = methods(method<"prefill">(model), method<"decode">(model), method<"idle">(model));

// One partitioner for all; by method; a program that was lowered alone and becomes a method; a method under another name.
constexpr auto by_one = to_backend(target, given, products{});
constexpr auto by_map = to_backend(target, given, partitioners(for_method<"decode">(products{})));
constexpr auto alone = to_backend(target, model, products{});
constexpr auto made_methods = methods(method<"prefill">(alone), method<"decode">(by_one[name<"prefill">]));
// Delegates within a delegate whose original the executor runs.
constexpr auto nested = to_backend(target, by_one, partitioners(for_method<"decode">(everything{})));
static_assert(delegates(nested[name<"decode">]).size() == 1 && nested[name<"decode">]->delegates.size() == 3);

// Where delegates are told the right name already, or there are none, a method's program is the one that was given.
static_assert(std::is_same_v<decltype(by_map[name<"idle">]), std::remove_const_t<decltype(model)>>);
static_assert(std::is_same_v<decltype(methods(method<"forward">(alone))[name<"forward">]), std::remove_const_t<decltype(alone)>>);
// Under its name it is the same but for that, and keeps its backends and its blobs.
static_assert(same(made_methods[name<"decode">], by_one[name<"decode">]));
static_assert(stored_blob<decltype(made_methods[name<"decode">]), delegate_id{0}>().data() ==
              stored_blob<decltype(by_one[name<"prefill">]), delegate_id{0}>().data());

constexpr auto both_times_name_alike() -> bool {
  const auto exported = methods(method<"prefill">(conformance::g_mmadd()), method("decode", conformance::g_mmadd()));
  const auto lowered = to_backend(target, exported, products{});
  auto made = methods(method("prefill", to_backend(target, conformance::g_mmadd(), products{})));
  made.add(method("decode", lowered["prefill"]));
  return same(lowered["prefill"], by_one[name<"prefill">]) && same(lowered["decode"], by_one[name<"decode">]) &&
         same(made["prefill"], made_methods[name<"prefill">]) && same(made["decode"], made_methods[name<"decode">]) &&
         same(exported["decode"], conformance::g_mmadd());
}
static_assert(both_times_name_alike());

}  // namespace

TEST_CASE("delegates are told their own method's name (R235)") {
  CHECK(is_reported<by_one[name<"prefill">]>("prefill"));
  CHECK(is_reported<by_one[name<"decode">]>("decode"));
  CHECK(is_reported<by_map[name<"decode">]>("decode"));
  CHECK(is_reported<alone>("forward"));
}

TEST_CASE("what was lowered elsewhere is told the name that it has among methods") {
  CHECK(is_reported<made_methods[name<"prefill">]>("prefill"));
  CHECK(is_reported<made_methods[name<"decode">]>("decode"));
}

TEST_CASE("delegates within delegates are told the method's name") { CHECK(is_reported<nested[name<"decode">]>("decode")); }

TEST_CASE("methods that run in one arena are told their names") {
  static basic_methods_executor<by_one, reference::any_aten> net;
  net.run<"prefill">();
  CHECK(listener::in_init == "prefill");
  CHECK(listener::in_execute == "prefill");
  net.method<"decode">().init();
  net.run<"decode">();
  CHECK(listener::in_init == "decode");
  CHECK(listener::in_execute == "decode");
}

TEST_CASE("methods are named alike at run time and in the compiler") { CHECK(both_times_name_alike()); }
