// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Random small programs of torch.export. Half of them are quantized. Often channels, height and width are equal, so that a wrong layout
// still fits.
#pragma once

#include <baton/core/program.hpp>

#include "transform/random_torch_moves.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace torch_tests {

class random_net : random_moves {
 public:
  explicit random_net(std::uint64_t seed) : random_moves(seed) {}

  auto build() -> baton::exported_program {
    const auto size = from(2, 5);
    const auto of = [&] { return once_in(3) ? from(1, 6) : size; };
    sizes shape{from(1, 2), of(), of()};
    if (!once_in(6)) shape.push_back(of());
    add_input(shape);
    for (auto nodes = from(3, 9); nodes > 0; --nodes) add_step();
    // Every value that is not read is an output, and sometimes other values, too.
    std::vector<value_id> outputs;
    for (const auto& each : values_) {
      if ((!each.is_read || once_in(9)) && b_.draft().values[index(each.id)].kind == baton::value_kind::intermediate)
        outputs.push_back(each.id);
    }
    for (const auto id : quantized_) {
      if (is_watched_ || once_in(6)) outputs.push_back(id);
    }
    std::sort(outputs.begin(), outputs.end());
    outputs.erase(std::unique(outputs.begin(), outputs.end()), outputs.end());
    for (const auto id : outputs) b_.output(id);
    return b_.finish();
  }

 private:
  void add_step() {
    const auto in = pick();
    const bool is_image = in.shape.size() == 4 || in.shape.size() == 3;
    if (in.amplitude > 60) return add("aten.tanh.default", {in.id}, in.shape, 1);
    if (count_of(in.shape) > 600) return reduction(in);
    switch (from(0, 15)) {
      case 0:
      case 1:
        return is_image ? convolution(in) : product(in);
      case 2:
        return is_image ? pool(in) : function(in);
      case 3:
        if (in.shape.size() == 3 && once_in(2)) return recurrence(in);
        return in.shape.size() == 4 ? resizing(in) : product(in);
      case 4:
        return in.shape.size() > 1 ? normalization(in) : function(in);
      case 5:
      case 6:
        return function(in);
      case 7:
      case 8:
        return pair(in);
      case 9:
        return in.shape.size() > 1 ? product(in) : function(in);
      case 10:
        return joining(in);
      case 11:
        return part(in);
      case 12:
        return order(in);
      case 13:
        return view(in);
      case 14:
        return reduction(in);
      default:
        return along(in);
    }
  }

  // Elements

  void function(const value& in) {
    const char* const bounded[] = {"sigmoid", "tanh", "sin", "cos", "erf", "hardsigmoid"};
    const char* const others[] = {"relu", "relu6", "silu", "mish", "selu", "hardswish", "abs", "neg", "log_sigmoid"};
    const auto named = [](const char* op) { return "aten." + std::string(op) + ".default"; };
    switch (from(0, 11)) {
      case 0:
      case 1:
        return add(named(bounded[from(0, 5)]), {in.id}, in.shape, 1);
      case 2:
        return add("aten.gelu.default", {in.id}, in.shape, in.amplitude, {{"arg_1", once_in(2) ? "tanh" : "none"}});
      case 3:
        return add("aten.leaky_relu.default", {in.id}, in.shape, in.amplitude, {{"arg_1", 0.25}});
      case 4:
        return add(once_in(2) ? "aten.elu.default" : "aten.celu.default", {in.id}, in.shape, in.amplitude, {{"arg_1", 0.5}});
      case 5:
        return add("aten.softplus.default", {in.id}, in.shape, in.amplitude + 1, {{"arg_1", static_cast<double>(from(1, 2))}});
      case 6:
        return add("aten.hardtanh.default", {in.id}, in.shape, 2, {{"arg_1", -0.5}, {"arg_2", 2.0}});
      case 7:
        if (once_in(2)) return add("aten.clamp.default", {in.id}, in.shape, 2, {{"arg_1", -1.5}});
        return add("aten.clamp.default", {in.id}, in.shape, 2, {{"arg_1", -1.5}, {"arg_2", 2}});
      case 8:
        if (in.amplitude > 4) break;
        return add(once_in(2) ? "aten.exp.default" : "aten.square.default", {in.id}, in.shape, 16);
      case 9:
        if (in.shape.size() < 2) break;
        return add("aten.prelu.default", {in.id, constant({once_in(2) ? 1 : in.shape[1]}, 0, 0.5)}, in.shape, in.amplitude);
      default:
        break;
    }
    add(named(others[from(0, 8)]), {in.id}, in.shape, 1.8 * in.amplitude);
  }
  void pair(const value& in) {
    const auto fits = [&](const sizes& shape) {
      return shape.size() == in.shape.size() &&
             std::equal(shape.begin(), shape.end(), in.shape.begin(), [](auto a, auto b) { return a == b || a == 1 || b == 1; });
    };
    if (once_in(5)) {  // a number
      const auto number = static_cast<double>(from(-8, 8)) / 4 + 0.125;
      const char* const ops[] = {"aten.add.Tensor",  "aten.sub.Tensor", "aten.mul.Tensor",
                                 "aten.rsub.Scalar", "aten.add.Scalar", "aten.mul.Scalar"};
      return add(ops[from(0, 5)], {in.id}, in.shape, 2 * in.amplitude + 2, {{"arg_1", number}});
    }
    if (once_in(5)) {  // a constant, which is broadcast
      auto shape = in.shape;
      for (auto& size : shape) size = once_in(2) ? 1 : size;
      shape.erase(shape.begin(), shape.begin() + from(0, static_cast<std::int64_t>(shape.size())));
      if (once_in(4)) return add("aten.div.Tensor", {in.id, constant(shape, 0.5, 2)}, in.shape, 2 * in.amplitude);
      if (once_in(4)) return add("aten.sub.Tensor", {constant(shape), in.id}, in.shape, in.amplitude + 1);
      return add(once_in(2) ? "aten.add.Tensor" : "aten.mul.Tensor", {in.id, constant(shape)}, in.shape, in.amplitude + 1);
    }
    if (once_in(6)) {  // a choice by numbers that are exact
      for (const auto& x : inputs_) {
        if (x.shape != in.shape) continue;
        const auto test = b_.call(name("test"), "aten.gt.Scalar", {x.id}, type_of(in.shape, baton::dtype::boolean), {{"arg_1", 0.5}});
        if (once_in(2)) return add("aten.masked_fill.Scalar", {in.id, test}, in.shape, in.amplitude, {{"arg_2", -1.0}});
        return add("aten.where.self", {test, in.id, constant({})}, in.shape, in.amplitude);
      }
    }
    const auto other = partner(in, fits);
    auto to = in.shape;
    for (std::size_t d = 0; d < to.size(); ++d) to[d] = std::max(to[d], other.shape[d]);
    const auto sum = in.amplitude + other.amplitude;
    switch (from(0, 5)) {
      case 0:
        return add("aten.sub.Tensor", {in.id, other.id}, to, sum, {{"arg_2", once_in(2) ? 1.0 : 0.5}});
      case 1:
        return add("aten.mul.Tensor", {in.id, other.id}, to, in.amplitude * other.amplitude);
      case 2:
        return add(once_in(2) ? "aten.maximum.default" : "aten.minimum.default", {in.id, other.id}, to, sum);
      default:
        return add("aten.add.Tensor", {in.id, other.id}, to, sum);
    }
  }

