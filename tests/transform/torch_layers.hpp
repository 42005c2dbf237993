// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Layers of torch.export, computed as the documentation of PyTorch defines them: the part of the interpreter that sums over windows, rows
// and groups.
#pragma once

#include "transform/torch_values.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

namespace torch_tests {

class layer_operators : protected current_values {
 protected:
  using current_values::current_values;

  /// The windows of a layer. Each list has one number for each dimension of the image.
  struct windows {
    sizes filter, strides, pads, dilations;
  };
  static auto spread(sizes list, std::size_t dimensions) -> sizes {
    if (list.size() == 1) list.resize(dimensions, list[0]);
    return list;
  }
  /// Returns the position in the image of a tap of a window, without batch and channel, or nothing if it is in the padding.
  static auto source(const windows& of, const sizes& window, const sizes& tap, const sizes& image) -> sizes {
    sizes result;
    for (std::size_t d = 0; d < tap.size(); ++d) {
      const auto at = window[d + 2] * of.strides[d] + tap[d] * of.dilations[d] - of.pads[d];
      if (at < 0 || at >= image[d + 2]) return {};
      result.push_back(at);
    }
    return result;
  }
  static auto joined(std::int64_t batch, std::int64_t channel, const sizes& spatial_sizes) -> sizes {
    sizes result{batch, channel};
    result.insert(result.end(), spatial_sizes.begin(), spatial_sizes.end());
    return result;
  }

  auto convolution() const -> numbers {
    const auto weights = shape(1);
    const auto dimensions = weights.size() - 2;
    const bool is_transposed = is("conv_transpose1d") || is("conv_transpose2d");
    const auto ones = sizes(dimensions, 1), zeros = sizes(dimensions, 0);
    windows of{{weights.begin() + 2, weights.end()},
               spread(list("arg_3", ones), dimensions),
               zeros,
               spread(is_transposed ? list("arg_7", ones) : list("arg_5", ones), dimensions)};
    const auto groups = is("convolution") ? integer("arg_8", 1) : integer("arg_6", 1);
    if (text("arg_4").empty()) of.pads = spread(list("arg_4", zeros), dimensions);
    if (text("arg_4") == "same") {
      for (std::size_t d = 0; d < dimensions; ++d) of.pads[d] = (of.filter[d] - 1) * of.dilations[d] / 2;
    }
    return is_transposed ? transposed(of, groups) : convolved(of, groups);
  }
  auto convolved(const windows& of, std::int64_t groups) const -> numbers {
    const auto from = shape(0), weights = shape(1);
    return filled(out_shape(), [&](const sizes& window) {
      double sum = has(2) ? in(2)[static_cast<std::size_t>(window[1])] : 0;
      for (std::size_t t = 0; t < count_of(of.filter); ++t) {
        const auto tap = position_of(t, of.filter), pixel = source(of, window, tap, from);
        if (pixel.empty()) continue;
        for (std::int64_t c = 0; c < weights[1]; ++c) {
          const auto channel = window[1] / (weights[0] / groups) * weights[1] + c;
          sum += at(0, joined(window[0], channel, pixel)) * at(1, joined(window[1], c, tap));
        }
      }
      return sum;
    });
  }
  /// Each pixel of the input adds its products with the weights [inputs, outputs / groups, ...] to a window of the output.
  auto transposed(const windows& of, std::int64_t groups) const -> numbers {
    const auto from = shape(0), weights = shape(1), to = out_shape();
    numbers result = filled(to, [&](const sizes& p) { return has(2) ? in(2)[static_cast<std::size_t>(p[1])] : 0.0; });
    for (std::size_t i = 0; i < count_of(from); ++i) {
      const auto pixel = position_of(i, from);
      for (std::size_t t = 0; t < count_of(of.filter); ++t) {
        const auto tap = position_of(t, of.filter), place = source(of, pixel, tap, to);
        if (place.empty()) continue;
        for (std::int64_t c = 0; c < weights[1]; ++c) {
          const auto channel = pixel[1] / (weights[0] / groups) * weights[1] + c;
          result[element_at(joined(pixel[0], channel, place), to)] += in(0)[i] * at(1, joined(pixel[1], c, tap));
        }
      }
    }
    return result;
  }

