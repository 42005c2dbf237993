// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Builders of command streams, payloads and custom operators, word by word.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace ethos_u_tests {

/// A stream of commands. The command numbers are those of Vela's `ethos_u55_regs.py`.
class stream {
 public:
  constexpr auto set(std::uint32_t number, std::uint32_t value) -> stream& { return put(number | value << 16); }
  constexpr auto set_long(std::uint32_t number, std::uint64_t value) -> stream& {
    put(number | 0x4000u | static_cast<std::uint32_t>(value >> 32) << 16);
    return put(static_cast<std::uint32_t>(value));
  }
  /// Sets the region, four bases, height and width of the tiles, and strides of a feature map. `first` is the first short register: 0x100,
  /// 0x110 or 0x180.
  constexpr auto map(std::uint32_t first, std::uint32_t region, std::uint64_t base, std::uint32_t height, std::uint32_t width,
                     std::uint64_t step_x, std::uint64_t step_y, std::uint64_t step_c) -> stream& {
    const auto longs = first - 0x100;
    set(first + 0x0f, region).set(first + 0x0a, width - 1).set(first + 0x0b, height - 1).set(first + 0x0c, height - 1);
    set_long(longs, base).set_long(longs + 1, 0).set_long(longs + 2, 0).set_long(longs + 3, 0);
    return set_long(longs + 4, step_x).set_long(longs + 5, step_y).set_long(longs + 6, step_c);
  }
  constexpr auto run(std::uint32_t operation, std::uint32_t parameter = 0) -> stream& { return set(operation, parameter); }
  constexpr auto end() -> stream& { return set(0, 0xffff); }

  constexpr auto put(std::uint32_t word) -> stream& {
    for (int shift = 0; shift < 32; shift += 8) bytes_.push_back(static_cast<char>(word >> shift & 255u));
    return *this;
  }
  constexpr auto bytes() const -> baton::span<const char> { return {bytes_.data(), bytes_.size()}; }

 private:
  baton::vector<char> bytes_;
};

/// Returns a stream that multiplies 16 int8 numbers by themselves: it reads 16 bytes at `input` and writes 16 bytes at `output`. Before
/// that, it copies weights without need.
constexpr auto small_stream(std::uint32_t input, std::uint32_t output, std::uint32_t weight_bytes = 16) -> stream {
  stream result;
  result.set(0x130, 0).set_long(0x30, 0).set(0x131, 1).set_long(0x31, 64).set_long(0x32, weight_bytes).run(0x10);
  result.map(0x100, 1, input, 1, 1, 16, 16, 16).set(0x104, 15).set(0x105, 1);
  result.map(0x110, 1, output, 1, 1, 16, 16, 16).set(0x111, 0).set(0x112, 0).set(0x113, 15).set(0x114, 1);
  result.set(0x180, 0x80);
  return result.run(6, 0).end();
}

constexpr std::uint32_t u55_128_configuration = 0x1807;

/// Returns a payload as Vela writes it.
constexpr auto payload_of(const stream& commands, std::uint32_t configuration = u55_128_configuration) -> baton::text_buffer {
  stream result;
  result.put(0x31504f43).put(0x00100001).put(configuration).put(0x10066001).put(5).put(5).put(5);
  result.put(2u | static_cast<std::uint32_t>(commands.bytes().size() / 4) << 16);
  baton::text_buffer bytes(result.bytes().begin(), result.bytes().end());
  bytes.insert(bytes.end(), commands.bytes().begin(), commands.bytes().end());
  return bytes;
}

/// The parts of a program of one custom operator.
struct custom_operator {
  baton::text_buffer payload = payload_of(small_stream(0, 16));
  std::int64_t scratch = 128;
  baton::vector<std::int64_t> offsets{-1, -1, 0, 0, 0, 16};
  std::string_view name = "tfl.custom.ethos-u";
  bool has_two_scratches = false;
};

constexpr auto program_of(const custom_operator& of) -> baton::exported_program {
  using baton::tensor;
  constexpr auto row = tensor(baton::dtype::int8, 16);
  baton::program_builder b;
  const auto bytes = static_cast<std::int64_t>(of.payload.size());
  const auto commands = b.constant("commands", tensor(baton::dtype::uint8, bytes), {of.payload.data(), of.payload.size()});
  const auto weights = b.constant("weights", tensor(baton::dtype::uint8, 16), {"0123456789abcdef", 16});
  const auto x = b.user_input("x", row);
  const auto scratch = b.scratch("scratch", tensor(baton::dtype::uint8, of.scratch));
  const auto fast = of.has_two_scratches ? b.scratch("fast", tensor(baton::dtype::uint8, of.scratch)) : scratch;
  b.output(b.call("y", of.name, {commands, weights, scratch, fast, x}, row, {{"arena_offsets", of.offsets}}));
  return b.finish();
}

}  // namespace ethos_u_tests
