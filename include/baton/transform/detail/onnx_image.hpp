// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// One-dimensional images, which are computed as two-dimensional images with a height of 1.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/transform/detail/emission.hpp>

#include <cstddef>

namespace baton::detail {

/// Returns operand 0 as an image with the channels last. A one-dimensional image gets a height of 1.
constexpr auto image_with_height(emission& emitter, std::size_t dimensions) -> value_id {
  const auto image = emitter.channels_last_operand(0);
  if (dimensions == 2) return image;
  const auto type = emitter.stored_type(image);
  const auto with_height = tensor(type.type, type.sizes[0], 1, type.sizes[1], type.sizes[2]);
  const auto result = emitter.add("image", "tfl.reshape", {image}, with_height, {{"new_shape", with_height.shape()}});
  emitter.copy_quantization(image, result);
  return result;
}
/// Begins the output of a one-dimensional image, which is computed with a height of 1. Does nothing if `dimensions` is 2.
constexpr void begin_image_output(emission& emitter, std::size_t dimensions) {
  if (dimensions == 2) return;
  const auto type = emitter.output_type();
  const auto quantized = emitter.output();
  emitter.begin_inner("image", tensor(type.type, type.sizes[0], 1, type.sizes[1], type.sizes[2]));
  emitter.copy_quantization(quantized, emitter.output());
}
/// Ends the output that `begin_image_output` began: inserts a reshape that removes the height.
constexpr void end_image_output(emission& emitter, std::size_t dimensions) {
  if (dimensions == 2) return;
  const auto type = emitter.stored_type(emitter.output());
  const auto shape = tensor(type.type, type.sizes[0], type.sizes[2], type.sizes[3]);
  emitter.end_inner("reshape", "tfl.reshape", {{"new_shape", shape.shape()}});
}

}  // namespace baton::detail
