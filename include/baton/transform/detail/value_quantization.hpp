// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Sets the quantization of values from the quantization nodes of a file format.
#pragma once

#include <baton/core/program.hpp>
#include <baton/transform/detail/emission.hpp>
#include <baton/transform/detail/same_type.hpp>

#include <cstddef>

namespace baton::detail {

/// Sets the quantization of a value. Refuses the node if the value already has a different quantization.
constexpr void quantize(emission& to, value_id id, const quantization& by) {
  const auto before = to.record(id).quant;
  if (by.channels == 0) return;
  const auto type = to.stored_type(id);
  const auto axis = static_cast<std::size_t>(by.axis);
  if (by.channels > 1 && (axis >= type.rank || type.sizes[axis] != by.channels)) {
    return to.refuse("there are ", by.channels, " scales, which do not fit value ", to.program().text(to.record(id).name));
  }
  if (before.channels == 0) {
    to.value_at(id).quant = by;
    return;
  }
  if (!is_same_quantization(to.program(), before, by))
    to.refuse("value ", to.program().text(to.record(id).name), " is read with two quantizations");
}
/// Sets the quantization of a value. Also sets a per-tensor quantization of the unquantized values from which the value was computed by
/// moving or selecting elements of the first operand.
constexpr void quantize_source(emission& to, value_id id, const quantization& by) {
  quantize(to, id, by);
  for (auto at = id; by.channels == 1 && !to.is_refused();) {
    const auto producer = to.producer_of(at);
    if (producer == none<node_id>) return;
    const auto& record = to.node_at(producer);
    if (!record.is("tfl.reshape") && !record.is("tfl.transpose") && !record.is("tfl.max_pool_2d") && !record.is("tfl.concatenation"))
      return;
    at = to.program().inputs(record)[0];
    if (to.record(at).type != to.record(id).type || to.record(at).quant.channels != 0) return;
    to.value_at(at).quant = by;
  }
}

}  // namespace baton::detail
