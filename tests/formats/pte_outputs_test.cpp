// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The ExecuTorch programs of ../shared/formats without opaque delegates: their outputs after the default passes, and their debug handles.
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/pools.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/import/pte.hpp>
#include <baton/operators/verify.hpp>

#include "formats/golden_output.hpp"
#include "formats/manifest.hpp"
#include "formats/portable_run.hpp"
#include "formats/pte_case.hpp"
#include "needs_shared.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace baton;
using formats::pte_case;

/// The buffers of a program after a run, by name.
using states = std::map<std::string, std::vector<char>>;

/// Starts the buffers of a program with the bytes of an earlier run.
void set_states(exported_program& program, const states& from) {
  for (auto& record : program.values) {
    if (record.kind != value_kind::mutable_buffer) continue;
    const auto found = from.find(std::string(program_view(program).text(record.target)));
    if (found == from.end()) continue;
    record.data = own_bytes(program, std::string_view(found->second.data(), found->second.size()));
  }
}

/// Runs the recorded inputs of all methods in turns, with the states that the runs before left, and compares the outputs.
void check_outputs(const pte_case& model) {
  states kept;
  std::size_t compared = 0;
  // Of inputs that are smaller than their bounds.
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
      set_states(legal.value, kept);
      states next;
      const program_view program = legal.value;
      const auto after = [&](const node&, const formats::memory_of_value& memory) {
        for (const auto& entry : program.outputs_of(program.root())) {
          if (entry.kind != output_kind::buffer_mutation) continue;
          const auto at = memory(entry.value);
          next[std::string(program.text(entry.target))].assign(at.begin(), at.end());
        }
      };
      std::vector<char> output;
      REQUIRE(formats::run_portable(program, model.file("input_" + part), output, after) == "");
      for (const auto& [target, data] : next) kept[target] = data;
      const auto rule = formats::json_at(golden, "tolerance");
      const formats::tolerance allowed{formats::number_at(rule, "atol", 0), formats::number_at(rule, "rtol", 0)};
      CHECK(formats::difference(program, output, model.file("output_" + part), allowed) == "");
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
    std::map<std::int64_t, int> before, after;
    bool has_program = false;
    for (const auto& module : imported.value.delegates)
      has_program = has_program || program_view(imported.value).text(module.backend_id) == "ExecutorBackend";
    for (const auto& record : imported.value.nodes) ++before[record.debug_handle];
    for (const auto& record : legal.value.nodes) {
      CHECK(record.debug_handle != 0);
      ++after[record.debug_handle];
      for (const auto handle : program_view(legal.value).folded_handles(record)) ++after[handle];
    }
    for (const auto& [handle, count] : before) {
      // The nodes of a program in a delegate share the handle of the call, and some of them become one node.
      const bool is_kept = has_program ? after[handle] >= 1 && after[handle] <= count : after[handle] == count;
      CHECK_MESSAGE(is_kept, "handle ", handle);
    }
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
