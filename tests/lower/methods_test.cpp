// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/lower/methods.hpp>
#include <baton/core/compare.hpp>
#include <baton/core/error.hpp>
#include <baton/lower/shared/rules.hpp>

#include "conformance/graphs.hpp"
#include "core/refusals.hpp"

#include <doctest/doctest.h>

#include <string>
#include <type_traits>
#include <vector>

namespace {

using namespace baton;

constexpr static_program sine{conformance::make<conformance::g_sin>{}};
constexpr static_program sums{conformance::make<conformance::g_add3>{}};
constexpr auto both = methods(method<"forward">(sine), method<"prefill">(sums));

// Static methods are an empty object, and a name yields the static program itself.
static_assert(std::is_empty_v<decltype(both)> && both.size() == 2 && both.names[1] == "prefill" && both.is_valid);
static_assert(std::is_same_v<decltype(both[name<"forward">]), std::remove_const_t<decltype(sine)>>);
static_assert(std::is_same_v<decltype(both[name<"prefill">]), std::remove_const_t<decltype(sums)>>);
static_assert(methods().size() == 0);

constexpr auto methods_keep_their_order_and_are_found_by_name() -> bool {
  auto all = methods(method<"forward">(conformance::g_sin()), method("prefill", conformance::g_add3()));
  all.add(method<"decode">(conformance::g_mut()));
  const auto names = all.names();
  return names.size() == 3 && names[0] == "forward" && names[1] == "prefill" && names[2] == "decode" &&
         same(all["prefill"], conformance::g_add3()) && same(all[name<"decode">], conformance::g_mut()) && all.find("Forward") == nullptr &&
         same(*all.find("forward"), both[name<"forward">]);
}
static_assert(methods_keep_their_order_and_are_found_by_name());

constexpr auto names_are_checked() -> bool {
  constexpr std::string_view twice[] = {"forward", "prefill", "forward"};
  constexpr std::string_view once[] = {"forward", ""};
  return view(message(detail::check_method_names(twice))) ==
             "baton duplicate_method: two methods have the same name; rename one [method: "
             "forward]" &&
         !detail::check_method_names(once) && !detail::check_method_names({}) &&
         view(message(unknown_method("decode", once))) ==
             "baton unknown_method: no program is given for this method; add its program, or correct the name "
             "[method: decode] [the methods are: forward ]" &&
         view(unknown_method("decode", {}).reason) == "there are no methods";
}
static_assert(names_are_checked());

}  // namespace

TEST_CASE("methods keep their order and are found by name") {
  CHECK(methods_keep_their_order_and_are_found_by_name());
  std::vector<std::string> seen;
  const auto all = methods(method<"b">(conformance::g_sin()), method<"a">(conformance::g_sin()));
  for (const auto& entry : all) seen.emplace_back(view(entry.name));
  CHECK(seen == std::vector<std::string>{"b", "a"});
  CHECK(std::move(exported_methods(all)).release().size() == 2);
}

TEST_CASE("names of methods are checked, and the error has the text of the catalogue") {
  CHECK(names_are_checked());
  const auto twice = std::string(rule<"duplicate_method">::sentence) + " [method: forward]";
  CHECK(refusals::text_thrown_by([] { methods(method<"forward">(conformance::g_sin()), method("forward", conformance::g_sin())); }) ==
        twice);
  CHECK(refusals::text_thrown_by([] {
          auto one = methods(method<"forward">(conformance::g_sin()));
          one.add(method<"forward">(conformance::g_add3()));
        }) == twice);
  CHECK(refusals::text_thrown_by([] { static_cast<void>(methods(method<"forward">(conformance::g_sin()))["prefill"]); }) ==
        std::string(rule<"unknown_method">::sentence) + " [method: prefill] [the methods are: forward]");
}
