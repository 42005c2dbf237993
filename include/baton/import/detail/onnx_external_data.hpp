// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Tensors of ONNX models that are stored in external files (onnx/docs/ExternalData.md).
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/span.hpp>
#include <baton/import/detail/onnx_reading.hpp>
#include <baton/import/detail/onnx_schema.hpp>
#include <baton/import/onnx_read_options.hpp>
#include <baton/import/shared/rules.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::onnx::detail {

/// True if a path is relative and not empty, and contains no component `..`, no zero character and no colon. Colons are excluded, because a
/// colon may follow a drive name.
constexpr auto is_inside_folder(std::string_view path) -> bool {
  const auto is_separator = [](char c) { return c == '/' || c == '\\'; };
  if (path.empty() || is_separator(path[0])) return false;
  std::size_t first = 0;
  for (std::size_t i = 0; i <= path.size(); ++i) {
    if (i < path.size() && (path[i] == ':' || path[i] == '\0')) return false;
    if (i < path.size() && !is_separator(path[i])) continue;
    if (path.substr(first, i - first) == "..") return false;
    first = i + 1;
  }
  return true;
}

/// Returns a path without a leading `./`.
constexpr auto without_dot(std::string_view path) -> std::string_view {
  return path.size() > 2 && path[0] == '.' && path[1] == '/' ? path.substr(2) : path;
}

/// The location of a tensor in an external file: the entries of `TensorProto.external_data`.
class external_data {
 public:
  /// Reads one entry. Ignores unknown entries, such as a checksum.
  constexpr void add(reading& model, const field& from) {
    std::string_view key;
    std::string_view text;
    field f{};
    for (message entry(model.reader, from); entry.next(f);) {
      if (f.number == number::entry::key) key = model.text(f);
      if (f.number == number::entry::value) text = model.text(f);
    }
    if (key == "location") location_ = text;
    if (key == "offset") has_numbers_ = has_numbers_ && read_number(text, offset_);
    if (key == "length") {
      has_length_ = true;
      has_numbers_ = has_numbers_ && read_number(text, length_);
    }
  }

  constexpr auto location() const -> std::string_view { return location_; }

  /// Returns true if the path of the file is inside the folder of the model. Otherwise, records the error `refused_path`.
  constexpr auto check_path(reading& model, std::string_view tensor) const -> bool {
    if (is_inside_folder(location_)) return true;
    return model.refuse<"refused_path">("tensor ", baton::view(printable_name(tensor)), " is in ", baton::view(printable_name(location_)));
  }

  /// Returns the bytes of the tensor `tensor`. `bytes` is the size that follows from the tensor's type and shape, or negative if the
  /// shape is invalid. If the entries state no length, the length is `bytes`, or 0 if `bytes` is negative. If the tensor cannot be read,
  /// records `refused_path`, `missing_file` or `damaged_model` in `model`, and returns an empty view.
  constexpr auto find(reading& model, std::string_view tensor, std::int64_t bytes) const -> std::string_view {
    const auto named = printable_name(tensor);
    const auto path = printable_name(location_);
    if (!has_numbers_) {
      model.refuse<"damaged_model">("tensor ", baton::view(named), ": its offset or length is not a number");
      return {};
    }
    if (!check_path(model, tensor)) return {};
    for (const auto& file : model.options.files) {
      if (without_dot(file.location) != without_dot(location_)) continue;
      const auto size = file.bytes.size();
      const auto length = has_length_ || bytes < 0 ? length_ : static_cast<std::uint64_t>(bytes);
      if (offset_ <= size && length <= size - offset_) return {file.bytes.data() + offset_, static_cast<std::size_t>(length)};
      model.refuse<"damaged_model">("tensor ", baton::view(named), " is at byte ", offset_, " of ", baton::view(path), ", ", length,
                                    " bytes long; the file has ", size, " bytes");
      return {};
    }
    model.refuse<"missing_file">("tensor ", baton::view(named), " is in ", baton::view(path), "; write: baton::onnx::external_file<\"",
                                 baton::view(path), "\", bytes>");
    return {};
  }

 private:
  /// Reads a decimal number of at most 18 digits.
  static constexpr auto read_number(std::string_view text, std::uint64_t& to) -> bool {
    if (text.empty() || text.size() > 18) return false;
    to = 0;
    for (const char c : text) {
      if (c < '0' || c > '9') return false;
      to = 10 * to + static_cast<std::uint64_t>(c - '0');
    }
    return true;
  }

  std::string_view location_;
  std::uint64_t offset_ = 0;
  std::uint64_t length_ = 0;
  bool has_length_ = false;
  bool has_numbers_ = true;
};

}  // namespace baton::onnx::detail
