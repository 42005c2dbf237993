// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// How much a node computes.
#pragma once

#include <baton/core/program.hpp>
#include <baton/operators/find_definition.hpp>
#include <baton/operators/operator_definition.hpp>

#include <cstdint>

namespace baton {

/// The multiply-adds of one run of a node, 0 for operators that do none, that are not known, or whose sizes are not known. Where a
/// window hangs over the border of its input, all of it counts.
constexpr auto multiply_adds(const program_view& program, const node& record, operator_list own = {}) -> std::uint64_t {
  const auto rule = find_definition(record.op, own).multiply_adds;
  return rule == nullptr || record.outputs.size == 0 ? 0 : rule(program, record);
}

}  // namespace baton
