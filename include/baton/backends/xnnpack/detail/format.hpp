// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The format of the processed bytes: values and operators, as words. `processed_writer` writes processed bytes, and `processed_reader`
// reads them at run time. Processed bytes contain the keys of constants, not the constants.
#pragma once

#include <baton/backend/words.hpp>
#include <baton/core/span.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace baton::xnnpack::detail {

/// The operators. Processed bytes contain the enumerators' values, so new operators are added at the end, before `count`.
enum class opcode : std::uint32_t {
  convolution,
  depthwise_convolution,
  transposed_convolution,
  fully_connected,
  average_pooling,
  max_pooling,
  global_average_pooling,
  add,
  subtract,
  multiply,
  divide,
  maximum,
  minimum,
  squared_difference,
  clamp,
  sigmoid,
  softmax,
  hard_swish,
  leaky_relu,
  elu,
  absolute,
  negate,
  floor,
  ceiling,
  round,
  square,
  square_root,
  prelu,
  pad,
  reshape,
  resize_bilinear,
  convert,
  depth_to_space,
  concatenate,
  tanh,
  count
};

/// The role of a value: internal to the subgraph, an argument or a result of the call, or a constant.
enum class value_role : std::uint32_t { inside, argument, result, constant };
/// The type of a value's elements. A `dynamic_int8` value is quantized at run time; the library computes a scale and a zero point for each
/// image or row.
enum class element : std::uint32_t { float32, int8, int32, dynamic_int8 };

/// The null index: an omitted operand, no key, or no value.
inline constexpr std::uint32_t nothing = 0xffffffffu;
inline constexpr std::uint32_t max_dimensions = 6;
/// The maximum number of arguments and results of a part, in total. The number is limited, because `set_up` (`runtime.hpp`) stores the
/// arguments and results in an array on the stack.
inline constexpr std::uint32_t max_externals = 64;

/// A value of the subgraph.
struct value_record {
  element type = element::float32;
  value_role role = value_role::inside;
  std::uint32_t place = nothing;  ///< index in the arguments or results of the call; for a constant, index of the key of its bytes
  float scale = 0;                ///< the scale of an integer type; not used if `scales` is set
  std::int32_t zero_point = 0;
  std::uint32_t scales = nothing;  ///< index of the key of the scales, for an integer type with a scale for each channel
  std::uint32_t axis = 0;          ///< channel axis; for `dynamic_int8`, the number of trailing dimensions that share a scale
  std::uint32_t rank = 0;
  std::array<std::uint32_t, max_dimensions> sizes{};

  /// Returns the size of the value in bytes, or 2^32 if the size is 2^32 or more.
  constexpr auto bytes() const -> std::uint64_t {
    constexpr auto limit = std::uint64_t{1} << 32;
    std::uint64_t count = type == element::int8 ? 1 : 4;
    for (std::uint32_t d = 0; d < rank; ++d) count = std::min(count * sizes[d], limit);
    return count;
  }
};

/// An operator of the subgraph. The meaning of `numbers` depends on the operator, and is documented at the translation of the operator
/// (`translate_*.hpp`).
struct operator_record {
  opcode op = opcode::count;
  std::uint32_t flags = 0;
  float lower = -std::numeric_limits<float>::infinity();  ///< lower bound of the output, or the real-valued parameter of the operator
  float upper = std::numeric_limits<float>::infinity();
  std::uint32_t operands = 0;
  std::array<std::uint32_t, 4> from{};  ///< indices of values; `nothing`: an omitted operand
  std::uint32_t to = nothing;           ///< index of the value that the operator computes
  std::uint32_t count = 0;              ///< the number of elements in `numbers`
  std::array<std::uint32_t, 14> numbers{};
};

/// The header of the processed bytes. The values, the operators, the keys, and the texts of the keys follow the header, in this order. The
/// members from `values` to `results` are counts.
struct header {
  static constexpr std::uint32_t expected_magic = 0x4e4e5842;  // "BXNN"
  static constexpr std::uint32_t expected_version = 1;

  std::uint32_t magic = expected_magic;
  std::uint32_t version = expected_version;
  std::uint32_t checksum = 0;  ///< hash of all bytes after the checksum
  std::uint32_t values = 0;
  std::uint32_t operators = 0;
  std::uint32_t keys = 0;
  std::uint32_t arguments = 0;
  std::uint32_t results = 0;
};
inline constexpr std::size_t header_words = 8;

/// Returns the hash of all bytes after the word `header::checksum`.
constexpr auto checksum_of(span<const char> processed_bytes) -> std::uint32_t { return fnv1a(processed_bytes.subspan(12)); }

}  // namespace baton::xnnpack::detail
