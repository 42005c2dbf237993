// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Damaged ExecuTorch programs, derived from real ones: each one is imported or rejected with a message, under sanitizers.
// BATON_FUZZ_ITERATIONS is the number of mutations of each program, 300 by default; the same number produces the same mutations on every
// machine.
#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/pool_sizes.hpp>
#include <baton/import/pte.hpp>
#include <baton/operators/infer.hpp>
#include <baton/operators/verify.hpp>

#include "formats/pte_case.hpp"
#include "fuzz/mutated_program.hpp"
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

void mutate_model(const formats::pte_case& model) {
  REQUIRE(!model.model().empty());
  fuzz::mutated_program copies(model.model(), baton::hash_of(model.name()));
  const auto mutations = mutation_count();
  std::size_t imported = 0;
  for (std::size_t i = 0; i < mutations; ++i) {
    CAPTURE(i);
    const auto bytes = copies.next();
    auto methods = baton::pte::importer::entry_points(bytes);
    if (methods.empty()) methods.push_back({});
    const auto method = methods[i % methods.size()].name;
    const auto result = baton::pte::try_read_bytes(bytes, {.entry = method, .files = model.files()});
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

TEST_CASE("mutations of the shared ExecuTorch programs are imported or rejected" * tests::needs_shared("formats")) {
  for (const auto& model : formats::pte_cases()) {
    CAPTURE(model.name());
    mutate_model(model);
  }
}
