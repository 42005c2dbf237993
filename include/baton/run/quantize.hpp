// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Quantization of real numbers to the integers of a tensor, and back, with the tensor's scales and zero points.
#pragma once

#include <baton/core/affine.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/shortened.hpp>
#include <baton/core/shared/static_failure.hpp>
#include <baton/core/tensor.hpp>
#include <baton/run/shared/rules.hpp>
#include <baton/run/tensor_info.hpp>

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

namespace baton {

namespace detail {

template <class T>
inline constexpr bool is_tensor_info = std::is_same_v<T, tensor_info>;
template <class Program, value_id Id>
inline constexpr bool is_tensor_info<static_tensor_info<Program, Id>> = true;

/// The element type and the number of elements of a span, for the checks.
struct given_fact {
  std::string_view type;  ///< name of the dtype; empty if the elements are neither float nor an integer type of quantized tensors
  bool is_raw = false;    ///< true for raw bytes, which hold elements of any type
  std::size_t size = 0;
};

/// The dtype of a tensor whose elements are of type `T`.
template <quantized_integer T>
inline constexpr dtype dtype_of_integer = std::is_unsigned_v<T> ? dtype::uint8
                                          : sizeof(T) == 1      ? dtype::int8
                                          : sizeof(T) == 2      ? dtype::int16
                                                                : dtype::int32;

template <class T>
consteval auto name_of_element() -> std::string_view {
  if constexpr (std::is_same_v<T, float>) {
    return facts(dtype::float32).name;
  } else if constexpr (quantized_integer<T>) {
    return facts(dtype_of_integer<T>).name;
  } else {
    return {};
  }
}
template <class Span>
constexpr auto elements_of(std::size_t size) -> given_fact {
  using element = typename Span::value_type;
  constexpr auto name = name_of_element<element>();
  return {name, std::is_same_v<element, char> || std::is_same_v<element, std::byte>, size};
}

constexpr auto is_quantized_integer(dtype type) -> bool {
  return type == dtype::int8 || type == dtype::uint8 || type == dtype::int16 || type == dtype::int32;
}

/// Checks a call of `quantize` or `dequantize`. Fails with `unquantized_tensor` or `unfit_elements`.
constexpr auto check_elements(const tensor_info& info, const given_fact& reals, const given_fact& integers) -> failure {
  if (info.scales.empty()) return broken<"unquantized_tensor">("tensor ", view(shortened(info.name)), " of ", facts(info.type).name);
  const bool has_size = integers.size == (integers.is_raw ? info.bytes : info.elements);
  const bool has_type = is_quantized_integer(info.type) && (integers.is_raw || integers.type == facts(info.type).name);
  if (has_size && has_type && reals.size == info.elements) return {};
  return broken<"unfit_elements">("tensor ", view(shortened(info.name)), " has ", info.elements, " ", facts(info.type).name, " elements (",
                                  info.bytes, " bytes); given ", reals.size, " float and ", integers.size, " ",
                                  integers.is_raw ? "raw byte" : integers.type, " elements");
}

constexpr auto size_or(std::size_t extent, std::size_t expected) -> std::size_t {
  return extent == std::dynamic_extent ? expected : extent;
}

/// Checks the types and the static extents of a call. `require_sizes` checks the dynamic extents.
template <class Info, class Reals, class Integers>
consteval auto check_types() -> static_failure {
  const auto reals = elements_of<Reals>(0);
  const auto integers = elements_of<Integers>(0);
  if (reals.type != facts(dtype::float32).name || (integers.type.empty() && !integers.is_raw) || integers.type == reals.type) {
    return static_failure{
        broken<"unfit_elements">("the real numbers must be float, and the integers int8, uint8, int16, int32 or the bytes of these")};
  }
  if constexpr (std::is_same_v<Info, tensor_info>) {
    return {};
  } else {
    const auto wanted = integers.is_raw ? Info::bytes : Info::elements;
    return static_failure{check_elements(Info{}, elements_of<Reals>(size_or(Reals::extent, Info::elements)),
                                         elements_of<Integers>(size_or(Integers::extent, wanted)))};
  }
}

/// Fails at compile time if the types or static extents of a call do not fit. Returns true if they fit.
template <class Info, class Reals, class Integers>
consteval auto require_fit() -> bool {
  constexpr bool are_spans = requires(Reals& reals, Integers& integers) {
    std::span{reals};
    std::span{integers};
  };
  static_assert(are_spans, "baton quantize: an argument cannot be converted to a std::span; pass an array or a span, not a pointer");
  if constexpr (are_spans) {
    constexpr auto why = check_types<Info, decltype(std::span{std::declval<Reals&>()}), decltype(std::span{std::declval<Integers&>()})>();
    require_no_failure<why>();
    return !why.is_set;
  } else {
    return false;
  }
}

/// Checks the sizes, and the facts of the tensor, that are known only at run time. Raises a failure if they do not match.
template <class Info, class Reals, class Integers>
constexpr void require_sizes(const Info& info, Reals reals, Integers integers) {
  constexpr bool all_known =
      !std::is_same_v<Info, tensor_info> && Reals::extent != std::dynamic_extent && Integers::extent != std::dynamic_extent;
  if constexpr (!all_known) {
    if (auto why = check_elements(info, elements_of<Reals>(reals.size()), elements_of<Integers>(integers.size()))) raise(why);
  }
}

/// Calls `f(element, channel)` for each element, with the indices of the element and its channel.
template <class Info, class F>
constexpr void for_each_element(const Info& info, F f) {
  const std::size_t channels = info.scales.size();
  std::size_t inner = info.elements;
  if (channels != 1) {
    inner = 1;
    for (std::size_t d = info.axis + 1; d < info.shape.size(); ++d) inner *= static_cast<std::size_t>(info.shape[d]);
  }
  for (std::size_t first = 0, channel = 0; first < info.elements; first += inner, channel = channel + 1 == channels ? 0 : channel + 1) {
    for (std::size_t i = first; i < first + inner; ++i) f(i, channel);
  }
}

/// Calls `f(std::type_identity<T>)` with the integer type of a tensor: `Element`, or the type for `info.type` if `Element` is a raw byte.
template <class Element, class Info, class F>
constexpr void with_integer_type(const Info& info, F f) {
  if constexpr (quantized_integer<Element>) {
    f(std::type_identity<Element>{});
  } else {
    if (info.type == dtype::int8) f(std::type_identity<std::int8_t>{});
    if (info.type == dtype::uint8) f(std::type_identity<std::uint8_t>{});
    if (info.type == dtype::int16) f(std::type_identity<std::int16_t>{});
    if (info.type == dtype::int32) f(std::type_identity<std::int32_t>{});
  }
}

/// Returns element `i` of an array of `T`, or of an array of raw bytes that hold values of type `T`.
template <class T, class Element>
constexpr auto load(const Element* from, std::size_t i) -> T {
  if constexpr (std::is_same_v<T, Element>) {
    return from[i];
  } else {
    std::array<Element, sizeof(T)> bytes{};
    for (std::size_t b = 0; b < sizeof(T); ++b) bytes[b] = from[i * sizeof(T) + b];
    return std::bit_cast<T>(bytes);
  }
}
template <class T, class Element>
constexpr void store(T integer, Element* to, std::size_t i) {
  if constexpr (std::is_same_v<T, Element>) {
    to[i] = integer;
  } else {
    const auto bytes = std::bit_cast<std::array<Element, sizeof(T)>>(integer);
    for (std::size_t b = 0; b < sizeof(T); ++b) to[i * sizeof(T) + b] = bytes[b];
  }
}

/// The facts of a tensor: a `static_tensor_info` or a `tensor_info`.
template <class T>
concept tensor_facts = detail::is_tensor_info<T>;

}  // namespace detail

/// Quantizes real numbers to the integers of a tensor: `baton::quantize(net.input_info<0>(), reals, net.input<0>())`. Each number is
/// rounded as by the overload for a single number (`core/affine.hpp`). `reals` are floats. `integers` have the tensor's type (int8, uint8,
/// int16 or int32), or are the bytes (`char`, `std::byte`) that hold such integers. `reals` and `integers` are in the tensor's element
/// order. Fails with `unquantized_tensor` or `unfit_elements`. Errors in the types or static extents of the arguments are reported at
/// compile time; other errors are raised at run time.
template <detail::tensor_facts Info, class Reals, class Integers>
constexpr void quantize(const Info& info, const Reals& reals, Integers&& integers) {
  if constexpr (detail::require_fit<Info, const Reals, Integers>()) {
    const std::span from{reals};
    const std::span to{integers};
    detail::require_sizes(info, from, to);
    detail::with_integer_type<typename decltype(to)::element_type>(info, [&]<class T>(std::type_identity<T>) {
      detail::for_each_element(info, [&](std::size_t i, std::size_t channel) {
        detail::store(quantize<T>(from[i], info.scales[channel], info.zero_points[channel]), to.data(), i);
      });
    });
  }
}

/// Computes the real numbers that the integers of a tensor represent: `baton::dequantize(net.output_info<0>(), net.output<0>(), reals)`.
/// Has the arguments and errors of `quantize`, with source and destination exchanged.
template <detail::tensor_facts Info, class Integers, class Reals>
constexpr void dequantize(const Info& info, const Integers& integers, Reals&& reals) {
  if constexpr (detail::require_fit<Info, Reals, const Integers>()) {
    const std::span from{integers};
    const std::span to{reals};
    detail::require_sizes(info, to, from);
    detail::with_integer_type<typename decltype(from)::value_type>(info, [&]<class T>(std::type_identity<T>) {
      detail::for_each_element(info, [&](std::size_t i, std::size_t channel) {
        to[i] = dequantize(detail::load<T>(from.data(), i), info.scales[channel], info.zero_points[channel]);
      });
    });
  }
}

}  // namespace baton
