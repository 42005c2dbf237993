// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The arithmetic of two tiles, in portable C++ and in assembly: input transform, sums of products, output transform.
#pragma once

#include <baton/kernels/cortex_m/detail/instructions.hpp>
#include <baton/kernels/cortex_m/detail/scaled_sums.hpp>
#include <baton/kernels/cortex_m/detail/winograd_layer.hpp>
#include <baton/kernels/unaligned.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace baton::cortex_m::detail {

/// Transforms two pixel rows of a tile, `first` and `second`, in portable C++. The elements of a transformed tile are called positions.
/// Each function of `combine` combines the two pixels of each column. The combined pixels are then transformed along the row, to one row of
/// positions. The row of positions of the first function is written at `values`, and that of each further function is written as the next
/// row. The words of two tiles alternate in memory (see `winograd_layer`), so every second word is written.
template <class... Combine>
inline void transform_plainly(const winograd_layer& layer, const char* first, const char* second, char* values, Combine... combine) {
  const std::ptrdiff_t position_bytes = layer.position_bytes();
  for (std::int32_t k = 0; k < layer.in_channels; k += 4, values += 16) {
    const auto half = [&](auto unpack, char* to) {
      const auto pixel = [&](const char* row, int x) { return unpack(portable::load<std::uint32_t>(row + x * layer.in_channels + k)); };
      const auto put = [&](auto of_rows) {
        const auto column = [&](int x) { return of_rows(pixel(first, x), pixel(second, x)); };
        portable::store(to, 0, ssub16(column(0), column(2)));
        portable::store(to + position_bytes, 0, sadd16(column(1), column(2)));
        portable::store(to + 2 * position_bytes, 0, ssub16(column(2), column(1)));
        portable::store(to + 3 * position_bytes, 0, ssub16(column(1), column(3)));
        to += 4 * position_bytes;
      };
      (put(combine), ...);
    };
    half([](std::uint32_t word) { return sxtb16(word); }, values);
    half([](std::uint32_t word) { return sxtb16_ror8(word); }, values + 8);
  }
}

/// Sums the products at each position in portable C++. Stores the four sums of a position after its transformed inputs.
inline void multiply_plainly(const winograd_layer& layer, char* values, const char* weights) {
  const auto word = [](const char* from, std::int32_t i) { return portable::load<std::uint32_t>(from, i); };
  for (std::int32_t position = 0; position < layer.positions(); ++position) {
    for (std::int32_t i = 0; i < 4; ++i) {  // channel i % 2 of tile i / 2
      std::int32_t sum = 0;
      for (std::int32_t k = 0; k < layer.in_channels; k += 2) sum = smlad(word(weights, k + i % 2), word(values, k + i / 2), sum);
      portable::store(values, layer.in_channels + i, sum);
    }
    weights += 4 * layer.in_channels;
    values += layer.position_bytes();
  }
}

/// Applies the output transform in portable C++: writes the outputs of two channels of two tiles.
inline void finish_plainly(const winograd_layer& layer, const char* values, const char* constants, const std::array<char*, 2>& to,
                           std::ptrdiff_t row_bytes) {
  for (std::int32_t i = 0; i < 4; ++i) {
    const char* sums = values + 4 * layer.in_channels + 4 * i;
    const char* by = constants + i % 2 * 16;
    char* out = to[static_cast<std::size_t>(i / 2)] + i % 2;
    const auto sum = [&](int position) { return portable::load<std::uint32_t>(sums + position * layer.position_bytes()); };
    struct two {
      std::uint32_t first, second;
    };
    const auto along_rows = [&](int x) -> two {
      const auto s1 = sum(4 + x);
      const auto s2 = sum(8 + x);
      return {sum(x) + s1 + s2, layer.tile_rows == 1 ? 0 : s1 - s2 - sum(12 + x)};
    };
    const auto a = along_rows(0);
    const auto b = along_rows(1);
    const auto c = along_rows(2);
    const auto d = along_rows(3);
    const auto bias = portable::load<std::uint32_t>(by);
    const scaled_requantization rule{portable::load<std::int32_t>(by, 1), portable::load<std::int32_t>(by, 2),
                                     portable::load<std::int32_t>(by, 3)};
    const auto put = [&](char* at, std::uint32_t scaled) {
      const auto number = static_cast<std::int32_t>(scaled);
      const auto correction = layer.corrects_ties != 0 ? correction_of(number, 1, winograd_layer::scale_bits) : 0;
      *at = static_cast<char>(requantize_scaled(number, rule, correction));
    };
    put(out, bias + a.first + b.first + c.first);
    put(out + layer.channels, bias + b.first - c.first - d.first);
    if (layer.tile_rows == 1) continue;
    put(out + row_bytes, bias + a.second + b.second + c.second);
    put(out + row_bytes + layer.channels, bias + b.second - c.second - d.second);
  }
}

