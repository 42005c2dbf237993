// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Recipes that compute bytes from other bytes: with the elements in another order, or with inverted bits. The bytes are computed at once or
// later.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/shared/bytes.hpp>
#include <baton/core/shared/pools.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace baton {

/// A recipe that computes bytes from a source of the same size. Reads the elements of the source along `axes`, the last axis fastest, and
/// inverts the bits `inverted` of each byte.
///
/// A callable that computes a static program, for example a pass, may defer the computation of a value's data. The program that it returns
/// then contains the recipe instead of the bytes. When this program is stored (`static_program`), an array replaces each recipe. The pieces
/// of this array are computed as separate constants. Only the program that a callable returns may contain recipes.
struct byte_recipe {
  /// The time at which the bytes are computed: immediately (`at_once`), or when the program is stored as a constant (`deferred`).
  enum class timing : bool { at_once, deferred };
  /// The number of elements along an axis, and the distance in bytes between neighboring elements of the axis in the source.
  struct axis {
    std::size_t size = 0;
    std::size_t step = 0;
  };

  std::array<axis, tensor_type::max_rank> axes{};
  std::size_t rank = 0;
  std::size_t width = 1;  ///< the size of an element, in bytes
  unsigned char inverted = 0;
  const char* source = nullptr;  ///< the address of the source; null if the source may move in memory

  /// The number of bytes that one constant expression computes: a multiple of every element size.
  static constexpr std::size_t bytes_per_piece = 65536;
  /// The minimum size of deferred data, in bytes. For smaller data, a separate constant would cost more than it saves.
  static constexpr std::size_t min_deferred_size = 256;

  /// Returns the recipe that copies `size` bytes and inverts the bits `inverted` of each byte.
  static constexpr auto inversion(std::size_t size, unsigned char inverted) -> byte_recipe {
    return {{axis{size, 1}}, 1, 1, inverted, nullptr};
  }

  /// Adds an innermost axis. If the step of the previous axis equals the length of the new axis in bytes (`size` · `step`), merges the two
  /// axes. An axis with one element has no effect.
  constexpr void add_axis(const axis& next) {
    if (next.size == 1) return;
    if (rank != 0 && axes[rank - 1].step == next.step * next.size) {
      axes[rank - 1] = {axes[rank - 1].size * next.size, next.step};
    } else {
      axes[rank++] = next;
    }
  }
  /// Returns the composition of two recipes: first `before`, then this one. If no recipe describes the composition, returns a recipe with
  /// the width 0. This happens, for example, if the axes of this recipe do not divide the axes of `before`.
  constexpr auto after(const byte_recipe& before) const -> byte_recipe {
    byte_recipe result{.width = width, .inverted = static_cast<unsigned char>(inverted ^ before.inverted), .source = before.source};
    bool is_possible = width == before.width;
    for (std::size_t i = 0; is_possible && i < rank; ++i) is_possible = before.add_axis_to(result, axes[i]);
    if (!is_possible) result.width = 0;
    return result;
  }

  /// Returns the number of bytes that the recipe computes. The source has the same size.
  constexpr auto size() const -> std::size_t {
    auto bytes = width;
    for (std::size_t i = 0; i < rank; ++i) bytes *= axes[i].size;
    return bytes;
  }

  /// Fills `to` with computed bytes. The first of them is the byte at offset `first` of the result. `from` is the source. `first` and the
  /// size of `to` must be multiples of `width`. Executes few statements per element, because the cost of a constant expression that moves
  /// weights is mainly the number of statements.
  constexpr void compute(const char* from, std::size_t first, span<char> to) const {
    if (to.empty()) return;
    const axis inner = rank == 0 ? axis{1, width} : axes[rank - 1];
    std::array<std::size_t, tensor_type::max_rank> at{};  // the position on the axes before the last, like the digits of a counter
    auto element = first / width;
    auto skipped = element % inner.size;
    element /= inner.size;
    for (auto d = rank < 2 ? 0 : rank - 1; d-- > 0; element /= axes[d].size) {
      at[d] = element % axes[d].size;
      from += at[d] * axes[d].step;
    }
    char* const end = to.data() + to.size();
    for (char* next = to.data();;) {
      const auto count = std::min(inner.size - skipped, static_cast<std::size_t>(end - next) / width);
      next = copy_row(from + skipped * inner.step, inner.step, count, next);
      if (next == end) break;
      skipped = 0;
      for (auto d = rank - 1; d-- > 0;) {
        from += axes[d].step;
        if (++at[d] != axes[d].size) break;
        from -= axes[d].step * axes[d].size;
        at[d] = 0;
      }
    }
    if (inverted != 0) invert(to);
  }

  // Deferred data

