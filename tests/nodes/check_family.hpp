// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Holds kernels to what TensorFlow Lite Micro gives for models of one node: tests/nodes/<family>/, made by tests/nodes/make.sh.
#pragma once

#include <baton/import/tflite.hpp>
#include <baton/kernels/kernels.hpp>
#include <baton/operators/infer.hpp>
#include <baton/operators/verify.hpp>
#include <baton/plan/execution_plan.hpp>
#include <baton/plan/memory_policies/in_place.hpp>

#include "interpreter.hpp"
#include "reference/difference.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>

namespace nodes {

inline auto file(const std::filesystem::path& path) -> bytes {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// One inference: computed by the kernels of the list, compared with what begins at `expected`. The bytes that it gives.
template <class... Kernels>
auto check_run(interpreter& runner, const baton::program_view& program, baton::kernel_list<Kernels...> list, const bytes& input,
               std::span<const char> expected) -> std::size_t {
  bytes output;
  const auto why = runner.run(list, input, output);
  REQUIRE(why == "");
  REQUIRE(!output.empty());
  REQUIRE(output.size() <= expected.size());
  std::size_t begin = 0;
  for (const auto& made : program.outputs_of(program.root())) {
    if (made.kind != baton::output_kind::user_output) continue;
    const auto type = program[made.value].type;
    const auto size = static_cast<std::size_t>(baton::byte_count(type, program.shape(made.value)));
    CHECK(reference::difference(type == baton::dtype::float32 || type == baton::dtype::complex64, output.data() + begin,
                                expected.data() + begin, size) == "");
    begin += size;
  }
  return output.size();
}

/// Every case of a family: read, verified, inferred, computed by the kernel of the list that takes it, compared; with each value in memory
/// of its own, and with outputs on operands as near as kernels allow.
template <class... Kernels>
void check_family(const std::string& family, baton::kernel_list<Kernels...> list) {
  std::size_t cases = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(BATON_NODES_DIR) + "/" + family)) {
    if (entry.path().extension() != ".tflite") continue;
    ++cases;
    const auto name = entry.path().stem().string();
    CAPTURE(name);
    const auto model = file(entry.path());
    const auto golden = file(std::filesystem::path(entry.path()).replace_extension(".golden"));
    REQUIRE(!golden.empty());
    const auto program = baton::tflite::read_bytes(model);
    const auto view = baton::program_view(program);
    REQUIRE_FALSE(baton::verify(view));
    REQUIRE_FALSE(baton::check_inference(view));
    interpreter runner{view};
    const auto plan = baton::plan_execution(list, view, {1}, baton::planned_by<baton::memory_policies::in_place>{});
    REQUIRE(plan);
    interpreter overlapped{view, &plan.value};
    for (std::span<const char> left = golden; !left.empty();) {
      const auto size = input_bytes_of(view);
      REQUIRE(size <= left.size());
      const bytes input(left.begin(), left.begin() + static_cast<std::ptrdiff_t>(size));
      left = left.subspan(size);
      check_run(overlapped, view, list, input, left);
      left = left.subspan(check_run(runner, view, list, input, left));
    }
  }
  CHECK(cases > 0);
}

}  // namespace nodes
