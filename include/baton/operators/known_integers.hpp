// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The elements of constant integer tensors, such as shapes, axes and paddings.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>

#include <cstddef>
#include <cstdint>

namespace baton {

/// A view of the elements of a constant, unquantized int32 or int64 tensor. `are_known` is false for all other values.
struct known_integers {
  const char* bytes = nullptr;
  std::size_t count = 0;
  std::size_t width = 4;  ///< the size of an element, in bytes
  bool are_known = false;

  /// Returns a view of the elements of the value `id`. `are_known` is also false if `id` is `none` or not in the program, or if the size of
  /// the data does not match the type.
  static constexpr auto in(const program_view& program, value_id id) -> known_integers {
    if (index(id) >= program.values.size()) return {};
    const auto& record = program[id];
    const bool is_wide = record.type == dtype::int64;
    const bool is_fixed = is_owned_data(record.kind) && record.kind != value_kind::mutable_buffer && record.quant.channels == 0;
    if (!is_fixed || (!is_wide && record.type != dtype::int32)) return {};
    const auto bytes = program.data(record.data);
    const std::size_t width = is_wide ? 8 : 4;
    if (static_cast<std::int64_t>(bytes.size()) != byte_count(record.type, program.shape(id))) return {};
    return {bytes.data(), bytes.size() / width, width, true};
  }

  constexpr auto operator[](std::size_t at) const -> std::int64_t {
    std::uint64_t bits = 0;
    for (std::size_t i = width; i-- > 0;) bits = bits << 8 | static_cast<unsigned char>(bytes[at * width + i]);
    return width == 4 ? std::int64_t{static_cast<std::int32_t>(bits)} : static_cast<std::int64_t>(bits);
  }
};

}  // namespace baton
