// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Parses the stack traces that PyTorch stores for the nodes of its graphs.
#pragma once

#include <baton/core/error.hpp>
#include <baton/import/detail/json_reader.hpp>
#include <baton/import/source_line.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::detail {

/// Removes the first row of a text, and returns the row without the blanks at both ends.
constexpr auto take_row(std::string_view& text) -> std::string_view {
  const auto end = text.find('\n');
  const auto row = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
  const auto first = row.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return row.substr(first, row.find_last_not_of(" \t\r") + 1 - first);
}

/// True if a file belongs to an installation of PyTorch, to PyTorch's repository, or to generated code such as `<eval_with_key>.0`. A
/// folder `torch` elsewhere may belong to a user. Other names in angle brackets, such as the cell `<ipython-input-3-ab>`, may also belong
/// to a user.
constexpr auto is_of_torch(std::string_view file) -> bool {
  for (const std::string_view folder : {"-packages/torch/", "-packages\\torch\\", "pytorch/torch/", "pytorch\\torch\\"}) {
    if (file.find(folder) != std::string_view::npos) return true;
  }
  return file.starts_with("torch/") || file.starts_with("<eval_with_key>") || file.starts_with("<frozen ") || file == "<string>";
}

/// Returns the line of the innermost frame that is not in PyTorch. If all frames are in PyTorch, returns the line of the innermost frame.
/// Python prints the innermost frame last, and two rows for each frame: `File "model.py", line 3, in forward`, and the text of the line.
/// Returns an empty line if there is no frame.
constexpr auto source_line_of(std::string_view trace) -> source_line {
  constexpr std::string_view begin{"File \""}, middle{"\", line "}, end{", in "};
  std::string_view file, number_and_function, text;
  while (!trace.empty()) {
    const auto row = take_row(trace);
    const auto at = row.find(middle);
    if (!row.starts_with(begin) || at == std::string_view::npos) continue;
    const auto frame_file = row.substr(begin.size(), at - begin.size());
    if (is_of_torch(frame_file) && !file.empty() && !is_of_torch(file)) continue;
    file = frame_file;
    number_and_function = row.substr(at + middle.size());
    auto after = trace;
    text = take_row(after);
    if (text.starts_with(begin)) text = {};
  }
  const auto function = number_and_function.find(end);
  return {.file = join(file),
          .number = file.empty() ? 0 : json_reader(number_and_function).integer(),
          .function = join(function == std::string_view::npos ? std::string_view{} : number_and_function.substr(function + end.size())),
          .text = join(text)};
}

}  // namespace baton::detail
