// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Functions of elements of several operands, whose shapes are broadcast: one walk for all of them.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/kernel/kernel_facts.hpp>
#include <baton/kernels/detail/distances.hpp>
#include <baton/kernels/detail/geometry.hpp>
#include <baton/kernels/node_check.hpp>
#include <baton/kernels/unaligned.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton::portable::detail {

/// How `N` operands meet in an output: loops from the outermost, each with a step in elements for every operand; a step of 0 repeats one.
/// Axes that lie together in every operand are one loop, so that what is not broadcast is the last loop alone.
template <std::size_t N>
struct broadcast_loops {
  static constexpr std::size_t most = 6;

  std::array<std::int32_t, most> sizes{1, 1, 1, 1, 1, 1};
  std::array<std::int32_t, most> output{};
  std::array<std::array<std::int32_t, most>, N> operands{};

  /// Whether an operand's elements are those of the output, one by one.
  constexpr auto is_whole(std::size_t operand) const -> bool { return operands[operand] == output; }
};
static_assert(has_no_padding<broadcast_loops<2>>);

/// The facts of a node whose output may be stored on every operand that is not broadcast. None if the node is not supported.
template <std::size_t N>
constexpr auto elementwise_facts(const node_check& check, const program_view& program, const node& record, const broadcast_loops<N>& loops)
    -> kernel_facts {
  kernel_facts result;
  for (std::size_t i = 0; i < N && check.ok(); ++i) {
    if (loops.is_whole(i)) result.operands[i].distance = distance_of_elements(program, record, i);
  }
  return result;
}

/// The loops of operands of these shapes, aligned at the last axis, where a size of 1 or one that is missing is repeated (NumPy's
/// broadcasting). Shapes of eight axes fit where at least two of them join.
template <std::size_t N>
constexpr auto loops_of(node_check& check, const std::array<span<const std::int64_t>, N>& operands, span<const std::int64_t> output)
    -> broadcast_loops<N> {
  constexpr auto most = broadcast_loops<N>::most;
  broadcast_loops<N> made;
  made.output[most - 1] = 1;
  std::array<std::int32_t, N> counts{};
  for (auto& count : counts) count = 1;
  std::int32_t made_count = 1;
  std::size_t at = most;  // the loop that was made last
  for (std::size_t back = 1; back <= output.size(); ++back) {
    const auto size = static_cast<std::int32_t>(output[output.size() - back]);
    std::array<std::int32_t, N> steps{};
    bool joins = at != most;
    for (std::size_t i = 0; i < N; ++i) {
      const auto& shape = operands[i];
      const auto own = back > shape.size() ? 1 : static_cast<std::int32_t>(shape[shape.size() - back]);
      check.demand(own == size || own == 1, "size ", own, " of operand ", i, " does not broadcast to ", size);
      steps[i] = own == 1 ? 0 : counts[i];
      counts[i] *= own;
      if (joins) joins = steps[i] == made.operands[i][at] * made.sizes[at];
    }
    if (!check.ok() || size == 1) continue;
    if (joins) {
      made.sizes[at] *= size;
    } else {
      if (!check.demand(at != 0, "broadcasting takes more than ", most, " loops")) return made;
      --at;
      made.sizes[at] = size;
      made.output[at] = made_count;
      for (std::size_t i = 0; i < N; ++i) made.operands[i][at] = steps[i];
    }
    made_count *= size;
  }
  for (std::size_t i = 0; i < N; ++i) {
    check.demand(operands[i].size() <= output.size(), "operand ", i, " has rank ", operands[i].size(), ", the output ", output.size());
    if (at == most) made.operands[i][most - 1] = 1;  // one element
  }
  return made;
}

/// Writes `element(x, ...)` for each element of the output, in order, from elements of the types `In` of the operands.
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
  // Addresses and positions are copies: what is stored could change what lies behind a pointer.
  template <std::size_t Axis, class Element, std::size_t... I>
  [[gnu::always_inline]] static void along(const loops& by, const Element& element, std::index_sequence<I...> all, char* to,
                                           address<In>... from, std::int32_t at, position<In>... positions) {
    for (std::int32_t i = 0; i < by.sizes[Axis]; ++i) {
      if constexpr (Axis + 1 < loops::most) {
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
