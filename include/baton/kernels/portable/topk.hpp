// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The largest elements along the last axis and their positions, `tfl.topk_v2`.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernels/detail/elements.hpp>
#include <baton/kernels/node_check.hpp>
#include <baton/kernels/unaligned.hpp>

#include <cstdint>
#include <type_traits>

namespace baton::portable {

namespace detail {

/// The compile-time plan of a selection: the `k` largest elements of each of `rows` rows of `length` elements.
struct topk_plan {
  dtype type = dtype::float32;
  std::int32_t rows = 1;
  std::int32_t length = 1;
  std::int32_t k = 1;
};

constexpr auto describe_topk(const program_view& program, const node& record) -> node_description<topk_plan> {
  node_check check{program, record};
  check.conforms(2);
  const auto in = check.input(0, "input");
  const auto k = check.constant_integers(1, "k");
  const auto out = check.output_at(0);
  const auto positions = check.output_at(1);
  check.is_one_of(in, {dtype::float32, dtype::int8, dtype::uint8, dtype::int16, dtype::int32, dtype::int64}, "input");
  check.same_type(in, out);
  check.is_one_of(positions, {dtype::int32}, "the output of positions");
  check.demand(k.count == 1, "k has ", k.count, " elements, not 1");
  const topk_plan plan{in.type, in.count / in.last(), in.last(), out.last()};
  check.demand(plan.k <= plan.length, "k is ", plan.k, ", a row has ", plan.length, " elements");
  return {check.verdict_so_far(), plan};
}

/// A heap of positions that selects the first `k` elements of a row in the order of `is_before`. The root is the selected position
/// that comes last in this order (D. E. Knuth, The Art of Computer Programming 3, 5.2.3, algorithm H). O(length · log(k)) comparisons.
template <class T>
class topk_heap {
 public:
  topk_heap(const char* row, char* positions, std::int32_t k) : row_(row), positions_(positions), k_(k) {}

  /// Stores the positions of the `k` elements that come first in the order of `is_before`, in this order. The row has `length` elements.
  void select(std::int32_t length) const {
    for (std::int32_t i = 0; i < k_; ++i) store(positions_, i, i);
    for (auto i = k_ / 2; i-- > 0;) sink(i, k_);
    for (auto i = k_; i < length; ++i) {
      if (!is_before(i, load<std::int32_t>(positions_))) continue;
      store(positions_, 0, i);
      sink(0, k_);
    }
    for (auto last = k_ - 1; last > 0; --last) {
      const auto position = load<std::int32_t>(positions_);
      store(positions_, 0, load<std::int32_t>(positions_, last));
      store(positions_, last, position);
      sink(0, last);
    }
  }

 private:
  /// True if position `a` comes before position `b`. Larger elements come first, equal elements in order of position, and NaN last.
  auto is_before(std::int32_t a, std::int32_t b) const -> bool {
    const auto x = load<T>(row_, a);
    const auto y = load<T>(row_, b);
    if (x > y) return true;
    if (x < y) return false;
    if constexpr (std::is_floating_point_v<T>) {
      const bool is_number = !__builtin_isnan(x);
      if (is_number == __builtin_isnan(y)) return is_number;
    }
    return a < b;
  }
  /// Moves entry `i` of a heap of `size` entries down until no child comes after it in the order of `is_before`.
  void sink(std::int32_t i, std::int32_t size) const {
    const auto position = load<std::int32_t>(positions_, i);
    for (auto child = 2 * i + 1; child < size; child = 2 * i + 1) {
      const bool has_later =
          child + 1 < size && is_before(load<std::int32_t>(positions_, child), load<std::int32_t>(positions_, child + 1));
      const auto later = has_later ? child + 1 : child;
      const auto other = load<std::int32_t>(positions_, later);
      if (!is_before(position, other)) break;
      store(positions_, i, other);
      i = later;
    }
    store(positions_, i, position);
  }

  const char* row_;
  char* positions_;
  std::int32_t k_;
};

template <class T>
[[gnu::always_inline]] inline void select_largest(const topk_plan& plan, const node_memory& memory) {
  for (std::int32_t i = 0; i < plan.rows; ++i) {
    const auto* const row = memory.inputs[0] + i * plan.length * static_cast<std::int32_t>(sizeof(T));
    auto* const positions = memory.outputs[1] + i * plan.k * 4;
    topk_heap<T>(row, positions, plan.k).select(plan.length);
    for (std::int32_t n = 0; n < plan.k; ++n) store(memory.outputs[0], i * plan.k + n, load<T>(row, load<std::int32_t>(positions, n)));
  }
}

/// A kernel that computes `tfl.topk_v2` of float32, int8, uint8, int16, int32 or int64, along the last axis; `k` is a constant. Larger
/// elements come first, equal elements in order of position. Outputs follow `lite/kernels/topk_v2.cc`, except that NaN comes last here.
struct topk {
  static constexpr literal_name operators[] = {"tfl.topk_v2"};
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<detail::topk_plan> {
    return detail::describe_topk(program, record);
  }
  template <class Plan>
  [[gnu::always_inline]] static void compute(const Plan& plan, const node_memory& memory) {
    with_element<dtype::float32, dtype::int8, dtype::uint8, dtype::int16, dtype::int32, dtype::int64>(
        plan.type, [&](auto element) __attribute__((always_inline)) { select_largest<typename decltype(element)::type>(plan, memory); });
  }
};
static_assert(kernel<topk>);

}  // namespace detail

}  // namespace baton::portable
