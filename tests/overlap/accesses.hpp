// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The reads and writes of nodes in the order that kernels promise if they declare distances. Separate loops replay them and compute
// nothing. The observed distances are compared with the closed forms, and a shadow memory checks the contents of each byte.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/plan/memory_problem.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

namespace overlap {

using baton::write_order;

/// A window that slides over images. All sizes are in elements of `element` bytes.
struct windows {
  std::int64_t batches = 1;
  std::array<std::int64_t, 2> input{1, 1};  ///< rows, columns
  std::array<std::int64_t, 2> output{1, 1};
  std::array<std::int64_t, 2> filter{1, 1};
  std::array<std::int64_t, 2> stride{1, 1};
  std::array<std::int64_t, 2> dilation{1, 1};
  std::array<std::int64_t, 2> before{0, 0};
  std::int64_t channels = 1;
  std::int64_t out_channels = 1;
  std::int64_t groups = 1;  ///< an output channel reads the input channels of its group
  std::int64_t element = 1;

  auto in_bytes() const -> std::int64_t { return batches * input[0] * input[1] * channels * element; }
  auto out_bytes() const -> std::int64_t { return batches * output[0] * output[1] * out_channels * element; }
};

/// Calls `read(first, bytes)` for the operand bytes from which output channel `channel` of pixel `pixel` is computed.
template <class Read>
void read_window(const windows& w, std::int64_t pixel, std::int64_t channel, const Read& read) {
  const auto image_pixels = w.output[0] * w.output[1];
  const auto batch = pixel / image_pixels;
  const auto row = pixel % image_pixels / w.output[1];
  const auto column = pixel % w.output[1];
  const auto group = w.channels / w.groups;
  const auto first = channel / (w.out_channels / w.groups) * group;
  for (std::int64_t i = 0; i < w.filter[0]; ++i) {
    const auto y = row * w.stride[0] - w.before[0] + i * w.dilation[0];
    if (y < 0 || y >= w.input[0]) continue;
    for (std::int64_t k = 0; k < w.filter[1]; ++k) {
      const auto x = column * w.stride[1] - w.before[1] + k * w.dilation[1];
      if (x < 0 || x >= w.input[1]) continue;
      read((((batch * w.input[0] + y) * w.input[1] + x) * w.channels + first) * w.element, group * w.element);
    }
  }
}

/// The pixels and channels that a kernel computes in one step: it reads the operands of all of them, then writes all of them.
struct block {
  std::int64_t pixels = 1;
  std::int64_t channels = 1;
};

/// Replays pixel blocks in row-major or in reverse order, and the channel blocks of each inside.
template <class Read, class Write>
void replay_windows(const windows& w, write_order order, block step, const Read& read, const Write& write) {
  const auto pixels = w.batches * w.output[0] * w.output[1];
  const bool ascends = order == write_order::ascending;
  const auto for_block = [&](std::int64_t pixel, std::int64_t channel, const auto& f) {
    for (auto p = pixel; p < std::min(pixels, pixel + step.pixels); ++p) {
      for (auto c = channel; c < std::min(w.out_channels, channel + step.channels); ++c)
        f(ascends ? p : pixels - 1 - p, ascends ? c : w.out_channels - 1 - c);
    }
  };
  for (std::int64_t pixel = 0; pixel < pixels; pixel += step.pixels) {
    for (std::int64_t channel = 0; channel < w.out_channels; channel += step.channels) {
      for_block(pixel, channel, [&](auto p, auto c) { read_window(w, p, c, read); });
      for_block(pixel, channel, [&](auto p, auto c) { write((p * w.out_channels + c) * w.element, w.element); });
    }
  }
}

/// The minimum distances, from observed reads and writes. If an operand begins d bytes after the output, output byte o = i + d overwrites
/// operand byte i. This is an error if byte i is read later.
class observed_distance {
 public:
  observed_distance(std::int64_t in_bytes, std::int64_t out_bytes) : difference_(out_bytes - in_bytes) {}

  void read(std::int64_t first, std::int64_t bytes) {
    if (min_written_ > max_written_) return;
    max_overwritten_ = std::max(max_overwritten_, max_written_ - first);
    min_overwritten_ = std::min(min_overwritten_, min_written_ - (first + bytes - 1));
  }
  void write(std::int64_t first, std::int64_t bytes) {
    min_written_ = std::min(min_written_, first);
    max_written_ = std::max(max_written_, first + bytes - 1);
  }
  /// True if there is a distance at which the output overwrites bytes that are read later.
  auto matters() const -> bool { return max_overwritten_ != -far; }
  /// The minimum number of bytes by which the operand must begin after the output begins; in descending order, end before the output ends.
  auto ascending() const -> std::int64_t { return max_overwritten_ + 1; }
  auto descending() const -> std::int64_t { return difference_ - (min_overwritten_ - 1); }

 private:
  static constexpr std::int64_t far = std::numeric_limits<std::int64_t>::max() / 4;

  std::int64_t difference_;
  std::int64_t min_written_ = far;
  std::int64_t max_written_ = -far;
  std::int64_t max_overwritten_ = -far;
  std::int64_t min_overwritten_ = far;
};

/// A node of an operator whose kernel overlaps.
class replayed_node {
 public:
  replayed_node(const baton::program_view& program, const baton::node& record) : program_(program), record_(record) {}

