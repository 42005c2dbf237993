// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The division of a loop nest into chunks (see `kernel_facts::chunks`).
#pragma once

#include <baton/kernels/detail/row_ranges.hpp>
#include <baton/kernels/detail/set_chunks.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace baton::portable::detail {

/// The division of a nest of `Loops` loops into chunks. Loop 0 is the outermost loop. A chunk consists of iterations of one loop, `loop`,
/// with all loops inside it. Chunk numbers continue from one execution of this loop to the next.
template <std::size_t Loops>
struct nest_chunks {
  std::array<std::int32_t, Loops> counts{};  ///< the number of iterations of each loop
  std::size_t loop = Loops - 1;
  std::int32_t iterations = 1;  ///< iterations of `loop` in a chunk; the last chunk of an execution may have fewer

  /// Sets `loop` to the outermost loop whose iterations have at most the size `max` each. The size of an iteration includes all loops
  /// inside `loop`. A chunk has as many of these iterations as `max` allows. `unit` is the size of an iteration of the last loop. Both
  /// `unit` and `max` count elements, or both count bytes. A chunk has at least one iteration of the last loop, even if this iteration is
  /// larger than `max`.
  constexpr nest_chunks(const std::array<std::int32_t, Loops>& all, std::int32_t unit, std::int32_t max) : counts(all) {
    auto inside = unit;
    for (; loop > 0 && counts[loop] <= max / std::max<std::int32_t>(inside, 1); --loop) inside *= counts[loop];
    iterations = std::max<std::int32_t>(1, max / std::max<std::int32_t>(inside, 1));
  }

  constexpr auto chunks_of_loop() const -> std::int32_t { return (counts[loop] + iterations - 1) / iterations; }
  /// Returns the number of chunks; at least 1.
  constexpr auto count() const -> std::int32_t {
    auto result = chunks_of_loop();
    for (std::size_t outer = 0; outer < loop; ++outer) result *= counts[outer];
    return std::max<std::int32_t>(result, 1);
  }
  /// Sets the chunks of a node that runs the loop nest.
  constexpr void add_to(kernel_facts& facts) const {
    facts.chunks = count();
    facts.uneven_chunks_percent = chunk_axis{counts[loop], iterations}.uneven_percent();
  }
  /// Calls `f(first, iterations)`, in ascending order, for each execution of `loop` that contains some of the chunks [`begin`, `end`).
  /// `first` has, for each loop, the index of the iteration at which the call of `f` begins. The argument `iterations` is the number of
  /// iterations of `loop` that this call runs.
  template <class F>
  [[gnu::always_inline]] void for_executions(std::int32_t begin, std::int32_t end, F f) const {
    for_row_ranges(chunks_of_loop(), begin, end, [&](std::int32_t execution, std::int32_t from, std::int32_t to) {
      std::array<std::int32_t, Loops> first{};
      first[loop] = from * iterations;
      for (auto outer = loop; outer-- > 0; execution /= counts[outer]) first[outer] = execution % counts[outer];
      f(first, std::min(to * iterations, counts[loop]) - first[loop]);
    });
  }
};

}  // namespace baton::portable::detail
