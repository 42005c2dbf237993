// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Damaged TFLite models, derived from real ones: each one is imported or rejected with a message, under sanitizers. BATON_FUZZ_ITERATIONS
// is the number of mutations of each model, 10000 by default; the same number produces the same mutations on every machine.
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/pool_sizes.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/tflite.hpp>
#include <baton/operators/verify.hpp>

#include "fuzz/mutated_model.hpp"
#include "needs_shared.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>

namespace {

namespace fs = std::filesystem;

/// Everything else that must work for an imported program: add it here.
void exercise(const baton::exported_program& program) { CHECK(!baton::verify(program)); }

auto memory_of(const baton::exported_program& program) -> std::size_t {
  std::size_t bytes = 0;
  baton::for_each_pool([&](const auto& pool) { bytes += pool.capacity() * sizeof(*pool.data()); }, program);
  return bytes;
}

void mutate_model(const fs::path& path, std::size_t mutations) {
  const auto original = fuzz::bytes_of(path);
  REQUIRE(!original.empty());
  fuzz::mutated_model model(original, baton::hash_of(path.filename().string()));
  std::size_t imported = 0;
  for (std::size_t i = 0; i < mutations; ++i) {
    CAPTURE(i);
    const auto bytes = model.next();
    const auto result = baton::tflite::try_read_bytes(bytes);
    CHECK(memory_of(result.value) <= 64 * bytes.size() + 65536);
    if (result) {
      exercise(result.value);
      ++imported;
    } else {
      CHECK(!baton::message(result.error).empty());
      CHECK(result.value.graphs.empty());
    }
  }
  std::cout << path.filename().string() << ": " << mutations << " mutations, " << imported << " imported, " << mutations - imported
            << " refused\n";
  if (mutations >= 1000) CHECK((imported > 0 && imported < mutations));
}

auto mutation_count() -> std::size_t {
  const char* set = std::getenv("BATON_FUZZ_ITERATIONS");
  return set == nullptr ? 10'000 : static_cast<std::size_t>(std::strtoull(set, nullptr, 10));
}

}  // namespace

TEST_CASE("mutations of the shared models are imported or rejected" * tests::needs_shared("models")) {
  const fs::path models = fs::path(BATON_SHARED_DIR) / "models";
  for (const auto& entry : fs::directory_iterator(models)) {
    if (entry.path().extension() != ".tflite") continue;
    CAPTURE(entry.path().string());
    mutate_model(entry.path(), mutation_count());
  }
}

TEST_CASE("mutations of the digits model are imported or rejected") {
  mutate_model(fs::path(BATON_EXAMPLES_DIR) / "digits" / "digits_int8.tflite", mutation_count());
}

TEST_CASE("mutations of a model with arena offsets of tensors are imported or rejected") {
  mutate_model(fs::path(BATON_EXAMPLES_DIR) / "ethos_u" / "mixed_vela.tflite", mutation_count());
}
