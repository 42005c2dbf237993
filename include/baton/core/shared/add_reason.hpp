// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Lists of reasons from several sources.
#pragma once

#include <baton/core/error.hpp>

#include <string_view>

namespace baton {

/// Appends a reason to a list of reasons. Prefixes the reason with `from`, the name of its source, unless `from` is empty.
constexpr void add_reason(text_buffer& reasons, std::string_view from, std::string_view reason) {
  if (!reasons.empty()) append(reasons, "; ");
  if (!from.empty()) append(append(reasons, from), ": ");
  append(reasons, reason);
}

}  // namespace baton
