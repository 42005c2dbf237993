// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The ONNX models of ../shared/formats: a folder each, with recorded inputs and outputs.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/import/onnx.hpp>

#include "formats/case_folder.hpp"
#include "formats/golden_output.hpp"
#include "formats/manifest.hpp"

#include <cstddef>
#include <deque>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace formats {

inline auto text_of(const baton::text_buffer& text) -> std::string { return {text.data(), text.size()}; }

/// A folder with a model.
class onnx_case : public case_folder {
 public:
  explicit onnx_case(std::filesystem::path folder) : case_folder(std::move(folder), "model.onnx", {"weights.bin", ".weight", ".bias"}) {}

  /// Imports the model for the shapes of the inputs `input(k)`. The program refers to the bytes of the case.
  auto read(int k = 0) const -> baton::result<baton::exported_program> { return read_bytes(model(), k); }
  /// Imports other bytes than those of the file. The program refers to these bytes.
  auto read_bytes(baton::span<const char> bytes, int k = 0) const -> baton::result<baton::exported_program> {
    const auto sizes = symbol_sizes(k);
    return baton::onnx::try_read_bytes(bytes, {.files = files(), .dimensions = sizes});
  }
  /// True if the sizes of inputs differ between `input(k)`.
  auto has_symbols() const -> bool { return !symbol_sizes(0).empty(); }
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
};

/// Returns all cases, in the order of their names.
inline auto onnx_cases() -> std::deque<onnx_case> { return cases_of<onnx_case>("onnx_"); }

}  // namespace formats
