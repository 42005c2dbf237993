// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Programs of one random node that moves elements: padding, mirrored padding, slices, transposes, repetition, blocks, joins, splits,
// resizing.
#pragma once

#include "kernels/one_node.hpp"
#include "kernels/random_layer.hpp"

#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace overlap {

/// Builds a random node of one operator. The same seed builds the same program.
class random_movement {
 public:
  explicit random_movement(std::uint32_t seed) : draw_(seed + 1) {
    type_ = draw_.of({baton::dtype::int8, baton::dtype::int16, baton::dtype::int32});
    rank_ = static_cast<std::size_t>(draw_.of({2, 3, 4, 4, 4}));
    for (std::size_t d = 0; d < rank_; ++d) in_.push_back(draw_.of({1, 2, 3, 4, 5}));
  }

  auto pad(bool has_value) -> baton::exported_program {
    std::vector<int> pads;
    std::vector<int> out;
    for (const auto size : in_) {
      pads.push_back(draw_.of({0, 0, 1, 2}));
      pads.push_back(draw_.of({0, 0, 1, 3}));
      out.push_back(size + pads[pads.size() - 2] + pads.back());
    }
    std::vector<baton::value_id> operands{input(), paddings(pads)};
    if (has_value)
      operands.push_back(build_.constant("value", one_node::type_of(type_, {}), {"\x11\x22\x33\x44", static_cast<std::size_t>(bytes())}));
    return finish(has_value ? "tfl.padv2" : "tfl.pad", operands, out);
  }
  auto mirror_pad() -> baton::exported_program {
    const bool reflects = draw_.once_in(2);
    std::vector<int> pads;
    std::vector<int> out;
    for (const auto size : in_) {
      for (int side = 0; side < 2; ++side) pads.push_back(draw_.once_in(2) ? 0 : draw_.from_to(0, size - (reflects ? 1 : 0)));
      out.push_back(size + pads[pads.size() - 2] + pads.back());
    }
    return finish("tfl.mirror_pad", {input(), paddings(pads)}, out, {{"mode", reflects ? "reflect" : "symmetric"}});
  }
  auto strided_slice() -> baton::exported_program {
    std::vector<int> begin;
    std::vector<int> end;
    std::vector<int> strides;
    std::vector<int> out;
    for (const auto size : in_) {
      const auto first = draw_.from_to(0, size - 1);
      const auto count = draw_.from_to(1, size - first);
      const auto stride = draw_.of({1, 1, 2, 3});
      begin.push_back(first);
      end.push_back(first + count);
      strides.push_back(stride);
      out.push_back((count + stride - 1) / stride);
      if (draw_.once_in(4)) {  // all elements up to `first`, backwards
        end.back() = -size - 1;
        strides.back() = -stride;
        out.back() = first / stride + 1;
      }
    }
    return finish("tfl.strided_slice", {input(), list(begin), list(end), list(strides)}, out);
  }
  auto transpose() -> baton::exported_program {
    std::vector<int> order;
    for (std::size_t d = 0; d < rank_; ++d) order.push_back(static_cast<int>(d));
    for (auto d = rank_; d > 1; --d) std::swap(order[d - 1], order[static_cast<std::size_t>(draw_.from_to(0, static_cast<int>(d) - 1))]);
    std::vector<int> out;
    for (const auto d : order) out.push_back(in_[static_cast<std::size_t>(d)]);
    return finish("tfl.transpose", {input(), list(order)}, out);
  }
  auto tile() -> baton::exported_program {
    std::vector<int> multiples;
    std::vector<int> out;
    for (const auto size : in_) {
      multiples.push_back(draw_.of({1, 1, 2, 3}));
      out.push_back(size * multiples.back());
    }
    return finish("tfl.tile", {input(), list(multiples)}, out);
  }
  auto blocks(bool is_to_space) -> baton::exported_program {
    const auto block = draw_.from_to(1, 3);
    rank_ = 4;
    in_ = {draw_.from_to(1, 2), draw_.from_to(1, 3), draw_.from_to(1, 3), draw_.from_to(1, 4)};
    auto out = in_;
    auto& wide = is_to_space ? out : in_;
    auto& deep = is_to_space ? in_ : out;
    wide[1] *= block;
    wide[2] *= block;
    deep[3] *= block * block;
    return finish(is_to_space ? "tfl.depth_to_space" : "tfl.space_to_depth", {input()}, out, {{"block_size", block}});
  }
  auto concatenation(int max_parts) -> baton::exported_program {
    const auto axis = static_cast<std::size_t>(draw_.from_to(0, static_cast<int>(rank_) - 1));
    auto out = in_;
    out[axis] = 0;
    std::vector<baton::value_id> parts;
    for (auto left = draw_.from_to(1, max_parts); left > 0; --left) {
      in_[axis] = draw_.from_to(1, 4);
      out[axis] += in_[axis];
      parts.push_back(input());
    }
    return finish("tfl.concatenation", parts, out, {{"axis", static_cast<int>(axis)}});
  }
  /// Splits the input into parts of different sizes along an axis, or unpacks it.
  auto split(bool is_unpack) -> baton::exported_program {
    type_ = baton::dtype::int32;
    const auto axis = static_cast<std::size_t>(draw_.from_to(0, static_cast<int>(rank_) - 1));
    std::vector<std::vector<int>> outs;
    std::vector<int> sizes;
    for (auto left = draw_.from_to(2, 6); left > 0; --left) sizes.push_back(is_unpack ? 1 : draw_.from_to(1, 4));
    in_[axis] = 0;
    for (const auto size : sizes) in_[axis] += size;
    const auto x = input();
    for (const auto size : sizes) {
      outs.push_back(in_);
      if (is_unpack) {
        outs.back().erase(outs.back().begin() + static_cast<std::ptrdiff_t>(axis));
      } else {
        outs.back()[axis] = size;
      }
    }
    std::vector<baton::value_id> operands{x};
    if (!is_unpack) {
      operands.push_back(list(sizes));
      operands.push_back(one_node::int32_constant(build_, "axis", {static_cast<int>(axis)}));
    }
    std::vector<baton::value_id> parts;
    for (const auto& out : outs) {
      parts.push_back(build_.add_value(
          build_.make_value("y" + std::to_string(parts.size()), one_node::type_of(type_, out), baton::value_kind::intermediate)));
    }
    const std::array<baton::named_literal, 1> literals{{{"axis", static_cast<int>(axis)}}};
    build_.add_node(build_.make_node("node", is_unpack ? "tfl.unpack" : "tfl.split_v"), {operands.data(), operands.size()},
                    {parts.data(), parts.size()}, {literals.data(), is_unpack ? literals.size() : 0});
    for (const auto part : parts) build_.output(part);
    return build_.finish();
  }
  auto resize(bool is_bilinear, bool aligns_corners) -> baton::exported_program {
    if (is_bilinear && type_ == baton::dtype::int32) type_ = baton::dtype::float32;
    rank_ = 4;
    in_ = {draw_.of({1, 1, 2}), draw_.from_to(1, 6), draw_.from_to(1, 6), draw_.from_to(1, 4)};
    const auto height = draw_.from_to(1, 9);
    const auto width = draw_.from_to(1, 9);
    return finish(is_bilinear ? "tfl.resize_bilinear" : "tfl.resize_nearest_neighbor", {input(), list({height, width})},
                  {in_[0], height, width, in_[3]},
                  {{"align_corners", aligns_corners}, {"half_pixel_centers", !aligns_corners && draw_.once_in(2)}});
  }

