// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The limits of a firmware, and a plan within them.
#pragma once

#include <baton/core/vector.hpp>

#include <cstdint>
#include <string_view>

namespace baton {

/// The limits of the firmware that runs a program. By default, nothing is limited.
struct limits {
  static constexpr std::uint64_t none = UINT64_MAX;

  std::uint64_t arena_bytes = none;  ///< the size of the arena
  /// The constants in read-only memory, and the estimated code and tables of the kernels. The C library, the start-up code and the
  /// processed bytes of delegates are not included.
  std::uint64_t flash_bytes = none;
  /// The estimated instructions of the longest slice (the work of one call of `step`, see `in_slices`). If possible, nodes are cut into
  /// slices of rows, or of chunks (small parts of a node's output, see `kernel_facts::chunks`). Delegates count as 0.
  std::uint64_t slice_instructions = none;
};

/// The estimated costs of a plan within limits, compared with the plan without limits.
struct limited_plan {
  /// The estimated needs of a plan according to a cost table.
  struct needs {
    std::uint64_t arena_bytes = 0;         ///< exact: the size of the planned arena
    std::uint64_t flash_bytes = 0;         ///< the bytes that `limits::flash_bytes` limits; 0 if this limit is not set
    std::uint64_t slice_instructions = 0;  ///< the instructions of the longest slice
    std::uint64_t instructions = 0;        ///< the instructions of one inference
  };
  /// The kernel of a node, compared with the kernel that costs the fewest instructions, and the slices of the node.
  struct node_choice {
    std::string_view form;                ///< the form of the node: the name of its kernel in `node_cost::form`; empty if the node
                                          ///< has no forms, such as a delegate call or a loop (see `node_forms`)
    std::string_view fastest;             ///< the form of the kernel that costs the fewest instructions
    std::uint64_t more_instructions = 0;  ///< the additional instructions of `form`, compared with `fastest`
    std::int64_t less_scratch_bytes = 0;  ///< the scratch that `form` saves, compared with `fastest`
    /// The numbers of slices of the node (service `in_slices`): `slices` in the plan, and `max_slices` if each slice is as short as
    /// possible. Both are 1 if the node cannot be cut, or if the shortest slice costs at least as much as the node. Both are 0 if the node
    /// does not run, or is in a called graph, such as the body of a loop. Both are also 0 if the node is in a segment (consecutive nodes
    /// that run row by row, see `stream_segment`).
    std::uint32_t slices = 0;
    std::uint32_t max_slices = 0;
  };

  limits within{};          ///< the given limits
  std::string_view policy;  ///< the name of the memory policy
  needs estimate{};
  needs without_limits{};     ///< the needs of the plan with the fastest kernels and the first policy of the search
  vector<node_choice> nodes;  ///< indexed by node
};

}  // namespace baton
