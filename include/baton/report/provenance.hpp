// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The facts about a report that its program does not hold: the model's file, and what memory was planned with.
#pragma once

#include <string_view>

namespace baton::report {

/// Where a report comes from. An empty member is unknown and is not shown.
struct provenance {
  std::string_view file{};    ///< the model's file, as the title of a page
  std::string_view policy{};  ///< the policy that planned the memory
  std::string_view target{};  ///< the kernels and the backends that the memory was planned for
};

}  // namespace baton::report
