// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The Python lines of an ExecuTorch program. ExecuTorch's developer tools write them to a separate file, the ETRecord.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/shared/shortened.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/detail/json_reader.hpp>
#include <baton/import/detail/json_text.hpp>
#include <baton/import/detail/zip_archive.hpp>
#include <baton/import/shared/rules.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace baton::pte {

/// The Python lines that the operators of a method come from, by the debug handles of the edge program, and the debug handles of each
/// instruction. `generate_etrecord` of ExecuTorch 1.x writes them: a zip archive with the edge programs as JSON, and `debug_handle_map`.
class source_lines {
 public:
  /// A frame of a stack trace.
  struct line {
    std::int64_t debug_handle = 0;
    text_buffer file;
    std::int64_t number = 0;
    text_buffer function;
    text_buffer text;  ///< of the line, without the blanks at both ends; empty if the trace has none
  };
  /// The debug handles of an instruction. A call of a delegate has those of all operators in it.
  struct instruction {
    std::int64_t position = 0;  ///< from 0; the debug handle of an imported node is `position + 1`
    vector<std::int64_t> debug_handles{};
  };

  /// Reads the lines of a method. The line of an operator is the innermost frame outside an installed `torch`, because operators are called
  /// by `torch.nn` modules; if all frames are inside it, the innermost one. Fails with `damaged_model` if the archive or its JSON is
  /// damaged, with `unknown_name` if it does not have the method, and with `unsupported_model` if it is not an ETRecord.
  static constexpr auto read(span<const char> bytes, std::string_view method) -> result<source_lines> {
    auto archive = archive_type::read(bytes, archive_type::folders::any);
    if (!archive) return std::move(archive.error);
    const std::string_view folder = "edge_dialect_exported_program/";
    if (archive.value.find({}, "ETRECORD_V0") == nullptr)
      return broken<"unsupported_model">("the archive has no record ETRECORD_V0; pass the file that generate_etrecord of ExecuTorch wrote");
    const auto* const program = archive.value.find(folder, method);
    const auto* const map = archive.value.find({}, "debug_handle_map");
    if (program == nullptr) {
      auto why = broken<"unknown_name">("the ETRecord has no record ", folder, view(shortened(method, 80)));
      for (const auto& record : archive.value.records()) {
        const auto is_other =
            record.name.ends_with("_state_dict") || record.name.ends_with("_constants") || record.name.ends_with("_inputs");
        if (record.name.starts_with(folder) && !is_other) append(append(why.reason, "; there is "), view(shortened(record.name, 120)));
      }
      return why;
    }
    source_lines result;
    json program_text(std::string_view{program->bytes.data(), program->bytes.size()});
    result.read_program(program_text, 0);
    if (!program_text.ok())
      return broken<"damaged_model">("the JSON of record ", view(shortened(program->name, 120)), " at byte ", program_text.position());
    if (map != nullptr) {
      json map_text(std::string_view{map->bytes.data(), map->bytes.size()});
      result.read_map(map_text, method);
      if (!map_text.ok()) return broken<"damaged_model">("the JSON of record debug_handle_map at byte ", map_text.position());
    }
    return result;
  }

  /// Returns the line of an operator of the edge program, or null if its stack trace is unknown. O(log lines).
  constexpr auto line_of(std::int64_t debug_handle) const -> const line* {
    const auto at = std::partition_point(lines_.begin(), lines_.end(), [&](const line& each) { return each.debug_handle < debug_handle; });
    return at != lines_.end() && at->debug_handle == debug_handle ? &*at : nullptr;
  }
  /// Returns the debug handles of an instruction; empty if the record does not state them. O(instructions).
  constexpr auto handles_of(std::int64_t position) const -> span<const std::int64_t> {
    for (const auto& each : instructions_) {
      if (each.position == position) return each.debug_handles;
    }
    return {};
  }
  /// The lines, in the order of their debug handles. Operators of one handle have the line of the first of them.
  constexpr auto lines() const -> span<const line> { return lines_; }
  /// The instructions, in the order of the record.
  constexpr auto instructions() const -> span<const instruction> { return instructions_; }

 private:
  using json = baton::detail::json_reader;
  using archive_type = baton::detail::zip_archive;

