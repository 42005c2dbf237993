// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The memory that ExecuTorch planned for the methods of a program, beside the memory that this library plans, for the reports of the tools.
#pragma once

#include <baton/baton.hpp>
#include <baton/import/pte.hpp>
#include <baton/report.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

namespace choices {

/// The memory of a method in bytes, planned by this library. A plan that failed is absent.
struct method_memory {
  std::optional<std::uint64_t> imported{};  ///< the values of the imported program
  std::optional<std::uint64_t> lowered{};   ///< the values of the lowered program
  std::optional<std::uint64_t> executed{};  ///< the values and the scratch of kernels and backends
  std::uint64_t states = 0;                 ///< the mutable buffers
};

/// Returns the arena of a memory plan.
inline auto arena_of(const baton::result<baton::memory_plan>& plan) -> std::optional<std::uint64_t> {
  if (!plan) return std::nullopt;
  return plan.value.arena_bytes;
}

/// Returns the bytes of the mutable buffers of a program, each rounded up to the alignment.
inline auto bytes_of_states(const baton::exported_program& program) -> std::uint64_t {
  constexpr std::uint64_t alignment = baton::plan_options{}.alignment;
  std::uint64_t bytes = 0;
  for (std::uint32_t v = 0; v < program.values.size(); ++v) {
    const auto& value = program.values[v];
    if (value.kind != baton::value_kind::mutable_buffer) continue;
    const auto stored = byte_count(value.type, baton::program_view(program).shape(static_cast<baton::value_id>(v)));
    const auto size = static_cast<std::uint64_t>(std::max<std::int64_t>(0, stored));
    bytes += (size + alignment - 1) / alignment * alignment;
  }
  return bytes;
}

/// Returns the lines that compare the memory plans of all methods. `plan(imported)` returns the `method_memory` of a method. Methods
/// without memory are omitted. Returns an empty text if the bytes are not an ExecuTorch program, or no method has memory.
template <class Plan>
auto executorch_memory_text(baton::span<const char> bytes, baton::span<const baton::pte::read_options::file> files, Plan plan)
    -> baton::text_buffer {
  using baton::append;
  if (!baton::pte::importer::recognizes(bytes)) return {};
  const auto number = [](baton::text_buffer& text, std::string_view before, const std::optional<std::uint64_t>& size) {
    if (size) append(append(text, before), static_cast<std::int64_t>(*size));
    if (!size) append(append(text, before), "unknown");
  };
  auto text = baton::join("memory in bytes, planned by ExecuTorch and by Baton for an alignment of ",
                          static_cast<std::int64_t>(baton::plan_options{}.alignment), ":\n");
  std::uint64_t theirs_of_all = 0, largest = 0, states = 0;
  std::size_t methods = 0;
  bool are_planned = true;
  for (const auto& method : baton::pte::importer::entry_points(bytes)) {
    const auto sizes = baton::pte::importer::planned_bytes(bytes, method.name);
    const auto imported = baton::pte::importer::read(bytes, {.entry = method.name, .files = files});
    if (!sizes || !imported) continue;
    std::uint64_t theirs = 0;
    baton::text_buffer memories;
    for (std::size_t id = 0; id < sizes.value.size(); ++id) {
      theirs += sizes.value[id];
      if (sizes.value[id] == 0) continue;
      append(memories, view(baton::join(memories.empty() ? "" : ", ", "memory ", id, ": ", static_cast<std::int64_t>(sizes.value[id]))));
    }
    const method_memory ours = plan(imported.value);
    if (theirs == 0 && ours.executed.value_or(1) == 0) continue;
    append(append(text, "  "),
           view(baton::join(view(baton::report::printable(method.name)), ": ExecuTorch ", static_cast<std::int64_t>(theirs))));
    if (sizes.value.size() > 2) append(append(append(text, " ("), view(memories)), ")");
    number(text, "; Baton ", ours.imported);
    number(text, " for the imported values, ", ours.lowered);
    number(text, " for the lowered values, ", ours.executed);
    append(text, " with scratch\n");
    theirs_of_all += theirs;
    are_planned = are_planned && ours.executed.has_value();
    largest = std::max(largest, ours.executed.value_or(0));
    states += ours.states;
    ++methods;
  }
  if (methods == 0) return {};
  if (methods < 2 || !are_planned) return text;
  // The executor of several methods keeps the states of all, and has one arena for the rest.
  append(text, view(baton::join("  all methods: ExecuTorch ", static_cast<std::int64_t>(theirs_of_all), ", each in its own memory; Baton ",
                                states == 0 ? "" : "at most ", static_cast<std::int64_t>(largest + states), " in one arena\n")));
  return text;
}

}  // namespace choices
