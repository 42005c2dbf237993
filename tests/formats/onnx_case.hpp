// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The ONNX models of ../shared/formats: a folder each, with recorded inputs and outputs.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/onnx.hpp>

#include "formats/golden_output.hpp"
#include "formats/manifest.hpp"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace formats {

inline auto bytes_of(const std::filesystem::path& path) -> baton::vector<char> {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}
inline auto text_of(const baton::text_buffer& text) -> std::string { return {text.data(), text.size()}; }

/// A folder with a model.
class onnx_case {
 public:
  explicit onnx_case(std::filesystem::path folder)
      : folder_(std::move(folder)),
        model_(bytes_of(folder_ / "model.onnx")),
        manifest_(bytes_of(folder_ / "manifest.json")) {
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
      const auto file = entry.path().filename().string();
      const bool is_weights = file == "weights.bin" || file.ends_with(".weight") || file.ends_with(".bias");
      if (!is_weights) continue;
      file_names_.push_back(file);
      file_contents_.push_back(bytes_of(entry.path()));
      files_.push_back({file_names_.back(), file_contents_.back()});
    }
  }
  onnx_case(const onnx_case&) = delete;
  auto operator=(const onnx_case&) -> onnx_case& = delete;

  auto name() const -> std::string { return folder_.filename().string(); }
  auto model() const -> const baton::vector<char>& { return model_; }
  /// The files that contain weights.
  auto files() const -> const std::vector<baton::onnx::read_options::file>& { return files_; }
  /// Imports the model for the shapes of the inputs `input(k)`. The program refers to the bytes of the case.
  auto read(int k = 0) const -> baton::result<baton::exported_program> { return read_bytes(model_, k); }
  /// The same with other bytes than those of the file. The program refers to them.
  auto read_bytes(baton::span<const char> model, int k = 0) const -> baton::result<baton::exported_program> {
    const auto sizes = symbol_sizes(k);
    return baton::onnx::try_read_bytes(model, {.files = files_, .dimensions = sizes});
  }
  /// True if the sizes of inputs differ between `input(k)`.
  auto has_symbols() const -> bool { return !symbol_sizes(0).empty(); }
  auto manifest() const -> std::string_view { return {manifest_.data(), manifest_.size()}; }
  /// Returns the bytes of a file, or nothing if there is none.
  auto file(const std::string& file_name) const -> baton::vector<char> { return bytes_of(folder_ / file_name); }
  auto input(int k) const -> baton::vector<char> { return file("input_" + std::to_string(k) + ".bin"); }
  auto output(int k) const -> baton::vector<char> { return file("output_" + std::to_string(k) + ".bin"); }
  /// True if the file has quantized operators.
  auto is_quantized() const -> bool { return name().find("_qdq_") != std::string::npos || name().find("_qop_") != std::string::npos; }
  auto allowed_difference() const -> tolerance {
    const auto stated = json_at(manifest(), "tolerance");
    return {number_at(stated, "atol", 0), number_at(stated, "rtol", 0)};
  }

 private:
  /// Returns the sizes of symbolic dimensions for `input(k)`.
  auto symbol_sizes(int k) const -> std::vector<baton::onnx::read_options::bound_dimension> {
    std::vector<baton::onnx::read_options::bound_dimension> sizes;
    const auto shapes_of_each = items_of(json_at(manifest(), "shapes_of_each"));
    if (shapes_of_each.empty()) return sizes;
    const auto shapes = items_of(json_at(shapes_of_each.at(static_cast<std::size_t>(k)), "inputs"));
    const auto inputs = items_of(json_at(manifest().substr(manifest().find("\"onnx\": {")), "inputs"));
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const auto dims = items_of(json_at(inputs[i], "dims")), numbers = items_of(shapes.at(i));
      for (std::size_t d = 0; d < dims.size(); ++d) {
        if (dims[d].starts_with('"')) sizes.push_back({unquoted(dims[d]), std::stoll(std::string(numbers.at(d)))});
      }
    }
    return sizes;
  }

  std::filesystem::path folder_;
  baton::vector<char> model_, manifest_;
  std::deque<std::string> file_names_;
  std::deque<baton::vector<char>> file_contents_;
  std::vector<baton::onnx::read_options::file> files_;
};

/// Returns all cases, in the order of their names.
inline auto onnx_cases() -> std::deque<onnx_case> {
  std::vector<std::filesystem::path> folders;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(BATON_SHARED_DIR) / "formats")) {
    if (entry.path().filename().string().starts_with("onnx_")) folders.push_back(entry.path());
  }
  std::sort(folders.begin(), folders.end());
  std::deque<onnx_case> cases;
  for (const auto& folder : folders) cases.emplace_back(folder);
  return cases;
}

}  // namespace formats
