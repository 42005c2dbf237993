// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The concept of a cost table: the estimated cost of a node with a kernel, on one core.
#pragma once

#include <baton/core/program.hpp>
#include <baton/kernel/kernel.hpp>

#include <concepts>
#include <cstdint>
#include <string_view>

namespace baton {

/// The estimated cost of a node with one kernel.
struct node_cost {
  std::string_view form;                   ///< the name of the kernel in reports, such as "cortex_m", which distinguishes the kernels that
                                           ///< support the node
  std::uint64_t instructions = 0;          ///< the instructions of one call of `compute`
  std::uint64_t instructions_per_row = 0;  ///< additional instructions per output row if the node is in a segment (consecutive nodes that
                                           ///< run row by row, see `stream_segment`)
  std::uint64_t code_bytes = 0;            ///< code and tables of the node, without constants that the kernel prepares
  /// The additional instructions of all rows of the node in a segment if each call of `compute_rows` computes a single row, although the
  /// kernel prefers several rows (`kernel_facts::single_row_scratch_bytes`).
  std::uint64_t single_row_instructions = 0;

  /// The additional instructions of a node that is cut into slices. A slice is the work of one call of `step` (see `in_slices`). A slice
  /// consists of some rows, or of some chunks (small parts of the output, see `kernel_facts::chunks`).
  struct cut {
    std::uint64_t per_call = 0;  ///< for each call of `compute_rows` or `compute_chunks`
    std::uint64_t in_total = 0;  ///< in total over all calls; each slice gets a share in proportion to its rows or chunks
    /// The instructions by which the longest slice can exceed its share, for example because it also converts inputs to 16 bits for later
    /// slices. `node_cost::instructions` already includes the instructions of this work.
    std::uint64_t at_first = 0;
  };
  cut by_rows{};
  cut by_chunks{};
  /// The largest known error of the estimate, in percent: measured instructions exceed `instructions` by at most this percentage. The
  /// lengths of slices are estimated with this margin.
  std::uint32_t margin_percent = 0;
  /// The instructions by which a small node can exceed `instructions` in addition to `margin_percent`. Lengths of slices include them.
  std::uint64_t margin_instructions = 0;
  /// False if the table is based on no measurement of the kernel for this operator. Then the kernel is assumed to cost no more than the
  /// kernels that follow it in the list.
  bool is_known = true;

  /// Returns `amount`, an estimated number of instructions of the node, increased by `margin_percent`.
  constexpr auto with_margin(std::uint64_t amount) const -> std::uint64_t { return amount + amount * margin_percent / 100; }
  /// Returns `amount`, increased by all margins. `amount` estimates the instructions of the whole node and is at least `instructions`.
  constexpr auto bound(std::uint64_t amount) const -> std::uint64_t { return with_margin(amount) + margin_instructions; }
};

namespace archetypes {

/// A minimal cost table, in which every node costs nothing.
struct kernel_costs {
  template <class Kernel>
  static constexpr auto node(const program_view&, const baton::node&) -> node_cost {
    return {};
  }
};

}  // namespace archetypes

/// A cost table of a core. The table has one member, `template <class Kernel> static constexpr auto node(const baton::program_view&, const
/// baton::node&) -> baton::node_cost`: the cost of a node that `Kernel` supports. The estimate must depend only on the node and on
/// `Kernel`. Only the ratios of estimates affect the plan that `within` selects, unless `limits::slice_instructions` limits the estimated
/// instructions of a slice.
///
/// Example: `cortex_m4_costs`.
template <class T>
concept kernel_costs = requires(const program_view& program, const node& record) {
  { T::template node<archetypes::kernel>(program, record) } -> std::same_as<node_cost>;
};
static_assert(kernel_costs<archetypes::kernel_costs>);

}  // namespace baton
