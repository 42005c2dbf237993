// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Random nodes of torch.export that join tensors, take parts of them, or give their elements another order or shape.
#pragma once

#include "transform/random_torch_layers.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace torch_tests {

class random_moves : protected random_layers {
 protected:
  using random_layers::random_layers;

  void joining(const value& in) {
    const auto axis = dimension_of(in.shape);
    const auto signed_axis = static_cast<std::int64_t>(axis) - (once_in(3) ? static_cast<std::int64_t>(in.shape.size()) : 0);
    const auto other = partner(in, [&](const sizes& shape) {
      auto same = shape;
      if (shape.size() == in.shape.size()) same[axis] = in.shape[axis];
      return same == in.shape;
    });
    auto to = in.shape;
    if (other.shape == in.shape && in.shape.size() < 4 && once_in(3)) {
      to.insert(to.begin() + static_cast<std::ptrdiff_t>(axis), 2);
      return add("aten.stack.default", {in.id, other.id}, to, std::max(in.amplitude, other.amplitude),
                 {{"arg_1", static_cast<std::int64_t>(axis)}});
    }
    to[axis] += other.shape[axis];
    std::vector<value_id> operands{in.id, other.id};
    if (once_in(3)) {
      auto more = in.shape;
      more[axis] = from(1, 2);
      to[axis] += more[axis];
      operands.push_back(constant(more));
    }
    add("aten.cat.default", operands, to, std::max(in.amplitude, other.amplitude), {{"arg_1", signed_axis}});
  }
  void part(const value& in) {
    const auto d = dimension_of(in.shape);
    const auto axis = static_cast<std::int64_t>(d), size = in.shape[d];
    auto to = in.shape;
    switch (from(0, 6)) {
      case 0: {
        if (size < 2) break;
        auto second = to;
        to[d] = (size + 1) / 2;
        second[d] = size - to[d];
        return add_many("aten.chunk.default", in.id, {to, second}, in.amplitude, {{"arg_1", 2}, {"arg_2", axis}});
      }
      case 1: {
        std::vector<sizes> parts;
        for (std::int64_t at = 0; at < size; at += 2) {
          parts.push_back(to);
          parts.back()[d] = std::min<std::int64_t>(2, size - at);
        }
        return add_many("aten.split.Tensor", in.id, parts, in.amplitude, {{"arg_1", 2}, {"arg_2", axis}});
      }
      case 2:
        if (to.size() < 2) break;
        to.erase(to.begin() + axis);
        return add("aten.select.int", {in.id}, to, in.amplitude, {{"arg_1", axis}, {"arg_2", from(-size, size - 1)}});
      case 3: {
        const auto first = from(0, size - 1);
        to[d] = from(1, size - first);
        return add("aten.narrow.default", {in.id}, to, in.amplitude, {{"arg_1", axis}, {"arg_2", first}, {"arg_3", to[d]}});
      }
      case 4: {
        sizes positions;
        for (auto count = from(1, 4); count > 0; --count) positions.push_back(from(0, size - 1));
        to[d] = static_cast<std::int64_t>(positions.size());
        return add("aten.index_select.default", {in.id, integers(positions)}, to, in.amplitude, {{"arg_1", axis}});
      }
      default:
        break;
    }
    const auto first = from(0, size - 1), step = from(1, 2), end = once_in(2) ? std::int64_t{0x7fffffffffffffff} : from(first + 1, size);
    to[d] = (std::min(end, size) - first + step - 1) / step;
    add("aten.slice.Tensor", {in.id}, to, in.amplitude,
        {{"arg_1", axis}, {"arg_2", once_in(3) ? first - size : first}, {"arg_3", end}, {"arg_4", step}});
  }
  void order(const value& in) {
    const auto rank = in.shape.size();
    const auto d = dimension_of(in.shape);
    auto to = in.shape;
    if (once_in(5)) {
      const sizes axes{static_cast<std::int64_t>(d)}, shifts{from(-2, 2)};
      if (once_in(2)) return add("aten.flip.default", {in.id}, to, in.amplitude, {{"arg_1", list(axes)}});
      return add("aten.roll.default", {in.id}, to, in.amplitude, {{"arg_1", list(shifts)}, {"arg_2", list(axes)}});
    }
    if (rank == 2 && once_in(2)) return add("aten.t.default", {in.id}, {to[1], to[0]}, in.amplitude);
    sizes order;
    for (std::size_t i = 0; i < rank; ++i) order.push_back(static_cast<std::int64_t>(i));
    if (once_in(3)) {
      const auto e = dimension_of(in.shape);
      std::swap(to[d], to[e]);
      return add("aten.transpose.int", {in.id}, to, in.amplitude,
                 {{"arg_1", static_cast<std::int64_t>(d)}, {"arg_2", static_cast<std::int64_t>(e) - static_cast<std::int64_t>(rank)}});
    }
    const auto kind = from(0, 2);
    if (rank > 2 && kind == 0) std::rotate(order.begin() + 1, order.begin() + 2, order.end());  // channels last
    if (rank > 2 && kind == 1) std::rotate(order.begin() + 1, order.end() - 1, order.end());    // channels first
    if (rank < 3 || kind == 2) std::swap(order[d], order[dimension_of(in.shape)]);
    for (std::size_t i = 0; i < rank; ++i) to[i] = in.shape[static_cast<std::size_t>(order[i])];
    add("aten.permute.default", {in.id}, to, in.amplitude, {{"arg_1", list(order)}});
  }
  void view(const value& in) {
    const auto rank = in.shape.size();
    auto to = in.shape;
    const auto d = dimension_of(in.shape);
    const auto axis = static_cast<std::int64_t>(d);
    if (rank < 4 && once_in(4)) {
      to.insert(to.begin() + axis, 1);
      return add("aten.unsqueeze.default", {in.id}, to, in.amplitude, {{"arg_1", axis}});
    }
    if (rank > 1 && to[d] == 1 && once_in(2)) {
      to.erase(to.begin() + axis);
      return add("aten.squeeze.dim", {in.id}, to, in.amplitude, {{"arg_1", axis}});
    }
    if (to[d] == 1 && once_in(2)) {
      to[d] = from(2, 3);
      return add("aten.expand.default", {in.id}, to, in.amplitude, {{"arg_1", list(to)}});
    }
    if (once_in(5)) {
      sizes copies(rank, 1);
      copies[d] = 2;
      to[d] *= 2;
      return add("aten.repeat.default", {in.id}, to, in.amplitude, {{"arg_1", list(copies)}});
    }
    if (rank > 2 && once_in(2)) {
      const sizes flat{to[0], static_cast<std::int64_t>(count_of(to)) / to[0]};
      return add("aten.flatten.using_ints", {in.id}, flat, in.amplitude, {{"arg_1", 1}});
    }
    if (rank < 3) return add(once_in(2) ? "aten.clone.default" : "aten.dropout.default", {in.id}, to, in.amplitude, {{"arg_2", 0}});
    const auto n = to[0], c = to[1], h = to[2], w = rank > 3 ? to[3] : 1;
    const sizes shapes[] = {{n, c, h * w}, {n, c, h * w, 1}, {n, c * h, w},   {n, h, c, w},
                            {n * c, h, w}, {n, 1, c, h * w}, {1, n, c, h * w}};
    const auto& chosen = shapes[from(0, 6)];
    add(once_in(2) ? "aten.view.default" : "aten.reshape.default", {in.id}, chosen, in.amplitude, {{"arg_1", list(chosen)}});
  }
};

}  // namespace torch_tests