  // Along dimensions

  void reduction(const value& in) {
    const auto rank = static_cast<std::int64_t>(in.shape.size());
    sizes axes{once_in(2) && rank > 2 ? 2 : from(0, rank - 1)};
    if (axes[0] + 1 < rank && once_in(2)) axes.push_back(axes[0] + 1);
    const bool keeps = once_in(2);
    sizes to;
    double count = 1;
    for (std::int64_t d = 0; d < rank; ++d) {
      const auto size = in.shape[static_cast<std::size_t>(d)];
      const bool is_reduced = std::find(axes.begin(), axes.end(), d) != axes.end();
      if (is_reduced) count *= static_cast<double>(size);
      if (!is_reduced || keeps) to.push_back(is_reduced ? 1 : size);
    }
    if (to.empty()) return function(in);
    for (auto& axis : axes) axis -= once_in(3) ? rank : 0;
    const auto keep = keeps ? 1 : 0;
    switch (from(0, 5)) {
      case 0:
        return add("aten.sum.dim_IntList", {in.id}, to, in.amplitude * std::sqrt(count), {{"arg_1", list(axes)}, {"arg_2", keep}});
      case 1:
        return add(once_in(2) ? "aten.amax.default" : "aten.amin.default", {in.id}, to, in.amplitude,
                   {{"arg_1", list(axes)}, {"arg_2", keep}});
      case 2:
        if (count < 2) break;
        return add("aten.var.correction", {in.id}, to, in.amplitude * in.amplitude,
                   {{"arg_1", list(axes)}, {"arg_2", from(0, 1)}, {"arg_3", keep}});
      default:
        break;
    }
    add("aten.mean.dim", {in.id}, to, in.amplitude, {{"arg_1", list(axes)}, {"arg_2", keep}});
  }
  void along(const value& in) {
    const auto d = dimension_of(in.shape);
    const auto axis = static_cast<std::int64_t>(d), size = in.shape[d];
    switch (from(0, 5)) {
      case 0:
        return add("aten.cumsum.default", {in.id}, in.shape, in.amplitude * 2, {{"arg_1", axis}});
      case 1: {
        if (size % 2 != 0) break;
        auto to = in.shape;
        to[d] /= 2;
        return add("aten.glu.default", {in.id}, to, in.amplitude, {{"arg_1", axis}});
      }
      case 2:
        if (in.shape.size() < 2) break;
        return add(once_in(2) ? "aten.tril.default" : "aten.triu.default", {in.id}, in.shape, in.amplitude, {{"arg_1", from(-1, 1)}});
      case 3:
        return add("aten.log_softmax.int", {in.id}, in.shape, in.amplitude + 2, {{"arg_1", axis}});
      default:
        break;
    }
    add("aten.softmax.int", {in.id}, in.shape, 1, {{"arg_1", axis}});
  }
};

}  // namespace torch_tests
