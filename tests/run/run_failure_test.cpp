// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/run/run_failure.hpp>

#include <baton/backend/delegate_mapping.hpp>
#include <baton/core/builder.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/run/basic_executor.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace {

using namespace baton;

/// Numbers its operations by the nodes of its part.
struct numbering {
  static constexpr auto id = name<"Numberer">;
  static constexpr auto preprocess(const exported_program& part, const compile_specs&) -> preprocess_result {
    preprocess_result processed;
    delegate_mapping_builder map;
    for (std::size_t n = 0; n < part.nodes.size(); ++n) map.insert(part.nodes[n], static_cast<std::int64_t>(10 + n));
    processed.debug_handle_map = map.entries();
    return processed;
  }
  static inline std::int64_t fails_at = 0;
};
/// Fails in one of its operations before the first run.
struct numberer : numbering {
  static auto init(init_context<>& context) -> status {
    context.failed_operation = fails_at;
    return status::operator_missing;
  }
  static void execute(const delegate_call&) {}
};
/// These fail when they execute, one for each form of `execute` with a context.
struct with_context : numbering {
  static auto execute(const execution_context<>& call) -> status {
    call.failed_operation = fails_at;
    return status::operator_missing;
  }
};
struct with_state : numbering {
  struct state {
    int calls = 0;
  };
  static auto execute(const execution_context<>& call, state& self) -> status {
    if (++self.calls != 2) return status::ok;
    call.failed_operation = fails_at;
    return status::operator_missing;
  }
};
struct with_part : numbering {
  template <class Call>
  static auto execute(const Call& call) -> status {
    call.failed_operation = fails_at;
    return Call::program->nodes.size() == 2 ? status::operator_missing : status::ok;
  }
};

struct make_model {
  constexpr auto operator()() const -> exported_program {
    constexpr auto type = tensor(dtype::float32, 2);
    program_builder build;
    const auto x = build.user_input("x", type);
    build.output(build.call("test.second", {build.call("test.first", {x}, type)}, type));
    auto program = build.finish();
    program.nodes[1].debug_handle = 9;  // an earlier pass folded a node with handle 5 into it
    program.nodes[1].folded_handles = {static_cast<std::uint32_t>(program.integers.size()), 1};
    program.integers.push_back(5);
    return program;
  }
};
template <class Backend>
constexpr auto lowered =
    to_backend(backends<Backend>, static_program{make_model{}}, by_support<Backend, operator_names<"test.first", "test.second">>{});

auto reason_of(std::int64_t fails_at) -> std::string {
  numbering::fails_at = fails_at;
  basic_executor<lowered<numberer>, kernels<archetypes::kernel>> net;
  CHECK(net.init() == status::operator_missing);
  CHECK(net.last_failure().operation == fails_at);
  const auto why = explain(lowered<numberer>, net.last_failure());
  CHECK(std::string(view(why.backend)) == "Numberer");
  CHECK(why.is<"failed_init">());
  return std::string(view(why.reason));
}

/// The same for an `execute` that fails in run `fails_in`; the first run is 1.
template <class Backend>
auto reason_of_run(std::int64_t fails_at, int fails_in = 1) -> std::string {
  numbering::fails_at = fails_at;
  basic_executor<lowered<Backend>, kernels<archetypes::kernel>> net;
  const std::array<float, 2> in{};
  std::array<float, 2> out{};
  for (int i = 1; i < fails_in; ++i) CHECK(net.run(in, out) == status::ok);
  CHECK(net.run(in, out) == status::operator_missing);
  CHECK(net.last_failure().step == run_failure::lifecycle_step::execution);
  CHECK(net.last_failure().operation == fails_at);
  const failure why = explain(lowered<Backend>, net.last_failure());
  CHECK(why.is<"failed_execute">());
  return std::string(view(why.reason));
}

/// Has ten processed bytes, and counts its inits.
struct loaded_backend {
  static constexpr auto id = name<"Loaded">;
  static constexpr auto preprocess(const exported_program&, const compile_specs&) -> preprocess_result {
    return preprocess_result{"ten bytes."};
  }
  static void init(const init_context<>& context) { size = context.processed_bytes.bytes().size(); }
  static void execute(const delegate_call&) {}
  static inline std::size_t size = 0;
};
/// Loads `Size` bytes, which may be more or fewer than the requested ones.
template <std::size_t Size>
struct loader_of {
  static auto load(const processed_bytes::request& request) -> status_or<processed_bytes::loaded> {
    CHECK(request.size == 10);
    alignas(16) static constexpr char bytes[16] = {};
    return processed_bytes::loaded{{bytes, Size}, [](void*, span<const char> released) {
                                     CHECK(released.size() == Size);
                                     ++releases;
                                   }};
  }
  static inline int releases = 0;
};
template <std::size_t Size>
using net_with = basic_executor<lowered<loaded_backend>, kernels<archetypes::kernel>, plan_options{}, loader_of<Size>>;

template <std::size_t Size>
void check_short_load() {
  loaded_backend::size = 0;
  {
    net_with<Size> net;
    CHECK(net.init() == status::access_failed);
    CHECK(net.last_failure().step == run_failure::lifecycle_step::loading);
    const failure why = explain(lowered<loaded_backend>, net.last_failure());
    CHECK(why.is<"unloaded_processed_bytes">());
    CHECK(std::string(view(why.reason)) == "status 34 access_failed, delegate lowered_module_0");
    CHECK(loaded_backend::size == 0);
    CHECK(loader_of<Size>::releases == 1);
  }
  CHECK(loader_of<Size>::releases == 1);
}

}  // namespace

TEST_CASE("a backend reports the operation at which init fails, and the message names the node of the operation") {
  CHECK(reason_of(11) == "status 20 operator_missing, delegate lowered_module_0, operation 11 of node test_second, operator test.second");
}

TEST_CASE("a backend reports the operation at which execute fails, in each form of execute with a context") {
  const std::string expected =
      "status 20 operator_missing, delegate lowered_module_0, operation 11 of node test_second, operator test.second";
  CHECK(reason_of_run<with_context>(11) == expected);
  CHECK(reason_of_run<with_state>(11, 2) == expected);
  CHECK(reason_of_run<with_part>(11) == expected);
  CHECK(reason_of_run<with_context>(10) ==
        "status 20 operator_missing, delegate lowered_module_0, operation 10 of node test_first, operator test.first");
  CHECK(reason_of_run<with_context>(event_identifier::unset) == "status 20 operator_missing, delegate lowered_module_0");
}

TEST_CASE("an operation that is not in the debug handle map is reported by its number, and an unset one is not reported") {
  CHECK(reason_of(7) == "status 20 operator_missing, delegate lowered_module_0, operation 7");
  CHECK(reason_of(event_identifier::unset) == "status 20 operator_missing, delegate lowered_module_0");
}

TEST_CASE("if a loader provides fewer bytes than requested, they are released, and the backend is not initialized") {
  check_short_load<9>();
  check_short_load<0>();
}

TEST_CASE("a loader may provide more bytes than requested, such as whole pages") {
  net_with<10> exact;
  CHECK(exact.init() == status::ok);
  CHECK(loaded_backend::size == 10);
  net_with<16> page;
  CHECK(page.init() == status::ok);
  CHECK(loaded_backend::size == 16);
}
