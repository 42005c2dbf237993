// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The comparison of the quantization of two tensors of a TFLite model.
#pragma once

#include <baton/import/detail/flatbuffer.hpp>
#include <baton/import/detail/tflite_slots.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::tflite::detail {

/// True if two vectors have the same elements.
template <class T>
constexpr auto are_same(const flatbuffer::vector<T>& a, const flatbuffer::vector<T>& b) -> bool {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!(a[i] == b[i])) return false;
  }
  return true;
}

/// True if two tensors have the same scales and zero points.
constexpr auto has_quantization_of(const flatbuffer::table& a, const flatbuffer::table& b) -> bool {
  using field = slot::quantization_parameters;
  const auto p = a.child(slot::tensor::quantization);
  const auto q = b.child(slot::tensor::quantization);
  return are_same(p.elements<float>(field::scale), q.elements<float>(field::scale)) &&
         are_same(p.elements<std::int64_t>(field::zero_point), q.elements<std::int64_t>(field::zero_point));
}

}  // namespace baton::tflite::detail
