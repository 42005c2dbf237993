// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Decodes the processed bytes of ExecuTorch's XNNPACK backend into a graph of operators of Baton's kernels. Processed bytes are the result
// of a backend's `preprocess`.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/detail/flatbuffer.hpp>
#include <baton/import/detail/pte_reading.hpp>
#include <baton/import/detail/pte_scope.hpp>
#include <baton/import/detail/pte_xnnpack_argmax_pool.hpp>
#include <baton/import/detail/pte_xnnpack_elements.hpp>
#include <baton/import/detail/pte_xnnpack_emission.hpp>
#include <baton/import/detail/pte_xnnpack_layers.hpp>
#include <baton/import/detail/pte_xnnpack_moves.hpp>
#include <baton/import/detail/pte_xnnpack_payload.hpp>
#include <baton/import/detail/pte_xnnpack_schema.hpp>
#include <baton/import/detail/pte_xnnpack_transposed.hpp>
#include <baton/import/detail/pte_xnnpack_values.hpp>
#include <baton/import/shared/rules.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::pte::detail {

/// A row of `xnnpack_rows`: an operator, and the function that adds its nodes. `XNNScaledDotProductAttention` has no row, so it is an
/// unknown operator.
struct xnnpack_row {
  xnnpack::operation op;
  void (*add)(xnnpack_emission& emitter);
};
inline constexpr xnnpack_row xnnpack_rows[] = {
    {xnnpack::operation::add, add_xnnpack_arithmetic<"tfl.add", "baton.add">},
    {xnnpack::operation::fully_connected, add_xnnpack_fully_connected},
    {xnnpack::operation::softmax, add_xnnpack_softmax},
    {xnnpack::operation::sigmoid, add_xnnpack_unary<"tfl.logistic">},
    {xnnpack::operation::transpose, add_xnnpack_transpose},
    {xnnpack::operation::clamp, add_xnnpack_clamp},
    {xnnpack::operation::convolution, add_xnnpack_convolution<false>},
    {xnnpack::operation::divide, add_xnnpack_binary<"tfl.div", true>},
    {xnnpack::operation::resize_bilinear, add_xnnpack_resize},
    {xnnpack::operation::pad, add_xnnpack_pad},
    {xnnpack::operation::average_pool, add_xnnpack_pool<false>},
    {xnnpack::operation::minimum, add_xnnpack_binary<"tfl.minimum">},
    {xnnpack::operation::depthwise, add_xnnpack_convolution<true>},
    {xnnpack::operation::max_pool, add_xnnpack_pool<true>},
    {xnnpack::operation::multiply, add_xnnpack_arithmetic<"tfl.mul", "baton.mul">},
    {xnnpack::operation::subtract, add_xnnpack_arithmetic<"tfl.sub", "baton.sub">},
    {xnnpack::operation::floor, add_xnnpack_unary<"tfl.floor">},
    {xnnpack::operation::convert, add_xnnpack_convert},
    {xnnpack::operation::global_average_pool, add_xnnpack_global_average_pool},
    {xnnpack::operation::reshape, add_xnnpack_copy<xnnpack::slot::sized>},
    {xnnpack::operation::argmax_pool, add_xnnpack_argmax_pool},
    {xnnpack::operation::square_root, add_xnnpack_unary<"tfl.sqrt">},
    {xnnpack::operation::ceiling, add_xnnpack_unary<"tfl.ceil">},
    {xnnpack::operation::hard_swish, add_xnnpack_unary<"tfl.hard_swish">},
    {xnnpack::operation::leaky_relu, add_xnnpack_leaky_relu},
    {xnnpack::operation::maximum, add_xnnpack_binary<"tfl.maximum">},
    {xnnpack::operation::negate, add_xnnpack_unary<"tfl.neg">},
    {xnnpack::operation::square, add_xnnpack_unary<"tfl.square">},
    {xnnpack::operation::elu, add_xnnpack_elu},
    {xnnpack::operation::abs, add_xnnpack_unary<"tfl.abs">},
    {xnnpack::operation::prelu, add_xnnpack_binary<"tfl.prelu">},
    {xnnpack::operation::concatenate_2, add_xnnpack_concatenation<2>},
    {xnnpack::operation::concatenate_3, add_xnnpack_concatenation<3>},
    {xnnpack::operation::concatenate_4, add_xnnpack_concatenation<4>},
    {xnnpack::operation::slice, add_xnnpack_slice},
    {xnnpack::operation::matrix_product, add_xnnpack_matrix_product},
    {xnnpack::operation::concatenate_5, add_xnnpack_concatenation<5>},
    {xnnpack::operation::transposed_convolution, add_xnnpack_transposed_convolution},
    {xnnpack::operation::reciprocal_square_root, add_xnnpack_unary<"tfl.rsqrt">},
    {xnnpack::operation::log, add_xnnpack_unary<"tfl.log">},
    {xnnpack::operation::gelu, add_xnnpack_gelu},
    {xnnpack::operation::tanh, add_xnnpack_unary<"tfl.tanh">},
    {xnnpack::operation::exp, add_xnnpack_unary<"tfl.exp">},
    {xnnpack::operation::sin, add_xnnpack_unary<"tfl.sin">},
    {xnnpack::operation::copy, add_xnnpack_copy<xnnpack::slot::unary>},
    {xnnpack::operation::cos, add_xnnpack_unary<"tfl.cos">},
};

