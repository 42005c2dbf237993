// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The version, the minimum compiler versions and the feature switches. This is the only file that defines a public macro.
#pragma once

// A header that includes no other header of Baton includes this file first, so the errors below precede all other errors. Some compilers
// continue after an `#error`; they stop at the `#include` of a file that does not exist.
#if __cplusplus < 202002L || !defined(__cpp_concepts) || (defined(__GNUC__) && !defined(__clang__) && __GNUC__ < 12) || \
    (defined(__clang__) && !defined(__apple_build_version__) && __clang_major__ < 16)
#error "Baton needs C++20 and GCC 12 or Clang 16, or newer ones; compile with -std=c++20, or with a newer compiler"
#include <baton: the compiler is too old>
#endif
#if defined(BATON_CORE_CONFIG_HPP)
#error "Baton is included from two folders; keep include/ or single_include/ on the include path, not both"
#include <baton: two folders>
#endif
#define BATON_CORE_CONFIG_HPP

// The version, for `#if`: 10000 * major + 100 * minor + patch. Every other file that states the version is checked against these lines.
#define BATON_VERSION_MAJOR 0
#define BATON_VERSION_MINOR 1
#define BATON_VERSION_PATCH 0
#define BATON_VERSION (BATON_VERSION_MAJOR * 10000 + BATON_VERSION_MINOR * 100 + BATON_VERSION_PATCH)

// If `BATON_EXCEPTIONS` is 1, a run-time error is thrown as an exception. If `BATON_EXCEPTIONS` is 0, a run-time error calls
// `baton::error_handler`.
#if !defined(BATON_EXCEPTIONS)
#if defined(__cpp_exceptions)
#define BATON_EXCEPTIONS 1
#else
#define BATON_EXCEPTIONS 0
#endif
#endif

namespace baton {

inline constexpr int version_major = BATON_VERSION_MAJOR;
inline constexpr int version_minor = BATON_VERSION_MINOR;
inline constexpr int version_patch = BATON_VERSION_PATCH;

}  // namespace baton
