// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A walk over two tensors at once: loops with a step on each side, and the bytes that lie together on both.
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

/// A loop of a walk: how often it runs, and how many bytes each side goes on each time; 0 stays, a negative number goes back.
/// Defaults are zeros, here and in what else arrays hold: GCC 12 keeps others as one object, and a constant that writes on it spoils it for
/// all that come later.
struct walk_loop {
  std::int32_t count = 0;
  std::int32_t from = 0;
  std::int32_t to = 0;
};

inline constexpr std::size_t max_loops = 8;

/// Loops from the outermost to the innermost; those that are not needed stand first and run once.
struct walk {
  std::array<walk_loop, max_loops> loops{};
  std::int32_t run = 0;   ///< the bytes that are copied each time; 0: nothing is copied
  std::int32_t from = 0;  ///< the byte at which each side begins
  std::int32_t to = 0;
};

/// Collects the loops of a walk from the outermost to the innermost.
class walk_maker {
 public:
  constexpr void add(std::int32_t count, std::int32_t from, std::int32_t to) {
    is_empty_ = is_empty_ || count == 0;
    if (count != 1) loops_[size_++] = {count, from, to};
  }

  /// The fewest loops that copy the same in the same order: those that go on together on both sides become one, or part of the run.
  constexpr auto made(node_check& check, std::int32_t element_bytes, std::int32_t from = 0, std::int32_t to = 0) const -> walk {
    walk made;
    made.run = is_empty_ ? 0 : element_bytes;
    made.from = from;
    made.to = to;
    if (is_empty_) return made;
    std::size_t first = max_loops;
    for (std::size_t i = size_; i-- > 0;) {
      const auto& next = loops_[i];
      if (first == max_loops && next.from == made.run && next.to == made.run) {
        made.run *= next.count;
      } else if (first != max_loops && next.from == made.loops[first].from * made.loops[first].count &&
                 next.to == made.loops[first].to * made.loops[first].count) {
        made.loops[first].count *= next.count;
      } else if (check.demand(first > 0, "moves along more than ", max_loops, " axes")) {
        made.loops[--first] = next;
      }
    }
    for (std::size_t i = 0; i < first; ++i) made.loops[i].count = 1;
    return made;
  }

 private:
  std::array<walk_loop, 24> loops_{};  // at most three for each of the eight dimensions of a tensor
  std::size_t size_ = 0;
  bool is_empty_ = false;
};

template <std::size_t Loop = 0>
[[gnu::always_inline]] inline void copy_along(const walk& along, const char* from, char* to) {
  if constexpr (Loop == max_loops) {
    std::memcpy(to, from, static_cast<std::size_t>(along.run));
  } else {
    const auto& loop = along.loops[Loop];
    for (std::int32_t i = 0; i < loop.count; ++i) copy_along<Loop + 1>(along, from + i * loop.from, to + i * loop.to);
  }
}

[[gnu::always_inline]] inline void copy(const walk& along, const char* from, char* to) {
  if (along.run != 0) copy_along(along, from + along.from, to + along.to);
}

/// A tensor's dimensions: how many bytes an index of each goes on.
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

/// The bytes of an element, of types whose elements are moved: 1, 2, 4, 8 or 16; demands that, and at most eight dimensions.
constexpr auto moved_bytes(node_check& check, const operand& of, std::string_view what) -> std::int32_t {
  const auto bits = facts(of.type).bits;
  check.demand(bits != 0 && bits % 8 == 0, what, " is ", facts(of.type).name, ", its elements are no whole bytes");
  check.demand(of.shape.size() <= tensor_type::max_rank, what, " has rank ", of.shape.size());
  return check.ok() ? bits / 8 : 1;
}

/// The byte that stands around what is moved where no value is given: 0, or of quantized int8 and uint8, the output's zero point.
constexpr auto filling_byte(node_check& check, const operand& out) -> std::int32_t {
  const bool has_zero_point = (out.is_int8() || out.type == dtype::uint8) && out.quant.channels != 0;
  return has_zero_point ? check.per_tensor(out, "output").zero_point : 0;
}

}  // namespace baton::portable::detail
