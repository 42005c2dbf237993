// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Whether a test is compiled with AddressSanitizer, which doubles the time to compile and to run it.
#pragma once

namespace sanitized {

#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool is_on = true;
#elif defined(__clang__)
inline constexpr bool is_on = __has_feature(address_sanitizer) != 0;
#else
inline constexpr bool is_on = false;
#endif

/// Returns the number of random programs to compile: `all`, or a quarter of them with AddressSanitizer.
constexpr auto sample(unsigned all) -> unsigned { return is_on ? all / 4 : all; }

}  // namespace sanitized
