// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The npu's instruction set, and the format of the processed bytes. The compiler writes this format, and the machine reads it.
#pragma once

#include <baton/kernels/window.hpp>
#include <baton/operators/requantization.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace npu_example {

/// The maximum number of instructions of a delegate, which is the size of the command memory.
inline constexpr std::uint32_t max_instructions = 8;

/// The operation of an instruction. Tensors are int8, images are [batch, row, column, channel]. Sums are int32, and are rescaled to int8 by
/// a multiplier from the table of multipliers.
enum class opcode : std::uint32_t {
  convolve,  ///< second: filter [channel, row, column, input channel]; third: bias. A fully connected layer has a window of 1 × 1.
  convolve_depthwise,  ///< second: filter [1, row, column, channel]; third: bias. Channel c reads input channel c / (channels / input
                       ///< channels).
  average,             ///< of the elements of the window that are in the image
  maximum,             ///< of the elements of the window that are in the image
  add,                 ///< first + second, elementwise; three multipliers: of the first operand, of the second, of their sum
  copy,                ///< a reshape
};
inline constexpr std::uint32_t opcode_count = 6;

/// The memory of an operand.
enum class memory : std::uint32_t { nothing, argument, output, scratch };

/// The address of an operand. `at` is the position of an argument or output of the call, or an offset in scratch memory, in bytes.
struct address {
  memory in = memory::nothing;
  std::uint32_t at = 0;

  constexpr auto operator==(const address&) const -> bool = default;
};

/// One instruction. Each opcode reads only some of the fields.
struct instruction {
  opcode op = opcode::copy;
  address first{};
  address second{};
  address third{};
  address to{};
  std::int32_t batches = 1;
  std::int32_t in_channels = 1;
  std::int32_t channels = 1;  ///< channels of the output; for `add` and `copy`, the number of elements
  baton::portable::window_axis rows{};
  baton::portable::window_axis columns{};
  std::int32_t first_zero_point = 0;
  std::int32_t second_zero_point = 0;
  std::int32_t zero_point = 0;  ///< of the output
  baton::quantized::bounds<std::int32_t> range{-128, 127};
  std::uint32_t multipliers = 0;       ///< position of the first multiplier in the table
  std::uint32_t multiplier_count = 0;  ///< one per channel, or one for all channels; three for `add`
};

/// The header of the processed bytes. The instructions follow, then the table of multipliers.
struct header {
  static constexpr std::uint32_t right_magic = 0x55504e42;  // "BNPU"
  static constexpr std::uint32_t right_version = 1;

  std::uint32_t magic = right_magic;
  std::uint32_t version = right_version;
  std::uint32_t instructions = 0;
  std::uint32_t multipliers = 0;
  std::uint32_t arguments = 0;
  std::uint32_t outputs = 0;
  std::uint32_t scratch_bytes = 0;
};

using baton::quantized::fixed_multiplier;

/// A record of 32-bit words without padding, so that it can be written and read word by word.
template <class T>
concept word_record =
    std::is_trivially_copyable_v<T> && sizeof(T) % sizeof(std::uint32_t) == 0 && std::has_unique_object_representations_v<T>;

/// Writes a word, in little-endian order on every machine.
constexpr void write_word(char* to, std::uint32_t word) {
  to[0] = static_cast<char>(word & 255u), to[1] = static_cast<char>(word >> 8 & 255u);
  to[2] = static_cast<char>(word >> 16 & 255u), to[3] = static_cast<char>(word >> 24);
}
constexpr auto read_word(const char* from) -> std::uint32_t {
  const auto byte = [from](int i) { return std::uint32_t{static_cast<unsigned char>(from[i])} << 8 * i; };
  return byte(0) | byte(1) | byte(2) | byte(3);
}

/// Writes a record. It takes `sizeof(Record)` bytes.
template <word_record Record>
constexpr void write(char* to, const Record& record) {
  for (const auto word : std::bit_cast<std::array<std::uint32_t, sizeof(Record) / 4>>(record)) {
    write_word(to, word);
    to += 4;
  }
}
template <word_record Record>
constexpr auto read(const char* from) -> Record {
  std::array<std::uint32_t, sizeof(Record) / 4> words{};
  for (auto& word : words) {
    word = read_word(from);
    from += 4;
  }
  return std::bit_cast<Record>(words);
}

/// The size of a multiplier: four bytes of value, one byte of shift. A model has thousands of them, so writing one must take few
/// constexpr steps.
inline constexpr std::size_t multiplier_bytes = 5;

constexpr void write_multiplier(char* to, fixed_multiplier multiplier) {
  write_word(to, static_cast<std::uint32_t>(multiplier.value));
  // Shifts of real models are far below 30. A larger shift would exceed 32 bits in any case.
  to[4] = static_cast<char>(multiplier.shift > 30 ? 30 : multiplier.shift);
}
constexpr auto read_multiplier(const char* from) -> fixed_multiplier {
  return {static_cast<std::int32_t>(read_word(from)), static_cast<std::int8_t>(from[4])};
}

/// The offsets of the parts of the processed bytes, and their number, in bytes.
constexpr auto instruction_offset(std::uint32_t position) -> std::size_t { return sizeof(header) + position * sizeof(instruction); }
constexpr auto table_offset(const header& of) -> std::size_t { return instruction_offset(of.instructions); }
constexpr auto processed_size(const header& of) -> std::size_t { return table_offset(of) + of.multipliers * multiplier_bytes; }

}  // namespace npu_example
