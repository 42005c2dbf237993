// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Holds kernels to what TensorFlow Lite Micro gives for models of one node: tests/nodes/<family>/, made by tests/nodes/make.sh.
#pragma once

#include <baton/import/tflite.hpp>
#include <baton/kernels/kernels.hpp>
#include <baton/operators/check_inference.hpp>
#include <baton/operators/verify.hpp>

#include "interpreter.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace nodes {

inline auto file(const std::filesystem::path& path) -> bytes {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// Integers: every byte. float32: within so much of the largest magnitude of the tensor.
inline auto is_equal(baton::dtype type, const char* found, const char* expected, std::size_t size, float tolerance) -> bool {
  if (type != baton::dtype::float32) return std::memcmp(found, expected, size) == 0;
  float largest = 0;
  float farthest = 0;
  for (std::size_t i = 0; i < size; i += 4) {
    float a = 0;
    float b = 0;
    std::memcpy(&a, found + i, 4);
    std::memcpy(&b, expected + i, 4);
    if (std::isnan(b) || std::isinf(b)) {
      if (std::isnan(b) ? !std::isnan(a) : a != b) return false;
      continue;
    }
    largest = std::fmax(largest, std::fabs(b));
    farthest = std::isnan(a) ? INFINITY : std::fmax(farthest, std::fabs(a - b));
  }
  return farthest <= tolerance * largest;
}

/// Every case of a family: read, verified, inferred, computed by the kernel of the list that takes it, compared.
template <class... Kernels>
void check_family(const std::string& family, baton::kernel_list<Kernels...> list, float tolerance = 1e-5f) {
  std::size_t cases = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(BATON_NODES_DIR) + "/" + family)) {
    if (entry.path().extension() != ".tflite") continue;
    ++cases;
    const auto name = entry.path().stem().string();
    CAPTURE(name);
    const auto model = file(entry.path());
    const auto golden = file(std::filesystem::path(entry.path()).replace_extension(".golden"));
    const auto program = baton::tflite::read_bytes(model);
    const auto view = baton::program_view(program);
    REQUIRE_FALSE(baton::verify(view));
    REQUIRE_FALSE(baton::check_inference(view));
    interpreter runner{view};
    std::size_t input_bytes = 0;
    for (const auto id : view.inputs(view.root())) {
      if (view[id].kind == baton::value_kind::user_input)
        input_bytes += static_cast<std::size_t>(baton::byte_count(view[id].type, view.shape(id)));
    }
    for (std::size_t at = 0; at < golden.size();) {
      const bytes input(golden.begin() + static_cast<std::ptrdiff_t>(at), golden.begin() + static_cast<std::ptrdiff_t>(at + input_bytes));
      at += input_bytes;
      bytes output;
      const auto why = runner.run(list, input, output);
      REQUIRE(why == "");
      REQUIRE(at + output.size() <= golden.size());
      std::size_t begin = 0;
      for (const auto& made : view.outputs_of(view.root())) {
        if (made.kind != baton::output_kind::user_output) continue;
        const auto size = static_cast<std::size_t>(baton::byte_count(view[made.value].type, view.shape(made.value)));
        CHECK(is_equal(view[made.value].type, output.data() + begin, golden.data() + at + begin, size, tolerance));
        begin += size;
      }
      at += output.size();
    }
  }
  CHECK(cases > 0);
}

}  // namespace nodes
