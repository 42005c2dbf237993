// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Random layers of torch.export: convolutions, pools, products, normalizations and recurrent layers.
#pragma once

#include "transform/random_torch_base.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace torch_tests {

class random_layers : protected random_values {
 protected:
  using random_values::random_values;

  void convolution(const value& in) {
    const auto dimensions = in.shape.size() - 2;
    const auto channels = in.shape[1];
    const bool is_same = once_in(6), is_transposed = !is_same && dimensions == 2 && once_in(5);
    std::int64_t groups = once_in(3) ? channels : 1;
    if (channels == 4 && once_in(3)) groups = 2;
    const auto outputs = groups * from(1, groups == 1 ? 5 : 2);
    sizes filter, strides, pads, dilations, more;
    auto to = in.shape;
    std::int64_t taps = 1;
    for (std::size_t d = 0; d < dimensions; ++d) {
      const auto size = in.shape[d + 2];
      filter.push_back(from(1, 3));
      dilations.push_back(once_in(5) ? 2 : 1);
      const auto reach = (filter.back() - 1) * dilations.back() + 1;
      strides.push_back(is_same ? 1 : from(1, 2));
      pads.push_back(once_in(3) ? 0 : reach / 2);
      while (!is_transposed && size + 2 * pads.back() < reach) ++pads.back();
      more.push_back(strides.back() == 2 ? from(0, 1) : 0);
      const auto grown = (size - 1) * strides.back() - 2 * pads.back() + reach + more.back();
      if (is_transposed && grown < 1) pads.back() = 0;
      to[d + 2] = is_same         ? size
                  : is_transposed ? (size - 1) * strides.back() - 2 * pads.back() + reach + more.back()
                                  : (size + 2 * pads.back() - reach) / strides.back() + 1;
      taps *= filter.back();
    }
    to[1] = outputs;
    auto shape = is_transposed ? sizes{channels, outputs / groups} : sizes{outputs, channels / groups};
    shape.insert(shape.end(), filter.begin(), filter.end());
    const std::vector<value_id> operands{in.id, weights(shape, taps * channels / groups, is_transposed ? 1 : 0), bias(outputs)};
    const auto amplitude = in.amplitude + 1;
    const bool is_row = dimensions == 1;
    if (is_same) {
      return add(is_row ? "aten.conv1d.padding" : "aten.conv2d.padding", operands, to, amplitude,
                 {{"arg_4", "same"}, {"arg_5", list(dilations)}, {"arg_6", groups}});
    }
    if (is_transposed) {
      return add("aten.conv_transpose2d.input", operands, to, amplitude,
                 {{"arg_3", list(strides)}, {"arg_4", list(pads)}, {"arg_5", list(more)}, {"arg_6", groups}, {"arg_7", list(dilations)}});
    }
    if (once_in(4)) {
      return add("aten.convolution.default", operands, to, amplitude,
                 {{"arg_3", list(strides)},
                  {"arg_4", list(pads)},
                  {"arg_5", list(dilations)},
                  {"arg_6", 0},
                  {"arg_7", list(sizes(dimensions, 0))},
                  {"arg_8", groups}});
    }
    add(is_row ? "aten.conv1d.default" : "aten.conv2d.default", operands, to, amplitude,
        {{"arg_3", list(strides)}, {"arg_4", list(pads)}, {"arg_5", list(dilations)}, {"arg_6", groups}});
    if (once_in(2)) clamp_last();
  }
  void clamp_last() {
    const auto in = values_.back();
    values_.back().is_read = true;
    const char* const clamps[] = {"aten.relu.default", "aten.relu.default", "aten.relu6.default", "aten.hardtanh.default"};
    add(clamps[from(0, 3)], {in.id}, in.shape, std::min(in.amplitude, 6.0));
  }
  void pool(const value& in) {
    const bool is_row = in.shape.size() == 3, is_max = once_in(2);
    auto to = in.shape;
    if (once_in(3)) {  // windows that divide the image
      for (std::size_t d = 2; d < to.size(); ++d) to[d] = once_in(2) || to[d] % 2 != 0 ? 1 : to[d] / 2;
      const sizes windows(to.begin() + 2, to.end());
      return add(is_row   ? "aten.adaptive_avg_pool1d.default"
                 : is_max ? "aten.adaptive_max_pool2d.default"
                          : "aten.adaptive_avg_pool2d.default",
                 {in.id}, to, in.amplitude, {{"arg_1", list(windows)}});
    }
    sizes filter, strides, pads;
    const bool is_ceil = once_in(4);
    for (std::size_t d = 2; d < to.size(); ++d) {
      const auto size = in.shape[d];
      filter.push_back(std::min(size, from(1, 3)));
      strides.push_back(from(1, 3));
      pads.push_back(once_in(2) ? 0 : filter.back() / 2);
      const auto room = size + 2 * pads.back() - filter.back();
      to[d] = room / strides.back() + 1;
      if (is_ceil && room % strides.back() != 0 && to[d] * strides.back() < size + pads.back()) ++to[d];
    }
    const auto ceil = is_ceil ? 1 : 0;
    if (is_max) {
      return add(is_row ? "aten.max_pool1d.default" : "aten.max_pool2d.default", {in.id}, to, in.amplitude,
                 {{"arg_1", list(filter)}, {"arg_2", list(strides)}, {"arg_3", list(pads)}, {"arg_5", ceil}});
    }
    add(is_row ? "aten.avg_pool1d.default" : "aten.avg_pool2d.default", {in.id}, to, in.amplitude,
        {{"arg_1", list(filter)}, {"arg_2", list(strides)}, {"arg_3", list(pads)}, {"arg_4", ceil}, {"arg_5", from(0, 1)}});
  }
  void resizing(const value& in) {
    auto to = in.shape;
    if (in.shape[1] == 4) {
      to = {in.shape[0], 1, 2 * in.shape[2], 2 * in.shape[3]};
      return add("aten.pixel_shuffle.default", {in.id}, to, in.amplitude, {{"arg_1", 2}});
    }
    if (once_in(2)) {
      const sizes pads{from(0, 1), from(0, 1), from(0, 1), from(0, 1)};
      to[3] += pads[0] + pads[1];
      to[2] += pads[2] + pads[3];
      const bool fits = in.shape[2] > 1 && in.shape[3] > 1;
      if (fits && once_in(3)) return add("aten.reflection_pad2d.default", {in.id}, to, in.amplitude, {{"arg_1", list(pads)}});
      if (once_in(3)) return add("aten.replication_pad2d.default", {in.id}, to, in.amplitude, {{"arg_1", list(pads)}});
      return add("aten.constant_pad_nd.default", {in.id}, to, in.amplitude, {{"arg_1", list(pads)}, {"arg_2", once_in(2) ? 0.0 : 0.5}});
    }
    to[2] *= from(1, 2);
    to[3] = from(1, 6);
    const sizes size{to[2], to[3]};
    add(once_in(2) ? "aten.upsample_nearest2d.vec" : "aten.upsample_bilinear2d.vec", {in.id}, to, in.amplitude,
        {{"arg_1", list(size)}, {"arg_2", 0}});
  }
  void normalization(const value& in) {
    const auto channels = in.shape[1];
    const bool is_image = in.shape.size() > 2;
    if (once_in(2)) {
      return add("aten.batch_norm.default",
                 {in.id, constant({channels}), constant({channels}), constant({channels}), constant({channels}, 0.5, 2)}, in.shape,
                 1.5 * in.amplitude + 2, {{"arg_5", 0}, {"arg_7", 1e-3}});
    }
    const auto scale = once_in(3) ? baton::none<value_id> : constant({channels}),
               shift = once_in(3) ? baton::none<value_id> : constant({channels});
    if (is_image && once_in(3)) {
      return add("aten.instance_norm.default", {in.id, scale, shift, baton::none<value_id>, baton::none<value_id>}, in.shape, 4,
                 {{"arg_5", 1}, {"arg_7", 0.125}});
    }
    if (is_image && once_in(2)) {
      return add("aten.group_norm.default", {in.id, scale, shift}, in.shape, 4,
                 {{"arg_1", channels % 2 == 0 ? from(1, 2) : 1}, {"arg_4", 0.125}});
    }
    const sizes last{in.shape.back()};
    const auto factors = once_in(3) ? baton::none<value_id> : constant(last);
    if (once_in(3)) return add("aten.rms_norm.default", {in.id, factors}, in.shape, 4, {{"arg_1", list(last)}, {"arg_3", 0.125}});
    add("aten.layer_norm.default", {in.id, factors, once_in(2) ? constant(last) : baton::none<value_id>}, in.shape, 4,
        {{"arg_1", list(last)}, {"arg_4", 0.125}});
  }
  void product(const value& in) {
    const auto inputs = in.shape.back();
    auto to = in.shape;
    to.back() = from(1, 5);
    const auto kind = from(0, 5);
    if (kind == 0 && in.shape.size() == 2) {
      return add("aten.addmm.default", {constant({to.back()}), in.id, weights({inputs, to.back()}, inputs, 1)}, to, in.amplitude + 1);
    }
    if (kind == 1 && in.shape.size() == 2)
      return add("aten.mm.default", {in.id, weights({inputs, to.back()}, inputs, 1)}, to, in.amplitude);
    if (kind == 2) return add("aten.matmul.default", {in.id, constant({inputs, to.back()})}, to, 2 * in.amplitude);
    if (kind < 5 && in.shape.size() == 3) {
      const auto rows = in.shape[1];
      if (once_in(2)) {
        const auto keys = from(1, 4);
        return add("aten.scaled_dot_product_attention.default",
                   {in.id, constant({in.shape[0], keys, inputs}), constant({in.shape[0], keys, to.back()})}, to, 1,
                   {{"arg_5", keys == rows ? from(0, 1) : 0}});
      }
      const auto other =
          partner(in, [&](const sizes& shape) { return shape.size() == 3 && shape[0] == in.shape[0] && shape[1] == inputs; });
      if (other.id != in.id) {
        to.back() = other.shape.back();
        return add("aten.bmm.default", {in.id, other.id}, to, in.amplitude * other.amplitude);
      }
    }
    add("aten.linear.default", {in.id, weights({to.back(), inputs}, inputs), bias(to.back())}, to, in.amplitude + 1);
    if (once_in(2)) clamp_last();
  }

  /// A recurrent layer over the sequences of a batch.
  void recurrence(const value& in) {
    const auto inputs = in.shape[2], hidden = from(1, 3);
    const std::vector<value_id> operands{in.id,
                                         constant({1, in.shape[0], hidden}),
                                         constant({hidden, inputs}),
                                         constant({hidden, hidden}),
                                         constant({hidden}),
                                         constant({hidden})};
    const sizes to{in.shape[0], in.shape[1], hidden};
    const auto out = make(name("n"), type_of(to)), last = make(name("n"), type_of({1, in.shape[0], hidden}));
    const value_id outputs[] = {out, last};
    const baton::named_literal arguments[] = {{"arg_3", 1}, {"arg_4", 1}, {"arg_5", 0.0}, {"arg_6", 0}, {"arg_7", 0}, {"arg_8", 1}};
    add_node("aten.rnn_tanh.input", operands, {outputs, 2}, {arguments, 6});
    push(out, to, 1);
  }
};

}  // namespace torch_tests
