// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What the compiler of the backend tells its runtime: values and operators, as words. Weights are named by keys and lie elsewhere.
#pragma once

#include <baton/backend/blob_words.hpp>
#include <baton/core/span.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace baton::xnnpack::detail {

/// Operators; a blob has their numbers, so that a new one stands at the end.
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

/// Where the bytes of a value come from.
enum class value_role : std::uint32_t { inside, argument, result, constant };
/// `dynamic_int8` has a scale and a zero point for each image or row, which the library computes while it runs.
enum class element : std::uint32_t { float32, int8, int32, dynamic_int8 };

inline constexpr std::uint32_t nothing = 0xffffffffu;
inline constexpr std::uint32_t most_dimensions = 6;
/// Arguments and results of a part: each call has them on the stack.
inline constexpr std::uint32_t most_externals = 64;

/// A value of the subgraph.
struct value_record {
  element type = element::float32;
  value_role role = value_role::inside;
  std::uint32_t place = nothing;  ///< of an argument or a result its position in the call, of a constant the key of its bytes
  float scale = 0;                ///< of an integer that has one scale
  std::int32_t zero_point = 0;
  std::uint32_t scales = nothing;  ///< of an integer that has a scale for each channel, the key of them
  std::uint32_t axis = 0;          ///< of the channels; for `dynamic_int8`, the number of last dimensions that share a scale
  std::uint32_t rank = 0;
  std::array<std::uint32_t, most_dimensions> sizes{};

  /// The bytes of its elements, as many as fit 32 bits.
  constexpr auto bytes() const -> std::uint64_t {
    std::uint64_t count = type == element::int8 ? 1 : 4;
    for (std::uint32_t d = 0; d < rank; ++d) count = std::uint64_t{sizes[d]} * count & 0xffffffffu;
    return count;
  }
};

/// An operator of the subgraph. What the numbers mean stands where it is translated, `translate.hpp`.
struct operator_record {
  opcode op = opcode::count;
  std::uint32_t flags = 0;
  float lower = -std::numeric_limits<float>::infinity();  ///< of the output; or the one real number that the operator has
  float upper = std::numeric_limits<float>::infinity();
  std::uint32_t operands = 0;
  std::array<std::uint32_t, 4> from{};  ///< values; `nothing`: left out
  std::uint32_t to = nothing;
  std::uint32_t count = 0;
  std::array<std::uint32_t, 14> numbers{};
};

/// The beginning of a blob. Values, operators and keys follow, then the texts of the keys.
struct header {
  static constexpr std::uint32_t right_magic = 0x4e4e5842;  // "BXNN"
  static constexpr std::uint32_t right_version = 1;

  std::uint32_t magic = right_magic;
  std::uint32_t version = right_version;
  std::uint32_t checksum = 0;  ///< of all that follows
  std::uint32_t values = 0;
  std::uint32_t operators = 0;
  std::uint32_t keys = 0;
  std::uint32_t arguments = 0;
  std::uint32_t results = 0;
};
inline constexpr std::size_t header_words = 8;

/// Of all that stands behind the checksum.
constexpr auto checksum_of(span<const char> blob) -> std::uint32_t { return fnv1a(blob.subspan(12)); }

}  // namespace baton::xnnpack::detail
