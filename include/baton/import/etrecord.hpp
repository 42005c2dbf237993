// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The lines of Python from which the operators of an ExecuTorch program come. ExecuTorch's developer tools write these lines to a separate
// file, the ETRecord.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/shared/shortened.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/detail/json_reader.hpp>
#include <baton/import/detail/json_text.hpp>
#include <baton/import/detail/stack_trace.hpp>
#include <baton/import/detail/zip_archive.hpp>
#include <baton/import/shared/rules.hpp>
#include <baton/import/source_line.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace baton::pte {

/// The Python lines of the operators of a method, indexed by debug handle. A debug handle is the number that identifies a node of the edge
/// program, the result of ExecuTorch's `to_edge`. The class also has the debug handles of each instruction. `generate_etrecord` of
/// ExecuTorch 1.x writes the ETRecord: a zip archive with the edge programs as JSON, and with the record `debug_handle_map`.
class source_lines {
 public:
  /// The line of an operator of the edge program.
  struct operator_line {
    std::int64_t debug_handle = 0;
    source_line line;
  };
  /// The debug handles of an instruction. A call of a delegate has the debug handles of all operators in the delegate.
  struct instruction {
    std::int64_t position = 0;  ///< in the method, counted from 0; the debug handle of an imported node is `position + 1`
    vector<std::int64_t> debug_handles{};
  };

  /// Reads the lines of a method. Fails with `damaged_model` if the archive or its JSON is damaged. Fails with `unknown_name` if the
  /// archive does not have the method, and with `unsupported_model` if the archive is not an ETRecord.
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
      return broken<"damaged_model">("the JSON of record ", view(shortened(program->name, 120)), " is invalid at byte ",
                                     program_text.position());
    if (map != nullptr) {
      json map_text(std::string_view{map->bytes.data(), map->bytes.size()});
      result.read_map(map_text, method);
      if (!map_text.ok()) return broken<"damaged_model">("the JSON of record debug_handle_map is invalid at byte ", map_text.position());
    }
    return result;
  }

  /// Returns the line of an operator of the edge program, or null if no operator with this handle has a stack trace. O(log lines).
  constexpr auto line_of(std::int64_t debug_handle) const -> const source_line* {
    const auto at = position_of(debug_handle);
    return at < lines_.size() && lines_[at].debug_handle == debug_handle ? &lines_[at].line : nullptr;
  }
  /// Returns the debug handles of the instruction at `position`. Returns an empty list if the ETRecord states none. O(instructions).
  constexpr auto handles_of(std::int64_t position) const -> span<const std::int64_t> {
    for (const auto& each : instructions_) {
      if (each.position == position) return each.debug_handles;
    }
    return {};
  }
  /// Returns the lines in ascending order of debug handles. If several operators have the same handle, the list has only the line of the
  /// first operator with a stack trace.
  constexpr auto lines() const -> span<const operator_line> { return lines_; }
  /// Returns the instructions in the order of `debug_handle_map`.
  constexpr auto instructions() const -> span<const instruction> { return instructions_; }

 private:
  using json = baton::detail::json_reader;
  using archive_type = baton::detail::zip_archive;

  /// Reads a JSON value, and adds the line of each operator in it, including the operators of branches and loop bodies.
  constexpr void read_program(json& from, std::uint32_t depth) {
    const char next = from.peek();
    if (depth == json::max_depth) {
      from.fail(json::error::depth);
    } else if (next == '{') {
      from.open('{');
      while (from.next_item('}')) {
        if (from.key() == "metadata" && from.peek() == '{')
          read_metadata(from);
        else
          read_program(from, depth + 1);
      }
    } else if (next == '[') {
      from.open('[');
      while (from.next_item(']')) read_program(from, depth + 1);
    } else {
      from.skip();
    }
  }
  constexpr void read_metadata(json& from) {
    std::string_view trace, handle;
    from.open('{');
    while (from.next_item('}')) {
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
  /// Returns the index of the first line whose debug handle is at least `debug_handle`.
  constexpr auto position_of(std::int64_t debug_handle) const -> std::size_t {
    const auto is_before = [&](const operator_line& each) { return each.debug_handle < debug_handle; };
    return static_cast<std::size_t>(std::partition_point(lines_.begin(), lines_.end(), is_before) - lines_.begin());
  }
  constexpr void add(std::int64_t debug_handle, const text_buffer& trace) {
    if (line_of(debug_handle) != nullptr) return;
    const auto line = baton::detail::source_line_of(view(trace));
    if (!line.file.empty()) lines_.insert(lines_.begin() + position_of(debug_handle), {debug_handle, line});
  }

  /// Reads the debug handles of a method's instructions, from JSON such as `{"forward": {"0": 1, "1": [2, 3]}}`.
  constexpr void read_map(json& from, std::string_view method) {
    from.open('{');
    while (from.next_item('}')) {
      const bool is_wanted = view(baton::detail::json_text(from.key())) == method;
      if (!is_wanted || from.peek() != '{') {
        from.skip();
        continue;
      }
      from.open('{');
      while (from.next_item('}')) {
        json position(from.key());
        instruction entry{.position = position.integer()};
        if (from.peek() == '[') {
          from.open('[');
          while (from.next_item(']')) entry.debug_handles.push_back(from.integer());
        } else {
          entry.debug_handles.push_back(from.integer());
        }
        if (!position.ok()) from.fail();
        if (from.ok()) instructions_.push_back(std::move(entry));
      }
    }
  }

  vector<operator_line> lines_;
  vector<instruction> instructions_;
};

}  // namespace baton::pte
