// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Backends that preprocess all methods in one call.
#pragma once

#include <baton/backend/backend.hpp>
#include <baton/core/compile_specs.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>

#include <concepts>

namespace baton {

/// A backend that preprocesses the parts (the nodes of a graph that become one delegate) of all methods in one call of
/// `preprocess_multimethod`.
template <class T>
concept batch_backend = backend<T> && requires(const by_method<exported_program>& parts, const by_method<compile_specs>& specs) {
  { T::preprocess_multimethod(parts, specs) } -> std::convertible_to<result<by_method<preprocess_result>>>;
};
static_assert(!batch_backend<archetypes::backend>);

}  // namespace baton