  static constexpr auto is_deferred(byte_ref data) -> bool { return is_same_address(data.outside, &deferred_bytes); }
  /// Returns a reference to deferred data. `position` is the index of the recipe in the attributes of the program. A caller that has not
  /// called `defer` yet may pass an index in its own list of recipes instead.
  static constexpr auto deferred_data(std::size_t position, std::uint32_t size) -> byte_ref {
    return {&deferred_bytes, static_cast<std::uint32_t>(position), size};
  }
  /// Defers the data of a value. Appends the recipe to the attributes of the program, and the sizes and steps of its axes to the integers.
  /// No node has this attribute. The recipe must have a source.
  constexpr void defer(exported_program& program, value& record) const {
    const auto bytes = static_cast<std::uint32_t>(size());
    attribute added{.kind = attribute_kind::bytes, .integer = static_cast<std::int64_t>(width << 8 | inverted)};
    added.bytes = {source, 0, bytes};
    added.list = {static_cast<std::uint32_t>(program.integers.size()), static_cast<std::uint32_t>(2 * rank)};
    for (std::size_t i = 0; i < rank; ++i) {
      program.integers.push_back(static_cast<std::int64_t>(axes[i].size));
      program.integers.push_back(static_cast<std::int64_t>(axes[i].step));
    }
    record.data = deferred_data(add_to(program.attributes, added), bytes);
  }
  /// Returns the recipe of deferred data.
  static constexpr auto of(const program_view& program, byte_ref data) -> byte_recipe {
    const auto& added = program.attributes[data.first];
    byte_recipe recipe{.width = static_cast<std::size_t>(added.integer >> 8),
                       .inverted = static_cast<unsigned char>(added.integer & 0xff),
                       .source = added.bytes.outside};
    const auto numbers = program.integer_list(added.list);
    for (std::size_t i = 0; i < numbers.size(); i += 2)
      recipe.axes[recipe.rank++] = {static_cast<std::size_t>(numbers[i]), static_cast<std::size_t>(numbers[i + 1])};
    return recipe;
  }

 private:
  /// Adds the axis `next` to `to`, a recipe with the same source as this recipe. `next.step` is a distance in this recipe's result, in
  /// bytes. Splits `next` into one axis for each axis of this recipe that `next` crosses. Returns false if `next` does not divide these
  /// axes, or if `to` would have too many axes.
  constexpr auto add_axis_to(byte_recipe& to, axis next) const -> bool {
    std::array<axis, tensor_type::max_rank> parts{};  // the innermost first
    std::size_t count = 0;
    auto step = width;  // the distance between neighbors along axis d in this recipe's result, in bytes
    for (auto d = rank; d-- > 0 && next.size > 1; step *= axes[d].size) {
      const auto extent = step * axes[d].size;
      if (next.step >= extent) continue;
      if (next.step % step != 0 || extent % next.step != 0) return false;
      const auto available = extent / next.step, used = next.size < available ? next.size : available;
      if (available % used != 0 || next.size % used != 0) return false;
      parts[count++] = {used, axes[d].step * (next.step / step)};
      next = {next.size / used, next.step * used};
    }
    if (next.size > 1 || to.rank + count > to.axes.size()) return false;
    while (count != 0) to.add_axis(parts[--count]);
    return true;
  }
  /// Every reference to deferred data points to this variable. The variable is not constant, so an attempt to read deferred data at compile
  /// time is an error.
  inline static char deferred_bytes = 0;

  /// Copies `count` elements whose distance in the source is `step` bytes. Returns the end of the copy.
  constexpr auto copy_row(const char* from, std::size_t step, std::size_t count, char* to) const -> char* {
    if (step == width) {
      copy_bytes({from, count * width}, to);
      return to + count * width;
    }
    if (width == 1) {
      for (std::size_t i = 0; i < count; ++i) *to++ = from[i * step];
    } else if (width == 4) {
      for (std::size_t i = 0; i < count; ++i, to += 4) {
        const char* const e = from + i * step;
        to[0] = e[0], to[1] = e[1], to[2] = e[2], to[3] = e[3];
      }
    } else {
      for (std::size_t i = 0; i < count; ++i, to += width) copy_bytes({from + i * step, width}, to);
    }
    return to;
  }
  constexpr void invert(span<char> bytes) const {
    char* to = bytes.data();
    const auto inverse = [this](char byte) { return static_cast<char>(static_cast<unsigned char>(byte) ^ inverted); };
    std::size_t i = 0;
    for (; i + 4 <= bytes.size(); i += 4)  // one statement for four bytes, because constant evaluation counts statements
      to[i] = inverse(to[i]), to[i + 1] = inverse(to[i + 1]), to[i + 2] = inverse(to[i + 2]), to[i + 3] = inverse(to[i + 3]);
    for (; i < bytes.size(); ++i) to[i] = inverse(to[i]);
  }
};

}  // namespace baton
