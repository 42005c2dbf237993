// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The translation of a node, which a row of the translation table returns.
#pragma once

#include <baton/backend/translation_table.hpp>
#include <baton/backends/xnnpack/detail/format.hpp>
#include <baton/kernels/node_check.hpp>
#include <baton/operators/requantization.hpp>

#include <cstdint>
#include <initializer_list>

namespace baton::xnnpack::detail {

/// An operator of XNNPACK. The operands of the operator, `code.from`, are indices of the node's operands.
struct instruction {
  operator_record code{};
  std::uint32_t filter = nothing;  ///< index in `code.from` of the filter; its scales also determine the scale of an int32 bias
  std::uint32_t bias = nothing;    ///< index in `code.from` of the bias, which XNNPACK reads as a tensor of one dimension
  std::uint32_t flat = nothing;    ///< index in `code.from` of another operand that XNNPACK reads as a tensor of one dimension
  std::uint32_t columns = 0;       ///< not 0: the first operand is reshaped to rows of `columns` elements
  std::uint32_t dynamic_dims = 0;  ///< not 0: the first operand is quantized to int8; the last `dynamic_dims` dimensions share a scale

  constexpr instruction() = default;
  constexpr instruction(opcode op, std::initializer_list<std::uint32_t> positions) {
    code.op = op;
    for (const auto position : positions) code.from[code.operands++] = position;
  }
  constexpr void add_number(std::int64_t number) { code.numbers[code.count++] = static_cast<std::uint32_t>(number); }
  constexpr void set_bounds(quantized::bounds<float> range) {
    code.lower = range.lower;
    code.upper = range.upper;
  }
};

using translated = translation<instruction>;

/// Returns the translation, or the first failed requirement of `check`.
constexpr auto translation_of(portable::node_check& check, const instruction& code) -> translated { return {check.verdict_so_far(), code}; }

}  // namespace baton::xnnpack::detail
