// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The pools of a program (arrays of all records of one kind) in order, and the number of records in each pool.
#pragma once

#include <baton/core/program.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace baton {

/// The number of records in each pool.
using pool_sizes = std::array<std::uint32_t, 15>;

/// Calls `f` once for each pool, in the order of `pool_sizes`. Each call receives one pool of each program: the pools at the same position.
template <class F, class... Programs>
constexpr void for_each_pool(F&& f, Programs&&... programs) {
  f(programs.graphs...);
  f(programs.nodes...);
  f(programs.values...);
  f(programs.operands...);
  f(programs.attributes...);
  f(programs.integers...);
  f(programs.reals...);
  f(programs.bytes...);
  f(programs.subgraphs...);
  f(programs.outputs...);
  f(programs.delegates...);
  f(programs.compile_specs...);
  f(programs.mappings...);
  f(programs.tags...);
  f(programs.named_data...);
}

/// Returns the number of records in each pool.
constexpr auto sizes_of(const program_view& program) -> pool_sizes {
  pool_sizes sizes{};
  std::size_t at = 0;
  for_each_pool([&](const auto& pool) { sizes[at++] = static_cast<std::uint32_t>(pool.size()); }, program);
  return sizes;
}

namespace detail {

/// Returns the position of a pool in `pool_sizes`: `position_of(&program_view::bytes)`.
template <class Pool>
consteval auto position_of(Pool program_view::* member) -> std::size_t {
  const program_view program{};
  std::size_t position = 0;
  std::size_t at = 0;
  for_each_pool(
      [&](const auto& pool) {
        if constexpr (std::is_same_v<decltype(pool), const Pool&>) position = &pool == &(program.*member) ? at : position;
        ++at;
      },
      program);
  return position;
}

}  // namespace detail

}  // namespace baton
