// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Builds float32 programs with quantized values between their nodes, as exporters write them.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace qdq {

/// A program of nodes between dequantizations and quantizations. Names of values are the names of their nodes.
class net_builder {
 public:
  baton::program_builder b;

  /// Adds a user input of integers, and its dequantization, which is returned.
  constexpr auto input(std::string_view name, const baton::tensor_type& type, float scale, std::int64_t zero_point) -> baton::value_id {
    const auto id = b.user_input(name, type);
    b.quantize(id, scale, zero_point);
    return dequantize(id);
  }
  constexpr auto dequantize(baton::value_id id) -> baton::value_id { return b.call("tfl.dequantize", {id}, real(id)); }
  /// Adds a quantization and returns the integers.
  constexpr auto quantize(std::string_view name, baton::value_id id, float scale, std::int64_t zero_point,
                          baton::dtype type = baton::dtype::int8, std::string_view op = "baton.quantize") -> baton::value_id {
    auto integer = real(id);
    integer.type = type;
    const auto result = b.call(name, op, {id}, integer);
    b.quantize(result, scale, zero_point);
    return result;
  }
  /// Returns the type of a value, but with float32 elements.
  constexpr auto real(baton::value_id id) -> baton::tensor_type {
    const auto shape = baton::program_view(b.draft()).shape(id);
    baton::tensor_type type{baton::dtype::float32, shape.size(), {}};
    for (std::size_t i = 0; i < shape.size(); ++i) type.sizes[i] = shape[i];
    return type;
  }
  constexpr auto scalar(float number) -> baton::value_id { return floats({number}, baton::tensor(baton::dtype::float32)); }
  constexpr auto floats(std::initializer_list<float> numbers, const baton::tensor_type& type) -> baton::value_id {
    baton::text_buffer bytes;
    for (const auto number : numbers) pack(bytes, std::bit_cast<std::uint32_t>(number));
    return b.constant("floats", type, bytes);
  }
  constexpr auto integers(std::initializer_list<std::int32_t> numbers, const baton::tensor_type& type) -> baton::value_id {
    baton::text_buffer bytes;
    for (const auto number : numbers) pack(bytes, static_cast<std::uint32_t>(number));
    return b.constant("integers", type, bytes);
  }
  /// Adds int8 weights, with a scale for each channel along `axis` if `scales` has several, and their dequantization.
  constexpr auto weights(const baton::tensor_type& type, std::initializer_list<float> scales, std::int32_t axis = 0,
                         std::int64_t zero_point = 0) -> baton::value_id {
    baton::text_buffer bytes;
    const auto count = baton::element_count(type.shape());
    for (std::int64_t i = 0; i < count; ++i) bytes.push_back(static_cast<char>((i * 37 + 11) % 255 - 127));
    const auto id = b.constant("weights", type, bytes);
    const baton::vector<std::int64_t> zero_points(scales.size(), zero_point);
    b.quantize(id, {scales.begin(), scales.size()}, zero_points, axis);
    return dequantize(id);
  }
  /// Adds an int32 bias and its dequantization.
  constexpr auto bias(std::initializer_list<std::int32_t> numbers, std::initializer_list<float> scales) -> baton::value_id {
    const auto id = integers(numbers, baton::tensor(baton::dtype::int32, numbers.size()));
    const baton::vector<std::int64_t> zero_points(scales.size(), 0);
    b.quantize(id, {scales.begin(), scales.size()}, zero_points, 0);
    return dequantize(id);
  }

 private:
  static constexpr void pack(baton::text_buffer& to, std::uint32_t bits) {
    for (int at = 0; at < 32; at += 8) to.push_back(static_cast<char>(bits >> at & 0xff));
  }
};

/// Returns the names of the operators of a program, each followed by a space.
constexpr auto operators_in(const baton::program_view& program) -> baton::text_buffer {
  baton::text_buffer names;
  for (const auto& record : program.nodes) baton::append(baton::append(names, program.text(record.target)), " ");
  return names;
}
/// True if the program has these operators, in this order.
constexpr auto has_operators(const baton::program_view& program, std::string_view names) -> bool {
  return baton::view(operators_in(program)) == names;
}

}  // namespace qdq
