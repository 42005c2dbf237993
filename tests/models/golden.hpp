// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Checks of a shared model against the recorded outputs of the reference: operator by operator, and final outputs.
#pragma once

#include <baton/baton.hpp>
#include <baton/plan.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

namespace golden {

inline auto file(const std::string& model, const std::string& name) -> baton::vector<char> {
  std::ifstream stream(std::string(BATON_SHARED_DIR) + "/golden/" + model + "/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

inline auto model_bytes(const std::string& model) -> baton::vector<char> {
  std::ifstream stream(std::string(BATON_SHARED_DIR) + "/models/" + model + ".tflite", std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// True if an output matches: int8 exactly; float32 within 1e-5, relative, but absolute below 1.
[[gnu::noinline]] inline auto equal(baton::dtype type, const char* actual, const baton::vector<char>& expected) -> bool {
  if (type != baton::dtype::float32) return std::memcmp(actual, expected.data(), expected.size()) == 0;
  for (std::size_t at = 0; at < expected.size(); at += 4) {
    float a = 0;
    float b = 0;
    std::memcpy(&a, actual + at, 4);
    std::memcpy(&b, expected.data() + at, 4);
    if (!(std::fabs(a - b) <= 1e-5f * std::fmax(1.0f, std::fabs(b)))) return false;
  }
  return true;
}

template <class Net>
void fill(Net& net, const baton::vector<char>& input, std::size_t at = 0) {
  REQUIRE(input.size() >= at + net.input().size());
  std::memcpy(net.input().data(), input.data() + at, net.input().size());
}

/// Checks the output of every operator for input 0.
template <class Net>
void check_operators(Net& net, const std::string& model) {
  fill(net, file(model, "input_0.bin"));
  std::size_t seen = 0;
  net.run([&](auto call) {
    using call_type = decltype(call);
    const auto number = std::to_string(seen);
    const auto expected = file(model, "layer_" + std::string(number.size() < 2 ? "0" : "") + number + ".bin");
    REQUIRE_FALSE(expected.empty());
    const auto type = call_type::program()[call_type::output_id(0)].type;
    CHECK_MESSAGE(equal(type, call.template output<0>(), expected), model, ", operator ", seen);
    ++seen;
  });
  CHECK(seen > 0);
  CHECK(file(model, "layer_" + std::string(seen < 10 ? "0" : "") + std::to_string(seen) + ".bin").empty());
}

/// Checks the final output for every recorded input.
template <class Net>
void check_outputs(Net& net, const std::string& model, baton::dtype type) {
  std::size_t seen = 0;
  for (const std::string prefix : {"", "extra_"}) {
    for (int k = 0; k < 4; ++k) {
      const auto input = file(model, prefix + "input_" + std::to_string(k) + ".bin");
      if (input.empty()) continue;
      fill(net, input);
      net.run();
      CHECK_MESSAGE(equal(type, net.output().data(), file(model, prefix + "output_" + std::to_string(k) + ".bin")), model, " ", prefix, k);
      ++seen;
    }
  }
  CHECK(seen >= 4);
  const auto sweep = file(model, "sweep256_input.bin");
  const auto expected = file(model, "sweep256_output.bin");
  const auto size = net.output().size();
  for (std::size_t i = 0; i * net.input().size() < sweep.size(); ++i) {
    fill(net, sweep, i * net.input().size());
    net.run();
    CHECK(
        equal(type, net.output().data(),
              {expected.begin() + static_cast<std::ptrdiff_t>(i * size), expected.begin() + static_cast<std::ptrdiff_t>((i + 1) * size)}));
  }
}

/// Checks that programs and plans are equal at compile time and at run time.
template <class Imported, class Lowered, class Backends, class Partitioner>
void check_two_times(const std::string& model, Imported imported, Lowered lowered, Backends target, Partitioner partitioner) {
  const auto bytes = model_bytes(model);
  const auto read = baton::tflite::read_bytes(bytes);
  CHECK(baton::same(imported, read));
  CHECK_FALSE(baton::verify(read));
  const auto lowered_at_run_time = baton::to_backend(target, read, partitioner);
  CHECK(baton::same(lowered, lowered_at_run_time));
  for (const auto& [constant, computed] : {std::pair{baton::program_view(imported), baton::program_view(read)},
                                           std::pair{baton::program_view(lowered), baton::program_view(lowered_at_run_time)}}) {
    const auto first = baton::plan_memory(constant).value;
    const auto second = baton::plan_memory(computed).value;
    CHECK(first.arena_bytes == second.arena_bytes);
    CHECK(first.lower_bound == second.lower_bound);
    CHECK(first.offsets == second.offsets);
    CHECK(first.strategy == second.strategy);
  }
}

}  // namespace golden
