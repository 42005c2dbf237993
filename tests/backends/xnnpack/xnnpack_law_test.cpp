// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A supported node compiles, and the library accepts it: on real models, and on one-node models with every kind of damage.
#include <baton/backends/xnnpack/xnnpack.hpp>

#include <baton/import/tflite.hpp>
#include <baton/operators/verify.hpp>

#include "../../npu/graphs.hpp"
#include "delegates.hpp"
#include "laws/backend.hpp"
#include "nodes/damage.hpp"
#include "nodes/work.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

/// A library with functions that other versions lack.
namespace newer {
struct graph {};
auto xnn_define_tanh(graph*, std::uint32_t, std::uint32_t, std::uint32_t) -> xnn_status;
auto xnn_define_concatenate2(graph*, std::int32_t, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t) -> xnn_status;
}  // namespace newer
/// A library without these functions.
namespace older {
struct graph {};
}  // namespace older
static_assert(baton::xnnpack::detail::has_tanh<newer::graph*> && !baton::xnnpack::detail::has_tanh<older::graph*>);
static_assert(!baton::xnnpack::detail::has_concatenation<newer::graph*>);  // concatenation of two operands only

namespace {

namespace fs = std::filesystem;
using namespace laws::backend;
using delegates::bytes;

constexpr auto law_holds(const baton::exported_program& program) -> bool {
  return accepts_supported_nodes<baton::xnnpack::backend, baton::xnnpack::support, baton::xnnpack::partitioner, constant_owner::part>(
      program);
}
static_assert(all<baton::xnnpack::backend>(npu_graphs::every_operator{}()));

auto file(const fs::path& path) -> baton::vector<char> {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// Lowers a one-node program that must be supported, initializes the delegate and runs it. Returns the error, or "".
auto fault_of(const baton::exported_program& program) -> std::string {
  const auto lowered = baton::to_backend(baton::backends<baton::xnnpack::backend>, program, baton::xnnpack::partitioner{});
  if (lowered.delegates.size() != 1) return "it is not delegated";
  delegates::net net{lowered};
  if (net.why.empty()) net.run(bytes(nodes::input_bytes_of(program), '\x11'));
  return net.why;
}

auto refusal(const baton::xnnpack::detail::translated& translation) -> std::string {
  return std::string(baton::view(translation.support.reason));
}

}  // namespace

TEST_CASE("xnnpack law: operators are translated if the library has them, and otherwise rejected with a reason") {
  baton::program_builder build;
  const auto type = baton::tensor(baton::dtype::float32, 2, 3);
  const auto x = build.user_input("x", type);
  const auto y = build.call("tfl.tanh", {x}, type);
  build.output(build.call("tfl.concatenation", {x, y}, baton::tensor(baton::dtype::float32, 4, 3),
                          {{"axis", 0}, {"fused_activation_function", "none"}}));
  const auto program = build.finish();
  const baton::program_view view = program;
  using baton::xnnpack::detail::library;
  constexpr library nothing{.concatenation = false, .tanh = false, .channelwise_fully_connected = false};
  constexpr library everything{.concatenation = true, .tanh = true, .channelwise_fully_connected = true};
  CHECK(refusal(baton::xnnpack::detail::translate_tanh<nothing>(view, view.nodes[0])) ==
        "this version of XNNPACK has no hyperbolic tangent");
  CHECK(refusal(baton::xnnpack::detail::translate_concatenation<nothing>(view, view.nodes[1])) ==
        "this version of XNNPACK has no concatenation");
  CHECK(baton::xnnpack::detail::translate_tanh<everything>(view, view.nodes[0]).support);
  const auto joined = baton::xnnpack::detail::translate_concatenation<everything>(view, view.nodes[1]);
  CHECK(joined.support);
  CHECK(joined.instruction.code.operands == 2);
  CHECK(joined.instruction.code.numbers[0] == 0);
}

TEST_CASE("xnnpack law: a graph of all kinds of layers compiles") {
  const auto program = npu_graphs::every_operator{}();
  CHECK(law_holds(program));
  CHECK(fault_of(program) == "");
}

TEST_CASE("xnnpack law: supported nodes of the shared models compile") {
  const std::string shared = BATON_SHARED_DIR;
  if (shared.empty()) return;
  for (const auto& entry : fs::directory_iterator(fs::path{shared} / "models")) {
    if (entry.path().extension() != ".tflite") continue;
    const auto model = file(entry.path());
    CHECK_MESSAGE(law_holds(baton::tflite::read_bytes(model)), entry.path());
  }
}

TEST_CASE("xnnpack law: supported damaged nodes compile, initialize and run") {
  std::size_t supported = 0;
  std::size_t rejected = 0;
  std::size_t number = 0;
  for (const auto& entry : fs::recursive_directory_iterator(BATON_NODES_DIR)) {
    if (entry.path().extension() != ".tflite") continue;
    const auto model = file(entry.path());
    const auto program = baton::tflite::read_bytes(model);
    if (program.graphs.size() != 1 || program.nodes.size() != 1) continue;
    if (!baton::xnnpack::support::supports(program, program.nodes[0])) continue;
    const auto name = entry.path().stem().string();
    CAPTURE(name);
    nodes::damager{program}.for_each([&](std::string_view kind, const baton::exported_program& damaged) {
      if (++number % 29 != 0 || baton::verify(damaged)) return;
      CAPTURE(std::string(kind));
      const auto verdict = baton::xnnpack::support::supports(damaged, damaged.nodes[0]);
      if (!verdict) {
        CHECK(!verdict.reason.empty());
        ++rejected;
      } else if (nodes::work_of(damaged) <= 200'000) {
        CHECK(fault_of(damaged) == "");
        ++supported;
      }
    });
  }
  MESSAGE(supported, " supported, ", rejected, " refused");
  CHECK(supported > 300);
  CHECK(rejected > 400);
}
