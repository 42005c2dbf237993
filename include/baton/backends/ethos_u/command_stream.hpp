// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Traverses a command stream (the instructions of an Ethos-U), and reports the memory that each operation of the accelerator reads and
// writes.
#pragma once

#include <baton/backend/words.hpp>
#include <baton/core/span.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::ethos_u {

/// The kind of a memory access. `copied_from` and `copied_to` are the source and the target of a copy by the accelerator's DMA unit.
enum class access_kind : std::uint8_t { input, second_input, output, weights, scales, copied_from, copied_to };

/// A memory access of an operation, to bytes [`first`, `end`) of a region. A region is the memory at one of the base addresses that are
/// passed to the driver; `region` is the index in `invocation::bases`. (The regions of a split arena are something else.)
struct access {
  access_kind kind = access_kind::input;
  std::uint32_t region = 0;
  std::uint64_t first = 0;
  std::uint64_t end = 0;
  std::size_t command = 0;  ///< index of the operation's word in the stream

  constexpr auto is_write() const -> bool { return kind == access_kind::output || kind == access_kind::copied_to; }
};

namespace detail {

/// The command codes of a stream (source: Vela's `ethos_u55_regs.py`). An operation is one word. The assignment of a 16-bit register is
/// also one word, with the value in the upper half. The assignment of a longer register is two words. The second word contains the low 32
/// bits of the value. The upper half of the first word contains the higher bits.
namespace command {
enum : std::uint32_t {
  stop,
  irq,
  conv,
  depthwise,
  pool = 5,
  elementwise,
  dma_start = 16,
  dma_wait,
  kernel_wait,
  pmu_mask,
  registers = 256
};
}  // namespace command

namespace short_register {  // relative to `command::registers`
enum : std::uint32_t {
  pad_top = 0x00,
  pad_left,
  pad_right,
  pad_bottom,
  ifm_depth,
  ifm_precision,
  ifm_upscale = 0x07,
  ifm_width0 = 0x0a,
  ifm_region = 0x0f,
  ofm_width = 0x11,
  ofm_height,
  ofm_depth,
  ofm_precision,
  ofm_width0 = 0x1a,
  ofm_region = 0x1f,
  kernel_width,
  kernel_height,
  kernel_stride,
  weight_region = 0x28,
  scale_region,
  dma_source_region = 0x30,
  dma_target_region,
  ifm2_broadcast = 0x80,
  ifm2_precision = 0x85,
  ifm2_width0 = 0x8a,
  ifm2_region = 0x8f,
  count
};
}  // namespace short_register

namespace long_register {
enum : std::uint32_t {
  ifm_base = 0x00,
  ofm_base = 0x10,
  weight_base = 0x20,
  weight_length,
  scale_base,
  scale_length,
  dma_source = 0x30,
  dma_target,
  dma_length,
  ifm2_base = 0x80,
  second_weights = 0x90,
  second_scales = 0x92,
  count = 0xa0
};
}  // namespace long_register

/// The layout of a feature map, and the numbers of the registers that describe it. A feature map is a tensor that is stored in up to four
/// tiles (see `report_map`). The first input, the second input and the output have the same order of registers.
struct feature_map {
  access_kind kind;
  std::uint32_t region;  ///< the register with the region (`access::region`)
  /// The register with the width of the left tiles. The next two registers hold the heights of the upper left and the upper right tile.
  std::uint32_t width0;
  /// The register with the address of the first tile. The next registers hold the addresses of the other three tiles, then the strides of
  /// x, y and bricks. A brick has 16 channels.
  std::uint32_t base;
  std::uint32_t bytes;  ///< bytes per element
  bool is_in_bricks;    ///< whether the feature map is stored in bricks of 16 channels (NHCWB16)
};

/// The last value of a register, and whether it was ever set.
template <class T>
struct setting {
  T value = 0;
  bool is_set = false;
};

/// A traversal of a stream. `run` calls `visit` with each access, until `visit` returns false.
template <class Visit>
class stream_walk {
 public:
  constexpr stream_walk(span<const char> stream, Visit& visit) : stream_(stream), visit_(visit) {}

  /// Returns the error of the stream, or an empty string.
  constexpr auto run() -> std::string_view {
    const auto words = stream_.size() / 4;
    for (at_ = 0; at_ < words && is_running_; ++at_) {
      const auto code = word_at(stream_, 4 * at_);
      const auto number = code & 0x3ffu;
      const auto form = code >> 14 & 3u;
      if (form == 1 && number < long_register::count) {
        if (at_ + 1 == words) return "it is truncated";
        if (code >> 24 != 0) return "it has an address of more than 40 bits";
        longs_[number] = {word_at(stream_, 4 * (at_ + 1)) | std::uint64_t{code >> 16} << 32, true};
        ++at_;
      } else if (form == 0 && number >= command::registers && number - command::registers < short_register::count) {
        shorts_[number - command::registers] = {code >> 16, true};
      } else if (form == 0 && number == command::stop) {
        return at_ + 1 == words ? "" : "it has data after its end";
      } else if (form != 0 || !run_operation(number, code >> 16)) {
        return "it has an unknown command";
      }
    }
    return is_running_ ? "it has no end" : fault_;
  }

