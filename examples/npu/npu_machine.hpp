// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The npu, simulated in software: executes processed bytes. For a real accelerator, this would be a driver that passes the processed bytes
// and the addresses to the hardware.
#pragma once

#include "npu_isa.hpp"

#include <baton/kernels/unaligned.hpp>
#include <baton/kernels/window.hpp>
#include <baton/operators/requantization.hpp>
#include <baton/run/delegate.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace npu_example {

using baton::quantized::requantize;

/// Executes one call. Uses no heap and no state between calls. The stack contains one instruction.
class machine {
 public:
  explicit machine(const baton::delegate_call& call) : call_(call) {
    if (call.processed_bytes.size() >= sizeof(header)) begin_ = read<header>(call.processed_bytes.data());
  }

  /// True if the processed bytes are complete and have this version, and if the call matches them.
  auto is_ready() const -> bool {
    return begin_.magic == header::right_magic && begin_.version == header::right_version && begin_.instructions <= max_instructions &&
           call_.processed_bytes.size() == processed_size(begin_) && call_.inputs.size() == begin_.arguments &&
           call_.outputs.size() == begin_.outputs && call_.scratch.size() >= begin_.scratch_bytes;
  }

  void run() const {
    for (std::uint32_t n = 0; n < begin_.instructions; ++n) run(read<instruction>(call_.processed_bytes.data() + instruction_offset(n)));
  }

 private:
  using byte = std::int8_t;

  void run(const instruction& code) const {
    switch (code.op) {
      case opcode::convolve:
        return convolve(code);
      case opcode::convolve_depthwise:
        return convolve_depthwise(code);
      case opcode::average:
        return average(code);
      case opcode::maximum:
        return maximum(code);
      case opcode::add:
        return add(code);
      case opcode::copy:
        std::memmove(target(code), source(code.first), static_cast<std::size_t>(code.channels));
        return;
    }
  }

  auto bytes(address of) const -> const char* {
    switch (of.in) {
      case memory::argument:
        return call_.inputs[of.at].data();
      case memory::output:
        return call_.outputs[of.at].data();
      case memory::scratch:
        return call_.scratch.data() + of.at;
      default:
        return nullptr;
    }
  }
  auto source(address of) const -> const byte* { return reinterpret_cast<const byte*>(bytes(of)); }
  auto target(const instruction& code) const -> byte* {
    char* const at = code.to.in == memory::output ? call_.outputs[code.to.at].data() : call_.scratch.data() + code.to.at;
    return reinterpret_cast<byte*>(at);
  }
  auto multiplier_at(std::uint32_t position) const -> fixed_multiplier {
    return read_multiplier(call_.processed_bytes.data() + table_offset(begin_) + position * multiplier_bytes);
  }

  /// Calls `pixel(image, top, left, to)` for each output pixel, with the input image, the first row and column of the window, and the
  /// address of the pixel's first channel.
  template <class Pixel>
  void for_pixels(const instruction& code, Pixel pixel) const {
    const byte* image = source(code.first);
    byte* to = target(code);
    for (std::int32_t batch = 0; batch < code.batches; ++batch) {
      for (std::int32_t y = 0; y < code.rows.output; ++y) {
        for (std::int32_t x = 0; x < code.columns.output; ++x) {
          pixel(image, code.rows.origin(y), code.columns.origin(x), to);
          to += code.channels;
        }
      }
      image += code.rows.input * code.columns.input * code.in_channels;
    }
  }

  /// Returns the output of one channel of a layer with weights. Applies bias, multiplier, zero point and activation to the sum.
  auto finish(const instruction& code, const char* bias, std::int32_t channel, std::int32_t sum) const -> byte {
    // Unsigned, so that the sum wraps like the hardware's adder.
    const auto offset = bias == nullptr ? 0u : baton::portable::load<std::uint32_t>(bias, channel);
    const auto position = code.multiplier_count == 1 ? 0u : static_cast<std::uint32_t>(channel);
    const auto total = static_cast<std::int32_t>(static_cast<std::uint32_t>(sum) + offset);
    const auto scaled = requantize(total, multiplier_at(code.multipliers + position));
    return static_cast<byte>(code.range.clamp(scaled + code.zero_point));
  }