/// Computes all output channels of two tiles from their transformed inputs, in portable C++. `to` holds the address of each tile's first
/// output. `row_bytes` is the distance between output rows.
inline void convolve_plainly(const winograd_layer& layer, char* values, const char* stream, std::array<char*, 2> to,
                             std::ptrdiff_t row_bytes) {
  for (std::int32_t channel = 0; channel < layer.channels; channel += 2) {
    multiply_plainly(layer, values, stream);
    finish_plainly(layer, values, stream + 4 * layer.weight_words(), to, row_bytes);
    to = {to[0] + 2, to[1] + 2};
    stream += 4 * layer.block_words();
  }
}

/// The steps of a convolution in portable C++, for any geometry.
struct winograd_steps {
  const winograd_layer& layer;

  /// Transforms pixel rows 0 and 2 to row 0 of the positions, or pixel rows 1 and 3 to row 3.
  void transform_outer(const char* row, const char* other, char* values) const { transform_plainly(layer, row, other, values, ssub16); }
  /// Transforms pixel rows 1 and 2 to rows 1 and 2 of the positions.
  void transform_middle(const char* row, const char* other, char* values) const {
    transform_plainly(layer, row, other, values, sadd16, [](std::uint32_t a, std::uint32_t b) { return ssub16(b, a); });
  }
  void convolve(char* values, const char* stream, const std::array<char*, 2>& to, std::ptrdiff_t row_bytes) const {
    convolve_plainly(layer, values, stream, to, row_bytes);
  }
};

/// The assembly routines for a geometry. They are called through pointers, so that layers share the loop over tiles.
struct winograd_routines {
  void (*transform_outer)(const char* row, const char* other, char* values);
  void (*transform_middle)(const char* row, const char* other, char* values);
  void (*convolve)(char* values, const char* stream, const std::array<char*, 2>& to, std::ptrdiff_t row_bytes);
};

#if defined(__ARM_FEATURE_DSP) && __ARM_ARCH_PROFILE == 'M'

