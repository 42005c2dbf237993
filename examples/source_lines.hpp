// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The lines of Python that the nodes of a torch.export archive come from, for the reports of the tools.
#pragma once

#include <baton/baton.hpp>
#include <baton/import/pt2.hpp>
#include <baton/import/pt2_source_line.hpp>
#include <baton/report.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace choices {

/// The lines of a program of a model, by debug handle. There are none if the model has no stack traces.
class source_lines {
 public:
  source_lines(baton::span<const char> model, std::string_view entry) {
    if (!baton::pt2::importer::recognizes(model)) return;
    auto found = baton::pt2::source_line::all_of(model, entry);
    if (found) lines_ = std::move(found.value);
  }

  /// Returns a line as text, such as `net.py:60, in forward: x = F.relu(self.conv(x))`, or an empty text.
  auto text(std::int64_t handle) const -> baton::text_buffer {
    if (handle < 1 || handle > static_cast<std::int64_t>(lines_.size())) return {};
    const auto& found = lines_[static_cast<std::size_t>(handle - 1)];
    if (found.file.empty()) return {};
    auto text = baton::join(baton::view(found.file), ":", found.line);
    if (!found.function.empty()) baton::append(baton::append(text, ", in "), baton::view(found.function));
    if (!found.code.empty()) baton::append(baton::append(text, ": "), baton::view(found.code));
    return baton::report::printable(baton::view(text), text.size());
  }
  /// Returns each line with the nodes of a program that come from it; empty if there are no lines.
  auto table(const baton::program_view& program) const -> baton::text_buffer {
    baton::vector<baton::text_buffer> shown;
    baton::text_buffer table;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const auto line = text(static_cast<std::int64_t>(i + 1));
      bool is_new = !line.empty();
      for (const auto& each : shown) is_new = is_new && baton::view(each) != baton::view(line);
      if (!is_new) continue;
      const auto nodes = names_of(program, baton::view(line));
      if (!nodes.empty())
        baton::append(baton::append(baton::append(baton::append(table, "  "), baton::view(line)), "\n   "), baton::view(nodes));
      shown.push_back(line);
    }
    if (table.empty()) return {};
    return baton::join("lines of Python and their nodes:\n", baton::view(table));
  }
  /// Returns the line of the node that an error names, as the end of a sentence; empty if there is none.
  auto of_error(const baton::program_view& program, const baton::failure& why) const -> baton::text_buffer {
    for (const auto& record : program.nodes) {
      if (program.text(record.name) != baton::view(why.node_name)) continue;
      const auto line = text(record.debug_handle);
      return line.empty() ? line : baton::join("; node ", baton::view(why.node_name), " comes from ", baton::view(line));
    }
    return {};
  }

 private:
  auto names_of(const baton::program_view& program, std::string_view line) const -> baton::text_buffer {
    baton::text_buffer names;
    for (const auto& record : program.nodes) {
      bool is_from = baton::view(text(record.debug_handle)) == line;
      for (const auto folded : program.folded_handles(record)) is_from = is_from || baton::view(text(folded)) == line;
      if (is_from) baton::append(baton::append(names, " "), baton::view(baton::report::printable(program.text(record.name))));
    }
    if (!names.empty()) names.push_back('\n');
    return names;
  }

  baton::vector<baton::pt2::source_line> lines_;
};

}  // namespace choices