 private:
  constexpr auto run_operation(std::uint32_t number, std::uint32_t parameter) -> bool {
    switch (number) {
      case command::conv:
      case command::depthwise:
        report_weights(access_kind::weights, short_register::weight_region, long_register::weight_base);
        if (has_second(long_register::second_weights)) {
          report_weights(access_kind::weights, short_register::weight_region, long_register::second_weights);
        }
        report_weights(access_kind::scales, short_register::scale_region, long_register::scale_base);
        if (has_second(long_register::second_scales)) {
          report_weights(access_kind::scales, short_register::scale_region, long_register::second_scales);
        }
        report_window();
        return true;
      case command::pool:
        report_window();
        return true;
      case command::elementwise:
        report_elementwise(parameter);
        return true;
      case command::dma_start:
        return report_copy();
      case command::irq:
      case command::dma_wait:
      case command::kernel_wait:
      case command::pmu_mask:
        return true;
      default:
        return false;
    }
  }

  // `short_value`, `short_size` and `long_value` return the value of a register. It is an error if the stream has not set this register
  // before. Registers of sizes hold the size minus 1, so `short_size` adds 1.

  constexpr auto short_value(std::uint32_t number) -> std::int64_t { return checked_value(shorts_[number]); }
  constexpr auto short_size(std::uint32_t number) -> std::int64_t { return short_value(number) + 1; }
  constexpr auto long_value(std::uint32_t number) -> std::uint64_t { return checked_value(longs_[number]); }
  template <class Register>
  constexpr auto checked_value(const Register& source) {
    if (!source.is_set) stop("an operation uses a register that was never set");
    return source.value;
  }
  constexpr void stop(std::string_view why) {
    if (!is_running_) return;
    fault_ = why;
    is_running_ = false;
  }

  constexpr void report(access_kind kind, std::int64_t region, std::uint64_t first, std::uint64_t bytes) {
    if (is_running_ && bytes != 0) is_running_ = visit_(access{kind, static_cast<std::uint32_t>(region), first, first + bytes, at_});
  }
  constexpr void report_weights(access_kind kind, std::uint32_t region, std::uint32_t base) {
    const auto bytes = long_value(base + 1);
    report(kind, short_value(region), long_value(base), bytes);
  }
  /// True if the stream has set a register of a second core's weights or scales: the address register `base`, or the size register after
  /// it. A stream for one core does not set these registers.
  constexpr auto has_second(std::uint32_t base) const -> bool { return longs_[base].is_set || longs_[base + 1].is_set; }

  constexpr void report_window() {
    const auto stride = short_value(short_register::kernel_stride);
    const auto step_x = ((stride & 1) | (stride >> 6 & 7) << 1) + 1;
    const auto step_y = ((stride >> 1 & 1) | (stride >> 9 & 7) << 1) + 1;
    // The size of the input that the windows cover, without padding. The registers of the filter's size already include the dilation.
    auto height = short_value(short_register::ofm_height) * step_y + short_size(short_register::kernel_height) -
                  short_value(short_register::pad_top) - short_value(short_register::pad_bottom);
    auto width = short_value(short_register::ofm_width) * step_x + short_size(short_register::kernel_width) -
                 short_value(short_register::pad_left) - short_value(short_register::pad_right);
    if (short_value(short_register::ifm_upscale) != 0) {
      height = (height + 1) / 2;
      width = (width + 1) / 2;
    }
    if (height <= 0 || width <= 0) return stop("an operation reads nothing: its paddings are larger than its kernel");
    report_map(first_input(), height, width, short_size(short_register::ifm_depth));
    report_output();
  }
  constexpr void report_elementwise(std::uint32_t mode) {
    const auto height = short_size(short_register::ofm_height);
    const auto width = short_size(short_register::ofm_width);
    const auto depth = short_size(short_register::ofm_depth);
    const auto broadcast = short_value(short_register::ifm2_broadcast);
    report_map(first_input(), height, width, depth);
    const bool has_one_operand = mode >= 5 && mode <= 7;  // leaky relu, absolute value, leading zeros
    if (!has_one_operand && (broadcast & 0x80) == 0) {
      report_map(second_input(), (broadcast & 1) != 0 ? 1 : height, (broadcast & 2) != 0 ? 1 : width, (broadcast & 4) != 0 ? 1 : depth);
    }
    report_output();
  }
  constexpr void report_output() {
    const auto precision = short_value(short_register::ofm_precision);
    report_map({access_kind::output, short_register::ofm_region, short_register::ofm_width0, long_register::ofm_base,
                1u << (precision >> 1 & 3), (precision >> 6 & 1) != 0},
               short_size(short_register::ofm_height), short_size(short_register::ofm_width), short_size(short_register::ofm_depth));
  }
  constexpr auto first_input() -> feature_map {
    const auto precision = short_value(short_register::ifm_precision);
    return {access_kind::input,      short_register::ifm_region, short_register::ifm_width0,
            long_register::ifm_base, 1u << (precision >> 2 & 3), (precision >> 6 & 1) != 0};
  }
  constexpr auto second_input() -> feature_map {
    const auto precision = short_value(short_register::ifm2_precision);
    return {access_kind::second_input, short_register::ifm2_region, short_register::ifm2_width0,
            long_register::ifm2_base,  1u << (precision >> 2 & 3),  (precision >> 6 & 1) != 0};
  }

