// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Random small float32 networks with quantized values between their nodes, as exporters write them. Some values have several uses, some
// are not quantized, some are outputs of the graph.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>

#include "properties/random.hpp"

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace qdq {

class random_net {
 public:
  explicit random_net(std::uint64_t seed) : random_(seed) {}

  auto build() -> baton::exported_program {
    add_input();
    if (random_.once_in(3)) add_input();
    for (auto steps = from(3, 9); steps > 0; --steps) add_step();
    add_outputs();
    return b_.finish();
  }

 private:
  struct value {
    baton::value_id id;
    baton::tensor_type type;
    double amplitude;  ///< most numbers are smaller
  };

  auto from(std::int64_t low, std::int64_t high) -> std::int64_t {
    return low + static_cast<std::int64_t>(random_.below(static_cast<std::size_t>(high - low + 1)));
  }
  auto name(const char* prefix) -> std::string { return prefix + std::to_string(++names_); }
  auto last() -> value& { return values_[random_.once_in(3) ? random_.below(values_.size()) : values_.size() - 1]; }
  auto image() -> value* {
    for (int tries = 0; tries < 8; ++tries) {
      auto& result = last();
      if (result.type.rank == 4) return &result;
    }
    return nullptr;
  }
  auto dtype_of_activations() -> baton::dtype { return random_.once_in(3) ? baton::dtype::uint8 : baton::dtype::int8; }
  static void pack(baton::vector<char>& to, std::uint32_t bits) {
    for (int b = 0; b < 32; b += 8) to.push_back(static_cast<char>(bits >> b & 0xff));
  }
  static void pack(baton::vector<char>& to, float real) { pack(to, std::bit_cast<std::uint32_t>(real)); }

  void add_input() {
    baton::tensor_type type = baton::tensor(baton::dtype::float32, 1, from(1, 5), from(1, 5), from(1, 4));
    if (random_.once_in(3)) {
      const auto id = b_.user_input(name("x"), type);
      values_.push_back({id, type, 4});
      quantize_last();
      return;
    }
    auto integer = type;
    integer.type = dtype_of_activations();
    const auto id = b_.user_input(name("x"), integer);
    set_quantization(id, integer.type, 4);
    const auto real = b_.call(name("dequantize"), "tfl.dequantize", {id}, type);
    values_.push_back({real, type, 4});
  }
  void set_quantization(baton::value_id id, baton::dtype type, double amplitude) {
    const float scales[] = {0.0625f, 0.05f, static_cast<float>(amplitude / 100), static_cast<float>(amplitude / 127),
                            static_cast<float>(amplitude / 60)};
    const auto scale = scales[random_.once_in(4) ? random_.below(2) : 2 + random_.below(3)];
    const auto zero_point = random_.once_in(3) ? 0 : random_.once_in(3) ? -128 : from(-40, 40);
    b_.quantize(id, scale, type == baton::dtype::uint8 ? zero_point + 128 : zero_point);
  }
  /// Quantizes and dequantizes the last value.
  void quantize_last() {
    auto& of = values_.back();
    auto type = of.type;
    type.type = dtype_of_activations();
    const auto integer = b_.call(name("q"), random_.once_in(4) ? "tfl.quantize" : "baton.quantize", {of.id}, type);
    set_quantization(integer, type.type, of.amplitude);
    integers_.push_back(integer);
    of.id = b_.call(name("dequantize"), "tfl.dequantize", {integer}, of.type);
  }
  void add(baton::value_id id, const baton::tensor_type& type, double amplitude) {
    values_.push_back({id, type, amplitude});
    if (random_.once_in(4)) {
      const char* const clamps[] = {"tfl.relu", "tfl.relu6", "tfl.maximum", "tfl.minimum"};
      const auto* const clamp = clamps[random_.below(4)];
      const bool has_constant = std::string(clamp).ends_with("imum");
      const auto clamped = has_constant ? b_.call(name("clamp"), clamp, {id, scalar()}, type) : b_.call(name("clamp"), clamp, {id}, type);
      if (random_.once_in(8)) values_.push_back({id, type, amplitude});  // also used without the clamp
      values_.push_back({clamped, type, amplitude});
    }
    if (!random_.once_in(6)) quantize_last();
    if (random_.once_in(8)) values_.push_back({id, type, amplitude});  // also used in float
  }
  auto scalar() -> baton::value_id {
    baton::vector<char> bytes;
    const float reals[] = {0, 6, -1, 1, 0.3f, 2};
    pack(bytes, reals[random_.below(6)]);
    return b_.constant(name("scalar"), baton::tensor(baton::dtype::float32), bytes);
  }
  auto numbers(std::initializer_list<std::int64_t> list, const baton::tensor_type& type) -> baton::value_id {
    baton::vector<char> bytes;
    for (const auto number : list) pack(bytes, static_cast<std::uint32_t>(number));
    return b_.constant(name("numbers"), type, bytes);
  }
  auto activation() -> const char* {
    const char* const names[] = {"none", "none", "none", "relu", "relu6"};
    return names[random_.below(5)];
  }

  struct weights {
    baton::value_id filter;
    baton::value_id bias;
  };
  /// Adds dequantized weights and a bias at the product of the scales, if the input of the layer is dequantized.
  auto add_weights(const value& of, baton::tensor_type type, std::int64_t outputs, std::int64_t axis) -> weights {
    const auto count = baton::element_count(type.shape());
    baton::vector<char> bytes;
    for (std::int64_t i = 0; i < count; ++i) bytes.push_back(static_cast<char>(from(-127, 127)));
    const bool is_per_channel = random_.once_in(2), is_unsigned = random_.once_in(5), has_zero_points = random_.once_in(6);
    baton::vector<float> scales;
    baton::vector<std::int64_t> zero_points;
    for (std::int64_t o = 0; o < (is_per_channel ? outputs : 1); ++o) {
      scales.push_back(0.004f * static_cast<float>(from(1, 5)));
      zero_points.push_back(is_unsigned ? 128 : has_zero_points ? from(-128, 127) : 0);
    }
    if (is_unsigned) {
      for (auto& byte : bytes) byte = static_cast<char>(byte ^ '\x80');
    }
    type.type = is_unsigned ? baton::dtype::uint8 : baton::dtype::int8;
    const auto filter = b_.constant(name("filter"), type, bytes);
    b_.quantize(filter, scales, zero_points, static_cast<std::int32_t>(axis));
    type.type = baton::dtype::float32;
    weights result{b_.call(name("dequantize"), "tfl.dequantize", {filter}, type), baton::none<baton::value_id>};
    const auto& draft = b_.draft();
    baton::value_id source = baton::none<baton::value_id>;
    for (const auto& record : draft.nodes) {
      if (record.is("tfl.dequantize") && draft.operands[record.outputs.first] == of.id) source = draft.operands[record.inputs.first];
    }
    if (random_.once_in(5)) return result;
    const auto float_bias = source == baton::none<baton::value_id> || random_.once_in(4);
    const auto s_x = source == baton::none<baton::value_id> ? 0.01f : baton::program_view(draft).scale(draft.values[index(source)].quant);
    baton::vector<char> numbers;
    baton::vector<float> products;
    baton::vector<std::int64_t> zeros;
    for (std::int64_t o = 0; o < outputs; ++o) {
      const auto product = s_x * scales[is_per_channel ? static_cast<std::size_t>(o) : 0];
      const auto whole = static_cast<std::int32_t>(from(-900, 900));
      if (is_per_channel || o == 0) products.push_back(product), zeros.push_back(0);
      if (float_bias) pack(numbers, static_cast<float>(static_cast<double>(product) * whole));
      if (!float_bias) pack(numbers, static_cast<std::uint32_t>(whole));
    }
    const auto bias = b_.constant(name("bias"), baton::tensor(float_bias ? baton::dtype::float32 : baton::dtype::int32, outputs), numbers);
    result.bias = bias;
    if (float_bias) return result;
    b_.quantize(bias, products, zeros, 0);
    result.bias = b_.call(name("dequantize"), "tfl.dequantize", {bias}, baton::tensor(baton::dtype::float32, outputs));
    return result;
  }

  void add_step() {
    switch (from(0, 11)) {
      case 0:
      case 1:
      case 2:
        return add_convolution(random_.once_in(2));
      case 3:
        return add_pool();
      case 4:
        return add_pair();
      case 5:
        return add_function();
      case 6:
        return add_product();
      case 7:
        return add_transpose();
      case 8:
        return add_pad();
      case 9:
        return add_concatenation();
      case 10:
        return add_reshape();
      default:
        return add_function();
    }
  }
  void add_convolution(bool is_depthwise) {
    const auto* const source = image();
    if (source == nullptr) return;
    const auto in = *source;
    const auto& s = in.type.sizes;
    const auto outputs = is_depthwise ? s[3] * from(1, 2) : from(1, 5);
    const std::int64_t fh = from(1, s[1] < 3 ? s[1] : 3), fw = from(1, s[2] < 3 ? s[2] : 3), stride = from(1, 2);
    const auto type = is_depthwise ? baton::tensor(baton::dtype::float32, 1, fh, fw, outputs)
                                   : baton::tensor(baton::dtype::float32, outputs, fh, fw, s[3]);
    const auto w = add_weights(in, type, outputs, is_depthwise ? 3 : 0);
    const bool is_same = random_.once_in(2);
    const auto along = [&](std::int64_t size, std::int64_t filter) {
      return is_same ? (size + stride - 1) / stride : (size - filter) / stride + 1;
    };
    const auto out = baton::tensor(baton::dtype::float32, 1, along(s[1], fh), along(s[2], fw), outputs);
    const auto id = b_.call(name("conv"), is_depthwise ? "tfl.depthwise_conv_2d" : "tfl.conv_2d", {in.id, w.filter, w.bias}, out,
                            {{"padding", is_same ? "same" : "valid"},
                             {"stride_h", stride},
                             {"stride_w", stride},
                             {"depth_multiplier", is_depthwise ? outputs / s[3] : 1},
                             {"fused_activation_function", activation()}});
    add(id, out, in.amplitude * 0.5 * std::sqrt(static_cast<double>(fh * fw * (is_depthwise ? 1 : s[3]))));
  }
  void add_pool() {
    const auto* const source = image();
    if (source == nullptr) return;
    const auto in = *source;
    const auto& s = in.type.sizes;
    const std::int64_t fh = from(1, s[1] < 3 ? s[1] : 3), fw = from(1, s[2] < 3 ? s[2] : 3), stride = from(1, 2);
    const bool is_same = random_.once_in(2);
    const auto along = [&](std::int64_t size, std::int64_t filter) {
      return is_same ? (size + stride - 1) / stride : (size - filter) / stride + 1;
    };
    const auto out = baton::tensor(baton::dtype::float32, 1, along(s[1], fh), along(s[2], fw), s[3]);
    const auto id = b_.call(name("pool"), random_.once_in(2) ? "tfl.max_pool_2d" : "tfl.average_pool_2d", {in.id}, out,
                            {{"padding", is_same ? "same" : "valid"},
                             {"filter_height", fh},
                             {"filter_width", fw},
                             {"stride_h", stride},
                             {"stride_w", stride},
                             {"fused_activation_function", activation()}});
    add(id, out, in.amplitude);
  }
  void add_pair() {
    const auto a = last();
    auto b = a;
    for (const auto& other : values_) {
      if (other.type.rank == a.type.rank && other.type.sizes == a.type.sizes && !random_.once_in(2)) b = other;
    }
    const char* const names[] = {"tfl.add", "tfl.sub", "tfl.mul"};
    const auto which = random_.below(3);
    add(b_.call(name("pair"), names[which], {a.id, b.id}, a.type, {{"fused_activation_function", activation()}}), a.type,
        which == 2 ? a.amplitude * b.amplitude / 3 : a.amplitude + b.amplitude);
  }
  void add_function() {
    const auto in = last();
    const char* const names[] = {"tfl.logistic", "tfl.tanh", "tfl.hard_swish", "tfl.relu", "tfl.leaky_relu", "tfl.mul", "tfl.add"};
    const auto which = random_.below(7);
    const auto id = which < 5 ? b_.call(name("function"), names[which], {in.id}, in.type, {{"alpha", 0.1}})
                              : b_.call(name("function"), names[which], {in.id, scalar()}, in.type);
    add(id, in.type, which < 2 ? 1 : which == 5 ? 2 * in.amplitude : in.amplitude + 2);
  }
  void add_product() {
    const auto in = last();
    if (in.type.rank != 2) return;
    const auto inputs = in.type.sizes[1], outputs = from(1, 5);
    const auto w = add_weights(in, baton::tensor(baton::dtype::float32, outputs, inputs), outputs, 0);
    const auto out = baton::tensor(baton::dtype::float32, in.type.sizes[0], outputs);
    add(b_.call(name("product"), "tfl.fully_connected", {in.id, w.filter, w.bias}, out,
                {{"fused_activation_function", activation()}, {"keep_num_dims", false}}),
        out, in.amplitude * 0.5 * std::sqrt(static_cast<double>(inputs)));
    if (random_.once_in(3)) {
      const auto softmax = b_.call(name("softmax"), "tfl.softmax", {values_.back().id}, out, {{"beta", 1.0}});
      add(softmax, out, 1);
    }
  }
  void add_transpose() {
    const auto* const source = image();
    if (source == nullptr) return;
    const auto in = *source;
    const auto& s = in.type.sizes;
    const auto out = baton::tensor(baton::dtype::float32, s[0], s[2], s[3], s[1]);
    move(b_.call(name("transpose"), "tfl.transpose", {in.id, numbers({0, 2, 3, 1}, baton::tensor(baton::dtype::int32, 4))}, out), out,
         in.amplitude);
  }
  void add_pad() {
    const auto* const source = image();
    if (source == nullptr) return;
    const auto in = *source;
    const auto& s = in.type.sizes;
    const auto out = baton::tensor(baton::dtype::float32, s[0], s[1] + 1, s[2] + 2, s[3]);
    const auto around = numbers({0, 0, 1, 0, 1, 1, 0, 0}, baton::tensor(baton::dtype::int32, 4, 2));
    move(b_.call(name("pad"), "tfl.pad", {in.id, around}, out), out, in.amplitude);
  }
  void add_reshape() {
    const auto in = last();
    const auto out = baton::tensor(baton::dtype::float32, 1, baton::element_count(in.type.shape()));
    move(b_.call(name("reshape"), "tfl.reshape", {in.id}, out), out, in.amplitude);
  }
  void add_concatenation() {
    const auto a = last();
    auto b = a;
    for (const auto& other : values_) {
      bool fits = other.type.rank == a.type.rank;
      for (std::size_t axis = 0; fits && axis + 1 < a.type.rank; ++axis) fits = other.type.sizes[axis] == a.type.sizes[axis];
      if (fits && random_.once_in(2)) b = other;
    }
    auto out = a.type;
    out.sizes[out.rank - 1] += b.type.sizes[out.rank - 1];
    move(b_.call(name("concatenation"), "tfl.concatenation", {a.id, b.id}, out,
                 {{"axis", static_cast<std::int64_t>(out.rank) - 1}, {"fused_activation_function", "none"}}),
         out, a.amplitude > b.amplitude ? a.amplitude : b.amplitude);
  }
  /// Adds the result of a move. Exporters often write no quantization after it.
  void move(baton::value_id id, const baton::tensor_type& type, double amplitude) {
    values_.push_back({id, type, amplitude});
    if (random_.once_in(2)) quantize_last();
  }
  void add_outputs() {
    b_.output(values_.back().id);
    for (std::size_t i = 0; i < values_.size(); ++i) {
      if (random_.once_in(6) && values_[i].id != values_.back().id && is_produced(values_[i].id)) b_.output(values_[i].id);
    }
    for (const auto id : integers_) {
      if (random_.once_in(3)) b_.output(id);
    }
  }
  auto is_produced(baton::value_id id) -> bool { return b_.draft().values[index(id)].kind == baton::value_kind::intermediate; }

  properties::random_numbers random_;
  baton::program_builder b_;
  std::vector<value> values_;
  std::vector<baton::value_id> integers_;
  int names_ = 0;
};

}  // namespace qdq
