// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/run/run_failure.hpp>

#include <baton/backend/delegate_mapping.hpp>
#include <baton/core/builder.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/run/basic_executor.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <string>

namespace {

using namespace baton;

/// Numbers its operations by the nodes that they are of, and fails at one of them.
struct numberer {
  static constexpr auto id = name<"Numberer">;
  static constexpr auto preprocess(const exported_program& part, const compile_specs&) -> preprocess_result {
    preprocess_result made;
    delegate_mapping_builder map;
    for (std::size_t n = 0; n < part.nodes.size(); ++n) map.insert(part.nodes[n], static_cast<std::int64_t>(10 + n));
    made.debug_handle_map = map.entries();
    return made;
  }
  static inline std::int64_t fails_at = 0;
  static auto init(init_context<>& context) -> status {
    context.failed_operation = fails_at;
    return status::operator_missing;
  }
  static void execute(const delegate_call&) {}
};

struct make_model {
  constexpr auto operator()() const -> exported_program {
    constexpr auto type = tensor(dtype::float32, 2);
    program_builder build;
    const auto x = build.user_input("x", type);
    build.output(build.call("test.second", {build.call("test.first", {x}, type)}, type));
    auto made = build.finish();
    made.nodes[1].debug_handle = 9;  // what a pass folded into it was there before it
    made.nodes[1].folded_handles = {static_cast<std::uint32_t>(made.integers.size()), 1};
    made.integers.push_back(5);
    return made;
  }
};
constexpr auto lowered =
    to_backend(backends<numberer>, static_program{make_model{}}, by_support<numberer, operators<"test.first", "test.second">>{});

auto reason_of(std::int64_t fails_at) -> std::string {
  numberer::fails_at = fails_at;
  basic_executor<lowered, kernels<archetypes::kernel>> net;
  CHECK(net.init() == status::operator_missing);
  CHECK(net.failed().operation == fails_at);
  const auto why = explain(lowered, net.failed());
  CHECK(std::string(view(why.backend)) == "Numberer");
  CHECK(std::string(why.rule) == std::string(rule<"failed_init">::sentence));
  return std::string(view(why.reason));
}

}  // namespace

TEST_CASE("a backend says at which of its operations init fails, and the sentence names the node that it was made of") {
  CHECK(reason_of(11) == "status 20 operator_missing, delegate lowered_module_0, operation 11 of node test_second, operator test.second");
}

TEST_CASE("an operation that the debug handle map does not have is told by its number, one that nobody named not at all") {
  CHECK(reason_of(7) == "status 20 operator_missing, delegate lowered_module_0, operation 7");
  CHECK(reason_of(event_identifier::unset) == "status 20 operator_missing, delegate lowered_module_0");
}
