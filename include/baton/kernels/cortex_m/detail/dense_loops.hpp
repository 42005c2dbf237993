// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The inner loops of a fully connected layer, in portable C++ and in assembly.
#pragma once

#include <baton/kernels/cortex_m/detail/dense_stream.hpp>
#include <baton/kernels/cortex_m/detail/instructions.hpp>
#include <baton/kernels/cortex_m/detail/outputs.hpp>
#include <baton/kernels/cortex_m/detail/scaled_sums.hpp>
#include <baton/kernels/cortex_m/detail/streams.hpp>
#include <baton/kernels/unaligned.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace baton::cortex_m::detail {

/// Writes the words of `odd_inputs` and `even_inputs` (see `streams.hpp`) for each group of four inputs. If `count` is not a multiple of
/// four, zeros fill the last group. The function is not inlined, so that all layers share the function.
[[gnu::noinline]] inline void expand_inputs(const char* from, std::int32_t count, char* to) {
  const auto put = [&to](std::uint32_t four) {
    const auto odd = odd_inputs(four);
    portable::store(to, 0, odd);
    portable::store(to, 1, even_inputs(four, odd));
    to += 8;
  };
  for (; count >= 8; count -= 8) {
    put(portable::load<std::uint32_t>(from));
    put(portable::load<std::uint32_t>(from, 1));
    from += 8;
  }
  for (; count > 0; count -= 4) {
    std::uint32_t last = 0;
    std::memcpy(&last, from, static_cast<std::size_t>(count < 4 ? count : 4));
    put(last);
    from += 4;
  }
}

/// The constants of a layer that `compute_dense_blocks_dsp` reads.
struct dense_loop {
  const std::int32_t* tensor_scale;  ///< multiplier, offset and shift of `dense_stream::tensor_scale`
  std::int32_t iterations;           ///< iterations of the inner loop per segment
  std::int32_t segments;
};

/// Computes the outputs of `blocks` blocks (see `dense_stream`) in portable C++. The results are bit-identical to the results of
/// `compute_dense_blocks_dsp`. The stream may have any alignment. `inputs` contains int8 values if `plan.reads_bytes` is set, otherwise the
/// words of `expand_inputs`.
inline void compute_dense_blocks_portable(const dense_stream& plan, const char* inputs, const char* stream, std::int32_t blocks, char* to) {
  const auto word = [&](std::int32_t i) { return portable::load<std::uint32_t>(stream, i); };
  const auto bits = plan.scale_bits();
  for (std::int32_t block = 0; block < blocks; ++block) {
    for (std::int32_t i = 0; i < plan.width; ++i) {
      auto sum = word(i);
      for (std::int32_t segment = 0; segment < plan.segments; ++segment) {
        auto part = plan.scales_segment_sums != 0 ? 0 : static_cast<std::int32_t>(sum);
        for (std::int32_t k = segment * plan.words; k < (segment + 1) * plan.words; ++k) {
          const auto weights = word(plan.width * (1 + k) + i);
          const auto bytes = portable::load<std::uint32_t>(inputs, k);
          const auto odd = plan.reads_bytes != 0 ? odd_inputs(bytes) : portable::load<std::uint32_t>(inputs, 2 * k);
          const auto even = plan.reads_bytes != 0 ? even_inputs(bytes, odd) : portable::load<std::uint32_t>(inputs, 2 * k + 1);
          part = smlad(weights, odd, part);
          part = smlad(sxtb16(weights), even, part);
        }
        sum = plan.scales_segment_sums != 0 ? sum + static_cast<std::uint32_t>(part >> (packed_bits - bits))
                                            : static_cast<std::uint32_t>(part);
      }
      auto scale = plan.tensor_scale;
      if (plan.out.is_per_channel != 0) {
        const auto at = plan.width * (1 + plan.input_words());
        scale = {static_cast<std::int32_t>(word(at + 2 * i)), static_cast<std::int32_t>(word(at + 2 * i + 1)),
                 static_cast<std::int32_t>(word(at + 2 * plan.width + i))};
      }
      const auto scaled = static_cast<std::int32_t>(sum);
      const auto correction = plan.corrects_ties() ? correction_of(scaled, 1, bits) : 0;
      to[plan.width * block + i] = static_cast<char>(requantize_scaled(scaled, scale, correction));
    }
    stream += 4 * plan.block_words();
  }
}

#if defined(__ARM_FEATURE_DSP) && __ARM_ARCH_PROFILE == 'M'