  /// Reports the accesses to a feature map, which consists of up to four tiles: upper left, upper right, lower left and lower right. The
  /// upper tiles may differ in height. Computes addresses as Vela's `register_command_stream_util.py` does.
  constexpr void report_map(const feature_map& source, std::int64_t height, std::int64_t width, std::int64_t depth) {
    const auto width0 = short_size(source.width0);
    const auto left = std::min(width, width0);
    const auto right = width - left;
    const auto upper_left = std::min(height, short_size(source.width0 + 1));
    const auto upper_right = std::min(height, short_size(source.width0 + 2));
    report_tile(source, 0, upper_left, left, depth);
    if (right > 0) report_tile(source, 1, upper_right, right, depth);
    if (height > upper_left) report_tile(source, 2, height - upper_left, left, depth);
    if (right > 0 && height > upper_right) report_tile(source, 3, height - upper_right, right, depth);
  }
  constexpr void report_tile(const feature_map& source, std::uint32_t number, std::int64_t height, std::int64_t width, std::int64_t depth) {
    constexpr std::int64_t brick = 16;
    const auto bytes = std::int64_t{source.bytes};
    const auto strides = source.base + 4;
    const auto step_x = source.is_in_bricks ? brick * bytes : static_cast<std::int64_t>(long_value(strides));
    const auto step_of_bricks = source.is_in_bricks ? static_cast<std::int64_t>(long_value(strides + 2)) : brick * bytes;
    const auto last = (height - 1) * static_cast<std::int64_t>(long_value(strides + 1)) + (width - 1) * step_x +
                      (depth - 1) / brick * step_of_bricks + ((depth - 1) % brick + 1) * bytes;
    report(source.kind, short_value(source.region), long_value(source.base + number), static_cast<std::uint64_t>(last));
  }

  /// Reports the copy of a range of bytes between two regions. The accelerator's internal memory is not a region, so accesses to it are not
  /// reported.
  constexpr auto report_copy() -> bool {
    constexpr std::int64_t own_memory = 0x100;
    const auto from = short_value(short_register::dma_source_region);
    const auto to = short_value(short_register::dma_target_region);
    if (((from | to) & 0x600) != 0) return false;  // copies of two or three dimensions, which no compiler produces
    const auto bytes = long_value(long_register::dma_length);
    if ((from & own_memory) == 0) report(access_kind::copied_from, from, long_value(long_register::dma_source), bytes);
    if ((to & own_memory) == 0) report(access_kind::copied_to, to, long_value(long_register::dma_target), bytes);
    return true;
  }

  span<const char> stream_;
  Visit& visit_;
  std::size_t at_ = 0;
  bool is_running_ = true;
  std::string_view fault_{};  ///< why the traversal stopped; empty if `visit` returned false
  std::array<setting<std::int64_t>, short_register::count> shorts_{};
  std::array<setting<std::uint64_t>, long_register::count> longs_{};
};

}  // namespace detail

/// Calls `visit(access)` for each access of a command stream, in order, until `visit` returns false. Returns the error of the stream, or an
/// empty string. It is also an error if an operation uses a register that was never set, or reads nothing. Supports feature maps with any
/// strides, and also the weights of the second core of an Ethos-U65. Does not support copies of two or three dimensions.
template <class Visit>
constexpr auto for_each_access(span<const char> stream, Visit visit) -> std::string_view {
  return detail::stream_walk<Visit>(stream, visit).run();
}

}  // namespace baton::ethos_u
