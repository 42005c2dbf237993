// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Runs of the recorded inputs of a case, one after another: the states that each run leaves for the next one, and the debug handles of the
// nodes that run.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/shared/pools.hpp>
#include <baton/core/span.hpp>

#include "formats/portable_run.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace formats {

/// The buffers of a program after a run, by name.
class kept_states {
 public:
  /// Runs a program from the kept states, and keeps the new states. Returns why it cannot run, or an empty text.
  auto run(baton::exported_program& program, baton::span<const char> input, std::vector<char>& output) -> std::string {
    set(program);
    std::map<std::string, std::vector<char>> next;
    const baton::program_view view = program;
    const auto after = [&](const baton::node&, const memory_of_value& memory) {
      for (const auto& entry : view.outputs_of(view.root())) {
        if (entry.kind != baton::output_kind::buffer_mutation) continue;
        const auto at = memory(entry.value);
        next[std::string(view.text(entry.target))].assign(at.begin(), at.end());
      }
    };
    auto why = run_portable(view, input, output, after);
    for (const auto& [target, data] : next) states_[target] = data;
    return why;
  }

 private:
  /// Starts the buffers of a program with the bytes of an earlier run.
  void set(baton::exported_program& program) const {
    for (auto& record : program.values) {
      if (record.kind != baton::value_kind::mutable_buffer) continue;
      const auto entry = states_.find(std::string(baton::program_view(program).text(record.target)));
      if (entry == states_.end()) continue;
      record.data = baton::own_bytes(program, std::string_view(entry->second.data(), entry->second.size()));
    }
  }

  std::map<std::string, std::vector<char>> states_;
};

/// Counts the nodes of each debug handle, own or folded, before and after passes. Returns the first debug handle of the program whose
/// counts differ, or -1 if there is none. If `may_merge` is set, nodes with the same handle may have become fewer nodes. Returns 0 if only
/// the program after the passes has nodes without a handle.
inline auto lost_handle(const baton::program_view& before, const baton::program_view& after, bool may_merge = false) -> std::int64_t {
  std::map<std::int64_t, int> expected, actual;
  for (const auto& record : before.nodes) ++expected[record.debug_handle];
  for (const auto& record : after.nodes) {
    ++actual[record.debug_handle];
    for (const auto handle : after.folded_handles(record)) ++actual[handle];
  }
  if (expected.erase(0) == 0 && actual.contains(0)) return 0;
  for (const auto& [handle, count] : expected) {
    if (may_merge ? actual[handle] < 1 || actual[handle] > count : actual[handle] != count) return handle;
  }
  return -1;
}

}  // namespace formats
