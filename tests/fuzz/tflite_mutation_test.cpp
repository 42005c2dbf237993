// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Damaged TFLite models, derived from real ones: each one is imported or rejected with a message, under sanitizers. BATON_FUZZ_ITERATIONS
// is the number of mutations of each model, 5000 by default; the same number produces the same mutations on every machine.
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/import/tflite.hpp>

#include "fuzz/check_mutations.hpp"
#include "fuzz/mutated_model.hpp"
#include "needs_shared.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <filesystem>

namespace {

namespace fs = std::filesystem;

void mutate_model(const fs::path& path) {
  const auto original = fuzz::bytes_of(path);
  REQUIRE(!original.empty());
  const auto name = path.filename().string();
  fuzz::check_mutations(
      name, fuzz::mutated_model(original, baton::hash_of(name)), fuzz::mutation_count(5'000),
      [](const auto& bytes, std::size_t) { return baton::tflite::try_read_bytes(bytes); }, [](const baton::exported_program&) {});
}

}  // namespace

TEST_CASE("mutations of the shared models are imported or rejected" * tests::needs_shared("models")) {
  const fs::path models = fs::path(BATON_SHARED_DIR) / "models";
  for (const auto& entry : fs::directory_iterator(models)) {
    if (entry.path().extension() != ".tflite") continue;
    CAPTURE(entry.path().string());
    mutate_model(entry.path());
  }
}

TEST_CASE("mutations of the digits model are imported or rejected") {
  mutate_model(fs::path(BATON_EXAMPLES_DIR) / "digits" / "digits_int8.tflite");
}

TEST_CASE("mutations of a model with arena offsets of tensors are imported or rejected") {
  mutate_model(fs::path(BATON_EXAMPLES_DIR) / "ethos_u" / "mixed_vela.tflite");
}
