// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A permutation of a tensor's dimensions, and the bytes of a permuted constant.
#pragma once

#include <baton/core/shared/byte_recipe.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace baton::detail {

/// A permutation of dimensions: dimension i of the result is dimension `order[i]` of a tensor with the type `type`.
struct permutation {
  tensor_type type{};
  std::uint8_t order[tensor_type::max_rank] = {};

  /// Returns the permutation that does not move any dimension.
  static constexpr auto identity(const tensor_type& type) -> permutation {
    permutation result{type, {}};
    for (std::size_t i = 0; i < type.rank; ++i) result.order[i] = static_cast<std::uint8_t>(i);
    return result;
  }

  friend constexpr auto operator==(const permutation& a, const permutation& b) -> bool {
    bool is_same = a.type.rank == b.type.rank;
    for (std::size_t i = 0; is_same && i < a.type.rank; ++i) is_same = a.type.sizes[i] == b.type.sizes[i] && a.order[i] == b.order[i];
    return is_same;
  }
  /// True if a list contains each dimension of a tensor with `rank` dimensions exactly once.
  static constexpr auto is_order(span<const std::int64_t> list, std::size_t rank) -> bool {
    if (list.size() != rank || rank > tensor_type::max_rank) return false;
    std::uint32_t seen = 0;
    for (const auto dimension : list) {
      if (dimension < 0 || dimension >= static_cast<std::int64_t>(rank)) return false;
      seen |= 1u << dimension;
    }
    return seen + 1 == 1u << rank;
  }
  /// Returns the index `i` for which `order[i] == dimension`. Returns the last index if there is no such index.
  constexpr auto position(std::int64_t dimension) const -> std::size_t {
    std::size_t i = 0;
    while (i + 1 < type.rank && order[i] != dimension) ++i;
    return i;
  }
  /// Returns `order` as 64-bit integers. The first `type.rank` elements are the operand of `tfl.transpose`.
  constexpr auto numbers() const -> std::array<std::int64_t, tensor_type::max_rank> {
    std::array<std::int64_t, tensor_type::max_rank> list{};
    for (std::size_t i = 0; i < type.rank; ++i) list[i] = order[i];
    return list;
  }
  constexpr auto result() const -> tensor_type {
    tensor_type permuted{type.type, type.rank, {}};
    const auto* const from = type.sizes.data();  // pointers, because `sizes[i]` would be two function calls
    auto* const to = permuted.sizes.data();
    for (std::size_t i = 0; i < type.rank; ++i) to[i] = from[order[i]];
    return permuted;
  }
  /// True if the permutation changes the order of the elements in memory, not only the shape.
  constexpr auto moves() const -> bool {
    const auto* const sizes = type.sizes.data();
    std::size_t last = 0;
    for (std::size_t i = 0; i < type.rank; ++i) {
      if (sizes[order[i]] == 1) continue;
      if (order[i] < last) return true;
      last = order[i];
    }
    return false;
  }
};

/// Returns a byte recipe (the description of a strided copy) that reads the elements of a tensor in permuted order. `width` is the size
/// of an element in bytes.
constexpr auto permuted_bytes(const permutation& axes, std::size_t width) -> byte_recipe {
  std::array<std::size_t, tensor_type::max_rank> steps{};
  auto step = width;
  for (auto i = axes.type.rank; i-- > 0; step *= static_cast<std::size_t>(axes.type.sizes[i])) steps[i] = step;
  byte_recipe result{.width = width};
  for (std::size_t i = 0; i < axes.type.rank; ++i)
    result.add_axis({static_cast<std::size_t>(axes.type.sizes[axes.order[i]]), steps[axes.order[i]]});
  return result;
}

}  // namespace baton::detail
