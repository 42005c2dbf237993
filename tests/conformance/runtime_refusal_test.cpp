// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Delegates whose initialization fails, and calls that fail: row T-LIFT-4, section 4.3 and E53 of the delegation specification.
#include <baton/compat/executorch/standalone_program.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/run/basic_executor.hpp>

#include "conformance/demo_backends.hpp"
#include "conformance/demo_runtime.hpp"
#include "conformance/graphs.hpp"
#include "conformance/wrapping.hpp"
#include "reference/kernels.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <string_view>

namespace {

using namespace baton;
using demo = conformance::running_compiler_demo;
using reference::any_aten;

constexpr auto demos = backends<demo>;

template <auto Make>
constexpr static_program<conformance::wrapping<Make, demo>> made_by{};

constexpr auto sine_of(int elements, std::string_view max) -> exported_program {
  const auto type = tensor(dtype::float32, elements);
  program_builder b;
  b.output(b.call("sin", "aten.sin.default", {b.user_input("x", type)}, type));
  return standalone_program(to_backend(demos, "BackendWithCompilerDemo", b.finish(), {{"max_value", max}}));
}
constexpr auto six_elements = made_by<[] { return sine_of(6, "\x06"); }>;
constexpr auto one_element = made_by<[] { return sine_of(1, "\x01"); }>;

/// Returns the program with another version in the processed bytes of its first delegate.
constexpr auto with_version_one(exported_program program) -> exported_program {
  auto& processed_bytes = program.delegates[0].processed_bytes;
  auto bytes = join(program_view(program).text(processed_bytes));
  constexpr std::string_view version = "version:";
  bytes[view(bytes).find(version) + version.size()] = '1';
  processed_bytes = own_bytes(program, view(bytes));
  return program;
}
constexpr auto newer = made_by<[] { return with_version_one(sine_of(1, "\x01")); }>;

struct tag_all {
  static constexpr auto partition(const exported_program& program) -> partition_result {
    auto tagged = conformance::all_nodes_partitioner<demo>::partition(program);
    for (auto& [tag, spec] : tagged.partition_tags) spec.compile_specs.emplace_back("max_value", "\x01");
    return tagged;
  }
};
constexpr auto partitioned() -> exported_program { return to_backend(demos, conformance::g_sin(), tag_all{}); }
constexpr auto partitioned_program = made_by<[] { return partitioned(); }>;
constexpr auto newer_partitioned = made_by<[] { return with_version_one(partitioned()); }>;

/// Processed bytes with a product of more than four elements.
constexpr auto large_product = made_by<[] {
  constexpr auto type = tensor(dtype::float32, 3, 3);
  program_builder b;
  b.output(b.call("mm", "aten.mm.default", {b.user_input("a", type), b.user_input("b", type)}, type));
  return standalone_program(to_backend(demos, "BackendWithCompilerDemo", b.finish()));
}>;

template <auto Program>
auto code_of_a_run() -> status {
  static basic_executor<Program, any_aten> net;
  return net.run();
}

}  // namespace

TEST_CASE("a backend rejects more elements than it supports, at run time (T-LIFT-4)") {
  CHECK(code_of_a_run<six_elements>() == status::invalid_argument);
  CHECK(static_cast<int>(status::invalid_argument) == 0x12);
}

TEST_CASE("a module lowered by backend id with processed bytes of another version is refused at run time (T-COMP-1)") {
  CHECK(code_of_a_run<one_element>() == status::ok);
  CHECK(code_of_a_run<newer>() == status::delegate_invalid_compatibility);
  CHECK(static_cast<int>(status::delegate_invalid_compatibility) == 0x30);
}

TEST_CASE("a delegate of a partitioner with processed bytes of another version is refused at run time (T-COMP-2)") {
  CHECK(code_of_a_run<partitioned_program>() == status::ok);
  CHECK(code_of_a_run<newer_partitioned>() == status::delegate_invalid_compatibility);
}

TEST_CASE("the status of a delegate call that fails is that of the run, which names the node (E53)") {
  static basic_executor<large_product, any_aten> net;
  CHECK(net.run() == status::not_supported);
  CHECK(net.last_failure().code == status::not_supported);
}

// The original reads four bytes of a value of one byte. Baton reads only the existing bytes.
TEST_CASE("the demo runtime does not read past the end of a compile spec (Q22)") {
  constexpr std::string_view processed_bytes = "0version:0#";
  static_assert(conformance::init_demo(processed_bytes, "\x04") == conformance::demo_code::ok);
  static_assert(conformance::init_demo(processed_bytes, "\x05") == conformance::demo_code::invalid_argument);
  static_assert(conformance::init_demo(processed_bytes, "") == conformance::demo_code::ok);
  static_assert(conformance::init_demo("version:0#", "\x01") == conformance::demo_code::invalid_argument);
  CHECK(conformance::init_demo(processed_bytes, std::string_view("\x04\x01\0\0", 4)) == conformance::demo_code::invalid_argument);
}
