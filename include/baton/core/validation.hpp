// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The switch for the checks around each step of lowering.
#pragma once

#include <type_traits>

namespace baton {

/// Whether a program is checked around each step of lowering: what it was given, what a partitioner made of it, and what came out.
enum class validation : bool { off, on };

/// Turns the checks off for programs of either time: `baton::to_backend(target, model, partitioner{}, baton::without_validation)`.
inline constexpr std::integral_constant<validation, validation::off> without_validation{};

}  // namespace baton
