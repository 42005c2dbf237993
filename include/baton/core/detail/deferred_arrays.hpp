// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Computes the deferred bytes of a static program: bytes that a recipe describes, and that are computed when the program is stored
// (`byte_recipe`). Each value with deferred bytes gets an array, which is computed in pieces.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/shared/byte_recipe.hpp>
#include <baton/core/shared/joined_bytes.hpp>
#include <baton/core/shared/pool_sizes.hpp>
#include <baton/core/span.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton::detail {

/// Returns the number of values whose bytes are deferred.
constexpr auto deferred_count(const exported_program& program) -> std::uint32_t {
  std::uint32_t count = 0;
  for (const auto& record : program.values) count += record.data.outside != nullptr && byte_recipe::is_deferred(record.data) ? 1u : 0u;
  return count;
}

/// The indices of the values with deferred bytes in a static program. `Count` is the number of these values.
template <class Program, std::size_t Count>
inline constexpr auto deferred_values = [] {
  std::array<std::uint32_t, Count> positions{};
  std::size_t at = 0;
  const auto& values = Program::value().values;
  for (std::uint32_t v = 0; v < values.size(); ++v) {
    if (byte_recipe::is_deferred(values.data()[v].data)) positions[at++] = v;
  }
  return positions;
}();

/// The bytes of value `Position`, as a source of `joined_array`.
template <class Program, std::uint32_t Position>
struct deferred_source {
  static constexpr auto data = Program::value().values[Position].data;
  static constexpr auto recipe = byte_recipe::of(Program::value(), data);
  static constexpr void copy(std::size_t first, span<char> to) { recipe.compute(recipe.source, first, to); }
};
template <class Program, std::uint32_t Position>
alignas(std::max_align_t) inline constexpr auto deferred_array =
    joined_array<char, deferred_source<Program, Position>, deferred_source<Program, Position>::data.size, byte_recipe::bytes_per_piece>();

/// Returns the pool sizes of a static program without its byte recipes (`byte_recipe`). The recipes are the last `count` attributes, and
/// the integers of these attributes are the last integers of the program.
template <class Program>
consteval auto sizes_without_recipes(std::uint32_t count) -> pool_sizes {
  const program_view program = Program::value();
  const auto first = static_cast<std::uint32_t>(program.attributes.size()) - count;
  auto sizes = sizes_of(program);
  sizes[position_of(&program_view::attributes)] = first;
  sizes[position_of(&program_view::integers)] = program.attributes[first].list.first;
  return sizes;
}

/// Sets the data of each value in `Positions` to the `deferred_array` of this value.
template <class Program, const auto& Positions, std::size_t... I>
constexpr void set_deferred_data(auto& values, std::index_sequence<I...>) {
  ((values[Positions[I]].data.outside = deferred_array<Program, Positions[I]>.data(), values[Positions[I]].data.first = 0), ...);
}

}  // namespace baton::detail