  /// A pool: window, stride, padding; then the dilation of a largest element, or whether a mean counts the padding. Padding that only the
  /// rounding up of sizes adds is never counted.
  auto pool(bool is_max) const -> numbers {
    const auto from = shape(0);
    const auto dimensions = from.size() - 2;
    const auto filter = spread(list("arg_1", {}), dimensions);
    auto strides = spread(list("arg_2", {}), dimensions);
    if (strides.empty()) strides = filter;
    const windows of{filter, strides, spread(list("arg_3", sizes(dimensions, 0)), dimensions),
                     is_max ? spread(list("arg_4", sizes(dimensions, 1)), dimensions) : sizes(dimensions, 1)};
    const bool counts_padding = is_max || integer("arg_5", 1) != 0;
    return filled(out_shape(), [&](const sizes& window) {
      double sum = 0, largest = -std::numeric_limits<double>::infinity(), count = 1, taps = 0;
      for (std::size_t d = 0; d < dimensions; ++d) {
        const auto first = window[d + 2] * of.strides[d] - of.pads[d];
        count *= static_cast<double>(std::min(first + of.filter[d], from[d + 2] + of.pads[d]) - first);
      }
      for (std::size_t t = 0; t < count_of(of.filter); ++t) {
        const auto pixel = source(of, window, position_of(t, of.filter), from);
        if (pixel.empty()) continue;
        const auto x = at(0, joined(window[0], window[1], pixel));
        sum += x;
        taps += 1;
        largest = std::max(largest, x);
      }
      return is_max ? largest : sum / (counts_padding ? count : taps);
    });
  }
  /// Window i of n begins at floor(i · size / n) and ends at ceil((i + 1) · size / n).
  auto adaptive_pool(bool is_max) const -> numbers {
    const auto from = shape(0), to = out_shape();
    return filled(to, [&](const sizes& window) {
      sizes first, count;
      for (std::size_t d = 2; d < from.size(); ++d) {
        first.push_back(window[d] * from[d] / to[d]);
        count.push_back(((window[d] + 1) * from[d] + to[d] - 1) / to[d] - first.back());
      }
      double sum = 0, largest = -std::numeric_limits<double>::infinity();
      for (std::size_t t = 0; t < count_of(count); ++t) {
        auto pixel = position_of(t, count);
        for (std::size_t d = 0; d < pixel.size(); ++d) pixel[d] += first[d];
        const auto x = at(0, joined(window[0], window[1], pixel));
        sum += x;
        largest = std::max(largest, x);
      }
      return is_max ? largest : sum / static_cast<double>(count_of(count));
    });
  }
  /// The centers of pixels are at half positions; the scale is the quotient of the sizes.
  auto resized(bool is_nearest) const -> numbers {
    const auto from = shape(0), to = out_shape();
    return filled(to, [&](const sizes& pixel) {
      double sum = 0;
      for (int corner = 0; corner < 4; ++corner) {
        auto source = pixel;
        double share = 1;
        for (std::size_t d = 2; d < 4; ++d) {
          const bool is_upper = (corner >> (d - 2) & 1) != 0;
          const auto scale = static_cast<double>(from[d]) / static_cast<double>(to[d]);
          const auto place = is_nearest ? std::floor(static_cast<double>(pixel[d]) * scale)
                                        : std::max(0.0, (static_cast<double>(pixel[d]) + 0.5) * scale - 0.5);
          const auto part = place - std::floor(place);
          share *= is_upper ? part : 1 - part;
          source[d] = std::min(static_cast<std::int64_t>(place) + (is_upper ? 1 : 0), from[d] - 1);
        }
        sum += share * at(0, source);
      }
      return sum;
    });
  }

  /// Sums products of rows of `a` and of columns of `b` (of rows if `is_transposed` is set), which are broadcast. An operand of one
  /// dimension is a row or a column.
  static auto product(const numbers& a, sizes a_shape, const numbers& b, sizes b_shape, bool is_transposed, sizes* to) -> numbers {
    const bool is_row = a_shape.size() == 1, is_column = b_shape.size() == 1;
    if (is_row) a_shape.insert(a_shape.begin(), 1);
    if (is_column) b_shape.push_back(1);
    const auto a_rank = a_shape.size(), b_rank = b_shape.size(), rank = std::max(a_rank, b_rank);
    const auto inner = a_shape.back();
    sizes shape(rank, 1);
    for (std::size_t d = 0; d + 2 < rank; ++d) {
      if (d + a_rank >= rank) shape[d] = std::max(shape[d], a_shape[d + a_rank - rank]);
      if (d + b_rank >= rank) shape[d] = std::max(shape[d], b_shape[d + b_rank - rank]);
    }
    shape[rank - 2] = a_shape[a_rank - 2];
    shape[rank - 1] = b_shape[is_transposed ? b_rank - 2 : b_rank - 1];
    numbers result;
    for (std::size_t i = 0; i < count_of(shape); ++i) {
      auto left = position_of(i, shape), right = left;
      double sum = 0;
      for (std::int64_t k = 0; k < inner; ++k) {
        left[rank - 1] = k;
        right[is_transposed ? rank - 1 : rank - 2] = k;
        if (is_transposed) right[rank - 2] = position_of(i, shape)[rank - 1];
        const sizes a_at(left.end() - static_cast<std::ptrdiff_t>(a_rank), left.end()),
            b_at(right.end() - static_cast<std::ptrdiff_t>(b_rank), right.end());
        sum += a[element_at(a_at, a_shape)] * b[element_at(b_at, b_shape)];
      }
      result.push_back(sum);
    }
    if (to != nullptr) *to = shape;
    return result;
  }
  auto linear() const -> numbers {
    auto result = product(in(0), shape(0), in(1), shape(1), true, nullptr);
    const auto outputs = static_cast<std::size_t>(shape(1)[0]);
    for (std::size_t i = 0; has(2) && i < result.size(); ++i) result[i] += in(2)[i % outputs];
    return result;
  }
  auto addmm() const -> numbers {
    const auto sums = product(in(1), shape(1), in(2), shape(2), false, nullptr);
    const auto to = out_shape();
    return filled(to, [&](const sizes& p) { return real("arg_3", 1) * at(0, p) + real("arg_4", 1) * sums[element_at(p, to)]; });
  }
  auto attention() const -> numbers {
    sizes to;
    auto scores = product(in(0), shape(0), in(1), shape(1), true, &to);
    const auto columns = static_cast<std::size_t>(to.back());
    const auto scale = real("arg_6", 1 / std::sqrt(static_cast<double>(shape(0).back())));
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const auto position = position_of(i, to);
      scores[i] = scores[i] * scale + (has(3) ? at(3, position) : 0);
      if (integer("arg_5") != 0 && position.back() > position[position.size() - 2]) scores[i] = -std::numeric_limits<double>::infinity();
    }
    for (std::size_t first = 0; first < scores.size(); first += columns) {
      double sum = 0;
      for (std::size_t i = first; i < first + columns; ++i) sum += std::exp(scores[i]);
      for (std::size_t i = first; i < first + columns; ++i) scores[i] = std::exp(scores[i]) / sum;
    }
    return product(scores, to, in(2), shape(2), false, nullptr);
  }

