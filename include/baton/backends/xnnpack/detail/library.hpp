// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// XNNPACK's header, and the features of its version.
#pragma once

#include <baton/core/config.hpp>

#include <pthreadpool.h>
#include <xnnpack.h>

#include <cstddef>
#include <cstdint>

namespace baton::xnnpack::detail {

// Features that not every version has. A name that the header does not declare is looked up in the namespace of the first argument's type
// when the variable is instantiated. So each feature is a template, which tests can instantiate for a library of their own.

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

/// True if int8 fully connected layers may have a scale for each channel. This feature has no function of its own, so the reciprocal square
/// root is tested, which was added half a year later.
template <class Subgraph>
inline constexpr bool has_channelwise_fully_connected =
    requires(Subgraph graph, std::uint32_t id) { xnn_define_reciprocal_square_root(graph, id, id, id); };

/// True if a runtime reports the shapes of its external values.
template <class Runtime>
inline constexpr bool reports_shapes = requires(Runtime runtime, std::uint32_t id, std::size_t* rank, std::size_t* sizes) {
  xnn_reshape_runtime(runtime);
  xnn_get_external_value_shape(runtime, id, rank, sizes);
};

/// True if a subgraph has values that are quantized to int8 while it runs. `Datatype` is the type that names them.
template <class Subgraph, class Datatype>
inline constexpr bool has_dynamic_values =
    requires(Subgraph graph, std::size_t rank, const std::size_t* sizes, std::uint32_t id, std::uint32_t* result) {
      xnn_define_dynamically_quantized_tensor_value(graph, Datatype::xnn_datatype_qdint8, rank, rank, sizes, id, id, result);
    };

/// True if unary operators have one function. It was added half a year after hybrid transposed convolutions, which have no function of
/// their own.
template <class Subgraph>
inline constexpr bool has_unary = requires(Subgraph graph, std::uint32_t id) { xnn_define_unary(graph, {}, nullptr, id, id, id); };

/// The flag that keeps the rank of a mean over rows and columns. Versions without it always keep the rank that is declared.
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
  /// Hybrid layers. Their convolutions are newer than dynamic values and older than reports of shapes.
  bool hybrid = has_dynamic_values<xnn_subgraph_t, xnn_datatype> && reports_shapes<xnn_runtime_t>;
  bool hybrid_transposed = hybrid && has_unary<xnn_subgraph_t>;
};
inline constexpr library at_hand{};

}  // namespace baton::xnnpack::detail
