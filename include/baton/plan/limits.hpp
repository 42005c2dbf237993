// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The limits of a firmware, and a plan within them.
#pragma once

#include <baton/core/vector.hpp>

#include <cstdint>
#include <string_view>

namespace baton {

/// The limits of the firmware of a program. By default, nothing is limited.
struct limits {
  static constexpr std::uint64_t none = UINT64_MAX;

  std::uint64_t arena_bytes = none;  ///< the size of the arena
  /// The constants in read-only memory, and the estimated code and tables of the kernels. The C library, the start-up code and the
  /// processed bytes of delegates are not included.
  std::uint64_t flash_bytes = none;
  std::uint64_t slice_instructions = none;  ///< the estimated instructions of the longest slice (`in_slices`); delegates count as 0
};

/// A plan within limits, compared with the plan without limits.
struct limited_plan {
  /// The estimated needs of a plan, by a cost table.
  struct needs {
    std::uint64_t arena_bytes = 0;         ///< not an estimate, but the size of the planned arena
    std::uint64_t flash_bytes = 0;         ///< as `limits::flash_bytes`; 0 if the limit is not set
    std::uint64_t slice_instructions = 0;  ///< of the longest slice
    std::uint64_t instructions = 0;        ///< of one inference
  };
  /// The kernel of a node, compared with the kernel that costs the fewest instructions.
  struct node_choice {
    std::string_view form;     ///< of the node's kernel (`node_cost::form`); empty for delegates, branches and loops
    std::string_view fastest;  ///< the form of the kernel that costs the fewest instructions
    std::uint64_t more_instructions = 0;
    std::int64_t less_scratch_bytes = 0;
  };

  limits within{};
  std::string_view policy;  ///< the name of the memory policy
  needs estimate{};
  needs without_limits{};     ///< of the plan with the fastest kernels and the first policy
  vector<node_choice> nodes;  ///< indexed by node
};

}  // namespace baton
