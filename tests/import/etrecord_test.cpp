// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/import/etrecord.hpp>

#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>

#include "import/zip_writer.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace {

using baton::pte::source_lines;

// The records of an ETRecord of ExecuTorch 1.5.1, without the fields that are not read.
constexpr std::string_view program =
    R"j({"graph_module": {"graph": {"inputs": [{"as_tensor": {"name": "x"}}], "nodes": [)j"
    R"j({"name": "conv", "target": "executorch.exir.dialects.edge.ops.aten.convolution.default", "inputs": [], "metadata": {"stack_trace": )j"
    R"j("File \"/home/a/model.py\", line 14, in forward\n    y = self.conv(x)\n  )j"
    R"j(File \"/v/lib/python3.11/site-packages/torch/nn/modules/conv.py\", line 565, in forward\n    return self._conv_forward(input)", )j"
    R"j("nn_module_stack": "L__self__,,Block", "debug_handle": "2"}}, )j"
    R"j({"name": "relu", "inputs": [{"arg": {"as_graph": {"graph": {"nodes": [{"name": "inner", "metadata": {"debug_handle": "7", )j"
    R"j("stack_trace": "  File \"caf\u00e9.py\", line 3, in branch"}}]}}}}], "metadata": {"debug_handle": "1", "stack_trace": )j"
    R"j("File \"/v/dist-packages/torch/nn/functional.py\", line 9, in relu\n    return input"}}, )j"
    R"j({"name": "again", "metadata": {"debug_handle": "2", "stack_trace": "File \"other.py\", line 1, in f"}}, )j"
    R"j({"name": "none", "metadata": {"debug_handle": "4"}}, {"name": "text", "metadata": {"debug_handle": "5", "stack_trace": "unknown"}}]}}})j";
constexpr std::string_view map = R"({"decode": {"0": 9}, "forward": {"0": [1, 2], "1": 7}})";

constexpr auto record(std::string_view program_text, std::string_view map_text, std::string_view identifier = "ETRECORD_V0")
    -> baton::vector<char> {
  tests::zip_writer zip(1);
  zip.add(identifier, "");
  zip.add("edge_dialect_exported_program/forward", program_text);
  zip.add("edge_dialect_exported_program/forward_state_dict", "{}");
  if (!map_text.empty()) zip.add("debug_handle_map", map_text);
  return zip.file();
}

constexpr auto lines_lead_to_the_user() -> bool {
  const auto file = record(program, map);
  const auto read = source_lines::read(file, "forward");
  if (!read) return false;
  const auto is = [&](std::int64_t handle, std::string_view path, std::int64_t number, std::string_view function, std::string_view text) {
    const auto* const line = read.value.line_of(handle);
    return line != nullptr && view(line->file) == path && line->number == number && view(line->function) == function &&
           view(line->text) == text;
  };
  const auto handles = read.value.handles_of(0);
  return read.value.lines().size() == 3 && is(2, "/home/a/model.py", 14, "forward", "y = self.conv(x)") &&
         is(1, "/v/dist-packages/torch/nn/functional.py", 9, "relu", "return input") && is(7, "caf\xc3\xa9.py", 3, "branch", "") &&
         read.value.line_of(4) == nullptr && read.value.line_of(0) == nullptr && read.value.line_of(8) == nullptr && handles.size() == 2 &&
         handles[0] == 1 && handles[1] == 2 && read.value.handles_of(1).size() == 1 && read.value.handles_of(2).empty();
}
static_assert(lines_lead_to_the_user());

/// True if reading fails with a rule, and the reason contains a text.
template <baton::fixed_string Rule>
constexpr auto fails(const baton::vector<char>& file, std::string_view method, std::string_view text) -> bool {
  const auto read = source_lines::read(file, method);
  return read.error.template is<Rule>() && view(message(read.error)).find(text) != std::string_view::npos;
}
constexpr auto damage_is_reported() -> bool {
  return fails<"unsupported_model">(record(program, map, "archive_format"), "forward", "ETRECORD_V0") &&
         fails<"unknown_name">(record(program, map), "decode", "there is edge_dialect_exported_program/forward") &&
         fails<"damaged_model">(record(program.substr(0, 700), map), "forward",
                                "edge_dialect_exported_program/forward is invalid at byte 700") &&
         fails<"damaged_model">(record(program, R"({"forward": {"a": 1}})"), "forward", "debug_handle_map") &&
         fails<"damaged_model">(record(program, R"({"forward": {"0": "1"}})"), "forward", "debug_handle_map");
}
static_assert(damage_is_reported());

}  // namespace

TEST_CASE("etrecord: the line of an operator is the innermost frame outside torch") { CHECK(lines_lead_to_the_user()); }

TEST_CASE("etrecord: a damaged record is refused, with the place") {
  CHECK(damage_is_reported());
  baton::text_buffer deep;
  for (int i = 0; i < 2000; ++i) append(deep, "[");
  CHECK(fails<"damaged_model">(record(view(deep), map), "forward", "at byte"));
  CHECK(source_lines::read(record(program, ""), "forward").value.instructions().empty());
  // A record that is cut off has no central directory.
  const auto whole = record(program, map);
  for (std::size_t size = 0; size < whole.size(); ++size)
    CHECK(!source_lines::read(baton::span<const char>(whole.data(), size), "forward"));
}
