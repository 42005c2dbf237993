// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Support of compiler builtins in constant expressions.
#pragma once

#include <baton/core/config.hpp>

namespace baton {

/// Whether `__builtin_memcpy` and `__builtin_memcmp` work in constant expressions.
#if defined(__clang__)
inline constexpr bool builtins_take_constant_bytes = true;
#else
inline constexpr bool builtins_take_constant_bytes = false;
#endif

}  // namespace baton
