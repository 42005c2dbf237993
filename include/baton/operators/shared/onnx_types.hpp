// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The element types of ONNX.
#pragma once

#include <baton/core/tensor.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::onnx {

/// An element type; `is_known` is false if the library has no such dtype.
struct element_type {
  dtype type = dtype::float32;
  bool is_known = false;
};

namespace definitions {
/// The dtypes, indexed by TensorProto.DataType (source: onnx.proto of ONNX 1.23). Undefined codes and types that the library does not have
/// are empty entries. The library does not have float4, float8e8m0 (powers of two), uint2, and the FNUZ variants of float8 (without
/// infinities and negative zero).
inline constexpr std::array<element_type, 27> element_types{{
    {},
    {dtype::float32, true},
    {dtype::uint8, true},
    {dtype::int8, true},
    {dtype::uint16, true},
    {dtype::int16, true},
    {dtype::int32, true},
    {dtype::int64, true},
    {dtype::text, true},
    {dtype::boolean, true},
    {dtype::float16, true},
    {dtype::float64, true},
    {dtype::uint32, true},
    {dtype::uint64, true},
    {dtype::complex64, true},
    {dtype::complex128, true},
    {dtype::bfloat16, true},
    {dtype::float8_e4m3, true},
    {},
    {dtype::float8_e5m2, true},
    {},
    {dtype::uint4, true},
    {dtype::int4, true},
    {},
    {},
    {},
    {dtype::int2, true},
}};
}  // namespace definitions

/// Returns the dtype of a TensorProto.DataType code. The dtype is unknown if the library does not have it, or if the standard does not
/// define the code.
constexpr auto element_type_of(std::int64_t code) -> element_type {
  if (code < 0 || code >= static_cast<std::int64_t>(definitions::element_types.size())) return {};
  return definitions::element_types[static_cast<std::size_t>(code)];
}

/// Returns the dtype with this name (`dtype_facts::name`). The result is unknown if no dtype has this name.
constexpr auto dtype_named(std::string_view name) -> element_type {
  for (std::size_t i = 0; i <= static_cast<std::size_t>(dtype::variant); ++i) {
    if (facts(static_cast<dtype>(i)).name == name) return {static_cast<dtype>(i), true};
  }
  return {};
}

}  // namespace baton::onnx
