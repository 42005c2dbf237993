// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The name of a type, for messages.
#pragma once

#include <baton/core/config.hpp>

#include <string_view>

namespace baton {

namespace detail {
template <class T>
consteval auto signature_with() -> std::string_view {
  return __PRETTY_FUNCTION__;
}
}  // namespace detail

/// Returns the name of a type as the current compiler spells it. Use the name only in messages. Do not compare names, because compilers
/// spell templates differently.
template <class T>
consteval auto type_name() -> std::string_view {
  constexpr std::string_view known = "double";
  constexpr auto first = detail::signature_with<double>().find(known);
  constexpr auto after = detail::signature_with<double>().size() - first - known.size();
  const auto whole = detail::signature_with<T>();
  return whole.substr(first, whole.size() - first - after);
}

}  // namespace baton
