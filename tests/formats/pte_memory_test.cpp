// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The memory of the ExecuTorch programs of ../shared/formats: the arena of this library is never larger than the memory that ExecuTorch
// planned, at the same alignment of 16 bytes. ExecuTorch plans inputs, outputs, mutable buffers and the scratch operands of its kernels.
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/import/pte.hpp>

#include "formats/manifest.hpp"
#include "formats/portable_run.hpp"
#include "formats/pte_case.hpp"
#include "needs_shared.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>

namespace {

using namespace baton;

/// Compares the sizes of the memories of a method with those of the case. Returns their sum.
auto check_sizes(const formats::pte_case& model, std::string_view method) -> std::uint64_t {
  const auto planned = pte::importer::planned_bytes(model.model(), method);
  REQUIRE(planned);
  const auto text = formats::json_at(formats::json_at(model.contents(), "methods"), std::string(method));
  const auto stated = formats::items_of(formats::json_at(text, "memory"));
  REQUIRE(planned.value.size() == stated.size());
  for (std::size_t id = 0; id < stated.size(); ++id) CHECK(planned.value[id] == std::stoull(std::string(stated[id])));
  return std::accumulate(planned.value.begin(), planned.value.end(), std::uint64_t{0});
}

}  // namespace

TEST_CASE("pte: the arena is never larger than the memory that ExecuTorch planned" * tests::needs_shared("formats")) {
  std::size_t count = 0, smaller = 0;
  for (const auto& model : formats::pte_cases()) {
    CAPTURE(model.name());
    for (const auto& method : pte::importer::entry_points(model.model())) {
      CAPTURE(method.name);
      const auto theirs = check_sizes(model, method.name);
      const auto imported = model.read(method.name);
      REQUIRE(imported);
      const auto as_imported = formats::planned_arena(imported.value);
      REQUIRE(as_imported);
      CHECK(as_imported.value.values <= theirs);
      // ExecuTorch does not plan the memory in delegates, which become nodes of a program after legalization.
      if (!imported.value.delegates.empty()) continue;
      const auto lowered = formats::legalized(imported.value);
      if (!lowered) continue;  // operators without a rule
      const auto as_lowered = formats::planned_arena(lowered.value);
      REQUIRE(as_lowered);
      CHECK(as_lowered.value.values <= theirs);
      CHECK(as_lowered.value.with_scratch <= theirs);
      ++count;
      smaller += as_lowered.value.with_scratch < theirs ? 1 : 0;
    }
  }
  CHECK(count >= 20);
  CHECK(smaller >= 15);
}
