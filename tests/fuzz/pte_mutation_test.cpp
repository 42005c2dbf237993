// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Damaged ExecuTorch programs, derived from real ones: each one is imported or rejected with a message, under sanitizers.
// BATON_FUZZ_ITERATIONS is the number of mutations of each program, 300 by default; the same number produces the same mutations on every
// machine.
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/import/pte.hpp>
#include <baton/operators/infer.hpp>

#include "formats/pte_case.hpp"
#include "fuzz/check_mutations.hpp"
#include "fuzz/mutated_program.hpp"
#include "needs_shared.hpp"

#include <doctest/doctest.h>

#include <cstddef>

namespace {

void mutate_model(const formats::pte_case& model) {
  REQUIRE(!model.model().empty());
  fuzz::check_mutations(
      model.name(), fuzz::mutated_program(model.model(), baton::hash_of(model.name())), fuzz::mutation_count(300),
      [&](const auto& bytes, std::size_t i) {
        auto methods = baton::pte::importer::entry_points(bytes);
        if (methods.empty()) methods.push_back({});
        return baton::pte::try_read_bytes(bytes, {.entry = methods[i % methods.size()].name, .files = model.files()});
      },
      [](const baton::exported_program& program) { static_cast<void>(baton::check_inference(program)); });
}

}  // namespace

TEST_CASE("mutations of the shared ExecuTorch programs are imported or rejected" * tests::needs_shared("formats")) {
  for (const auto& model : formats::pte_cases()) {
    CAPTURE(model.name());
    mutate_model(model);
  }
}
