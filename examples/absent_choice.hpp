// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What a file in choices/ makes its choice where what that needs is not there.
#pragma once

#include <baton/baton.hpp>

#include <string_view>

namespace choices {

/// A choice that cannot be had here, since what it needs is not there; the tools say what.
template <baton::fixed_string Name, baton::fixed_string Needs>
struct absent {
  static constexpr std::string_view name = baton::to_text(baton::name<Name>);
  static constexpr std::string_view needs = baton::to_text(baton::name<Needs>);
};

/// Whether a choice is one of those.
template <class Choice>
inline constexpr bool is_absent = requires { Choice::needs; };

}  // namespace choices
