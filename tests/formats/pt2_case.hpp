// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The archives of torch.export of ../shared/formats: a folder each.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/import/pt2.hpp>
#include <baton/import/pt2_read_options.hpp>

#include "formats/case_folder.hpp"
#include "formats/golden_output.hpp"
#include "formats/manifest.hpp"

#include <deque>
#include <filesystem>
#include <string_view>
#include <utility>

namespace formats {

/// A folder with an archive.
class pt2_case : public case_folder {
 public:
  explicit pt2_case(std::filesystem::path folder) : case_folder(std::move(folder), "model.pt2", {}) {}

  /// Imports a program. The result refers to the bytes of the case.
  auto read(std::string_view entry = {}, baton::span<const baton::pt2::read_options::bound_shape> shapes = {}) const
      -> baton::result<baton::exported_program> {
    return baton::pt2::try_read_bytes(model(), {.entry = entry, .shapes = shapes});
  }
  /// The difference that a recording in the manifest allows. In quantized programs, only the float operators after the last integers may
  /// differ; the integers equal the recorded ones.
  static auto allowed_difference(std::string_view golden) -> tolerance {
    const auto rule = json_at(golden, "tolerance");
    return {number_at(rule, "atol", 1e-5), number_at(rule, "rtol", 1e-5)};
  }
  auto allowed_difference() const -> tolerance { return allowed_difference(json_at(json_at(manifest(), "golden"), "forward")); }
  /// True if the program has quantized operators.
  auto is_quantized() const -> bool { return name().ends_with("_int8"); }
};

inline auto pt2_cases() -> std::deque<pt2_case> { return cases_of<pt2_case>("pt2_"); }

}  // namespace formats
