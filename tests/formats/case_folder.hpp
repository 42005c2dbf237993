// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The models of ../shared/formats: a folder each, with recorded inputs and outputs.
#pragma once

#include <baton/core/vector.hpp>
#include <baton/import/onnx_read_options.hpp>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace formats {

inline auto bytes_of(const std::filesystem::path& path) -> baton::vector<char> {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A folder with a model.
class case_folder {
 public:
  /// `endings` has the endings of the names of the files that contain tensors.
  case_folder(std::filesystem::path folder, const char* model, std::initializer_list<const char*> endings)
      : folder_(std::move(folder)),
        model_(file(model)),
        manifest_(file("manifest.json")) {
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
      const auto name = entry.path().filename().string();
      if (std::none_of(endings.begin(), endings.end(), [&](const char* ending) { return name.ends_with(ending); })) continue;
      file_names_.push_back(name);
      file_contents_.push_back(file(name));
      files_.push_back({file_names_.back(), file_contents_.back()});
    }
  }
  case_folder(const case_folder&) = delete;
  auto operator=(const case_folder&) -> case_folder& = delete;

  auto name() const -> std::string { return folder_.filename().string(); }
  auto model() const -> const baton::vector<char>& { return model_; }
  /// The files that contain tensors, in a type that all formats use.
  auto files() const -> const std::vector<baton::onnx::read_options::file>& { return files_; }
  auto manifest() const -> std::string_view { return {manifest_.data(), manifest_.size()}; }
  /// Returns the bytes of a file, or nothing if there is none.
  auto file(const std::string& file_name) const -> baton::vector<char> { return bytes_of(folder_ / file_name); }
  auto input(int k) const -> baton::vector<char> { return file("input_" + std::to_string(k) + ".bin"); }
  auto output(int k) const -> baton::vector<char> { return file("output_" + std::to_string(k) + ".bin"); }

 private:
  std::filesystem::path folder_;
  baton::vector<char> model_, manifest_;
  std::deque<std::string> file_names_;
  std::deque<baton::vector<char>> file_contents_;
  std::vector<baton::onnx::read_options::file> files_;
};

/// Returns the cases whose names have a prefix, in the order of their names.
template <class Case>
auto cases_of(const char* prefix) -> std::deque<Case> {
  std::vector<std::filesystem::path> folders;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(BATON_SHARED_DIR) / "formats")) {
    if (entry.path().filename().string().starts_with(prefix)) folders.push_back(entry.path());
  }
  std::sort(folders.begin(), folders.end());
  std::deque<Case> cases;
  for (const auto& folder : folders) cases.emplace_back(folder);
  return cases;
}

}  // namespace formats
