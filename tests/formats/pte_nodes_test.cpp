// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The quantized operators of ExecuTorch programs, each on its own recorded inputs: the elements that differ from the recorded output are
// counted. pte_nodes.txt has the counts of each case and operator.
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>

#include "formats/difference_counts.hpp"
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

/// The recorded int8 tensors by the debug handles of the calls that compute them. Calls are recorded in order; a call that the file leaves
/// out, such as a view, is recorded between them.
auto read_recording(const pte_case& model, std::string_view index, span<const char> tensors) -> std::map<std::int64_t, span<const char>> {
  std::map<std::int64_t, span<const char>> result;
  const auto method = formats::json_at(formats::json_at(model.contents(), "methods"), "forward");
  const auto recorded = formats::items_of(index);
  std::size_t at = 0;
  std::int64_t handle = 0;
  for (const auto instruction : formats::items_of(formats::json_at(method, "instructions"))) {
    ++handle;
    const auto parts = formats::items_of(instruction);
    if (parts.size() < 2 || formats::unquoted(parts[0]) != "kernel") continue;
    auto name = std::string(formats::unquoted(parts[1]));  // "cortex_m::pad.out" is recorded as "edge::cortex_m.pad.default"
    name = name.substr(name.find("::") + 2);
    name = "." + name.substr(0, name.find('.')) + ".";
    while (at < recorded.size() && formats::json_at(recorded[at], "target").find(name) == std::string_view::npos) ++at;
    if (at == recorded.size()) break;
    const auto item = recorded[at++];
    if (formats::unquoted(formats::json_at(item, "dtype")) != "int8") continue;
    result[handle] = tensors.subspan(static_cast<std::size_t>(formats::number_at(item, "offset", 0)),
                                     static_cast<std::size_t>(formats::number_at(item, "bytes", 0)));
  }
  return result;
}

/// Runs a case with input 0, counts the differences of each recorded value, and goes on with the recorded elements.
void count_differences(const pte_case& model, formats::count_table& to) {
  const auto index = model.file("nodes_0.json"), tensors = model.file("nodes_0.bin");
  if (index.empty()) return;
  const auto imported = model.read();
  REQUIRE(imported);
  const auto legal = formats::legalized(imported.value);
  REQUIRE(legal);
  const auto recorded = read_recording(model, {index.data(), index.size()}, tensors);
  const program_view program = legal.value;
  std::size_t compared = 0;
  const auto after = [&](const node& record, const formats::memory_of_value& memory) {
    std::vector<std::int64_t> handles{record.debug_handle};
    for (const auto handle : program.folded_handles(record)) handles.push_back(handle);
    const auto actual = memory(program.outputs_of(record)[0]);
    const span<const char>* expected = nullptr;  // of the last call that became part of the node and has an output of this size
    for (const auto handle : handles) {
      const auto entry = recorded.find(handle);
      if (entry != recorded.end() && entry->second.size() == actual.size()) expected = &entry->second;
    }
    if (expected == nullptr || program[program.outputs_of(record)[0]].type != dtype::int8) return;
    formats::add(to[{model.name(), std::string(program.text(record.target))}], actual, *expected, true);
    std::copy(expected->begin(), expected->end(), actual.data());
    ++compared;
  };
  std::vector<char> output;
  REQUIRE(formats::run_portable(program, model.input(0), output, after) == "");
  CHECK(compared > 0);
}

}  // namespace

TEST_CASE("pte: each quantized operator computes the recorded elements from recorded operands" * tests::needs_shared("formats")) {
  formats::count_table counted;
  for (const auto& model : formats::pte_cases()) {
    if (model.name().find("cortexm4") == std::string::npos) continue;
    CAPTURE(model.name());
    count_differences(model, counted);
  }
  CHECK(formats::is_recorded(counted, "pte_nodes.txt"));
  formats::check_exact(counted);
}
