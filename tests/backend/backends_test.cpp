// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/backend/backends.hpp>
#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/lower/shared/rules.hpp>

#include "conformance/demo_backends.hpp"

#include <doctest/doctest.h>

#include <string_view>
#include <type_traits>

namespace {

using namespace baton;

constexpr auto target = backends<archetypes::backend, conformance::demo_backend>;
static_assert(std::remove_const_t<decltype(target)>::is_valid && backend_list<>::is_valid);

constexpr auto the_backend_of_an_id_is_called_once() -> bool {
  int calls = 0;
  bool is_the_one = false;
  const bool is_called = target.with("DemoBackend", [&](auto candidate) {
    ++calls;
    is_the_one = std::is_same_v<typename decltype(candidate)::type, conformance::demo_backend>;
  });
  return is_called && calls == 1 && is_the_one;
}
static_assert(the_backend_of_an_id_is_called_once());

constexpr auto an_unknown_id_calls_none() -> bool {
  int calls = 0;
  const auto count = [&](auto) { ++calls; };
  return !target.with("demobackend", count) && !target.with("", count) && !backends<>.with("DemoBackend", count) && calls == 0;
}
static_assert(an_unknown_id_calls_none());

// E1: the message contains the unknown id, and the ids of the list.
constexpr auto an_unknown_id_is_reported_with_the_known_ids() -> bool {
  const auto text = message(target.unknown("Invalid"));
  return view(text) ==
         "baton unknown_backend: the backend was not found in the list of backends; add it to baton::backends<...>, or correct the id "
         "[backend: Invalid] [the list has: archetype DemoBackend]";
}
static_assert(an_unknown_id_is_reported_with_the_known_ids());

struct dsp : archetypes::backend {
  static constexpr auto id = name<"Dsp">;
};
struct demo_with_execute : conformance::demo_backend {};

// Deriving from a backend alone is no error; it is an error if both are in the list.
constexpr auto nested_backends_are_reported() -> bool {
  const auto why = detail::check_backends<conformance::demo_backend, dsp, archetypes::backend>();
  const auto text = message(why);
  return why.is<"nested_backend">() && view(text).starts_with(rule<"nested_backend">::sentence) &&
         view(text).find(" [backend: Dsp] [") != std::string_view::npos && view(text).find("dsp derives from ") != std::string_view::npos &&
         view(text).ends_with("backend]") && !detail::check_backends<dsp, demo_with_execute>() && !detail::check_backends<>();
}
static_assert(nested_backends_are_reported());

// If an id is inherited, the error is the base class and not the id.
struct other {
  static constexpr auto id = name<"Dsp">;
  static constexpr auto preprocess(const exported_program&, const compile_specs&) -> preprocess_result { return {}; }
};
constexpr auto duplicates_are_reported() -> bool {
  const auto text = message(detail::check_backends<dsp, other>());
  const auto expected = join(rule<"duplicate_backend">::sentence, " [backend: Dsp]");
  return view(text) == view(expected) && detail::check_backends<conformance::demo_backend, demo_with_execute>().is<"nested_backend">();
}
static_assert(duplicates_are_reported());

}  // namespace

TEST_CASE("backends are found by id") {
  CHECK(the_backend_of_an_id_is_called_once());
  CHECK(an_unknown_id_calls_none());
  CHECK(an_unknown_id_is_reported_with_the_known_ids());
}

TEST_CASE("a list of backends is refused if one derives from another, or if two have the same id (E4, E56, Q1)") {
  CHECK(nested_backends_are_reported());
  CHECK(duplicates_are_reported());
}
