// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Queries about the nodes of a segment (consecutive nodes that run row by row, see `stream_segment`), at compile time: which node of the
// segment produces an operand, and which nodes are computed in lockstep.
#pragma once

#include <baton/core/program.hpp>
#include <baton/plan/shared/streams.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace baton::detail {

/// The `Count` nodes of a segment. The first of them is at position `First` of the schedule. In this class, the nodes are numbered from 0.
template <class Execution, std::uint32_t First, std::uint32_t Count>
struct segment_nodes {
  static constexpr std::uint32_t last = Count - 1;
  /// Returns the index in the program of node `n` of the segment.
  static constexpr auto node_at(std::uint32_t n) -> std::uint32_t { return index(Execution::tables.node[First + n]); }

  /// A list of nodes that are computed in lockstep: in each round, every node computes a few pixels, in schedule order.
  struct node_list {
    std::array<std::uint32_t, Count> nodes{};
    std::uint32_t size = 0;
  };

  static constexpr auto view() -> program_view { return Execution::view(); }
  static constexpr auto kept(std::uint32_t n) -> kept_rows { return Execution::tables.kept[First + n]; }
  static constexpr auto record_of(std::uint32_t n) -> const node& { return Execution::program_type::value().nodes[node_at(n)]; }
  static constexpr auto output_of(std::uint32_t n) -> value_id { return view().outputs_of(record_of(n))[0]; }
  static constexpr auto operands_of(std::uint32_t n) -> std::size_t { return record_of(n).inputs.size; }
  /// Returns the node of the segment that produces operand `operand` of node `n`, or `npos` if no node of the segment does.
  static constexpr auto producer(std::uint32_t n, std::size_t operand) -> std::uint32_t {
    for (std::uint32_t from = 0; from < n; ++from) {
      if (output_of(from) == view().inputs(record_of(n))[operand]) return from;
    }
    return npos;
  }
  /// True if the output of node `n` is linked: node `n` and the only user of its output are computed in lockstep, a few pixels at a time.
  static constexpr auto is_linked(std::uint32_t n) -> bool { return n != last && kept(n).pixels != 0; }
  /// Returns the first node of the segment that uses the output of node `n`.
  static constexpr auto user_of(std::uint32_t n) -> std::uint32_t {
    for (auto user = n + 1;; ++user) {
      for (std::size_t i = 0; i < operands_of(user); ++i) {
        if (producer(user, i) == n) return user;
      }
    }
  }
  /// Returns the producer of the operand whose rows begin in the memory of node `n`'s newest row (`kept_rows::in_user`), or `npos` if there
  /// is none. Before this operand is computed, the kept rows of node `n` are moved to lower addresses.
  static constexpr auto producer_in(std::uint32_t n) -> std::uint32_t {
    for (std::size_t i = 0; i < operands_of(n); ++i) {
      if (producer(n, i) != npos && kept(producer(n, i)).in_user) return producer(n, i);
    }
    return npos;
  }
  /// Returns node `n` and all nodes from which a path of linked values leads to node `n`.
  static constexpr auto lockstep(std::uint32_t n) -> node_list {
    std::array<bool, Count> is_in{};
    is_in[n] = true;
    for (auto user = n; user > 0; --user) {
      if (!is_in[user]) continue;
      for (std::size_t i = 0; i < operands_of(user); ++i) {
        const auto from = producer(user, i);
        if (from != npos && is_linked(from)) is_in[from] = true;
      }
    }
    node_list result;
    for (std::uint32_t i = 0; i < Count; ++i) {
      if (is_in[i]) result.nodes[result.size++] = i;
    }
    return result;
  }
  /// Returns the number of pixels that each node of `group`, a result of `lockstep`, computes per round. This is the minimum number of kept
  /// pixels of the linked values between the nodes. Returns 0 for a single node, which computes whole rows.
  static constexpr auto pixels_per_step(const node_list& group) -> std::int32_t {
    std::int32_t pixels = 0;
    for (std::uint32_t i = 0; i + 1 < group.size; ++i) {
      const auto kept_pixels = kept(group.nodes[i]).pixels;
      pixels = pixels == 0 ? kept_pixels : std::min(pixels, kept_pixels);
    }
    return pixels;
  }
  static constexpr auto operand_in_segment(std::uint32_t n) -> std::size_t {
    std::size_t operand = 0;
    while (producer(n, operand) == npos) ++operand;
    return operand;
  }
};

}  // namespace baton::detail