 private:
  auto bytes() const -> int { return baton::facts(type_).bits / 8; }
  auto input() -> baton::value_id { return build_.user_input("x" + std::to_string(inputs_++), one_node::type_of(type_, in_)); }
  auto list(const std::vector<int>& of) -> baton::value_id { return one_node::int32_constant(build_, "c" + std::to_string(inputs_++), of); }
  /// Returns a constant [rank, 2] of the padding before and after each dimension.
  auto paddings(const std::vector<int>& of) -> baton::value_id {
    const auto data = one_node::bytes_of(of);
    return build_.constant("c" + std::to_string(inputs_++), baton::tensor(baton::dtype::int32, rank_, 2), {data.data(), data.size()});
  }
  auto finish(const char* name, const std::vector<baton::value_id>& operands, const std::vector<int>& out,
              std::initializer_list<baton::named_literal> literals = {}) -> baton::exported_program {
    const auto y = build_.add_value(build_.make_value("y", one_node::type_of(type_, out), baton::value_kind::intermediate));
    build_.add_node(build_.make_node("node", name), {operands.data(), operands.size()}, {&y, 1}, {literals.begin(), literals.size()});
    build_.output(y);
    return build_.finish();
  }

  one_layer::drawn draw_;
  baton::program_builder build_;
  baton::dtype type_ = baton::dtype::int8;
  std::size_t rank_ = 4;
  std::vector<int> in_;
  int inputs_ = 0;
};

}  // namespace overlap
