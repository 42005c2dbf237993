// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The ExecuTorch programs of ../shared/formats: a folder each, with the contents of the file as JSON.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/pte.hpp>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace formats {

inline auto file_bytes(const std::filesystem::path& path) -> baton::vector<char> {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A folder with a program.
class pte_case {
 public:
  explicit pte_case(std::filesystem::path folder)
      : folder_(std::move(folder)),
        model_(file_bytes(folder_ / "model.pte")),
        contents_(file_bytes(folder_ / "program.json")) {
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
      if (entry.path().extension() != ".ptd") continue;
      names_.push_back(entry.path().filename().string());
      data_.push_back(file_bytes(entry.path()));
      files_.push_back({names_.back(), data_.back()});
    }
  }
  pte_case(const pte_case&) = delete;
  auto operator=(const pte_case&) -> pte_case& = delete;

  auto name() const -> std::string { return folder_.filename().string(); }
  auto model() const -> const baton::vector<char>& { return model_; }
  /// The files with tensors.
  auto files() const -> const std::vector<baton::pte::read_options::file>& { return files_; }
  /// What the file says, as JSON.
  auto contents() const -> std::string_view { return {contents_.data(), contents_.size()}; }
  /// Imports a method. The program refers to the bytes of the case.
  auto read(std::string_view method = {}, baton::span<const baton::pte::read_options::bound_shape> shapes = {}) const
      -> baton::result<baton::exported_program> {
    return baton::pte::try_read_bytes(model_, {.entry = method, .files = files_, .shapes = shapes});
  }

 private:
  std::filesystem::path folder_;
  baton::vector<char> model_, contents_;
  std::deque<std::string> names_;
  std::deque<baton::vector<char>> data_;
  std::vector<baton::pte::read_options::file> files_;
};

/// Returns all cases, in the order of their names.
inline auto pte_cases() -> std::deque<pte_case> {
  std::vector<std::filesystem::path> folders;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(BATON_SHARED_DIR) / "formats")) {
    if (entry.path().filename().string().starts_with("pte_")) folders.push_back(entry.path());
  }
  std::sort(folders.begin(), folders.end());
  std::deque<pte_case> cases;
  for (const auto& folder : folders) cases.emplace_back(folder);
  return cases;
}

}  // namespace formats