/// Transforms rows of a tile with DSP instructions, two input channels and all columns at a time. If `IsMiddle`, computes rows 1 and 2 of
/// the positions from rows 1 and 2 of the pixels, with 20 instructions per row of four positions. If not, computes row 0 of the positions
/// from pixel row 0 minus pixel row 2, or row 3 from pixel row 1 minus pixel row 3.
template <std::int32_t InChannels, bool IsMiddle>
[[gnu::noinline]] inline void transform_rows(const char* row, const char* other, char* values) {
  register const char* a asm("r0") = row;
  register const char* b asm("r1") = other;
  register char* to asm("r2") = values;
  register const char* end asm("r3") = row + InChannels;
  asm volatile(
      "push {r7}\n"
      "1: .irp half,0,8\n"
      " ldr r4,[r0]\n ldr r5,[r0,%[pixel]]\n ldr r6,[r0,%[pixel]*2]\n ldr r7,[r0,%[pixel]*3]\n"
      " ldr r8,[r1]\n ldr r9,[r1,%[pixel]]\n ldr r10,[r1,%[pixel]*2]\n ldr r11,[r1,%[pixel]*3]\n"
      " sxtb16 r4,r4,ror #\\half\n sxtb16 r5,r5,ror #\\half\n sxtb16 r6,r6,ror #\\half\n sxtb16 r7,r7,ror #\\half\n"
      " sxtb16 r8,r8,ror #\\half\n sxtb16 r9,r9,ror #\\half\n sxtb16 r10,r10,ror #\\half\n sxtb16 r11,r11,ror #\\half\n"
      ".if %c[middle]\n"
      " sadd16 r12,r4,r8\n ssub16 r8,r8,r4\n sadd16 r4,r5,r9\n ssub16 r9,r9,r5\n"
      " sadd16 r5,r6,r10\n ssub16 r10,r10,r6\n sadd16 r6,r7,r11\n ssub16 r11,r11,r7\n"
      " ssub16 r7,r12,r5\n str r7,[r2,#\\half]\n sadd16 r7,r4,r5\n str r7,[r2,#%c[position]+\\half]\n"
      " ssub16 r7,r5,r4\n str r7,[r2,#%c[position]*2+\\half]\n ssub16 r7,r4,r6\n str r7,[r2,#%c[position]*3+\\half]\n"
      " ssub16 r7,r8,r10\n str r7,[r2,#%c[position]*4+\\half]\n sadd16 r7,r9,r10\n str r7,[r2,#%c[position]*5+\\half]\n"
      " ssub16 r7,r10,r9\n str r7,[r2,#%c[position]*6+\\half]\n ssub16 r7,r9,r11\n str r7,[r2,#%c[position]*7+\\half]\n"
      ".else\n"
      " ssub16 r4,r4,r8\n ssub16 r5,r5,r9\n ssub16 r6,r6,r10\n ssub16 r7,r7,r11\n"
      " ssub16 r8,r4,r6\n str r8,[r2,#\\half]\n sadd16 r8,r5,r6\n str r8,[r2,#%c[position]+\\half]\n"
      " ssub16 r8,r6,r5\n str r8,[r2,#%c[position]*2+\\half]\n ssub16 r8,r5,r7\n str r8,[r2,#%c[position]*3+\\half]\n"
      ".endif\n"
      ".endr\n"
      " add r0,r0,#4\n add r1,r1,#4\n add r2,r2,#16\n cmp r0,r3\n bne 1b\n"
      " pop {r7}\n"
      : "+r"(a), "+r"(b), "+r"(to), "+r"(end)
      : [pixel] "i"(InChannels), [position] "i"(4 * InChannels + 16), [middle] "i"(IsMiddle ? 1 : 0)
      : "r4", "r5", "r6", "r8", "r9", "r10", "r11", "r12", "cc", "memory");
}