/// Computes the outputs of the blocks in [`stream`, `end`) with DSP instructions. For each group of four inputs, four outputs take 14
/// instructions, and two outputs take 8. `Width` is `dense_stream::width`. The inner loop is unrolled `Unrolled` times. `IsFolded` is
/// `dense_stream::scales_segment_sums`, and `RoundsAway` is `dense_stream::corrects_ties()`. If `ReadsBytes` is true, the inputs are bytes,
/// and three more instructions expand a group of four. In this case, the counter of the inner loop is on the stack, because two registers
/// hold constants of the expansion. Register r7 may be the frame pointer, so it cannot be declared as a clobber. Instead, the assembly code
/// saves and restores it.
template <std::int32_t Width, std::int32_t Unrolled, bool IsFolded, bool RoundsAway, bool IsPerChannel, bool ReadsBytes>
[[gnu::noinline]] inline void compute_dense_blocks_dsp(const char* inputs, const char* stream, const char* end, char* to,
                                                       const dense_loop& loop) {
  register const char* x asm("r12") = inputs;
  register const char* weights asm("lr") = stream;
  register const char* last asm("r1") = end;
  register char* out asm("r0") = to;
  register const std::int32_t* scale asm("r2") = loop.tensor_scale;
  register std::int32_t iterations asm("r3") = loop.iterations;
  register std::int32_t segments asm("r4") = loop.segments;
  asm volatile(
      // Stack layout: four sums, the remaining iterations, the remaining segments, `out`, `last`, `scale`, `iterations`, `segments`, r7,
      // `x`
      "push {r0-r4,r7,r12}\n sub sp,#24\n"
      "1: .if %c[two]\n ldmia lr!,{r8,r9}\n .else\n ldmia lr!,{r8-r11}\n .endif\n"
      ".if %c[bytes]\n mov r3,#0xff00ff00\n mov r2,#0x81\n orr r2,r3,r2\n orr r2,r2,#0x810000\n .endif\n"
      ".if %c[folded]\n"
      " stmia sp,{r8-r11}\n ldr r0,[sp,#40]\n str r0,[sp,#20]\n"
      "3: mov r8,#0\n mov r9,#0\n .if %c[two] == 0\n mov r10,#0\n mov r11,#0\n .endif\n"
      ".endif\n"
      ".if %c[bytes]\n ldr r0,[sp,#36]\n str r0,[sp,#16]\n .else\n ldr r2,[sp,#36]\n .endif\n"
      "2: .rept %c[unrolled]\n"
      ".if %c[two]\n ldmia lr!,{r4,r5}\n .else\n ldmia lr!,{r4-r7}\n .endif\n"
      ".if %c[bytes]\n ldr r0,[r12],#4\n and r1,r3,r0,lsl #8\n sxtab16 r0,r2,r0,ror #8\n ssub16 r1,r1,r0\n"
      ".else\n ldmia r12!,{r0,r1}\n .endif\n"
      " smlad r8,r4,r0,r8\n smlad r9,r5,r0,r9\n sxtb16 r4,r4\n sxtb16 r5,r5\n smlad r8,r4,r1,r8\n smlad r9,r5,r1,r9\n"
      ".if %c[two] == 0\n"
      " smlad r10,r6,r0,r10\n smlad r11,r7,r0,r11\n sxtb16 r6,r6\n sxtb16 r7,r7\n smlad r10,r6,r1,r10\n smlad r11,r7,r1,r11\n"
      ".endif\n"
      ".endr\n"
      ".if %c[bytes]\n ldr r0,[sp,#16]\n subs r0,#1\n str r0,[sp,#16]\n .else\n subs r2,#1\n .endif\n bne 2b\n"
      ".if %c[folded]\n"
      " ldmia sp,{r4-r7}\n"
      " add r8,r4,r8,asr #6\n add r9,r5,r9,asr #6\n"
      ".if %c[two] == 0\n add r10,r6,r10,asr #6\n add r11,r7,r11,asr #6\n .endif\n"
      " stmia sp,{r8-r11}\n ldr r0,[sp,#20]\n subs r0,#1\n str r0,[sp,#20]\n bne 3b\n"
      ".endif\n"
      " ldr r12,[sp,#48]\n"
      ".if %c[per_channel]\n"
      " ldmia lr!,{r0-r3}\n"
      ".if %c[rounds]\n asr r4,r8,#31\n asr r5,r9,#31\n .endif\n"
      " smmla r8,r8,r0,r1\n smmla r9,r9,r2,r3\n"
      ".if %c[rounds]\n add r8,r8,r4,lsl %[bits]\n add r9,r9,r5,lsl %[bits]\n .endif\n"
      ".if %c[two]\n ldmia lr!,{r0,r1}\n .else\n"
      " ldmia lr!,{r0-r3}\n"
      ".if %c[rounds]\n asr r4,r10,#31\n asr r5,r11,#31\n .endif\n"
      " smmla r10,r10,r0,r1\n smmla r11,r11,r2,r3\n"
      ".if %c[rounds]\n add r10,r10,r4,lsl %[bits]\n add r11,r11,r5,lsl %[bits]\n .endif\n"
      " ldmia lr!,{r0-r3}\n asr r10,r10,r2\n asr r11,r11,r3\n"
      ".endif\n"
      " asr r8,r8,r0\n asr r9,r9,r1\n"
      ".else\n"
      " ldr r4,[sp,#32]\n ldmia r4,{r4,r5,r6}\n"
      ".macro baton_scale sum\n"
      ".if %c[rounds]\n asr r0,\\sum,#31\n .endif\n"
      " smmla \\sum,\\sum,r4,r5\n"
      ".if %c[rounds]\n add \\sum,\\sum,r0,lsl %[bits]\n .endif\n"
      " asr \\sum,\\sum,r6\n"
      ".endm\n"
      " baton_scale r8\n baton_scale r9\n .if %c[two] == 0\n baton_scale r10\n baton_scale r11\n .endif\n"
      ".purgem baton_scale\n"
      ".endif\n"
      " ssat r8,#8,r8\n ssat r9,#8,r9\n .if %c[two] == 0\n ssat r10,#8,r10\n ssat r11,#8,r11\n .endif\n"
      " ldrd r0,r1,[sp,#24]\n strb r9,[r0,#1]\n"
      ".if %c[two]\n strb r8,[r0],#2\n .else\n strb r10,[r0,#2]\n strb r11,[r0,#3]\n strb r8,[r0],#4\n .endif\n str r0,[sp,#24]\n"
      " cmp lr,r1\n bne 1b\n"
      " ldr r7,[sp,#44]\n add sp,#52\n"
      : "+r"(x), "+r"(weights), "+r"(last), "+r"(out), "+r"(scale), "+r"(iterations), "+r"(segments)
      : [two] "i"(Width == 2 ? 1 : 0), [unrolled] "i"(Unrolled), [folded] "i"(IsFolded ? 1 : 0), [rounds] "i"(RoundsAway ? 1 : 0),
        [per_channel] "i"(IsPerChannel ? 1 : 0), [bits] "i"(IsFolded ? 1 : 7), [bytes] "i"(ReadsBytes ? 1 : 0)
      : "r5", "r6", "r8", "r9", "r10", "r11", "cc", "memory");
}

