// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Random small float32 networks of ONNX operators. Often channels, height and width are equal, so that a wrong layout still fits.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace onnx_tests {

class random_net {
 public:
  explicit random_net(std::uint32_t seed) : state_(seed * 2654435761u + 99) {
    for (int i = 0; i < 4; ++i) next();
  }

  auto build() -> baton::exported_program {
    const auto size = from(2, 4);
    const bool is_list = from(0, 5) == 0;  // an image of one dimension
    const auto of = [&] { return from(0, 2) == 0 ? from(1, 5) : size; };
    std::vector<std::int64_t> shape{from(1, 2), of(), of()};
    if (!is_list) shape.push_back(of());
    values_.push_back({b_.user_input("x", type_of(shape)), shape});
    for (auto nodes = from(3, 9); nodes > 0; --nodes) add_node();
    // Every value that is not read is an output, and sometimes other values, too.
    for (const auto& each : values_) {
      if (!each.is_read || from(0, 9) == 0) b_.output(each.id);
    }
    return b_.finish();
  }
  auto next() -> std::uint32_t {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 17;
    return state_ ^= state_ << 5;
  }

 private:
  using sizes = std::vector<std::int64_t>;
  struct value {
    baton::value_id id;
    sizes shape;
    bool is_read = false;
  };

  auto from(std::int64_t low, std::int64_t high) -> std::int64_t {
    return low + static_cast<std::int64_t>((next() >> 8) % static_cast<std::uint32_t>(high - low + 1));
  }
  static auto type_of(const sizes& shape) -> baton::tensor_type {
    baton::tensor_type type{baton::dtype::float32, shape.size(), {}};
    std::copy(shape.begin(), shape.end(), type.sizes.begin());
    return type;
  }
  auto name(std::string_view prefix) -> std::string { return std::string(prefix) + std::to_string(++names_); }
  auto constant(const sizes& shape, float low = -1, float high = 1) -> baton::value_id {
    std::int64_t count = 1;
    for (const auto size : shape) count *= size;
    std::vector<float> elements;
    for (std::int64_t i = 0; i < count; ++i) elements.push_back(low + (high - low) * static_cast<float>(next() % 1000) / 1000);
    std::string bytes(4 * elements.size(), '\0');
    std::memcpy(bytes.data(), elements.data(), bytes.size());
    return b_.constant(name("c"), type_of(shape), {bytes.data(), bytes.size()});
  }
  auto integers(const sizes& list) -> baton::value_id {
    std::string bytes(8 * list.size(), '\0');
    std::memcpy(bytes.data(), list.data(), bytes.size());
    return b_.constant(name("i"), baton::tensor(baton::dtype::int64, static_cast<std::int64_t>(list.size())), {bytes.data(), bytes.size()});
  }
  auto pick() -> value& {
    auto& chosen = values_[from(0, 3) == 0 ? static_cast<std::size_t>(next()) % values_.size() : values_.size() - 1];
    chosen.is_read = true;
    return chosen;
  }
  void add(std::string_view op, std::initializer_list<baton::value_id> inputs, const sizes& shape,
           std::initializer_list<baton::named_literal> literals = {}) {
    values_.push_back({b_.call(name("n"), op, inputs, type_of(shape), literals), shape});
  }

