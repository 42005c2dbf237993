// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Element types and shapes of tensors.
#pragma once

#include <baton/core/span.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton {

/// The element type of a tensor.
enum class dtype : std::uint8_t {
  float32,
  float16,
  bfloat16,
  float64,
  int2,
  int4,
  int8,
  int16,
  int32,
  int64,
  uint4,
  uint8,
  uint16,
  uint32,
  uint64,
  boolean,
  complex64,
  complex128,
  float8_e4m3,
  float8_e5m2,
  text,
  resource,
  variant
};

/// The name of a dtype and the size of an element in bits. The size is 0 if the elements have no fixed size.
struct dtype_facts {
  std::string_view name;
  std::uint8_t bits;
};

namespace detail {
/// The name and element size of each dtype, in the order of the enumeration.
inline constexpr std::array<dtype_facts, 23> dtype_table{
    {{"float32", 32},    {"float16", 16},    {"bfloat16", 16}, {"float64", 64}, {"int2", 2},       {"int4", 4},
     {"int8", 8},        {"int16", 16},      {"int32", 32},    {"int64", 64},   {"uint4", 4},      {"uint8", 8},
     {"uint16", 16},     {"uint32", 32},     {"uint64", 64},   {"boolean", 8},  {"complex64", 64}, {"complex128", 128},
     {"float8_e4m3", 8}, {"float8_e5m2", 8}, {"text", 0},      {"resource", 0}, {"variant", 0}}};
}  // namespace detail

/// Returns the name and element size of a dtype.
constexpr auto facts(dtype type) -> const dtype_facts& { return detail::dtype_table[static_cast<std::size_t>(type)]; }

/// A dtype and a shape, for example as an argument of a builder: `tensor(dtype::float32, 4, 3, 64, 64)`.
struct tensor_type {
  static constexpr std::size_t max_rank = 8;
  dtype type = dtype::float32;
  std::size_t rank = 0;
  std::array<std::int64_t, max_rank> sizes{};

  constexpr auto shape() const -> span<const std::int64_t> { return {sizes.data(), rank}; }
};

/// Returns a tensor type with the shape `sizes`, or the type of a scalar if `sizes` is empty.
template <class... Sizes>
  requires(sizeof...(Sizes) <= tensor_type::max_rank)
constexpr auto tensor(dtype type, Sizes... sizes) -> tensor_type {
  return {type, sizeof...(Sizes), {static_cast<std::int64_t>(sizes)...}};
}

/// Returns the number of elements of a shape. Returns -1 if a size is unknown (negative), or if the product of some leading sizes exceeds
/// `INT64_MAX`, even if a later size is 0.
constexpr auto element_count(span<const std::int64_t> shape) -> std::int64_t {
  constexpr std::int64_t max_count = INT64_MAX;
  std::int64_t count = 1;
  const auto* const end = shape.data() + shape.size();
  for (const auto* size = shape.data(); size != end; count *= *size++)
    if (*size < 0 || (*size > 0 && count > max_count / *size)) return -1;
  return count;
}

/// Returns the size of a dense tensor in bytes, rounded up to whole bytes. Returns -1 if `element_count` is -1, the dtype has no fixed
/// size, or the size in bits is too large for a 64-bit signed integer.
constexpr auto byte_count(dtype type, span<const std::int64_t> shape) -> std::int64_t {
  const auto count = element_count(shape);
  const std::int64_t bits = facts(type).bits;
  return count < 0 || bits == 0 || count > (INT64_MAX - 7) / bits ? -1 : (count * bits + 7) / 8;
}

}  // namespace baton
