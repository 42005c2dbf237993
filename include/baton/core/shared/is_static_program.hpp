// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Whether a type is a static program.
#pragma once

#include <baton/core/static_program.hpp>

namespace baton {

/// Whether a type is a static program.
template <class T>
inline constexpr bool is_static_program = false;
template <class Stage>
inline constexpr bool is_static_program<static_program<Stage>> = true;

}  // namespace baton
