// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Sets the quantization of values from the quantization nodes of a file format.
#pragma once

#include <baton/core/program.hpp>
#include <baton/transform/detail/emission.hpp>
#include <baton/transform/detail/same_type.hpp>

#include <cstddef>

namespace baton::detail {

/// Sets the quantization of a value to `by`. Refuses the node if the value has another quantization, or if the number of scales does not
/// fit the value. The pass then fails with `unsupported_operator`. Does nothing if `by` has no scale.
constexpr void quantize(emission& emitter, value_id id, const quantization& by) {
  const auto before = emitter.record(id).quant;
  if (by.channels == 0) return;
  if (by.channels > 1) {
    const auto shape = emitter.program().shape(id);
    const auto axis = static_cast<std::size_t>(by.axis);
    const auto size = axis < shape.size() ? shape[axis] : 0;
    if (size != by.channels) {
      return emitter.refuse("value ", emitter.program().text(emitter.record(id).name), " has ", size, " elements along dimension ", by.axis,
                            ", but ", by.channels, " scales");
    }
  }
  if (before.channels == 0) {
    emitter.value_at(id).quant = by;
    return;
  }
  if (!is_same_quantization(emitter.program(), before, emitter.program(), by))
    emitter.refuse("value ", emitter.program().text(emitter.record(id).name), " is read with two quantizations");
}
/// Sets the quantization of a value, as `quantize` does. If the quantization is per tensor, also sets the quantization of the first operand
/// of the value's producer. Repeats this for the producer of that operand, and so on. Stops at a producer other than a reshape, a
/// transpose, a max pool or a concatenation. Also stops at an operand that is quantized or has another type.
constexpr void quantize_source(emission& emitter, value_id id, const quantization& by) {
  quantize(emitter, id, by);
  for (auto at = id; by.channels == 1 && !emitter.is_refused();) {
    const auto producer = emitter.producer_of(at);
    if (producer == none<node_id>) return;
    const auto& record = emitter.node_at(producer);
    if (!record.is("tfl.reshape") && !record.is("tfl.transpose") && !record.is("tfl.max_pool_2d") && !record.is("tfl.concatenation"))
      return;
    at = emitter.program().inputs(record)[0];
    if (emitter.record(at).type != emitter.record(id).type || emitter.record(at).quant.channels != 0) return;
    emitter.value_at(at).quant = by;
  }
}

}  // namespace baton::detail
