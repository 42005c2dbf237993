// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The values of a random program of torch.export: constants, weights, and quantization between the nodes as PT2E writes it.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/named_literal.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/operators/torch.hpp>

#include "properties/random.hpp"
#include "transform/torch_values.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace torch_tests {

class random_values {
 protected:
  using value_id = baton::value_id;
  using attribute_list = std::initializer_list<baton::named_literal>;

  struct value {
    value_id id;
    sizes shape;
    double amplitude;  ///< most numbers are smaller
    bool is_read = false;
  };

  explicit random_values(std::uint64_t seed) : random_(seed), is_quantized_(once_in(2)), is_watched_(once_in(2)) {
    b_.set_dialect(baton::torch::dialect);
  }

  auto from(std::int64_t low, std::int64_t high) -> std::int64_t {
    return low + static_cast<std::int64_t>(random_.below(static_cast<std::size_t>(high - low + 1)));
  }
  auto once_in(std::size_t times) -> bool { return random_.once_in(times); }
  auto dimension_of(const sizes& shape) -> std::size_t { return random_.below(shape.size()); }
  auto name(const char* prefix) -> std::string { return prefix + std::to_string(++names_); }
  static auto type_of(const sizes& shape, baton::dtype type = baton::dtype::float32) -> baton::tensor_type {
    baton::tensor_type result{type, shape.size(), {}};
    std::copy(shape.begin(), shape.end(), result.sizes.begin());
    return result;
  }
  static auto list(const sizes& of) -> baton::span<const std::int64_t> { return {of.data(), of.size()}; }

  auto add_input(const sizes& shape) -> value {
    values_.push_back({b_.user_input(name("x"), type_of(shape)), shape, 4});
    inputs_.push_back(values_.back());
    if (is_quantized_) quantize_last();
    return values_.back();
  }
  /// Float32 numbers from `low` to `high`.
  auto constant(const sizes& shape, double low = -1, double high = 1) -> value_id {
    baton::text_buffer bytes;
    for (std::size_t i = 0; i < count_of(shape); ++i) pack(bytes, low + (high - low) * static_cast<double>(from(0, 1000)) / 1000);
    return b_.constant(name("c"), type_of(shape), bytes);
  }
  auto integers(const sizes& elements) -> value_id {
    baton::text_buffer bytes;
    for (const auto whole : elements) pack(bytes, static_cast<std::uint64_t>(whole), 8);
    return b_.constant(name("i"), baton::tensor(baton::dtype::int64, static_cast<std::int64_t>(elements.size())), bytes);
  }
  auto bias(std::int64_t outputs) -> value_id { return once_in(4) ? baton::none<value_id> : constant({outputs}); }
  /// The weights of a layer whose outputs are sums of `terms` products, with the outputs along dimension `axis`. In quantized programs they
  /// are dequantized, and have the range -127 to 127.
  auto weights(const sizes& shape, std::int64_t terms, std::size_t axis = 0) -> value_id {
    const auto limit = 1.7 / std::sqrt(static_cast<double>(terms));
    if (!is_quantized_) return constant(shape, -limit, limit);
    baton::text_buffer bytes, scales;
    for (std::size_t i = 0; i < count_of(shape); ++i) bytes.push_back(static_cast<char>(from(-127, 127)));
    const bool is_per_channel = !once_in(3);
    const auto channels = is_per_channel ? shape[axis] : 1;
    float scale = 0;
    for (std::int64_t c = 0; c < channels; ++c) {
      scale = static_cast<float>(limit / 127 * static_cast<double>(from(50, 100)) / 100);
      pack(scales, static_cast<double>(scale));
    }
    const auto id = b_.constant(name("w"), type_of(shape, baton::dtype::int8), bytes);
    if (!is_per_channel) {
      return b_.call(name("dequantize"), "quantized_decomposed.dequantize_per_tensor.default", {id}, type_of(shape),
                     {{"arg_1", static_cast<double>(scale)}, {"arg_2", 0}, {"arg_3", -127}, {"arg_4", 127}});
    }
    const auto of_channels = b_.constant(name("s"), baton::tensor(baton::dtype::float32, channels), scales);
    return b_.call(name("dequantize"), "quantized_decomposed.dequantize_per_channel.default",
                   {id, of_channels, integers(sizes(static_cast<std::size_t>(channels)))}, type_of(shape),
                   {{"arg_3", static_cast<std::int64_t>(axis)}, {"arg_4", -127}, {"arg_5", 127}});
  }