#endif

/// Computes the outputs of `blocks` blocks of layer `P`, in assembly if the target has the DSP extension.
template <dense_stream P>
void compute_dense_blocks(const char* inputs, const char* stream, std::int32_t blocks, char* to) {
#if defined(__ARM_FEATURE_DSP) && __ARM_ARCH_PROFILE == 'M'
  static constexpr std::array<std::int32_t, 3> tensor_scale{P.tensor_scale.multiplier, P.tensor_scale.offset, P.tensor_scale.shift};
  static constexpr dense_loop loop{tensor_scale.data(), P.words / P.unrolled, P.segments};
  compute_dense_blocks_dsp<P.width, P.unrolled, P.scales_segment_sums != 0, P.corrects_ties(), P.out.is_per_channel != 0,
                           P.reads_bytes != 0>(inputs, stream, stream + std::ptrdiff_t{4} * blocks * P.block_words(), to, loop);
#else
  compute_dense_blocks_portable(P, inputs, stream, blocks, to);
#endif
}

/// Computes the outputs of the blocks [`first`, `last`) of one batch item. `inputs` contains the item's int8 values if `plan.reads_bytes`
/// is set, otherwise the words of `expand_inputs`. `to` is the address of the item's first output.
template <class Compute>
[[gnu::always_inline]] inline void compute_blocks(const dense_stream& plan, const char* stream, const char* inputs, char* to,
                                                  std::int32_t first, std::int32_t last, Compute compute_dense_blocks) {
  const auto width = plan.width;
  const auto full_blocks = plan.out.channels / width;
  const auto end = last < full_blocks ? last : full_blocks;
  const auto stream_of = [&](std::int32_t block) { return stream + std::ptrdiff_t{4} * block * plan.block_words(); };
  if (first < end) compute_dense_blocks(inputs, stream_of(first), end - first, to + width * first);
  if (last > full_blocks) {
    std::array<char, 4> outputs;
    compute_dense_blocks(inputs, stream_of(full_blocks), 1, outputs.data());
    std::memcpy(to + width * full_blocks, outputs.data(), static_cast<std::size_t>(plan.out.channels % width));
  }
  const auto channels = width * last < plan.out.channels ? width * last : plan.out.channels;
  clamp_outputs(plan.out.range, to + width * first, channels - width * first);
}

/// Computes all batches of a layer. `compute_dense_blocks(inputs, stream, blocks, to)` computes the outputs of `blocks` blocks. If
/// `plan.reads_bytes` is set, the blocks read the inputs directly, and the outputs of a batch item are buffered until all blocks have read
/// its inputs. If not, the inputs of each batch item are first expanded in `scratch`.
template <class Compute>
[[gnu::always_inline]] inline void compute_dense_layer(const dense_stream& plan, const char* input, const char* stream, char* scratch,
                                                       char* output, Compute compute_dense_blocks) {
  for (std::int32_t batch = 0; batch < plan.batches; ++batch) {
    const char* const from = input + batch * plan.inputs;
    char* to = output + batch * plan.out.channels;
    if (plan.reads_bytes != 0) {
      std::array<char, std::size_t{4} * max_blocks_reading_bytes> outputs;
      compute_dense_blocks(from, stream, plan.blocks(), outputs.data());
      std::memcpy(to, outputs.data(), static_cast<std::size_t>(plan.out.channels));
      clamp_outputs(plan.out.range, to, plan.out.channels);
    } else {
      expand_inputs(from, plan.inputs, scratch);
      compute_blocks(plan, stream, scratch, to, 0, plan.blocks(), compute_dense_blocks);
    }
  }
}

}  // namespace baton::cortex_m::detail