constexpr auto find_xnnpack_row(std::uint8_t op) -> const xnnpack_row* {
  for (const auto& row : xnnpack_rows) {
    if (static_cast<std::uint8_t>(row.op) == op) return &row;
  }
  return nullptr;
}

/// The call of a delegate: the delegate's processed bytes and named data, its name in messages, and the arguments. Named data are bytes
/// that delegates look up by key.
struct xnnpack_call {
  span<const char> processed_bytes;
  range named_data;
  std::string_view name_in_messages;
  std::string_view prefix;  ///< the prefix of the names of values and nodes
  span<const value_id> operands;
  span<const value_id> results;
};

/// A decoder of the XNNPACK graphs of all delegates of a program.
class xnnpack_decoder {
 public:
  xnnpack_decoder() = default;

  /// Adds inputs, nodes and outputs to `graph`, the current graph. Fails with `unsupported_operators` if a node has an unknown operator;
  /// the reason lists all unknown operators. Returns false after an error.
  constexpr auto decode(reading& model, scope_values& scopes, scope& graph, const xnnpack_call& call) -> bool {
    xnnpack_payload payload(model, call.processed_bytes, call.named_data, call.name_in_messages);
    const auto nodes = payload.root() ? payload.root().elements<table>(xnnpack::slot::graph::nodes) : flatbuffer::vector<table>{};
    if (!payload.check_errors("the root table")) return false;
    if (!charge(model, payload.reader.size())) return model.check_errors(call.name_in_messages);
    if (!check_operators(payload, nodes)) return false;
    xnnpack_values values(model, scopes, graph, payload, call.prefix);
    if (!values.read_ids() || !values.add_inputs(call.operands)) return false;
    const auto version = payload.version();
    xnnpack_emission to(model, payload, values, baton::view(version), groups_left_);
    for (std::uint32_t n = 0; n < nodes.size(); ++n) {
      const auto stored = nodes[n];
      to.begin(stored, n);
      if (!to.is_refused()) find_xnnpack_row(static_cast<std::uint8_t>(to.op()))->add(to);
      if (!payload.check_errors("node ", n)) return false;
    }
    return values.add_outputs(call.results);
  }

 private:
  /// Adds `size` bytes to the total size of all graphs. Delegates can share processed bytes, so the total can exceed the size of the file.
  /// If the total exceeds the size of the file, charges `size` to the work limit. Returns false if the work limit is exceeded.
  constexpr auto charge(reading& model, std::size_t size) -> bool {
    decoded_bytes_ += size;
    return decoded_bytes_ <= model.file_bytes() || model.reader.charge(size);
  }
  static constexpr auto check_operators(xnnpack_payload& payload, const flatbuffer::vector<table>& nodes) -> bool {
    vector<std::uint32_t> unknown;  // the number of nodes, indexed by operator
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      const auto op = nodes[n].scalar<std::uint8_t>(xnnpack::slot::node::type);
      if (find_xnnpack_row(op) != nullptr) continue;
      unknown.resize(256, 0);
      ++unknown[op];
    }
    if (!payload.check_errors("a node") || unknown.empty()) return payload.check_errors("a node");
    text_buffer text;
    for (std::size_t op = 0; op < unknown.size(); ++op) {
      if (unknown[op] == 0) continue;
      const auto name = xnnpack::name_of(static_cast<xnnpack::operation>(op));
      append(append(append(text, text.empty() ? "" : ", "), name.empty() ? "an unknown operator" : name), ", type ");
      append(append(append(text, static_cast<std::int64_t>(op)), " of the XNNPACK schema's node union ("),
             static_cast<std::int64_t>(unknown[op]));
      append(text, unknown[op] == 1 ? " node)" : " nodes)");
    }
    return payload.refuse<"unsupported_operators">("XNNPACK's graph (", baton::view(payload.version()), ") has ", baton::view(text),
                                                   "; to execute the processed bytes with a custom backend, pass "
                                                   "baton::pte::keep_processed_bytes to pte::read");
  }

  std::uint64_t decoded_bytes_ = 0;  ///< the total size of all graphs so far
  std::uint32_t groups_left_ = xnnpack_emission::max_groups;
};

}  // namespace baton::pte::detail
