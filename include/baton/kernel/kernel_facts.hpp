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

/// The facts about a node that the planner needs from its kernel. The default values describe a kernel without scratch and without optional
/// functions, whose outputs overlap no operand.
struct kernel_facts {
  /// How far the outputs may overlap an operand, and the rows and columns of the operand on which a pixel of the output depends.
  struct operand_facts {
    /// How far each output may overlap the operand, if nothing reads the operand later. `compute` must write each output in the order
    /// `node_memory::order`. Law: at this distance and in this order, `compute` reads no byte that it has overwritten. This law also holds
    /// for calls of `compute_rows` in this order, with `rows_per_step` rows each.
    min_distance distance{};
    /// The window: the rows and columns of the operand from which a pixel of the output is computed. The operand must be [1, H, W, C], the
    /// output [1, H', W', C']. `row_window::none()` means that the node is not computed row by row. Law: `compute_rows` reads only the rows
    /// in the window.
    row_window window = row_window::none();

    constexpr auto operator==(const operand_facts&) const -> bool = default;
  };

  /// States which values of a node may be views of another value of the node, so that nothing is copied. The views are the parts, and the
  /// other value is the whole. The whole contains the parts without gaps, in the order of the operands or outputs. Parts without elements
  /// are skipped. By default, there are no views.
  struct subview_layout {
    static constexpr std::int64_t none = -1;

    std::int64_t offset = none;        ///< the offset of the first part in the whole, in bytes
    std::size_t whole_operand = npos;  ///< the operand that is the whole; the outputs are its parts. `npos`: the only output is the whole,
                                       ///< and the operands are its parts

    constexpr auto operator==(const subview_layout&) const -> bool = default;
  };

  /// The size of the constant that a kernel computes from a node. The constant consists of blocks of equal size. A block is, for example,
  /// the weights of two output channels. One call of `prepare` computes one or more whole blocks.
  struct prepared_blocks {
    std::size_t blocks = 0;
    std::size_t elements = 0;  ///< the number of elements of one block
    /// The number of blocks that one constant expression computes within the default limits of the compilers. 0 means
    /// `32768 / elements` blocks, rounded down, but at least one block. For 32,768 elements, the default limit of Clang allows 32 steps per
    /// element, and the default limit of GCC 1,024 operations per element. GCC also limits a loop to 262,144 iterations.
    std::size_t blocks_per_constant = 0;

    constexpr auto size() const -> std::size_t { return blocks * elements; }
    constexpr auto operator==(const prepared_blocks&) const -> bool = default;
  };

  /// The size of the working memory `node_memory::scratch`, in bytes. The memory has the alignment of values in the arena. The contents of
  /// the memory are undefined when the node starts.
  std::uint32_t scratch_bytes = 0;
  /// The number of bytes by which the scratch of `compute_rows` is smaller than `scratch_bytes`.
  std::uint32_t scratch_bytes_saved_by_rows = 0;
  /// The over-read bytes: the maximum number of bytes that the kernel reads past the end of an operand. The output must not depend on these
  /// bytes. The planner enlarges the arena, so that the kernel can read these bytes.
  std::uint32_t overread_bytes = 0;
  /// True if the output may have the address of the first operand. If the two addresses differ, `compute` must copy the operand.
  bool output_aliases_input = false;
  /// The values that may be views of another value. If a part is not stored at its location in the whole, `compute` must copy the part.
  subview_layout subviews{};
  /// The constant that `prepare` computes.
  prepared_blocks prepared{};
  /// The number of rows that `compute_rows` prefers to compute in one call (one step of rows). The last call may get fewer rows.
  std::int32_t rows_per_step = 1;
  /// The size of the working memory of `compute_rows`, in bytes, if each call computes a single row, although `rows_per_step` is larger.
  /// The planner may request such calls, so that fewer rows are stored (`node_call::computes_single_rows`). `npos` if such calls are too
  /// slow.
  std::uint32_t single_row_scratch_bytes = npos;
  /// The number of chunks into which `compute_chunks` divides the node; 1 if the kernel has no such function. A chunk is a small part of
  /// the output, such as some output channels. All chunks should cost about the same. Law: if all chunks are computed in ascending order,
  /// they read and write the same bytes in the same order as `compute` with `write_order::ascending`. Exception: a node that can be
  /// computed by rows and whose operand overlaps the output. Such a node is never computed by chunks.
  std::int32_t chunks = 1;
  /// The percentage by which the most expensive chunk exceeds an equal share of the node's cost, rounded up. For example, above 0 if the
  /// last chunk is smaller than the others.
  std::uint32_t uneven_chunks_percent = 0;
  /// The size of `sums`, the working memory of `start_sums`, `add_row` and `finish_sums`, in bytes. 0 if the node is not computed by
  /// summing rows.
  std::uint32_t sum_bytes = 0;
  /// The facts about operands 0, 1 and 2. The last element applies to all other operands.
  std::array<operand_facts, 4> operands{};

  /// Returns the size of the working memory of `compute_rows`, in bytes.
  constexpr auto row_scratch_bytes() const -> std::uint32_t { return scratch_bytes - std::min(scratch_bytes, scratch_bytes_saved_by_rows); }
  constexpr auto operand(std::size_t i) const -> const operand_facts& { return operands[std::min<std::size_t>(i, 3)]; }
  constexpr auto operator==(const kernel_facts&) const -> bool = default;
};

}  // namespace baton
