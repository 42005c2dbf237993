// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The facts about a node that the planner needs from its kernel.
#pragma once

#include <baton/core/program.hpp>
#include <baton/kernel/min_distance.hpp>
#include <baton/kernel/row_window.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace baton {

/// The facts about a node that the planner needs from its kernel. Each default means that the kernel has no such need or ability.
struct kernel_facts {
  /// Where an operand may be stored, and which part of it the output depends on.
  struct operand_facts {
    /// How near to the output it may be stored if nothing reads it later. Only of nodes with one output. `compute` must then write in the
    /// order of `node_memory::order`. Law: at this distance, in this order, it reads nothing that it has overwritten.
    min_distance distance{};
    /// The rows and columns from which a pixel of the output is computed. The operand must be [1, H, W, C], the output [1, H', W', C'].
    /// `row_window::none()`: the node is not computed row by row. Law: `compute_rows` reads no other rows.
    row_window window = row_window::none();

    constexpr auto operator==(const operand_facts&) const -> bool = default;
  };

  /// The values of a node that may be stored inside another one, so that nothing is copied: the parts follow each other in memory without
  /// gaps, in their order. Parts without elements have no place. By default there are none.
  struct subview_layout {
    static constexpr std::int64_t none = -1;

    std::int64_t offset = none;        ///< of the first part in the whole, in bytes
    std::size_t whole_operand = npos;  ///< the operand whose parts the outputs are; `npos`: the operands are parts of the only output

    constexpr auto operator==(const subview_layout&) const -> bool = default;
  };

  /// The size of the constant that a kernel computes from a node: blocks of equal size, each computed in one go (the weights of two output
  /// channels, for example).
  struct prepared_blocks {
    std::size_t blocks = 0;
    std::size_t elements = 0;  ///< of one block
    /// The number of blocks that one constant expression computes within the default limits of the compilers. 0: blocks of 32,768 elements
    /// together, which leaves 32 of Clang's steps and 1,024 of GCC's operations for each. GCC allows a loop 262,144 iterations.
    std::size_t at_once = 0;

    constexpr auto size() const -> std::size_t { return blocks * elements; }
    constexpr auto operator==(const prepared_blocks&) const -> bool = default;
  };

  /// Working memory in bytes, `node_memory::scratch`, aligned as values are. Its contents are undefined when the node starts.
  std::uint32_t scratch_bytes = 0;
  /// The number of bytes that it reads past the end of an operand. It must not depend on them. The arena is larger by as many bytes.
  std::uint32_t overread_bytes = 0;
  /// The output may share the memory of the first operand. `compute` must copy only if the two addresses differ.
  bool output_aliases_input = false;
  /// The values that may be parts of another value. `compute` must copy a part only if its address is not its place in the whole.
  subview_layout subviews{};
  /// The constant that `prepare` computes.
  prepared_blocks prepared{};
  /// The number of rows that `compute_rows` prefers to compute in one call. The last call may get fewer.
  std::int32_t rows_per_step = 1;
  /// The working memory of `start_sums`, `add_row` and `finish_sums`, in bytes; 0 if the node is not computed by summing rows.
  std::uint32_t sum_bytes = 0;
  /// The facts about operands 0, 1 and 2, and about all others.
  std::array<operand_facts, 4> operands{};

  constexpr auto operand(std::size_t i) const -> const operand_facts& { return operands[std::min<std::size_t>(i, 3)]; }
  constexpr auto operator==(const kernel_facts&) const -> bool = default;
};

}  // namespace baton
