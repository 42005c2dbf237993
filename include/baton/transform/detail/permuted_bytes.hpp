// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The bytes of a constant tensor with its dimensions in another order.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/shared/bytes.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace baton::detail {

/// A permutation of dimensions: dimension i of the result is dimension `order[i]` of a tensor with the sizes `sizes`.
struct permutation {
  tensor_type sizes{};
  std::array<std::uint8_t, tensor_type::max_rank> order{};

  /// Returns the permutation that leaves all dimensions where they are.
  static constexpr auto identity(const tensor_type& sizes) -> permutation {
    permutation result{sizes, {}};
    for (std::size_t i = 0; i < sizes.rank; ++i) result.order[i] = static_cast<std::uint8_t>(i);
    return result;
  }

  friend constexpr auto operator==(const permutation& a, const permutation& b) -> bool {
    bool is_same = a.sizes.rank == b.sizes.rank;
    for (std::size_t i = 0; is_same && i < a.sizes.rank; ++i) is_same = a.sizes.sizes[i] == b.sizes.sizes[i] && a.order[i] == b.order[i];
    return is_same;
  }
  constexpr auto result() const -> tensor_type {
    tensor_type type{sizes.type, sizes.rank, {}};
    for (std::size_t i = 0; i < sizes.rank; ++i) type.sizes[i] = sizes.sizes[order[i]];
    return type;
  }
  /// True if elements change their place in memory, not only the shape.
  constexpr auto moves() const -> bool {
    std::size_t last = 0;
    for (std::size_t i = 0; i < sizes.rank; ++i) {
      if (sizes.sizes[order[i]] == 1) continue;
      if (order[i] < last) return true;
      last = order[i];
    }
    return false;
  }
};

/// Returns the elements of a tensor in the order of a permutation. `width` is the size of an element in bytes. Few statements run per
/// element, because this is most of the cost of a constant expression that moves weights.
constexpr auto permuted_bytes(span<const char> data, const permutation& by, std::size_t width) -> text_buffer {
  struct axis {
    std::size_t size;
    std::size_t step;  // in bytes
  };
  std::array<std::size_t, tensor_type::max_rank> steps{};
  auto step = width;
  for (auto i = by.sizes.rank; i-- > 0; step *= static_cast<std::size_t>(by.sizes.sizes[i])) steps[i] = step;
  text_buffer result;
  if (step != data.size() || data.empty()) return result;
  std::array<axis, tensor_type::max_rank + 2> axes{};
  std::size_t count = 0;
  for (std::size_t i = 0; i < by.sizes.rank; ++i) {  // without dimensions of size 1, and with neighbors that stay together as one
    const axis next{static_cast<std::size_t>(by.sizes.sizes[by.order[i]]), steps[by.order[i]]};
    if (next.size == 1) continue;
    if (count != 0 && axes[count - 1].step == next.step * next.size) {
      axes[count - 1] = {axes[count - 1].size * next.size, next.step};
    } else {
      axes[count++] = next;
    }
  }
  result.resize(data.size());
  char* to = result.data();
  const axis inner = count == 0 ? axis{1, width} : axes[count - 1];
  std::array<std::size_t, tensor_type::max_rank + 2> at{};
  std::size_t first = 0;
  for (;;) {
    const char* from = data.data() + first;
    if (inner.step == width) {
      copy_bytes({from, inner.size * width}, to);
      to += inner.size * width;
    } else if (width == 1) {
      for (std::size_t i = 0; i < inner.size; ++i) *to++ = from[i * inner.step];
    } else if (width == 4) {
      for (std::size_t i = 0; i < inner.size; ++i, to += 4) {
        const char* const e = from + i * inner.step;
        to[0] = e[0], to[1] = e[1], to[2] = e[2], to[3] = e[3];
      }
    } else {
      for (std::size_t i = 0; i < inner.size; ++i, to += width) copy_bytes({from + i * inner.step, width}, to);
    }
    auto d = count < 2 ? 0 : count - 1;  // the axes before the last, like the digits of a counter
    for (; d > 0; --d) {
      first += axes[d - 1].step;
      if (++at[d - 1] != axes[d - 1].size) break;
      first -= axes[d - 1].step * axes[d - 1].size;
      at[d - 1] = 0;
    }
    if (d == 0) return result;
  }
}

}  // namespace baton::detail
