// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The origin of a report: the model's file, and the settings of the memory plan.
#pragma once

#include <baton/core/config.hpp>

#include <string_view>

namespace baton::report {

/// The origin of a report. An empty member is unknown and is not shown.
struct provenance {
  std::string_view file{};    ///< the file of the model, and the title of the HTML page
  std::string_view policy{};  ///< name of the memory policy
  std::string_view target{};  ///< kernels and backends for which the memory was planned
};

}  // namespace baton::report
