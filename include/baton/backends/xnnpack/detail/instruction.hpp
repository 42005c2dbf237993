// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What a row of the translation table makes of a node.
#pragma once

#include <baton/backend/translation_table.hpp>
#include <baton/backends/xnnpack/detail/blob.hpp>
#include <baton/kernels/node_check.hpp>
#include <baton/operators/requantization.hpp>

#include <cstdint>
#include <initializer_list>

namespace baton::xnnpack::detail {

/// An operator whose operands are still positions among those of the node.
struct instruction {
  operator_record code{};
  std::uint32_t filter = nothing;  ///< which of the operator's operands is a filter, in whose scales the bias counts
  std::uint32_t bias = nothing;    ///< which is its bias, which XNNPACK takes as a list
  std::uint32_t flat = nothing;    ///< which it takes so, too
  std::uint32_t columns = 0;       ///< not 0: the first operand is brought into rows of so many elements before
  std::uint32_t dynamic_dims = 0;  ///< not 0: the first operand is then quantized to int8; so many last dimensions share a scale

  constexpr instruction() = default;
  constexpr instruction(opcode op, std::initializer_list<std::uint32_t> positions) {
    code.op = op;
    for (const auto position : positions) code.from[code.operands++] = position;
  }
  constexpr void add_number(std::int64_t number) { code.numbers[code.count++] = static_cast<std::uint32_t>(number); }
  constexpr void set_bounds(portable::bounds<float> range) {
    code.lower = range.lower;
    code.upper = range.upper;
  }
};

using translated = translation<instruction>;

/// The translation, if no demand failed.
constexpr auto made(portable::node_check& check, const instruction& code) -> translated { return {check.verdict_so_far(), code}; }

}  // namespace baton::xnnpack::detail
