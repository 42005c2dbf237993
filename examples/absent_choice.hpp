// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The placeholder for a choice whose headers are not installed.
#pragma once

#include <baton/baton.hpp>

#include <string_view>

namespace choices {

/// A choice that is not available. The tools print `needs`, the headers that are missing.
template <baton::fixed_string Name, baton::fixed_string Needs>
struct absent {
  static constexpr std::string_view name = baton::to_text(baton::name<Name>);
  static constexpr std::string_view needs = baton::to_text(baton::name<Needs>);
};

/// True if `Choice` is not available.
template <class Choice>
inline constexpr bool is_absent = requires { Choice::needs; };

}  // namespace choices
