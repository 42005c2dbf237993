// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Programs of one node that moves the elements of an image, or computes single elements.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>

#include "kernels/layer.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace measured_node {

using namespace baton;

template <std::int32_t... Numbers>
inline constexpr auto bytes_of = [] {
  std::array<char, 4 * sizeof...(Numbers)> bytes{};
  std::size_t at = 0;
  (one_layer::put_32(bytes.data() + 4 * at++, static_cast<std::uint32_t>(Numbers)), ...);
  return bytes;
}();

template <std::int32_t... Numbers>
constexpr auto numbers(program_builder& b, const char* name) -> value_id {
  return b.constant(name, tensor(dtype::int32, static_cast<int>(sizeof...(Numbers))),
                    {bytes_of<Numbers...>.data(), 4 * sizeof...(Numbers)});
}

/// A node that moves the elements of an image, or computes single elements. `Type` is int8 or float32.
template <fixed_string Operator, int Rows, int Columns, int Channels, dtype Type = dtype::int8>
struct image_node {
  static constexpr std::string_view name{Operator};
  constexpr auto operator()() const -> exported_program {
    program_builder b;
    const auto image = [](int rows, int columns) { return tensor(Type, 1, rows, columns, Channels); };
    const auto same = image(Rows, Columns);
    const auto quantize = [&](value_id value, float scale, std::int64_t zero_point) {
      if (Type == dtype::int8) b.quantize(value, scale, zero_point);
    };
    if (name == "tfl.quantize") {
      const auto x = b.user_input("x", tensor(dtype::float32, 1, Rows, Columns, Channels));
      const auto y = b.call(name, {x}, same);
      b.quantize(y, 0.05f, -3);
      b.output(y);
      return b.finish();
    }
    const auto type = name == "tfl.strided_slice" || name == "tfl.slice" ? image(Rows + 2, Columns) : same;
    const auto x = b.user_input("x", type);
    quantize(x, 0.05f, -3);
    if (name == "tfl.split_v") {
      constexpr int first = Rows / 2;
      const auto parts = b.call_many("split", name, {x, numbers<first, Rows - first>(b, "sizes"), numbers<1>(b, "axis")},
                                     {image(first, Columns), image(Rows - first, Columns)});
      for (const auto part : parts) {
        quantize(part, 0.05f, -3);
        b.output(part);
      }
      return b.finish();
    }
    auto y = x;
    if (name == "tfl.concatenation") {
      const auto other = b.user_input("other", image(2, Columns));
      quantize(other, 0.05f, -3);
      y = b.call(name, {x, other}, image(Rows + 2, Columns), {{"axis", 1}, {"fused_activation_function", "none"}});
    } else if (name == "tfl.strided_slice") {
      y = b.call(name,
                 {x, numbers<0, 2, 0, 0>(b, "begin"), numbers<1, Rows + 2, Columns, Channels>(b, "end"), numbers<1, 1, 1, 1>(b, "strides")},
                 same);
    } else if (name == "tfl.slice") {
      y = b.call(name, {x, numbers<0, 2, 0, 0>(b, "begin"), numbers<1, Rows, Columns, Channels>(b, "size")}, same);
    } else if (name == "tfl.pad") {
      y = b.call(name, {x, numbers<0, 0, 1, 1, 1, 1, 0, 0>(b, "paddings")}, image(Rows + 2, Columns + 2));
    } else if (name == "tfl.transpose") {
      y = b.call(name, {x, numbers<0, 2, 1, 3>(b, "permutation")}, image(Columns, Rows));
    } else if (name == "tfl.mean") {
      y = b.call(name, {x, numbers<1, 2>(b, "axes")}, image(1, 1), {{"keep_dims", true}});
    } else if (name.starts_with("tfl.resize")) {
      y = b.call(name, {x, numbers<2 * Rows, 2 * Columns>(b, "size")}, image(2 * Rows, 2 * Columns),
                 {{"align_corners", false}, {"half_pixel_centers", false}});
    } else if (name == "tfl.dequantize") {
      b.output(b.call(name, {x}, tensor(dtype::float32, 1, Rows, Columns, Channels)));
      return b.finish();
    } else if (name == "tfl.add" || name == "tfl.mul") {
      const auto other = b.user_input("other", same);
      quantize(other, 0.02f, 7);
      y = b.call(name, {x, other}, same, {{"fused_activation_function", "none"}});
    } else if (name == "tfl.softmax") {
      y = b.call(name, {x}, same, {{"beta", 1.0}});
    } else {
      y = b.call(name, {x}, same, {{"alpha", 0.1}});
    }
    if (name == "tfl.logistic" || name == "tfl.softmax") {
      quantize(y, 1.0f / 256, -128);
    } else if (name == "tfl.tanh") {
      quantize(y, 1.0f / 128, 0);
    } else {
      quantize(y, 0.05f, -3);
    }
    b.output(y);
    return b.finish();
  }
};

}  // namespace measured_node
