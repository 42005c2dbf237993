// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The reasons of several, side by side.
#pragma once

#include <baton/core/error.hpp>

#include <string_view>

namespace baton {

/// Adds a reason to those of others, behind the name of the one whose it is, if it has one.
constexpr void add_reason(text_buffer& reasons, std::string_view from, std::string_view reason) {
  if (!reasons.empty()) append(reasons, "; ");
  if (!from.empty()) append(append(reasons, from), ": ");
  append(reasons, reason);
}

}  // namespace baton
