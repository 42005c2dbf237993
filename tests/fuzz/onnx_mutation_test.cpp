// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Damaged ONNX models, derived from real ones: each one is imported or rejected with a message, under sanitizers. BATON_FUZZ_ITERATIONS is
// the number of mutations of each model, 300 by default; the same number produces the same mutations on every machine.
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/import/onnx.hpp>
#include <baton/operators/infer.hpp>

#include "formats/onnx_case.hpp"
#include "fuzz/check_mutations.hpp"
#include "fuzz/mutated_protobuf.hpp"
#include "needs_shared.hpp"

#include <doctest/doctest.h>

#include <cstddef>

namespace {

void mutate_model(const formats::onnx_case& model) {
  REQUIRE(!model.model().empty());
  fuzz::check_mutations(
      model.name(), fuzz::mutated_protobuf(model.model(), baton::hash_of(model.name())), fuzz::mutation_count(300),
      [&](const auto& bytes, std::size_t) { return baton::onnx::try_read_bytes(bytes, {.files = model.files()}); },
      [](const baton::exported_program& program) { static_cast<void>(baton::check_inference(program)); });
}

}  // namespace

TEST_CASE("mutations of the shared ONNX models are imported or rejected" * tests::needs_shared("formats")) {
  for (const auto& model : formats::onnx_cases()) {
    CAPTURE(model.name());
    mutate_model(model);
  }
}
