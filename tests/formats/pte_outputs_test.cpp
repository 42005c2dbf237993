// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The ExecuTorch programs of ../shared/formats without opaque delegates: their outputs after the default passes, and their debug handles.
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/import/pte.hpp>

#include "formats/golden_output.hpp"
#include "formats/manifest.hpp"
#include "formats/portable_run.hpp"
#include "formats/pte_case.hpp"
#include "formats/recorded_runs.hpp"
#include "needs_shared.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace baton;
using formats::pte_case;

/// Runs the recorded inputs of all methods in turns, with the states of the previous runs, and compares the outputs.
void check_outputs(const pte_case& model) {
  formats::kept_states states;
  std::size_t compared = 0;
  // The shapes of inputs that are smaller than their bounds.
  const auto shapes = formats::items_of(formats::json_at(model.manifest(), "shapes_of_each"));
  for (std::size_t k = 0; k < 4; ++k) {
    std::vector<std::int64_t> sizes;
    std::vector<pte::read_options::bound_shape> bound;
    if (!shapes.empty()) {
      const auto shape = formats::items_of(formats::json_at(shapes.at(k), "inputs")).at(0);
      for (const auto size : formats::items_of(shape)) sizes.push_back(std::stoll(std::string(size)));
      bound.push_back({"input_0", sizes});
    }
    for (const auto& method : pte::importer::entry_points(model.model())) {
      const std::string name(method.name);
      const auto golden = formats::json_at(formats::json_at(model.manifest(), "golden"), name);
      if (golden.empty()) continue;  // a method that returns a constant
      const auto part = (name == "forward" ? std::string{} : name + "_") + std::to_string(k) + ".bin";
      const auto imported = model.read(name, bound);
      REQUIRE(imported);
      auto legal = formats::legalized(imported.value);
      CAPTURE(name);
      CAPTURE(k);
      if (!legal) FAIL(std::string(view(legal.error.reason)));
      std::vector<char> output;
      REQUIRE(states.run(legal.value, model.file("input_" + part), output) == "");
      const auto rule = formats::json_at(golden, "tolerance");
      const formats::tolerance allowed{formats::number_at(rule, "atol", 0), formats::number_at(rule, "rtol", 0)};
      CHECK(formats::difference(legal.value, output, model.file("output_" + part), allowed) == "");
      ++compared;
    }
  }
  CHECK(compared >= 4);
}

/// Each debug handle of the file is on one node after the default passes, as its own handle or as a folded one.
void check_handles(const pte_case& model) {
  for (const auto& method : pte::importer::entry_points(model.model())) {
    const auto imported = model.read(method.name);
    REQUIRE(imported);
    const auto legal = formats::legalized(imported.value);
    if (!legal) FAIL(std::string(view(legal.error.reason)));
    bool has_program = false;
    for (const auto& module : imported.value.delegates)
      has_program = has_program || program_view(imported.value).text(module.backend_id) == "ExecutorBackend";
    // The nodes of a program in a delegate share the handle of the call, and some of them become one node.
    CHECK(formats::lost_handle(imported.value, legal.value, has_program) == -1);
  }
}

/// True if a method calls a delegate whose processed bytes are not decoded, or needs an accelerator.
auto has_opaque_parts(const pte_case& model) -> bool {
  for (const auto& method : pte::importer::entry_points(model.model())) {
    const auto imported = model.read(method.name);
    REQUIRE(imported);
    for (const auto& record : imported.value.nodes) {
      if (record.is("executorch.opaque_part") || record.is("tfl.custom.ethos-u")) return true;
    }
  }
  return false;
}

}  // namespace

TEST_CASE("pte: programs without opaque delegates compute the recorded outputs, and keep debug handles" * tests::needs_shared("formats")) {
  std::size_t count = 0, decoded = 0;
  for (const auto& model : formats::pte_cases()) {
    if (has_opaque_parts(model)) continue;
    CAPTURE(model.name());
    ++count;
    decoded += model.name().find("xnnpack") == std::string::npos ? 0 : 1;
    check_handles(model);
    check_outputs(model);
  }
  CHECK(count >= 28);
  CHECK(decoded >= 7);
}
