// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Copies between two tensors, as nested loops. Each loop has one stride for each tensor. The body of the innermost loop copies bytes that
// are contiguous in both tensors.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/kernels/node_check.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace baton::portable::detail {

/// A loop of a walk: the number of iterations, and the strides of source and destination in bytes. A stride may be 0 or negative.
///
/// The default member values of this type must be 0, because it is the element type of an array. If they are not 0, GCC 12 represents all
/// default elements of an array by one shared object. An assignment to an element during constant evaluation then modifies this object, so
/// that constants that are computed later have wrong elements.
struct walk_loop {
  std::int32_t count = 0;
  std::int32_t from = 0;
  std::int32_t to = 0;
};

inline constexpr std::size_t max_walk_loops = 8;

/// A walk: nested loops, outermost first, around a copy of `run` bytes. Unused loops are outermost and have one iteration.
struct walk {
  std::array<walk_loop, max_walk_loops> loops{};
  std::int32_t run = 0;   ///< the bytes of each copy; 0 if nothing is copied
  std::int32_t from = 0;  ///< the offsets of the first bytes: `from` in the source, `to` in the destination
  std::int32_t to = 0;
};

/// A builder of a walk from its loops, which are added outermost first.
class walk_builder {
 public:
  constexpr void add(std::int32_t count, std::int32_t from, std::int32_t to) {
    is_empty_ = is_empty_ || count == 0;
    if (count != 1) loops_[size_++] = {count, from, to};
  }

  /// Returns the added loops, outermost first, without loops of one iteration.
  constexpr auto added() const -> span<const walk_loop> { return {loops_.data(), size_}; }

  /// Returns the walk with the fewest loops that copies the same bytes in the same order as the added loops. A loop becomes part of the
  /// copy if no loop remains inside it and both of its strides equal the size of the copy. Any other loop is merged with the next inner
  /// loop if, in both tensors, the outer stride is the inner stride times the inner count. The first copy is from offset `from` to offset
  /// `to`. The check fails if more than `max_walk_loops` loops remain.
  constexpr auto build(node_check& check, std::int32_t element_bytes, std::int32_t from = 0, std::int32_t to = 0) const -> walk {
    walk result;
    result.run = is_empty_ ? 0 : element_bytes;
    result.from = from;
    result.to = to;
    if (is_empty_) return result;
    std::size_t first = max_walk_loops;
    for (std::size_t i = size_; i-- > 0;) {
      const auto& next = loops_[i];
      if (first == max_walk_loops && next.from == result.run && next.to == result.run) {
        result.run *= next.count;
      } else if (first != max_walk_loops && next.from == result.loops[first].from * result.loops[first].count &&
                 next.to == result.loops[first].to * result.loops[first].count) {
        result.loops[first].count *= next.count;
      } else if (check.demand(first > 0, "the movement needs more than ", max_walk_loops, " nested loops")) {
        result.loops[--first] = next;
      }
    }
    for (std::size_t i = 0; i < first; ++i) result.loops[i].count = 1;
    return result;
  }

 private:
  std::array<walk_loop, 24> loops_{};  // at most three for each of the eight dimensions of a tensor
  std::size_t size_ = 0;
  bool is_empty_ = false;
};

template <std::size_t Loop = 0>
[[gnu::always_inline]] inline void copy_along(const walk& along, const char* from, char* to) {
  if constexpr (Loop == max_walk_loops) {
    std::memcpy(to, from, static_cast<std::size_t>(along.run));
  } else {
    const auto& loop = along.loops[Loop];
    for (std::int32_t i = 0; i < loop.count; ++i) copy_along<Loop + 1>(along, from + i * loop.from, to + i * loop.to);
  }
}

[[gnu::always_inline]] inline void copy(const walk& along, const char* from, char* to) {
  if (along.run != 0) copy_along(along, from + along.from, to + along.to);
}

/// The strides of the dimensions of a contiguous tensor, in bytes.
class byte_steps {
 public:
  constexpr byte_steps(span<const std::int64_t> shape, std::int32_t element_bytes) {
    for (std::size_t d = shape.size(); d-- > 0;) {
      if (d < steps_.size()) steps_[d] = element_bytes;
      element_bytes *= static_cast<std::int32_t>(shape[d]);
    }
  }
  constexpr auto operator[](std::size_t dimension) const -> std::int32_t { return steps_[dimension]; }

 private:
  std::array<std::int32_t, tensor_type::max_rank> steps_{};
};

/// Returns the size of an element in bytes: 1, 2, 4, 8 or 16. Requires elements of whole bytes, and at most eight dimensions.
constexpr auto moved_bytes(node_check& check, const operand& of, std::string_view name) -> std::int32_t {
  const auto bits = facts(of.type).bits;
  check.demand(bits != 0 && bits % 8 == 0, name, " is ", facts(of.type).name, ", whose elements are not whole bytes");
  check.demand(of.shape.size() <= tensor_type::max_rank, name, " has rank ", of.shape.size(), "; the maximum is ", tensor_type::max_rank);
  return check.ok() ? bits / 8 : 1;
}

/// Returns the byte that fills the output around the moved elements if the node has no fill value. This byte is the output's zero point for
/// quantized int8 and uint8, and 0 for all other outputs.
constexpr auto filling_byte(node_check& check, const operand& out) -> std::int32_t {
  const bool has_zero_point = (out.is_int8() || out.type == dtype::uint8) && out.quant.channels != 0;
  return has_zero_point ? check.per_tensor(out, "output").zero_point : 0;
}

}  // namespace baton::portable::detail