  void add_node() {
    const auto in = pick();
    const auto rank = in.shape.size();
    const auto kind = from(0, 29);
    if (kind > 19) return add_further(in, kind - 20);
    if (rank == 2 && kind < 8) return product(in);
    if (rank > 2 && kind < 5) return convolution(in);
    if (rank > 2 && kind < 7) return pool(in);
    if (kind == 7) return add("onnx.Relu", {in.id}, in.shape);
    if (kind == 8) return add("onnx.Sigmoid", {in.id}, in.shape);
    if (kind == 9) return pair(in);
    if (kind == 10) return pair_with_constant(in);
    if (kind == 11) return softmax(in);
    if (kind == 12) return transpose(in);
    if (kind == 13) return concat(in);
    if (kind == 14 && rank > 2) return pad(in);
    if (kind == 15 && rank > 2) return reshape(in);
    if (kind == 16 && rank > 2) return normalization(in);
    if (kind == 17) return add("onnx.Clip", {in.id, constant({}, -1, 0), constant({}, 0, 1)}, in.shape);
    if (kind == 18 && rank > 2) return reduction(in);
    if (rank > 2) return flatten(in);
    add("onnx.LeakyRelu", {in.id}, in.shape, {{"alpha", 0.25}});
  }
  void product(const value& in) {
    const auto inputs = in.shape[1], outputs = from(1, 5);
    const sizes to{in.shape[0], outputs};
    if (from(0, 2) == 0) return add("onnx.MatMul", {in.id, constant({inputs, outputs})}, to);
    const bool is_plain = from(0, 2) != 0, has_bias = from(0, 1) == 0;
    const auto weights = from(0, 1) == 0 ? constant({outputs, inputs}) : baton::none<baton::value_id>;
    const bool is_transposed = weights != baton::none<baton::value_id>;
    const auto second = is_transposed ? weights : constant({inputs, outputs});
    const auto bias = has_bias ? constant(from(0, 3) == 0 ? sizes{1} : sizes{outputs}) : baton::none<baton::value_id>;
    add("onnx.Gemm", {in.id, second, bias}, to,
        {{"transB", is_transposed ? 1 : 0}, {"alpha", is_plain ? 1.0 : 0.5}, {"beta", is_plain ? 1.0 : 2.0}});
  }
  void convolution(const value& in) {
    const auto dimensions = in.shape.size() - 2;
    const auto channels = in.shape[1];
    auto groups = std::int64_t{1};
    if (from(0, 2) == 0) groups = channels;
    if (channels == 4 && from(0, 1) == 0) groups = 2;
    const auto outputs = groups * from(1, groups == 1 ? 5 : 2);
    sizes filter{outputs, channels / groups}, to{in.shape[0], outputs}, strides, dilations, begins, ends;
    for (std::size_t d = 0; d < dimensions; ++d) {
      filter.push_back(from(1, 3));
      strides.push_back(from(1, 2));
      dilations.push_back(from(0, 4) == 0 ? 2 : 1);
      const auto reach = (filter.back() - 1) * dilations.back() + 1, missing = std::max<std::int64_t>(0, reach - in.shape[d + 2]);
      begins.push_back(from(0, 2) == 0 ? 0 : reach / 2);
      ends.push_back(std::max(missing, from(0, 2) == 0 ? 0 : reach / 2));
      to.push_back((in.shape[d + 2] + begins.back() + ends.back() - reach) / strides.back() + 1);
    }
    auto pads = begins;
    pads.insert(pads.end(), ends.begin(), ends.end());
    add("onnx.Conv", {in.id, constant(filter), from(0, 2) == 0 ? baton::none<baton::value_id> : constant({outputs})}, to,
        {{"strides", baton::span<const std::int64_t>{strides}},
         {"dilations", baton::span<const std::int64_t>{dilations}},
         {"pads", baton::span<const std::int64_t>{pads}},
         {"group", groups}});
  }
  void pool(const value& in) {
    const bool is_max = from(0, 1) == 0;
    auto to = in.shape;
    if (from(0, 2) == 0) {
      std::fill(to.begin() + 2, to.end(), 1);
      return add(is_max ? "onnx.GlobalMaxPool" : "onnx.GlobalAveragePool", {in.id}, to);
    }
    sizes filter, strides, begins, ends;
    const bool is_ceil = from(0, 3) == 0;
    for (std::size_t d = 0; d < in.shape.size() - 2; ++d) {
      const auto size = in.shape[d + 2];
      filter.push_back(std::min(size, from(1, 3)));
      strides.push_back(from(1, 3));
      begins.push_back(from(0, 1) == 0 ? 0 : filter.back() / 2);
      ends.push_back(from(0, 1) == 0 ? 0 : filter.back() / 2);
      const auto room = size + begins.back() + ends.back() - filter.back();
      auto windows = room / strides.back() + 1;
      if (is_ceil && room % strides.back() != 0 && windows * strides.back() < size + begins.back()) ++windows;
      to[d + 2] = windows;
    }
    auto pads = begins;
    pads.insert(pads.end(), ends.begin(), ends.end());
    add(is_max ? "onnx.MaxPool" : "onnx.AveragePool", {in.id}, to,
        {{"kernel_shape", baton::span<const std::int64_t>{filter}},
         {"strides", baton::span<const std::int64_t>{strides}},
         {"pads", baton::span<const std::int64_t>{pads}},
         {"count_include_pad", from(0, 1)},
         {"ceil_mode", is_ceil ? 1 : 0}});
  }
  void pair(const value& in) {
    const std::string_view ops[] = {"onnx.Add", "onnx.Sub", "onnx.Mul"};
    const auto op = ops[from(0, 2)];
    for (auto& other : values_) {
      if (other.id == in.id || other.shape.size() != in.shape.size()) continue;
      bool fits = true;
      sizes to;
      for (std::size_t d = 0; d < in.shape.size(); ++d) {
        fits = fits && (other.shape[d] == in.shape[d] || other.shape[d] == 1 || in.shape[d] == 1);
        to.push_back(std::max(other.shape[d], in.shape[d]));
      }
      if (!fits) continue;
      other.is_read = true;
      return add(op, {in.id, other.id}, to);
    }
    add(op, {in.id, in.id}, in.shape);
  }
  void pair_with_constant(const value& in) {
    auto shape = in.shape;
    for (auto& size : shape) size = from(0, 1) == 0 ? 1 : size;
    shape.erase(shape.begin(), shape.begin() + from(0, static_cast<std::int64_t>(shape.size())));
    if (from(0, 3) == 0) return add("onnx.Sub", {constant(shape), in.id}, in.shape);
    add(from(0, 1) == 0 ? "onnx.Mul" : "onnx.Add", {in.id, constant(shape)}, in.shape);
  }
  void softmax(const value& in) {
    add("onnx.Softmax", {in.id}, in.shape, {{"axis", from(0, static_cast<std::int64_t>(in.shape.size()) - 1)}});
  }
  void transpose(const value& in) {
    sizes order;
    for (std::size_t d = 0; d < in.shape.size(); ++d) order.push_back(static_cast<std::int64_t>(d));
    const auto kind = from(0, 3);
    if (kind == 0) std::rotate(order.begin() + 1, order.begin() + 2, order.end());  // channels last
    if (kind == 1) std::rotate(order.begin() + 1, order.end() - 1, order.end());    // channels first
    if (kind > 1) std::swap(order[next() % order.size()], order[next() % order.size()]);
    if (in.shape.size() == 2) order = {1, 0};
    sizes to;
    for (const auto d : order) to.push_back(in.shape[static_cast<std::size_t>(d)]);
    add("onnx.Transpose", {in.id}, to, {{"perm", baton::span<const std::int64_t>{order}}});
  }
  void concat(const value& in) {
    const auto axis = static_cast<std::size_t>(from(0, 2) != 0 ? 1 : from(0, static_cast<std::int64_t>(in.shape.size()) - 1));
    auto to = in.shape, more = in.shape;
    more[axis] = from(1, 2);
    to[axis] = 2 * in.shape[axis] + more[axis];
    add("onnx.Concat", {in.id, constant(more), in.id}, to, {{"axis", static_cast<std::int64_t>(axis)}});
  }
  void pad(const value& in) {
    const auto rank = in.shape.size();
    sizes pads(2 * rank, 0);
    auto to = in.shape;
    for (std::size_t d = 0; d < rank; ++d) {
      pads[d] = from(0, 3) == 0 ? 1 : 0;
      pads[d + rank] = from(0, 2) == 0 ? from(1, 2) : 0;
      to[d] += pads[d] + pads[d + rank];
    }
    if (from(0, 1) == 0) return add("onnx.Pad", {in.id, integers(pads)}, to);
    add("onnx.Pad", {in.id, integers(pads), constant({})}, to);
  }
  void reshape(const value& in) {
    const auto n = in.shape[0], c = in.shape[1], d = in.shape[2], e = in.shape.size() > 3 ? in.shape[3] : 1;
    const sizes shapes[] = {{n, c, d * e}, {n, c, d * e, 1}, {n, c * d, e},   {n, d, c, e},
                            {n * c, d, e}, {n, 1, c, d * e}, {1, n, c, d * e}};
    add("onnx.Reshape", {in.id}, shapes[from(0, 6)]);
  }
  void flatten(const value& in) {
    std::int64_t columns = 1;
    for (std::size_t i = 1; i < in.shape.size(); ++i) columns *= in.shape[i];
    add("onnx.Flatten", {in.id}, {in.shape[0], columns}, {{"axis", 1}});
  }
  void normalization(const value& in) {
    const sizes channels{in.shape[1]};
    add("onnx.BatchNormalization", {in.id, constant(channels), constant(channels), constant(channels), constant(channels, 0.5f, 2)},
        in.shape);
  }
  void reduction(const value& in) {
    const std::string_view ops[] = {"onnx.ReduceMean", "onnx.ReduceSum", "onnx.ReduceMax",      "onnx.ReduceMin",
                                    "onnx.ReduceL1",   "onnx.ReduceL2",  "onnx.ReduceSumSquare"};
    const auto rank = static_cast<std::int64_t>(in.shape.size());
    sizes axes{from(0, 1) == 0 ? 2 : from(0, rank - 1)};
    if (from(0, 2) == 0 && axes[0] + 1 < rank) axes.push_back(axes[0] + 1);
    const bool keeps = from(0, 1) == 0;
    sizes to;
    for (std::int64_t d = 0; d < rank; ++d) {
      const bool is_reduced = std::find(axes.begin(), axes.end(), d) != axes.end();
      if (!is_reduced || keeps) to.push_back(is_reduced ? 1 : in.shape[static_cast<std::size_t>(d)]);
    }
    if (to.size() < 2) return;
    if (from(0, 2) == 0) axes[0] -= rank;
    add(ops[from(0, 2) == 0 ? from(0, 6) : 0], {in.id, integers(axes)}, to, {{"keepdims", keeps ? 1 : 0}});
  }

