// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The input and the output of a node that moves elements along axes, and the loops of the movement.
#pragma once

#include <baton/core/tensor.hpp>
#include <baton/kernels/detail/walk.hpp>
#include <baton/kernels/node_check.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::portable::detail {

/// The loops of a movement, and the offsets of the first moved bytes in both tensors.
struct moving_loops {
  walk_builder loops{};
  std::int32_t from = 0;
  std::int32_t to = 0;
};

/// The input and the output of a movement, and their strides in bytes.
struct moved_tensors {
  operand in{};
  operand out{};
  std::int32_t bytes = 1;  ///< size of an element
  byte_steps from{{}, 1};
  byte_steps to{{}, 1};
};

/// Checks the requirements of all movements: the operator's definition, equal types of operand `i` and the output, and elements of whole
/// bytes. Returns both tensors. If `is_padded` is true, the kernel also writes padding, so operand `i` may have no elements.
constexpr auto check_moved(node_check& check, std::size_t i, bool is_padded) -> moved_tensors {
  check.conforms();
  moved_tensors result;
  result.in = is_padded ? check.input_or_empty(i, "input") : check.input(i, "input");
  result.out = check.output();
  check.same_type(result.in, result.out);
  result.bytes = moved_bytes(check, result.in, "input");
  static_cast<void>(moved_bytes(check, result.out, "output"));
  if (!check.ok()) return result;
  result.from = byte_steps(result.in.shape, result.bytes);
  result.to = byte_steps(result.out.shape, result.bytes);
  return result;
}

}  // namespace baton::portable::detail
