// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The ExecuTorch programs of ../shared/formats: a folder each, with the contents of the file as JSON.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/pte.hpp>

#include "formats/case_folder.hpp"

#include <deque>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

namespace formats {

/// A folder with a program.
class pte_case : public case_folder {
 public:
  explicit pte_case(std::filesystem::path folder)
      : case_folder(std::move(folder), "model.pte", {".ptd"}),
        contents_(file("program.json")) {}

  /// The contents of the file, as JSON.
  auto contents() const -> std::string_view { return {contents_.data(), contents_.size()}; }
  /// Imports a method. The program refers to the bytes of the case.
  auto read(std::string_view method = {}, baton::span<const baton::pte::read_options::bound_shape> shapes = {}) const
      -> baton::result<baton::exported_program> {
    return baton::pte::try_read_bytes(model(), {.entry = method, .files = files(), .shapes = shapes});
  }

 private:
  baton::vector<char> contents_;
};

/// Returns all cases, in the order of their names.
inline auto pte_cases() -> std::deque<pte_case> { return cases_of<pte_case>("pte_"); }

}  // namespace formats