  void add_further(const value& in, std::int64_t kind) {
    const auto rank = in.shape.size();
    if (kind == 0) return function(in);
    if (kind == 1) return slice(in);
    if (kind == 2) return gather(in);
    if (kind == 3) return expand(in);
    if (kind == 4) return choose(in);
    if (kind == 5) return layer_normalization(in);
    if (kind == 6 && rank > 2) return instance_normalization(in);
    if (kind == 7 && rank > 2) return resize(in);
    if (kind == 8 && rank == 4) return blocks(in);
    if (rank > 2) return transposed_convolution(in);
    function(in);
  }
  void function(const value& in) {
    const std::string_view ops[] = {"onnx.Elu",  "onnx.Softplus", "onnx.HardSigmoid", "onnx.Softsign", "onnx.Mish", "onnx.Selu",
                                    "onnx.Gelu", "onnx.Erf",      "onnx.Identity",    "onnx.Abs",      "onnx.Neg",  "onnx.PRelu"};
    const auto op = ops[from(0, 11)];
    if (op != "onnx.PRelu") return add(op, {in.id}, in.shape);
    sizes slope(in.shape.size() - 1, 1);
    slope[0] = in.shape[1];
    add(op, {in.id, constant(slope)}, in.shape);
  }
  void slice(const value& in) {
    const auto rank = static_cast<std::int64_t>(in.shape.size());
    const auto axis = from(0, rank - 1), size = in.shape[static_cast<std::size_t>(axis)];
    const auto first = from(0, size - 1);
    const bool is_backward = from(0, 1) == 0;
    auto to = in.shape;
    to[static_cast<std::size_t>(axis)] = is_backward ? first + 1 : size - first;
    const sizes start{from(0, 1) == 0 ? first : first - size}, end{is_backward ? -size - 1 : size + 3};
    add("onnx.Slice",
        {in.id, integers(start), integers(end), integers({from(0, 1) == 0 ? axis : axis - rank}), integers({is_backward ? -1 : 1})}, to);
  }
  void gather(const value& in) {
    const auto rank = static_cast<std::int64_t>(in.shape.size());
    const auto axis = from(0, rank - 1), size = in.shape[static_cast<std::size_t>(axis)];
    sizes positions;
    for (auto count = from(1, 3); count > 0; --count) positions.push_back(from(-size, size - 1));
    auto to = in.shape;
    to[static_cast<std::size_t>(axis)] = static_cast<std::int64_t>(positions.size());
    add("onnx.Gather", {in.id, integers(positions)}, to, {{"axis", from(0, 1) == 0 ? axis : axis - rank}});
  }
  void expand(const value& in) {
    auto to = in.shape;
    const bool tiles = from(0, 1) == 0;
    sizes multiples;
    for (auto& size : to) {
      const auto times = (tiles || size == 1) && size < 4 && from(0, 2) == 0 ? 2 : 1;
      multiples.push_back(times);
      size *= times;
    }
    add(tiles ? "onnx.Tile" : "onnx.Expand", {in.id, integers(tiles ? multiples : to)}, to);
  }
  /// Elements of the value or of a constant, by a constant mask.
  void choose(const value& in) {
    sizes shape = in.shape;
    std::int64_t count = 1;
    for (auto& size : shape) count *= size = from(0, 1) == 0 ? 1 : size;
    std::string bytes;
    for (std::int64_t i = 0; i < count; ++i) bytes.push_back(static_cast<char>(from(0, 1)));
    auto type = type_of(shape);
    type.type = baton::dtype::boolean;
    add("onnx.Where", {b_.constant(name("m"), type, bytes), in.id, constant({})}, in.shape);
  }
  void layer_normalization(const value& in) {
    const sizes last{in.shape.back()};
    add("onnx.LayerNormalization", {in.id, constant(last), from(0, 1) == 0 ? constant(last) : baton::none<baton::value_id>}, in.shape,
        {{"axis", -1}, {"epsilon", 0.1}});
  }
  void instance_normalization(const value& in) {
    const sizes channels{in.shape[1]};
    add("onnx.InstanceNormalization", {in.id, constant(channels), constant(channels)}, in.shape, {{"epsilon", 0.1}});
  }
  void resize(const value& in) {
    auto to = in.shape;
    for (std::size_t d = 2; d < to.size(); ++d) to[d] = from(1, 5);
    const char* const coordinates[] = {"half_pixel", "asymmetric", "align_corners"};
    const char* const rounding[] = {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"};
    add("onnx.Resize", {in.id, baton::none<baton::value_id>, baton::none<baton::value_id>, integers(to)}, to,
        {{"mode", from(0, 1) == 0 ? "nearest" : "linear"},
         {"coordinate_transformation_mode", coordinates[from(0, 2)]},
         {"nearest_mode", rounding[from(0, 3)]}});
  }
  void blocks(const value& in) {
    const auto& s = in.shape;
    if (s[1] == 4) return add("onnx.DepthToSpace", {in.id}, {s[0], 1, 2 * s[2], 2 * s[3]}, {{"blocksize", 2}, {"mode", "CRD"}});
    if (s[2] % 2 == 0 && s[3] % 2 == 0) return add("onnx.SpaceToDepth", {in.id}, {s[0], 4 * s[1], s[2] / 2, s[3] / 2}, {{"blocksize", 2}});
    function(in);
  }
  void transposed_convolution(const value& in) {
    const auto dimensions = in.shape.size() - 2;
    const auto groups = from(0, 2) == 0 ? in.shape[1] : in.shape[1] % 2 == 0 && from(0, 2) == 0 ? 2 : 1, of_group = from(1, 3);
    const auto outputs = groups * of_group;
    sizes filter{in.shape[1], of_group}, to{in.shape[0], outputs}, strides, dilations, begins, ends;
    for (std::size_t d = 0; d < dimensions; ++d) {
      filter.push_back(from(1, 3));
      strides.push_back(from(1, 2));
      dilations.push_back(from(0, 2) == 0 ? from(2, 3) : 1);
      const auto whole = (in.shape[d + 2] - 1) * strides.back() + (filter.back() - 1) * dilations.back() + 1;
      begins.push_back(whole > 2 ? from(0, 1) : 0);
      ends.push_back(whole > 2 ? from(0, 1) : 0);
      to.push_back(whole - begins.back() - ends.back());
    }
    auto pads = begins;
    pads.insert(pads.end(), ends.begin(), ends.end());
    add("onnx.ConvTranspose", {in.id, constant(filter), from(0, 1) == 0 ? baton::none<baton::value_id> : constant({outputs})}, to,
        {{"strides", baton::span<const std::int64_t>{strides}},
         {"pads", baton::span<const std::int64_t>{pads}},
         {"dilations", baton::span<const std::int64_t>{dilations}},
         {"group", groups}});
  }

  baton::program_builder b_;
  std::vector<value> values_;
  std::uint32_t state_;
  int names_ = 0;
};

}  // namespace onnx_tests
