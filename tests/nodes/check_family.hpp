// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Compares kernels with the outputs of TensorFlow Lite Micro for one-node models: tests/nodes/<family>/, created by tests/nodes/make.sh.
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

/// Runs one inference with kernels of `list` and compares the outputs with the start of `expected`. Returns the size of the outputs in
/// bytes.
template <class... Kernels>
auto check_run(interpreter& runner, const baton::program_view& program, baton::kernel_list<Kernels...> list, const bytes& input,
               std::span<const char> expected) -> std::size_t {
  bytes output;
  const auto why = runner.run(list, input, output);
  REQUIRE(why == "");
  REQUIRE(!output.empty());
  REQUIRE(output.size() <= expected.size());
  std::size_t begin = 0;
  for (const auto& entry : program.outputs_of(program.root())) {
    if (entry.kind != baton::output_kind::user_output) continue;
    const auto type = program[entry.value].type;
    const auto size = static_cast<std::size_t>(baton::byte_count(type, program.shape(entry.value)));
    CHECK(reference::difference(type == baton::dtype::float32 || type == baton::dtype::complex64, output.data() + begin,
                                expected.data() + begin, size) == "");
    begin += size;
  }
  return output.size();
}

/// Reads, verifies and infers every model of a family, computes it with the kernels of `list` and compares the outputs. Each model runs
/// twice: with separate memory for each value, and with outputs that overlap operands as far as kernels allow.
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
