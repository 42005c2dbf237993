// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Whether a class has a member of a name, whatever it is: also a template, whose address nobody can ask for.
#pragma once

#include <baton/core/config.hpp>

#include <type_traits>

namespace baton {

/// A class together with one that has each name which is looked for. `&with_names<T, Names>::name` is one member where `T` has no such
/// name, and ambiguous where it has.
template <class T, class Names>
struct with_names : T, Names {};
/// Of what cannot be derived from, no name is seen.
template <class T, class Names>
  requires(!std::is_class_v<T> || std::is_final_v<T>)
struct with_names<T, Names> : Names {};

}  // namespace baton
