// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Damaged ONNX models, derived from real ones: each one is imported or rejected with a message, under sanitizers. BATON_FUZZ_ITERATIONS is
// the number of mutations of each model, 300 by default; the same number produces the same mutations on every machine.
#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/pool_sizes.hpp>
#include <baton/import/onnx.hpp>
#include <baton/operators/infer.hpp>
#include <baton/operators/verify.hpp>

#include "formats/onnx_case.hpp"
#include "fuzz/mutated_protobuf.hpp"
#include "needs_shared.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdlib>
#include <iostream>

namespace {

auto memory_of(const baton::exported_program& program) -> std::size_t {
  std::size_t bytes = 0;
  baton::for_each_pool([&](const auto& pool) { bytes += pool.capacity() * sizeof(*pool.data()); }, program);
  return bytes;
}

auto mutation_count() -> std::size_t {
  const char* set = std::getenv("BATON_FUZZ_ITERATIONS");
  return set == nullptr ? 300 : static_cast<std::size_t>(std::strtoull(set, nullptr, 10));
}

void mutate_model(const formats::onnx_case& model) {
  REQUIRE(!model.model().empty());
  fuzz::mutated_protobuf copies(model.model(), baton::hash_of(model.name()));
  const auto mutations = mutation_count();
  std::size_t imported = 0;
  for (std::size_t i = 0; i < mutations; ++i) {
    CAPTURE(i);
    const auto bytes = copies.next();
    const auto result = baton::onnx::try_read_bytes(bytes, {.files = model.files()});
    CHECK(memory_of(result.value) <= 64 * bytes.size() + 65536);
    if (result) {
      CHECK(!baton::verify(result.value));
      static_cast<void>(baton::check_inference(result.value));
      ++imported;
    } else {
      CHECK(!baton::message(result.error).empty());
      CHECK(result.value.graphs.empty());
    }
  }
  std::cout << model.name() << ": " << mutations << " mutations, " << imported << " imported, " << mutations - imported << " refused\n";
}

}  // namespace

TEST_CASE("mutations of the shared ONNX models are imported or rejected" * tests::needs_shared("formats")) {
  for (const auto& model : formats::onnx_cases()) {
    CAPTURE(model.name());
    mutate_model(model);
  }
}
