// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Includes XNNPACK's header, and detects the features of its version.
#pragma once

#include <baton/core/config.hpp>

#include <pthreadpool.h>
#include <xnnpack.h>

#include <cstddef>
#include <cstdint>

namespace baton::xnnpack::detail {

// Features that only some versions of the library have. Each feature is a variable template. The library's functions in the templates are
// found by argument-dependent lookup at instantiation. Therefore XNNPACK's header need not declare these functions, and tests can
// instantiate the templates with the types of a mock library.

/// True if the library has concatenation of two to four values.
template <class Subgraph>
inline constexpr bool has_concatenation = requires(Subgraph graph, std::int32_t axis, std::uint32_t id) {
  xnn_define_concatenate2(graph, axis, id, id, id, id);
  xnn_define_concatenate3(graph, axis, id, id, id, id, id);
  xnn_define_concatenate4(graph, axis, id, id, id, id, id, id);
};

/// True if the library has the hyperbolic tangent.
template <class Subgraph>
inline constexpr bool has_tanh = requires(Subgraph graph, std::uint32_t id) { xnn_define_tanh(graph, id, id, id); };

/// True if int8 fully connected layers may have a scale for each channel. This feature was added in September 2023 without a new function.
/// Therefore the template tests for the reciprocal square root (February 2024).
template <class Subgraph>
inline constexpr bool has_channelwise_fully_connected =
    requires(Subgraph graph, std::uint32_t id) { xnn_define_reciprocal_square_root(graph, id, id, id); };

/// True if a runtime reports the shapes of its external values.
template <class Runtime>
inline constexpr bool reports_shapes = requires(Runtime runtime, std::uint32_t id, std::size_t* rank, std::size_t* sizes) {
  xnn_reshape_runtime(runtime);
  xnn_get_external_value_shape(runtime, id, rank, sizes);
};

/// True if a subgraph can have values that are quantized to int8 at run time. `Datatype` is the enumeration of data types.
template <class Subgraph, class Datatype>
inline constexpr bool has_dynamic_values =
    requires(Subgraph graph, std::size_t rank, const std::size_t* sizes, std::uint32_t id, std::uint32_t* result) {
      xnn_define_dynamically_quantized_tensor_value(graph, Datatype::xnn_datatype_qdint8, rank, rank, sizes, id, id, result);
    };

/// True if one function defines all unary operators. This function was added in October 2024. Hybrid transposed convolutions were added in
/// April 2024 without a new function. So a library with `xnn_define_unary` also has hybrid transposed convolutions.
template <class Subgraph>
inline constexpr bool has_unary = requires(Subgraph graph, std::uint32_t id) { xnn_define_unary(graph, {}, nullptr, id, id, id); };

/// The flag that makes the output of a global average pooling keep rank 4, with size 1 along the height and the width. In versions without
/// the flag, the output has the rank with which it was declared.
#ifdef XNN_FLAG_KEEP_DIMS
inline constexpr std::uint32_t keep_dims = XNN_FLAG_KEEP_DIMS;
#else
inline constexpr std::uint32_t keep_dims = 0;
#endif

/// The features of the installed version.
struct library {
  bool concatenation = has_concatenation<xnn_subgraph_t>;
  bool tanh = has_tanh<xnn_subgraph_t>;
  bool channelwise_fully_connected = has_channelwise_fully_connected<xnn_subgraph_t>;
  /// Hybrid layers: layers with a float32 input and an int8 filter. They use dynamic values, which were added in August 2023. Hybrid
  /// convolutions were added in October 2023 without a new function. Therefore, the condition also tests a newer feature: `reports_shapes`
  /// (February 2024).
  bool hybrid = has_dynamic_values<xnn_subgraph_t, xnn_datatype> && reports_shapes<xnn_runtime_t>;
  bool hybrid_transposed = hybrid && has_unary<xnn_subgraph_t>;
};
inline constexpr library installed_library{};

}  // namespace baton::xnnpack::detail
