// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The loop nest that all element-wise functions with broadcasting share.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/kernel/kernel_facts.hpp>
#include <baton/kernels/detail/distances.hpp>
#include <baton/kernels/detail/element_chunks.hpp>
#include <baton/kernels/detail/geometry.hpp>
#include <baton/kernels/detail/nest_chunks.hpp>
#include <baton/kernels/node_check.hpp>
#include <baton/kernels/unaligned.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton::portable::detail {

/// A loop nest over an output and its `N` operands, outermost loop first. Each loop has a stride for the output and for each operand, in
/// elements. A stride of 0 repeats an element. Adjacent axes are merged into one loop if, in every operand, a single stride traverses both
/// axes. A node without broadcasting therefore uses only the last loop.
template <std::size_t N>
struct broadcast_loops {
  static constexpr std::size_t max_loops = 6;

  std::array<std::int32_t, max_loops> sizes{1, 1, 1, 1, 1, 1};    ///< the numbers of iterations
  std::array<std::int32_t, max_loops> output{};                   ///< the strides of the output
  std::array<std::array<std::int32_t, max_loops>, N> operands{};  ///< the strides of each operand

  /// True if operand `operand` is not broadcast: its elements correspond one to one to the elements of the output.
  constexpr auto is_whole(std::size_t operand) const -> bool { return operands[operand] == output; }
};
static_assert(has_no_padding<broadcast_loops<2>>);

/// Divides a loop nest into chunks (see `kernel_facts::chunks`) of at most 64 elements.
template <std::size_t N>
constexpr auto chunks_of(const broadcast_loops<N>& loops) -> nest_chunks<broadcast_loops<N>::max_loops> {
  return {loops.sizes, 1, elements_per_chunk};
}

/// Returns the facts of an element-wise node: the output may share the memory of each operand that is not broadcast. Returns default facts
/// if a check has failed.
template <std::size_t N>
constexpr auto elementwise_facts(const node_check& check, const program_view& program, const node& record, const broadcast_loops<N>& loops)
    -> kernel_facts {
  kernel_facts result;
  for (std::size_t i = 0; i < N && check.ok(); ++i) {
    if (loops.is_whole(i)) result.operands[i].distance = distance_of_elements(program, record, i);
  }
  return result;
}

/// Returns the loops for operands and an output of the given shapes. As in NumPy, shapes are aligned at the last axis, and axes that are
/// missing or have size 1 are repeated. The check fails if a shape does not broadcast to the output, or if more than 6 loops remain after
/// merging.
template <std::size_t N>
constexpr auto loops_of(node_check& check, const std::array<span<const std::int64_t>, N>& operands, span<const std::int64_t> output)
    -> broadcast_loops<N> {
  constexpr auto max_loops = broadcast_loops<N>::max_loops;
  broadcast_loops<N> result;
  result.output[max_loops - 1] = 1;
  std::array<std::int32_t, N> counts{};
  for (auto& count : counts) count = 1;
  std::int32_t output_count = 1;
  std::size_t at = max_loops;  // the index of the loop that was added last
  for (std::size_t back = 1; back <= output.size(); ++back) {
    const auto size = static_cast<std::int32_t>(output[output.size() - back]);
    std::array<std::int32_t, N> steps{};
    bool joins = at != max_loops;
    for (std::size_t i = 0; i < N; ++i) {
      const auto& shape = operands[i];
      const auto own = back > shape.size() ? 1 : static_cast<std::int32_t>(shape[shape.size() - back]);
      check.demand(own == size || own == 1, "size ", own, " of operand ", i, " does not broadcast to ", size);
      steps[i] = own == 1 ? 0 : counts[i];
      counts[i] *= own;
      if (joins) joins = steps[i] == result.operands[i][at] * result.sizes[at];
    }
    if (!check.ok() || size == 1) continue;
    if (joins) {
      result.sizes[at] *= size;
    } else {
      if (!check.demand(at != 0, "broadcasting needs more than ", max_loops, " loops")) return result;
      --at;
      result.sizes[at] = size;
      result.output[at] = output_count;
      for (std::size_t i = 0; i < N; ++i) result.operands[i][at] = steps[i];
    }
    output_count *= size;
  }
  for (std::size_t i = 0; i < N; ++i) {
    check.demand(operands[i].size() <= output.size(), "operand ", i, " has rank ", operands[i].size(), ", but the output has rank ",
                 output.size());
    if (at == max_loops) result.operands[i][max_loops - 1] = 1;  // a single element counts as not broadcast
  }
  return result;
}

/// A loop nest that stores `element(x, ...)` in each element of the output, in ascending order. The arguments are the elements of the
/// operands that correspond to the output element. `Out` is the element type of the output, `In` are the types of the operands.
template <class Out, class... In>
struct broadcast_walk {
  using loops = broadcast_loops<sizeof...(In)>;

  template <class Element>
  [[gnu::always_inline]] static void run(const loops& by, const Element& element, const char* const* from, char* to) {
    run(by, element, from, to, std::index_sequence_for<In...>{});
  }

 private:
  template <class>
  using address = const char*;
  template <class>
  using position = std::int32_t;

  template <class Element, std::size_t... I>
  [[gnu::always_inline]] static void run(const loops& by, const Element& element, const char* const* from, char* to,
                                         std::index_sequence<I...> all) {
    along<0>(by, element, all, to, from[I]..., 0, (static_cast<void>(I), 0)...);
  }
  // Addresses and positions are passed by value. If they were passed by reference, every store to the output could alias them, so the
  // compiler would reload them.
  template <std::size_t Axis, class Element, std::size_t... I>
  [[gnu::always_inline]] static void along(const loops& by, const Element& element, std::index_sequence<I...> all, char* to,
                                           address<In>... from, std::int32_t at, position<In>... positions) {
    for (std::int32_t i = 0; i < by.sizes[Axis]; ++i) {
      if constexpr (Axis + 1 < loops::max_loops) {
        along<Axis + 1>(by, element, all, to, from..., at, positions...);
      } else {
        store(to, at, static_cast<Out>(element(load<In>(from, positions)...)));
      }
      at += by.output[Axis];
      ((positions += by.operands[I][Axis]), ...);
    }
  }
};

}  // namespace baton::portable::detail
