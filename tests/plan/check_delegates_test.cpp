// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/plan/detail/check_delegates.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/plan/shared/graph_calls.hpp>

#include "conformance/demo_backends.hpp"
#include "conformance/graphs.hpp"

#include <doctest/doctest.h>

#include <string_view>

namespace {

using namespace baton;

constexpr auto target = backends<conformance::demo_backend>;

/// Returns the error after `change` has modified a valid program.
template <class Change>
constexpr auto message_after(Change change) -> text_buffer {
  auto program =
      to_backend(backends<conformance::backend_with_compiler_demo>, conformance::g_mmadd(), conformance::add_mul_partitioner_demo{});
  for (auto& module : program.delegates) module.backend_id = own_bytes(program, "DemoBackend");
  change(program);
  return message(check_delegates(target, program, graphs_that_run(program).value));
}

constexpr std::string_view place = " [node: executorch_call_delegate_1] [operator: executorch_call_delegate]";

constexpr auto delegates_of_the_list_are_accepted() -> bool {
  return message_after([](auto&) {}).empty();
}
constexpr auto a_delegate_without_a_backend_is_reported() -> bool {
  return view(message_after([](auto& program) { program.delegates[1].backend_id = {}; })) ==
         view(join(rule<"nameless_delegate">::sentence, place));
}
constexpr auto a_backend_that_is_not_listed_is_reported() -> bool {
  return view(message_after([](auto& program) { program.delegates[1].backend_id = own_bytes(program, "Gone"); })) ==
         view(join(rule<"unknown_backend">::sentence, place, " [backend: Gone] [the list has: DemoBackend]"));
}
// Separate constants, because Clang limits the steps of each constant expression.
static_assert(delegates_of_the_list_are_accepted());
static_assert(a_delegate_without_a_backend_is_reported());
static_assert(a_backend_that_is_not_listed_is_reported());

}  // namespace

TEST_CASE("a delegate must name a backend of its program's list (E48, E49)") {
  CHECK(delegates_of_the_list_are_accepted());
  CHECK(a_delegate_without_a_backend_is_reported());
  CHECK(a_backend_that_is_not_listed_is_reported());
}
