// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Damaged archives of torch.export, derived from real ones: each one is imported or rejected with a message, under sanitizers.
// BATON_FUZZ_ITERATIONS is the number of mutations of each archive, 100 by default; the same number produces the same mutations on every
// machine.
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/import/pt2.hpp>
#include <baton/import/pt2_source_lines.hpp>
#include <baton/operators/infer.hpp>

#include "formats/pt2_case.hpp"
#include "fuzz/check_mutations.hpp"
#include "fuzz/mutated_archive.hpp"
#include "needs_shared.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace {

void mutate_model(const formats::pt2_case& model) {
  REQUIRE(!model.model().empty());
  const std::int64_t sizes[] = {2, 64};
  const baton::pt2::read_options::bound_shape shapes[] = {{"x", sizes}};
  const bool is_dynamic = model.name().find("dyn") != std::string::npos;
  fuzz::check_mutations(
      model.name(), fuzz::mutated_archive(model.model(), baton::hash_of(model.name())), fuzz::mutation_count(100),
      [&](const auto& bytes, std::size_t i) {
        auto programs = baton::pt2::importer::entry_points(bytes);
        if (programs.empty()) programs.push_back({});
        baton::pt2::read_options options{.entry = programs[i % programs.size()].name};
        if (is_dynamic && i % 2 == 0) options.shapes = shapes;
        static_cast<void>(baton::pt2::source_lines_of(bytes, options.entry));
        return baton::pt2::try_read_bytes(bytes, options);
      },
      [](const baton::exported_program& program) { static_cast<void>(baton::check_inference(program)); });
}

}  // namespace

TEST_CASE("mutations of the shared archives of torch.export are imported or rejected" * tests::needs_shared("formats")) {
  for (const auto& model : formats::pt2_cases()) {
    CAPTURE(model.name());
    mutate_model(model);
  }
}
