// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/lower/to_backend.hpp>
#include <baton/plan/graph_calls.hpp>
#include <baton/run/check_delegates.hpp>

#include "conformance/demo_backends.hpp"
#include "conformance/graphs.hpp"

#include <doctest/doctest.h>

#include <string_view>

namespace {

using namespace baton;

constexpr auto target = backends<conformance::demo_backend>;

/// What is said of the second delegate's call after a change to it.
template <class Change>
constexpr auto told(Change change) -> text_buffer {
  auto program =
      to_backend(backends<conformance::backend_with_compiler_demo>, conformance::g_mmadd(), conformance::add_mul_partitioner_demo{});
  for (auto& module : program.delegates) module.backend_id = detail::own_bytes(program, "DemoBackend");
  change(program);
  return message(check_delegates(target, program, graphs_that_run(program).value));
}

constexpr auto delegates_need_a_backend_of_the_list() -> bool {
  const auto is = [](const text_buffer& found, std::string_view sentence, std::string_view facts) {
    return view(found) == view(join(sentence, facts));
  };
  constexpr std::string_view place = " [node: executorch_call_delegate_1] [operator: executorch_call_delegate]";
  return told([](auto&) {}).empty() &&
         is(told([](auto& program) { program.delegates[1].backend_id = {}; }), rule::nameless_delegate::sentence, place) &&
         is(told([](auto& program) { program.delegates[1].backend_id = detail::own_bytes(program, "Gone"); }),
            rule::unknown_backend::sentence, view(join(place, " [backend: Gone] [the list has: DemoBackend]")));
}
static_assert(delegates_need_a_backend_of_the_list());

}  // namespace

TEST_CASE("E48 E49: a delegate that runs names a backend of the list") { CHECK(delegates_need_a_backend_of_the_list()); }
