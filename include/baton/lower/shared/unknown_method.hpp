// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The failure for a method name that does not exist.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/rule.hpp>
#include <baton/core/span.hpp>
#include <baton/lower/shared/rules.hpp>

#include <string_view>

namespace baton {

/// Returns the failure for the method name `name`, which does not exist. The reason lists the existing names `known`.
constexpr auto unknown_method(std::string_view name, span<const std::string_view> known) -> failure {
  auto why = broken<"unknown_method">(known.empty() ? "there are no methods" : "the methods are:");
  for (const auto each : known) append(append(why.reason, " "), each);
  why.method = join(name);
  return why;
}

}  // namespace baton
