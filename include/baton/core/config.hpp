// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The version, the compiler floor and the feature switches: the only file with a public macro.
#pragma once

#if __cplusplus < 202002L || !defined(__cpp_concepts)
#error "Baton needs C++20: GCC 12 or newer, Clang 16 or newer, with -std=c++20"
#endif

// Errors are thrown where the compiler has exceptions, and go to `baton::error_handler` where it has none.
#if !defined(BATON_EXCEPTIONS)
#if defined(__cpp_exceptions)
#define BATON_EXCEPTIONS 1
#else
#define BATON_EXCEPTIONS 0
#endif
#endif

namespace baton {

inline constexpr int version_major = 0;
inline constexpr int version_minor = 1;
inline constexpr int version_patch = 0;

}  // namespace baton
