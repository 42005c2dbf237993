// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The target's functions of real numbers, without the compile time of `<cmath>`.
#pragma once

#include <baton/core/config.hpp>

/// Replacements for functions of `<cmath>`. Compiling that header takes one fifth of the time that all of Baton's headers take, because it
/// also declares special functions such as Bessel's.
namespace baton::portable::detail::machine {

// clang-format off
inline auto ceil(float x) -> float { return __builtin_ceilf(x); }
inline auto cos(float x) -> float { return __builtin_cosf(x); }
inline auto erf(float x) -> float { return __builtin_erff(x); }
inline auto exp(float x) -> float { return __builtin_expf(x); }
inline auto exp(double x) -> double { return __builtin_exp(x); }
inline auto expm1(float x) -> float { return __builtin_expm1f(x); }
inline auto fabs(float x) -> float { return __builtin_fabsf(x); }
inline auto floor(float x) -> float { return __builtin_floorf(x); }
inline auto floor(double x) -> double { return __builtin_floor(x); }
inline auto fmod(float x, float y) -> float { return __builtin_fmodf(x, y); }
inline auto hypot(float x, float y) -> float { return __builtin_hypotf(x, y); }
inline auto log(float x) -> float { return __builtin_logf(x); }
inline auto pow(float x, float y) -> float { return __builtin_powf(x, y); }
inline auto sin(float x) -> float { return __builtin_sinf(x); }
inline auto sqrt(float x) -> float { return __builtin_sqrtf(x); }
inline auto tanh(float x) -> float { return __builtin_tanhf(x); }
// clang-format on

}  // namespace baton::portable::detail::machine