  void convolve(const instruction& code) const {
    const byte* filter = source(code.second);
    const char* bias = bytes(code.third);
    const auto depth = code.in_channels;
    const auto filter_size = code.rows.filter * code.columns.filter * depth;
    for_pixels(code, [&](const byte* image, std::int32_t top, std::int32_t left, byte* to) {
      for (std::int32_t channel = 0; channel < code.channels; ++channel) {
        std::int32_t sum = 0;
        baton::portable::for_taps(code.rows, code.columns, top, left, [&](std::int32_t pixel, std::int32_t tap) {
          const byte* from = image + pixel * depth;
          const byte* weights = filter + channel * filter_size + tap * depth;
          for (std::int32_t i = 0; i < depth; ++i) sum += (from[i] - code.first_zero_point) * weights[i];
        });
        to[channel] = finish(code, bias, channel, sum);
      }
    });
  }

  void convolve_depthwise(const instruction& code) const {
    const byte* filter = source(code.second);
    const char* bias = bytes(code.third);
    const auto outputs_each = code.channels / code.in_channels;
    for_pixels(code, [&](const byte* image, std::int32_t top, std::int32_t left, byte* to) {
      for (std::int32_t channel = 0; channel < code.channels; ++channel) {
        const byte* plane = image + channel / outputs_each;
        std::int32_t sum = 0;
        baton::portable::for_taps(code.rows, code.columns, top, left, [&](std::int32_t pixel, std::int32_t tap) {
          sum += (plane[pixel * code.in_channels] - code.first_zero_point) * filter[tap * code.channels + channel];
        });
        to[channel] = finish(code, bias, channel, sum);
      }
    });
  }

  void average(const instruction& code) const {
    for_pixels(code, [&](const byte* image, std::int32_t top, std::int32_t left, byte* to) {
      for (std::int32_t channel = 0; channel < code.channels; ++channel) {
        std::int32_t sum = 0;
        std::int32_t count = 0;
        baton::portable::for_taps(code.rows, code.columns, top, left, [&](std::int32_t pixel, std::int32_t) {
          sum += image[pixel * code.channels + channel];
          ++count;
        });
        to[channel] = static_cast<byte>(code.range.clamp((sum > 0 ? sum + count / 2 : sum - count / 2) / count));
      }
    });
  }

  void maximum(const instruction& code) const {
    for_pixels(code, [&](const byte* image, std::int32_t top, std::int32_t left, byte* to) {
      for (std::int32_t channel = 0; channel < code.channels; ++channel) {
        std::int32_t max = -128;
        baton::portable::for_taps(code.rows, code.columns, top, left, [&](std::int32_t pixel, std::int32_t) {
          const std::int32_t x = image[pixel * code.channels + channel];
          max = x > max ? x : max;
        });
        to[channel] = static_cast<byte>(code.range.clamp(max));
      }
    });
  }

  void add(const instruction& code) const {
    const byte* first = source(code.first);
    const byte* second = source(code.second);
    byte* to = target(code);
    const auto by_first = multiplier_at(code.multipliers);
    const auto by_second = multiplier_at(code.multipliers + 1);
    const auto by_sum = multiplier_at(code.multipliers + 2);
    constexpr std::int32_t headroom = 1 << 20;  // extra bits, so that the multipliers of the inputs round less
    for (std::int32_t i = 0; i < code.channels; ++i) {
      const auto left = requantize((first[i] - code.first_zero_point) * headroom, by_first);
      const auto right = requantize((second[i] - code.second_zero_point) * headroom, by_second);
      to[i] = static_cast<byte>(code.range.clamp(requantize(left + right, by_sum) + code.zero_point));
    }
  }

  const baton::delegate_call& call_;
  header begin_{.magic = 0};
};

}  // namespace npu_example