  auto is_window() const -> bool {
    return is("tfl.conv_2d") || is("tfl.depthwise_conv_2d") || is("tfl.fully_connected") || is("tfl.average_pool_2d") ||
           is("tfl.max_pool_2d");
  }
  /// The geometry of a window, derived from shapes and options alone.
  auto geometry() const -> windows {
    windows w;
    const auto in = shape_of(program_.inputs(record_)[0]);
    const auto out = shape_of(program_.outputs_of(record_)[0]);
    w.element = element_bytes(program_.inputs(record_)[0]);
    if (is("tfl.fully_connected")) {
      w.channels = shape_of(program_.inputs(record_)[1])[1];
      w.out_channels = shape_of(program_.inputs(record_)[1])[0];
      w.batches = bytes_of(program_.inputs(record_)[0]) / w.element / w.channels;
      return w;
    }
    w.batches = in[0];
    w.channels = in[3];
    w.out_channels = out[3];
    const bool is_convolution = is("tfl.conv_2d");
    const bool is_pool = is("tfl.average_pool_2d") || is("tfl.max_pool_2d");
    w.groups = is_convolution ? in[3] / shape_of(program_.inputs(record_)[1])[3] : in[3];
    static constexpr baton::literal_name strides[] = {"stride_h", "stride_w"};
    static constexpr baton::literal_name dilations[] = {"dilation_h_factor", "dilation_w_factor"};
    static constexpr baton::literal_name filters[] = {"filter_height", "filter_width"};
    for (std::size_t axis = 0; axis < 2; ++axis) {
      w.input[axis] = in[1 + axis];
      w.output[axis] = out[1 + axis];
      w.stride[axis] = program_.integer(record_, strides[axis], 1);
      w.dilation[axis] = is_pool ? 1 : program_.integer(record_, dilations[axis], 1);
      w.filter[axis] = is_pool ? program_.integer(record_, filters[axis], 1) : shape_of(program_.inputs(record_)[1])[1 + axis];
      const auto spanned = (w.output[axis] - 1) * w.stride[axis] + (w.filter[axis] - 1) * w.dilation[axis] + 1;
      if (program_.text(record_, "padding") == "same") w.before[axis] = std::max<std::int64_t>(0, spanned - w.input[axis]) / 2;
    }
    return w;
  }

  /// Calls `read(operand, first, bytes)` and `write(first, bytes)` in the order of the kernel. If the kernel of an operator declares no
  /// distances, everything is written before anything is read, so no overlap is allowed.
  template <class Read, class Write>
  void replay(write_order order, const Read& read, const Write& write) const {
    const auto out = program_.outputs_of(record_)[0];
    if (is_window()) {
      replay_windows(geometry(), order, {}, [&](auto first, auto bytes) { read(0u, first, bytes); }, write);
    } else if (is("tfl.softmax")) {
      const auto in = program_.inputs(record_)[0];
      const auto row = shape_of(in).back();
      const auto rows = bytes_of(in) / element_bytes(in) / row;
      for (std::int64_t r = 0; r < rows; ++r) {
        read(0u, r * row * element_bytes(in), row * element_bytes(in));
        for (std::int64_t i = r * row; i < (r + 1) * row; ++i) {
          read(0u, i * element_bytes(in), element_bytes(in));
          write(i * element_bytes(out), element_bytes(out));
        }
      }
    } else if (is("tfl.add") || is("tfl.mul") || is("tfl.relu") || is("tfl.logistic") || is("tfl.quantize") || is("tfl.dequantize")) {
      for (std::int64_t i = 0; i < bytes_of(out) / element_bytes(out); ++i) {
        for (std::size_t operand = 0; operand < record_.inputs.size; ++operand) {
          const auto in = program_.inputs(record_)[operand];
          const auto elements = bytes_of(in) / element_bytes(in);
          if (elements == bytes_of(out) / element_bytes(out)) read(operand, i * element_bytes(in), element_bytes(in));
          if (elements != bytes_of(out) / element_bytes(out)) read(operand, 0, bytes_of(in));  // broadcast
        }
        write(i * element_bytes(out), element_bytes(out));
      }
    } else {
      write(0, bytes_of(out));
      for (std::size_t operand = 0; operand < record_.inputs.size; ++operand) read(operand, 0, bytes_of(program_.inputs(record_)[operand]));
    }
  }

  auto is(std::string_view name) const -> bool { return program_.text(record_.target) == name; }
  auto bytes_of(baton::value_id id) const -> std::int64_t {
    return id == baton::none<baton::value_id> ? 0 : baton::byte_count(program_[id].type, program_.shape(id));
  }

 private:
  auto element_bytes(baton::value_id id) const -> std::int64_t { return baton::facts(program_[id].type).bits / 8; }
  auto shape_of(baton::value_id id) const -> std::vector<std::int64_t> {
    const auto shape = program_.shape(id);
    return {shape.begin(), shape.end()};
  }

  baton::program_view program_;
  const baton::node& record_;
};

}  // namespace overlap