  /// Quantizes and dequantizes the last value.
  void quantize_last() {
    auto& of = values_.back();
    const bool is_unsigned = once_in(5);
    const double steps[] = {60, 100, 127, 128};
    const auto scale = static_cast<double>(static_cast<float>(once_in(4) ? 0.0625 : of.amplitude / steps[from(0, 3)]));
    const auto zero_point = (once_in(3) ? 0 : once_in(3) ? -128 : from(-40, 40)) + (is_unsigned ? 128 : 0);
    const baton::named_literal arguments[] = {
        {"arg_1", scale}, {"arg_2", zero_point}, {"arg_3", is_unsigned ? 0 : -128}, {"arg_4", is_unsigned ? 255 : 127}};
    const auto integer = make(name("q"), type_of(of.shape, is_unsigned ? baton::dtype::uint8 : baton::dtype::int8));
    add_node("quantized_decomposed.quantize_per_tensor.default", {&of.id, 1}, {&integer, 1}, {arguments, 4});
    const auto real = make(name("d"), type_of(of.shape));
    add_node("quantized_decomposed.dequantize_per_tensor.default", {&integer, 1}, {&real, 1}, {arguments, 4});
    quantized_.push_back(integer);
    if (once_in(8)) values_.insert(values_.end() - 1, {of.id, of.shape, of.amplitude});  // also used in float
    values_.back().id = real;
  }
  void push(value_id id, const sizes& shape, double amplitude) {
    values_.push_back({id, shape, amplitude});
    if (is_quantized_ && !once_in(6)) quantize_last();
  }
  /// Adds a node with one output, which becomes the last value.
  void add(std::string_view op, const std::vector<value_id>& operands, const sizes& shape, double amplitude,
           attribute_list arguments = {}) {
    const auto id = make(name("n"), type_of(shape));
    add_node(op, operands, {&id, 1}, {arguments.begin(), arguments.size()});
    push(id, shape, amplitude);
  }
  void add_many(std::string_view op, value_id operand, const std::vector<sizes>& shapes, double amplitude, attribute_list arguments) {
    std::vector<value_id> ids;
    for (const auto& shape : shapes) ids.push_back(make(name("n"), type_of(shape)));
    add_node(op, {&operand, 1}, ids, {arguments.begin(), arguments.size()});
    for (std::size_t i = 0; i < ids.size(); ++i) push(ids[i], shapes[i], amplitude);
  }
  auto make(const std::string& of, const baton::tensor_type& type) -> value_id {
    return b_.add_value(b_.make_value(of, type, baton::value_kind::intermediate));
  }
  void add_node(std::string_view op, baton::span<const value_id> operands, baton::span<const value_id> outputs,
                baton::span<const baton::named_literal> arguments) {
    b_.add_node(b_.make_node(name("node"), op), operands, outputs, arguments);
  }

  /// Returns the last value, or sometimes another one, with `rank` dimensions at least.
  auto pick(std::size_t rank = 0) -> value {
    for (int tries = 0; tries < 8; ++tries) {
      auto& chosen = values_[once_in(4) ? random_.below(values_.size()) : values_.size() - 1];
      if (chosen.shape.size() < rank) continue;
      chosen.is_read = true;
      return chosen;
    }
    return add_input({1, from(1, 4), from(3, 6), from(3, 6)});
  }
  /// Returns another value whose shape `fits`, or `otherwise`.
  template <class Fits>
  auto partner(const value& otherwise, Fits fits) -> value {
    for (auto& other : values_) {
      if (other.id == otherwise.id || !fits(other.shape) || once_in(3)) continue;
      other.is_read = true;
      return other;
    }
    return otherwise;
  }

  static void pack(baton::text_buffer& to, std::uint64_t bits, int count) {
    for (int b = 0; b < count; ++b) to.push_back(static_cast<char>(bits >> (8 * b) & 0xff));
  }
  static void pack(baton::text_buffer& to, double number) { pack(to, std::bit_cast<std::uint32_t>(static_cast<float>(number)), 4); }

  properties::random_numbers random_;
  bool is_quantized_;
  bool is_watched_;  ///< true if all quantized values are outputs
  baton::program_builder b_;
  std::vector<value> values_, inputs_;
  std::vector<value_id> quantized_;
  int names_ = 0;
};

}  // namespace torch_tests
