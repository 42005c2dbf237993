// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Detects whether a class has a member of a given name. Also detects member templates, although the address of a template cannot be taken.
#pragma once

#include <baton/core/config.hpp>

#include <type_traits>

namespace baton {

/// A class that derives from `T` and `Names`. `Names` has a member for each name to be detected in `T`. `&with_names<T, Names>::name` is
/// valid if `T` has no member of this name, and ambiguous otherwise.
template <class T, class Names>
struct with_names : T, Names {};
/// Specialization for types `T` that cannot be base classes. Members of `T` are not detected.
template <class T, class Names>
  requires(!std::is_class_v<T> || std::is_final_v<T>)
struct with_names<T, Names> : Names {};

}  // namespace baton