  /// One layer of tanh(W · x + b + U · h + c) over sequences [batches, steps, inputs]: all states, or the last one.
  auto recurrence(std::size_t output) const -> numbers {
    const auto from = shape(0);
    const auto hidden = shape(1)[2];
    numbers all, last;
    for (std::int64_t b = 0; b < from[0]; ++b) {
      numbers state;
      for (std::int64_t k = 0; k < hidden; ++k) state.push_back(at(1, {0, b, k}));
      for (std::int64_t t = 0; t < from[1]; ++t) {
        const auto before = state;
        for (std::int64_t k = 0; k < hidden; ++k) {
          auto sum = at(4, {k}) + at(5, {k});
          for (std::int64_t i = 0; i < from[2]; ++i) sum += at(2, {k, i}) * at(0, {b, t, i});
          for (std::int64_t i = 0; i < hidden; ++i) sum += at(3, {k, i}) * before[static_cast<std::size_t>(i)];
          state[static_cast<std::size_t>(k)] = std::tanh(sum);
        }
        all.insert(all.end(), state.begin(), state.end());
      }
      last.insert(last.end(), state.begin(), state.end());
    }
    return output == 0 ? all : last;
  }

  /// Normalizes runs of consecutive elements by their mean and variance, or by the mean of their squares if `is_root` is set.
  static auto normalized(const numbers& x, std::size_t run, double epsilon, bool is_root) -> numbers {
    numbers result;
    for (std::size_t first = 0; first < x.size(); first += run) {
      double sum = 0, squares = 0;
      for (std::size_t i = first; i < first + run; ++i) sum += is_root ? 0 : x[i];
      const auto mean = sum / static_cast<double>(run);
      for (std::size_t i = first; i < first + run; ++i) squares += (x[i] - mean) * (x[i] - mean);
      const auto deviation = std::sqrt(squares / static_cast<double>(run) + epsilon);
      for (std::size_t i = first; i < first + run; ++i) result.push_back((x[i] - mean) / deviation);
    }
    return result;
  }
  auto normalization() const -> numbers {
    const auto from = shape(0);
    const auto last = count_of(list("arg_1", {}));  // of a layer
    const auto pixels = from.size() < 2 ? 1 : in(0).size() / static_cast<std::size_t>(from[0] * from[1]);
    numbers result = in(0);
    if (is("layer_norm")) result = normalized(in(0), last, real("arg_4", 1e-5), false);
    if (is("rms_norm")) result = normalized(in(0), last, real("arg_3", 1.1920928955078125e-07), true);
    if (is("instance_norm")) result = normalized(in(0), pixels, real("arg_7", 1e-5), false);
    if (is("group_norm"))
      result = normalized(in(0), pixels * static_cast<std::size_t>(from[1] / integer("arg_1")), real("arg_4", 1e-5), false);
    for (std::size_t i = 0; i < result.size(); ++i) {
      const bool is_layer = is("layer_norm") || is("rms_norm");
      const auto c = is_layer ? i % last : static_cast<std::size_t>(position_of(i, from)[1]);
      if (is("batch_norm")) result[i] = (result[i] - in(3)[c]) / std::sqrt(in(4)[c] + real("arg_7", 1e-5));
      result[i] = result[i] * (has(1) ? in(1)[c] : 1) + (has(2) ? in(2)[c] : 0);
    }
    return result;
  }
};

}  // namespace torch_tests
