// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Building blocks of geometries, the structural template arguments of kernels.
#pragma once

#include <baton/core/config.hpp>

#include <cstdint>
#include <type_traits>

namespace baton::portable {

/// A boolean member of a geometry: 0 or 1 in four bytes, so that no geometry has padding. If a template argument has padding before a
/// subobject, Clang (observed with 16 and 19) reads that subobject from the wrong address at run time.
using flag = std::int32_t;

/// True if `T` has no padding. Every geometry must satisfy `has_no_padding`.
template <class T>
inline constexpr bool has_no_padding = std::has_unique_object_representations_v<T>;

}  // namespace baton::portable