/// Computes all output channels of two tiles with DSP instructions. At each of the 16 positions, 10 instructions multiply four input
/// channels of two tiles with two output channels. These 160 instructions replace 576 products of a direct convolution. The output
/// transform takes about 70 more instructions per tile and channel.
///
/// The requantization of some layers rounds twice. A negative number halfway between two results must then be rounded away from zero, which
/// needs a correction (`IsCorrected`). The correction does not change the output if the activation's range contains no values below the
/// zero point. Layers with such a range apply the correction, too, so that all layers that round twice share the code. In the output
/// transform, the sums s0 to s3 of a column yield e = s0 + s1 + s2 and f = s1 - s2 - s3. Columns 0 to 3 yield e0 to e3 and f0 to f3. The
/// outputs of the tile's first row are e0 + e1 + e2 and e1 - e2 - e3. The outputs of its second row are f0 + f1 + f2 and f1 - f2 - f3. A
/// tile with one row (`TileRows` is 1) has no s3 and no f, and its 12 positions take 120 instructions.
template <std::int32_t InChannels, std::int32_t Channels, bool IsCorrected, std::int32_t TileRows>
[[gnu::noinline]] inline void convolve_two_tiles(char* values, const char* stream, const std::array<char*, 2>& to,
                                                 std::ptrdiff_t row_bytes) {
  constexpr auto positions = winograd_layer{.tile_rows = TileRows}.positions();
  constexpr auto skipped = 4 * InChannels * (winograd_layer::weight_positions - positions);
  // These locals exist because no call may occur between the assignment of a register variable and its use.
  const char* const end = stream + 2 * Channels * winograd_layer{.in_channels = InChannels}.block_words();
  char* const first = to[0];
  char* const second = to[1];
  register char* x asm("r12") = values;
  register const char* w asm("lr") = stream;
  register const char* last asm("r0") = end;
  register char* to_first asm("r1") = first;
  register std::ptrdiff_t row asm("r2") = row_bytes;
  register char* to_second asm("r3") = second;
  asm volatile(
      // Stack layout: the end of the weights of the two channels, `to_first`, `row`, `to_second`, `last`, r7
      "push {r0,r7}\n push {r1,r2,r3}\n sub sp,#4\n"
      "1: add r0,lr,%[weights]\n str r0,[sp]\n"
      "2: ldmia lr!,{r4-r7}\n ldmia r12!,{r0-r3}\n"
      " smuad r8,r4,r0\n smuad r10,r4,r1\n smuad r9,r5,r0\n smuad r11,r5,r1\n"
      " smlad r8,r6,r2,r8\n smlad r10,r6,r3,r10\n smlad r9,r7,r2,r9\n smlad r11,r7,r3,r11\n"
      ".rept %c[more]\n"
      " ldmia lr!,{r4-r7}\n ldmia r12!,{r0-r3}\n"
      " smlad r8,r4,r0,r8\n smlad r10,r4,r1,r10\n smlad r9,r5,r0,r9\n smlad r11,r5,r1,r11\n"
      " smlad r8,r6,r2,r8\n smlad r10,r6,r3,r10\n smlad r9,r7,r2,r9\n smlad r11,r7,r3,r11\n"
      ".endr\n"
      " stmia r12!,{r8-r11}\n ldr r0,[sp]\n cmp lr,r0\n bne 2b\n"
      " sub r12,r12,%[to_sums]\n"
      ".if %c[single]\n add lr,lr,%[skipped]\n .endif\n"  // the weights of the last row of positions
      "3: ldmia lr!,{r0-r3}\n"                            // bias, multiplier, offset, shift
      ".irp tile,0,1\n"
      ".if %c[single]\n"
      " ldr r8,[r12,#\\tile*8]\n ldr r9,[r12,#%c[position]*4+\\tile*8]\n ldr r10,[r12,#%c[position]*8+\\tile*8]\n"
      " add r4,r0,r8\n add r4,r4,r9\n add r4,r4,r10\n"
      " ldr r8,[r12,#%c[position]+\\tile*8]\n ldr r9,[r12,#%c[position]*5+\\tile*8]\n ldr r10,[r12,#%c[position]*9+\\tile*8]\n"
      " add r8,r8,r9\n add r8,r8,r10\n add r4,r4,r8\n add r5,r0,r8\n"
      " ldr r8,[r12,#%c[position]*2+\\tile*8]\n ldr r9,[r12,#%c[position]*6+\\tile*8]\n ldr r10,[r12,#%c[position]*10+\\tile*8]\n"
      " add r8,r8,r9\n add r8,r8,r10\n add r4,r4,r8\n sub r5,r5,r8\n"
      " ldr r8,[r12,#%c[position]*3+\\tile*8]\n ldr r9,[r12,#%c[position]*7+\\tile*8]\n ldr r10,[r12,#%c[position]*11+\\tile*8]\n"
      " sub r5,r5,r8\n sub r5,r5,r9\n sub r5,r5,r10\n"
      ".if %c[corrected]\n asr r8,r4,#31\n asr r9,r5,#31\n .endif\n"
      " smmla r4,r4,r1,r2\n smmla r5,r5,r1,r2\n"
      ".if %c[corrected]\n add r4,r4,r8,lsl #1\n add r5,r5,r9,lsl #1\n .endif\n"
      " asr r4,r4,r3\n asr r5,r5,r3\n ssat r4,#8,r4\n ssat r5,#8,r5\n"
      " ldr r8,[sp,#4+\\tile*8]\n strb r5,[r8,%[channels]]\n strb r4,[r8],#1\n str r8,[sp,#4+\\tile*8]\n"
      ".else\n"
      " ldr r8,[r12,#\\tile*8]\n ldr r9,[r12,#%c[position]*4+\\tile*8]\n"
      " ldr r10,[r12,#%c[position]*8+\\tile*8]\n ldr r11,[r12,#%c[position]*12+\\tile*8]\n"
      " add r4,r0,r8\n add r4,r4,r9\n add r4,r4,r10\n"
      " add r6,r0,r9\n sub r6,r6,r10\n sub r6,r6,r11\n"
      " ldr r8,[r12,#%c[position]+\\tile*8]\n ldr r9,[r12,#%c[position]*5+\\tile*8]\n"
      " ldr r10,[r12,#%c[position]*9+\\tile*8]\n ldr r11,[r12,#%c[position]*13+\\tile*8]\n"
      " add r8,r8,r9\n add r8,r8,r10\n sub r9,r9,r10\n sub r9,r9,r11\n"
      " add r4,r4,r8\n add r5,r0,r8\n add r6,r6,r9\n add r7,r0,r9\n"
      " ldr r8,[r12,#%c[position]*2+\\tile*8]\n ldr r9,[r12,#%c[position]*6+\\tile*8]\n"
      " ldr r10,[r12,#%c[position]*10+\\tile*8]\n ldr r11,[r12,#%c[position]*14+\\tile*8]\n"
      " add r8,r8,r9\n add r8,r8,r10\n sub r9,r9,r10\n sub r9,r9,r11\n"
      " add r4,r4,r8\n sub r5,r5,r8\n add r6,r6,r9\n sub r7,r7,r9\n"
      " ldr r8,[r12,#%c[position]*3+\\tile*8]\n ldr r9,[r12,#%c[position]*7+\\tile*8]\n"
      " ldr r10,[r12,#%c[position]*11+\\tile*8]\n ldr r11,[r12,#%c[position]*15+\\tile*8]\n"
      " sub r5,r5,r8\n sub r5,r5,r9\n sub r5,r5,r10\n sub r7,r7,r9\n add r7,r7,r10\n add r7,r7,r11\n"
      ".if %c[corrected]\n asr r8,r4,#31\n asr r9,r5,#31\n asr r10,r6,#31\n asr r11,r7,#31\n .endif\n"
      " smmla r4,r4,r1,r2\n smmla r5,r5,r1,r2\n smmla r6,r6,r1,r2\n smmla r7,r7,r1,r2\n"
      ".if %c[corrected]\n"
      " add r4,r4,r8,lsl #1\n add r5,r5,r9,lsl #1\n add r6,r6,r10,lsl #1\n add r7,r7,r11,lsl #1\n"
      ".endif\n"
      " asr r4,r4,r3\n asr r5,r5,r3\n asr r6,r6,r3\n asr r7,r7,r3\n"
      " ssat r4,#8,r4\n ssat r5,#8,r5\n ssat r6,#8,r6\n ssat r7,#8,r7\n"
      ".if \\tile\n ldrd r9,r8,[sp,#8]\n .else\n ldrd r8,r9,[sp,#4]\n .endif\n"
      " strb r5,[r8,%[channels]]\n strb r4,[r8],#1\n str r8,[sp,#4+\\tile*8]\n add r8,r8,r9\n"
      " strb r6,[r8,#-1]\n strb r7,[r8,%[channels]-1]\n"
      ".endif\n"
      ".endr\n"
      // After the weights of the two channels, the stream (`streams.hpp`) has the constants of the first channel and then of the second
      // channel, 16 bytes each. So the loop over these two channels ends when lr is 32 bytes after the end of their weights.
      " ldr r0,[sp]\n add r12,r12,#4\n add r0,r0,%[constants]\n cmp lr,r0\n bne 3b\n"
      " ldr r0,[sp,#16]\n sub r12,r12,%[to_values]\n cmp lr,r0\n bne 1b\n"
      " ldr r7,[sp,#20]\n add sp,#24\n"
      : "+r"(x), "+r"(w), "+r"(last), "+r"(to_first), "+r"(row), "+r"(to_second)
      : [more] "i"(InChannels / 4 - 1), [weights] "i"(4 * InChannels * positions), [skipped] "i"(skipped), [constants] "i"(skipped + 32),
        [position] "i"(4 * InChannels + 16), [to_sums] "i"((positions - 1) * (4 * InChannels + 16) + 16),
        [to_values] "i"(4 * InChannels + 8), [channels] "i"(Channels), [corrected] "i"(IsCorrected ? 1 : 0),
        [single] "i"(TileRows == 1 ? 1 : 0)
      : "r4", "r5", "r6", "r8", "r9", "r10", "r11", "cc", "memory");
}

template <std::int32_t InChannels, std::int32_t Channels, bool IsCorrected, std::int32_t TileRows>
inline constexpr winograd_routines winograd_routines_of{&transform_rows<InChannels, false>, &transform_rows<InChannels, true>,
                                                        &convolve_two_tiles<InChannels, Channels, IsCorrected, TileRows>};

#endif

}  // namespace baton::cortex_m::detail
