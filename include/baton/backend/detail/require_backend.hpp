// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Reports at compile time why a type is not a backend.
#pragma once

#include <baton/backend/backend.hpp>
#include <baton/backend/shared/batch_backend.hpp>
#include <baton/core/compile_specs.hpp>
#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>

#include <concepts>
#include <string_view>

namespace baton::detail {

/// Stops the compiler with a message if a type is not a backend. Returns true if the type is a backend.
template <class T>
consteval auto require_backend() -> bool {
  constexpr bool has_id = requires {
    { to_text(T::id) } -> std::convertible_to<std::string_view>;
  };
  constexpr bool has_preprocess = requires(const exported_program& part, const compile_specs& specs) {
    { T::preprocess(part, specs) } -> std::convertible_to<result<preprocess_result>>;
  };
  static_assert(has_id, "baton not_a_backend: the backend type has no id; write: static constexpr auto id = baton::name<\"MyNpu\">;");
  static_assert(
      has_preprocess || !has_id,
      "baton not_a_backend: the backend type has no preprocess; write: static constexpr auto preprocess(const baton::exported_program& "
      "part, const "
      "baton::compile_specs& specs) -> baton::preprocess_result");
  if constexpr (requires { &T::preprocess_multimethod; }) {
    constexpr bool is_batch_backend = batch_backend<T>;
    static_assert(is_batch_backend,
                  "baton not_a_backend: the signature of preprocess_multimethod is wrong; write: static constexpr auto "
                  "preprocess_multimethod(const baton::by_method<baton::exported_program>& parts, const "
                  "baton::by_method<baton::compile_specs>& specs) -> baton::by_method<baton::preprocess_result>");
    return is_batch_backend;
  } else {
    return backend<T>;
  }
}

}  // namespace baton::detail
