// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The sharing of equal prepared constants between nodes, within a program and across methods that were lowered together. A prepared
// constant is a constant that a kernel computes from a node at compile time, such as packed weights. `Sharers` is the tuple of the programs
// that share constants. Two nodes are compared only if they have the same operator, and the largest constant operands of both have equal
// data. If the nodes have no constant operands, their operands and outputs must have the same types.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/shared/states.hpp>
#include <baton/core/span.hpp>
#include <baton/kernel/shared/compute_node.hpp>
#include <baton/plan/detail/prepared_source.hpp>
#include <baton/plan/shared/stored_constant.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

namespace baton::detail {

/// A node of one of several programs.
struct node_position {
  std::uint32_t program = 0;
  std::uint32_t node = 0;
};

constexpr auto have_same_types(const program_view& a, span<const value_id> values_a, const program_view& b, span<const value_id> values_b)
    -> bool {
  if (values_a.size() != values_b.size()) return false;
  for (std::size_t i = 0; i < values_a.size(); ++i) {
    const bool is_omitted = values_a[i] == none<value_id> || values_b[i] == none<value_id>;
    if (is_omitted ? values_a[i] != values_b[i] : !type_difference(a, values_a[i], b, values_b[i]).empty()) return false;
  }
  return true;
}

/// Returns the largest constant operand of a node, or `none` if the node has no constant operand. The operand is represented by the first
/// value with the same data (`equal_constants::position`), so equal operands yield equal positions.
template <class Program, class Sharers>
constexpr auto largest_constant(const node& record) -> constant_position {
  const program_view program(Program::value());
  auto largest = none<value_id>;
  for (const auto input : program.inputs(record)) {
    if (input == none<value_id> || program[input].data.size == 0) continue;
    if (largest == none<value_id> || program[input].data.size > program[largest].data.size) largest = input;
  }
  if (largest == none<value_id>) return {};
  return equal_constants<Sharers>::template position<Program>(largest);
}

/// The results of `largest_constant` for all nodes of several programs: first the nodes of the first program, then those of the second, and
/// so on.
template <class Sharers>
struct largest_constants;
template <class... Programs>
struct largest_constants<std::tuple<Programs...>> {
  static consteval auto find_all() {
    std::array<constant_position, (Programs::value().nodes.size() + ... + 0)> positions{};
    std::size_t at = 0;
    const auto list = [&]<class Program>(std::type_identity<Program>) {
      for (const auto& record : Program::value().nodes) positions[at++] = largest_constant<Program, std::tuple<Programs...>>(record);
    };
    (list(std::type_identity<Programs>{}), ...);
    return positions;
  }
  static constexpr auto all = find_all();
};

/// The earlier nodes that may have the same prepared constant as node `Index` of `Program`.
template <class Program, class Kernel, std::uint32_t Index, class... Programs>
struct earlier_candidates {
  static constexpr std::size_t max_count = 8;  ///< further candidates are not compared

  std::array<node_position, max_count> nodes{};
  std::size_t count = 0;

  consteval earlier_candidates() {
    std::uint32_t number = 0;
    std::size_t first = 0;
    bool is_complete = false;
    ((is_complete = is_complete || add_candidates<Programs>(number++, first), first += Programs::value().nodes.size()), ...);
  }

 private:
  static constexpr auto have_same_signature(const program_view& a, const node& node_a, const program_view& b, const node& node_b) -> bool {
    return have_same_types(a, a.inputs(node_a), b, b.inputs(node_b)) && have_same_types(a, a.outputs_of(node_a), b, b.outputs_of(node_b));
  }
  /// Adds the candidates in `Other`. Returns true if `Other` is the node's own program; then the search ends, because all later programs
  /// contain only later nodes.
  template <class Other>
  consteval auto add_candidates(std::uint32_t number, std::size_t first) -> bool {
    constexpr bool is_own = std::is_same_v<Other, Program>;
    constexpr const auto& program = static_view<Program>;
    constexpr const auto& other = static_view<Other>;
    const auto& record = program.nodes[Index];
    const auto key = largest_constant<Program, std::tuple<Programs...>>(record);
    const auto& keys = largest_constants<std::tuple<Programs...>>::all;
    const auto end = is_own ? std::size_t{Index} : other.nodes.size();
    for (std::size_t n = 0; n < end; ++n) {
      if (keys[first + n].id != key.id || keys[first + n].program != key.program || other.nodes[n].op != record.op) continue;
      if (key.id == none<value_id> && !have_same_signature(program, record, other, other.nodes[n])) continue;
      const auto answer = Kernel::describe(other, other.nodes[n]);
      if (!answer.support || answer.facts.prepared.size() != prepared_source<Program, Kernel, Index>::blocks.size()) continue;
      if (count < max_count) nodes[count++] = {number, static_cast<std::uint32_t>(n)};
    }
    return is_own;
  }
};

template <class T>
constexpr auto is_same_number(T a, T b) -> bool {
  if constexpr (std::is_floating_point_v<T>) {
    return std::bit_cast<std::array<char, sizeof(T)>>(a) == std::bit_cast<std::array<char, sizeof(T)>>(b);
  } else {
    return a == b;
  }
}

/// The number of elements that one constant expression compares.
inline constexpr std::size_t elements_per_piece = 16384;
template <const auto& A, const auto& B, std::size_t Piece>
inline constexpr bool is_same_piece = [] {
  const auto end = std::min(A.size(), (Piece + 1) * elements_per_piece);
  for (std::size_t i = Piece * elements_per_piece; i < end; ++i) {
    if (!is_same_number(A[i], B[i])) return false;
  }
  return true;
}();
/// True if two arrays of the same size have the same elements. Each piece is compared in its own constant expression, because of compiler
/// limits.
template <const auto& A, const auto& B>
consteval auto are_same_elements() -> bool {
  return []<std::size_t... Piece>(std::index_sequence<Piece...>) {
    return (is_same_piece<A, B, Piece> && ...);
  }(std::make_index_sequence<(A.size() + elements_per_piece - 1) / elements_per_piece>{});
}

/// The elements that a kernel prepared for a node. If an earlier node has equal elements, both nodes use the elements of the earlier node.
template <class Program, class Kernel, std::uint32_t Index, class Sharers>
struct stored_prepared;
template <class Program, class Kernel, std::uint32_t Index, class... Programs>
struct stored_prepared<Program, Kernel, Index, std::tuple<Programs...>> {
  static constexpr earlier_candidates<Program, Kernel, Index, Programs...> candidates{};

  template <std::size_t Nth>
  static constexpr auto elements() -> const auto& {
    if constexpr (Nth == candidates.count) {
      return prepared_elements<Program, Kernel, Index>;
    } else {
      using other = std::tuple_element_t<candidates.nodes[Nth].program, std::tuple<Programs...>>;
      constexpr auto& own = prepared_elements<Program, Kernel, Index>;
      constexpr auto& earlier = prepared_elements<other, Kernel, candidates.nodes[Nth].node>;
      if constexpr (are_same_elements<own, earlier>()) {
        return earlier;
      } else {
        return elements<Nth + 1>();
      }
    }
  }
};

}  // namespace baton::detail
