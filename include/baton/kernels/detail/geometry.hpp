// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What geometries, the structural template arguments of kernels, are made of.
#pragma once

#include <baton/core/config.hpp>

#include <cstdint>
#include <type_traits>

namespace baton::portable {

/// Truth in a geometry: 0 or 1 in four bytes, so that no geometry has padding.
/// Clang (seen with 16 and 19) reads a sub-object of a template argument from the wrong place at run time if there is padding before it.
using flag = std::int32_t;

/// What every geometry must be.
template <class T>
inline constexpr bool has_no_padding = std::has_unique_object_representations_v<T>;

}  // namespace baton::portable
