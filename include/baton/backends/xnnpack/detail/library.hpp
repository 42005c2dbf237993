// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// XNNPACK's header, and what the version that it is of can do.
#pragma once

#include <pthreadpool.h>
#include <xnnpack.h>

#include <cstdint>

namespace baton::xnnpack::detail {

// What not every version has. A name that the header does not declare is looked for where the type of the first argument stands, when the
// constant is asked for: so each is a question, and a test can ask it of a library of its own.

/// Whether there is concatenation of two to four values.
template <class Subgraph>
inline constexpr bool has_concatenation = requires(Subgraph graph, std::int32_t axis, std::uint32_t id) {
  xnn_define_concatenate2(graph, axis, id, id, id, id);
  xnn_define_concatenate3(graph, axis, id, id, id, id, id);
  xnn_define_concatenate4(graph, axis, id, id, id, id, id, id);
};

/// Whether there is the hyperbolic tangent.
template <class Subgraph>
inline constexpr bool has_tanh = requires(Subgraph graph, std::uint32_t id) { xnn_define_tanh(graph, id, id, id); };

/// Whether a fully connected layer of int8 may have a scale for each channel. It has no function of its own: versions that have a
/// reciprocal square root, which came half a year later, compute it.
template <class Subgraph>
inline constexpr bool has_channelwise_fully_connected =
    requires(Subgraph graph, std::uint32_t id) { xnn_define_reciprocal_square_root(graph, id, id, id); };

/// What the library at hand can do.
struct library {
  bool concatenation = has_concatenation<xnn_subgraph_t>;
  bool tanh = has_tanh<xnn_subgraph_t>;
  bool channelwise_fully_connected = has_channelwise_fully_connected<xnn_subgraph_t>;
};
inline constexpr library at_hand{};

}  // namespace baton::xnnpack::detail
