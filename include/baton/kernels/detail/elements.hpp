// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Helpers of kernels that support many functions and types: element types, and the selection of the code for a kind of node.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace baton::portable::detail {

/// The C++ type of the elements of a dtype. A boolean is read as a byte, because a byte of damaged data may have any value.
template <dtype Type>
struct element_of;
template <>
struct element_of<dtype::float32> {
  using type = float;
};
template <>
struct element_of<dtype::int8> {
  using type = std::int8_t;
};
template <>
struct element_of<dtype::int16> {
  using type = std::int16_t;
};
template <>
struct element_of<dtype::int32> {
  using type = std::int32_t;
};
template <>
struct element_of<dtype::int64> {
  using type = std::int64_t;
};
template <>
struct element_of<dtype::uint8> {
  using type = std::uint8_t;
};
template <>
struct element_of<dtype::uint16> {
  using type = std::uint16_t;
};
template <>
struct element_of<dtype::uint32> {
  using type = std::uint32_t;
};
template <>
struct element_of<dtype::boolean> {
  using type = std::uint8_t;
};

/// Calls `f(std::type_identity<T>{})` with the C++ type of `type`, which must be one of `Types`. If `type` is a constant after
/// inlining, the optimizer removes all other calls.
template <dtype... Types, class F>
[[gnu::always_inline]] inline void with_element(dtype type, const F& f) {
  static_cast<void>(((type == Types && (f(std::type_identity<typename element_of<Types>::type>{}), true)) || ...));
}

/// Returns the position of a node's operator in `operators`, which must contain it.
template <std::size_t N>
constexpr auto position_of(const node& record, const literal_name (&operators)[N]) -> std::int32_t {
  std::int32_t at = 0;
  for (; at + 1 < static_cast<std::int32_t>(N); ++at) {
    if (operators[at].hash == record.op) break;
  }
  return at;
}

/// Calls `f(std::integral_constant<Kind, kind>{})` for a `kind` that is only known at run time. `Kind` has a member `function` of type
/// `Function`, and a member `type`, the number of a dtype. `Functions` is the number of enumerators of `Function`. Instantiates `f` for
/// each pair of an enumerator and a dtype of `element_of` for which `supports(function, type)` is true. Does nothing for other kinds.
template <class Function, std::size_t Functions, class Kind, class F>
void with_kind(const Kind& kind, F f) {
  const auto with_type = [&]<Function Of, dtype Type>() {
    if constexpr (supports(Of, Type)) {
      constexpr Kind known{Of, static_cast<std::int32_t>(Type)};
      if (kind.function == Of && kind.type == known.type) f(std::integral_constant<Kind, known>{});
    }
  };
  const auto with_function = [&]<Function Of>() {
    const auto with_types = [&]<dtype... Types>() { (with_type.template operator()<Of, Types>(), ...); };
    with_types.template operator()<dtype::float32, dtype::int8, dtype::int16, dtype::int32, dtype::int64, dtype::uint8, dtype::uint16,
                                   dtype::uint32, dtype::boolean>();
  };
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (with_function.template operator()<static_cast<Function>(I)>(), ...);
  }(std::make_index_sequence<Functions>{});
}

}  // namespace baton::portable::detail