  /// Reads a value, and the metadata of the nodes in it, also of those in branches and bodies.
  constexpr void read_program(json& from, std::uint32_t depth) {
    const char next = from.peek();
    if (depth == json::max_depth) {
      from.fail(json::error::depth);
    } else if (next == '{') {
      from.open('{');
      while (from.more('}')) {
        const bool is_metadata = from.key() == "metadata";
        is_metadata&& from.peek() == '{' ? read_metadata(from) : read_program(from, depth + 1);
      }
    } else if (next == '[') {
      from.open('[');
      while (from.more(']')) read_program(from, depth + 1);
    } else {
      from.skip();
    }
  }
  constexpr void read_metadata(json& from) {
    std::string_view trace, handle;
    from.open('{');
    while (from.more('}')) {
      const auto key = from.key();
      const bool is_text = from.peek() == '"';
      if (is_text && key == "stack_trace") {
        trace = from.text();
      } else if (is_text && key == "debug_handle") {
        handle = from.text();
      } else {
        from.skip();
      }
    }
    if (trace.empty() || handle.empty() || !from.ok()) return;
    json number(handle);
    const auto debug_handle = number.integer();
    if (number.ok()) add(debug_handle, baton::detail::json_text(trace));
  }
  constexpr void add(std::int64_t debug_handle, const text_buffer& trace) {
    auto* const at = std::partition_point(lines_.begin(), lines_.end(), [&](const line& each) { return each.debug_handle < debug_handle; });
    if (at != lines_.end() && at->debug_handle == debug_handle) return;
    const auto frame = frame_of(view(trace));
    if (frame.file.empty()) return;
    lines_.insert(at, {debug_handle, join(frame.file), frame.number, join(frame.function), join(frame.text)});
  }

  struct frame_view {
    std::string_view file{}, function{}, text{};
    std::int64_t number = 0;
  };
  /// Returns the frame of a stack trace as Python prints it: two lines for each frame, `File "model.py", line 3, in forward` and the text
  /// of the line. The innermost frame is the last one.
  static constexpr auto frame_of(std::string_view trace) -> frame_view {
    frame_view chosen, last;
    while (!trace.empty()) {
      const auto row = take_row(trace);
      const std::string_view begin = "File \"", middle = "\", line ", end = ", in ";
      const auto at = row.find(middle);
      if (!row.starts_with(begin) || at == std::string_view::npos) continue;
      last = {.file = row.substr(begin.size(), at - begin.size())};
      auto rest = row.substr(at + middle.size());
      last.number = json(rest).integer();
      if (const auto name = rest.find(end); name != std::string_view::npos) last.function = rest.substr(name + end.size());
      auto after = trace;
      if (const auto text = take_row(after); !text.starts_with(begin)) last.text = text;
      const bool is_installed = last.file.find("-packages/torch/") != std::string_view::npos;
      if (!is_installed) chosen = last;
    }
    return chosen.file.empty() ? last : chosen;
  }
  /// Removes the first row of a text. Returns it without the blanks at both ends.
  static constexpr auto take_row(std::string_view& text) -> std::string_view {
    const auto end = text.find('\n');
    auto row = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    const auto first = row.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return {};
    return row.substr(first, row.find_last_not_of(" \t\r") + 1 - first);
  }

  /// Reads the debug handles of a method: `{"forward": {"0": 1, "1": [2, 3]}}`.
  constexpr void read_map(json& from, std::string_view method) {
    from.open('{');
    while (from.more('}')) {
      const bool is_wanted = view(baton::detail::json_text(from.key())) == method;
      if (!is_wanted || from.peek() != '{') {
        from.skip();
        continue;
      }
      from.open('{');
      while (from.more('}')) {
        json position(from.key());
        instruction entry{.position = position.integer()};
        if (from.peek() == '[') {
          from.open('[');
          while (from.more(']')) entry.debug_handles.push_back(from.integer());
        } else {
          entry.debug_handles.push_back(from.integer());
        }
        if (!position.ok()) from.fail();
        if (from.ok()) instructions_.push_back(std::move(entry));
      }
    }
  }

  vector<line> lines_;
  vector<instruction> instructions_;
};

}  // namespace baton::pte
