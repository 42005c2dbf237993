// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Compares runs with and without interrupts, on any core. The handler changes all registers and flags that the hardware saves, and memory
// below the stack pointer. model.hpp is generated from the model's file. KERNELS is the name of a list below.
#include <baton/baton.hpp>
#include <baton/kernels/cortex_m_kernels.hpp>
#if defined(__ARM_FEATURE_MVE)
#include <baton/kernels/helium_kernels.hpp>
#endif

#include "cortex_m/semihosting.hpp"
#include "firmware/registers.hpp"
#include "model.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

extern "C" {

// Written by the handler, which is in assembly.
volatile std::uint32_t interrupts = 0;
volatile std::uint32_t float_changes = 0;  ///< interrupts that changed floating-point registers
volatile std::uint32_t lazy_frames = 0;    ///< interrupts for which the hardware had not yet saved floating-point registers

void on_start() {}
[[noreturn]] void on_end(int status) { firmware::leave(status); }

/// Every second call leaves the floating-point registers, so that the hardware does not save them lazily. All of the code is valid on
/// Armv6-M, except for the floating-point part.
[[gnu::naked]] void tick_handler() {
  asm volatile(
      ".syntax unified\n"
      "ldr r0, =interrupts\n ldr r1, [r0]\n adds r1, #1\n str r1, [r0]\n"
      "ldr r0, =0xa5a5a5a5\n mov r2, sp\n movs r3, #64\n"
      "1: subs r2, #4\n str r0, [r2]\n subs r3, #1\n bne 1b\n"
#if defined(__ARM_FP)
      "lsls r1, r1, #31\n beq 2f\n"
      "ldr r0, =float_changes\n ldr r1, [r0]\n adds r1, #1\n str r1, [r0]\n"
      "ldr r0, =0xe000ef34\n ldr r1, [r0]\n movs r2, #1\n ands r1, r2\n"  // LSPACT of FPCCR
      "ldr r0, =lazy_frames\n ldr r2, [r0]\n adds r2, r1\n str r2, [r0]\n"
      "ldr r0, =0xf3c2009f\n vmsr fpscr, r0\n"
      "vmov s0, r0\n vmov s1, r0\n vmov s2, r0\n vmov s3, r0\n vmov s4, r0\n vmov s5, r0\n vmov s6, r0\n vmov s7, r0\n"
      "vmov s8, r0\n vmov s9, r0\n vmov s10, r0\n vmov s11, r0\n vmov s12, r0\n vmov s13, r0\n vmov s14, r0\n vmov s15, r0\n"
#if defined(__ARM_FEATURE_MVE)
      // Predicates of the lanes, and of the next instructions, which a VPT block has.
      "ldr r0, =0x00005a3c\n vmsr p0, r0\n vdup.32 q0, r0\n vdup.32 q1, r0\n vdup.32 q2, r0\n vdup.32 q3, r0\n"
#endif
      "2:\n"
#endif
      "mov r3, lr\n ldr r0, =0xf80f0000\n"
#if defined(__ARM_FEATURE_DSP)
      "msr apsr_nzcvqg, r0\n"
#else
      "msr apsr_nzcvq, r0\n"
#endif
      "mov r1, r0\n mov r2, r0\n mov r12, r0\n mov lr, r0\n bx r3\n .ltorg\n");
}
}

namespace {

namespace lists {
constexpr auto portable = baton::portable_kernels;
constexpr auto cortex_m = baton::cortex_m_kernels + portable;
#if defined(__ARM_FEATURE_MVE)
constexpr auto helium = baton::helium_kernels + cortex_m;
#endif
}  // namespace lists

constexpr auto lowered = baton::transform(baton::read_model<model>, baton::default_passes);
using executor = baton::executor<lowered, baton::with_kernels<lists::KERNELS>, baton::planned_by<baton::memory_policies::POLICY>>;
executor net;

using firmware::reg;

void wait(std::uint32_t rounds) {
  for (; rounds != 0; --rounds) asm volatile("nop");
}

unsigned failures = 0;
void check(bool holds, const char* what) {
  if (holds) return;
  ++failures;
  firmware::print("FAILED: ", what, "\n");
}

/// Fills the inputs with a pattern that depends on `n`. Runs the model, with interrupts every `ticks` ticks unless 0, after `delay` rounds.
/// Returns a hash of the outputs (FNV-1a).
auto run(unsigned n, std::uint32_t ticks, std::uint32_t delay) -> std::uint32_t {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    const auto fill = [n](auto input) {
      for (std::size_t i = 0; i < input.size(); ++i) input[i] = static_cast<char>((i * i * 7 + n * 29 + (i * n) % 23) % 127);
    };
    (fill(net.input<I>()), ...);
  }(std::make_index_sequence<executor::input_count>{});
  if (ticks != 0) firmware::start_ticks(ticks);
  wait(delay);
  net.run();
  firmware::stop_ticks();
  std::uint32_t hash = 0x811c9dc5;
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    const auto add = [&hash](auto output) {
      for (const char byte : output) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x01000193;
    };
    (add(net.output<I>()), ...);
  }(std::make_index_sequence<executor::output_count>{});
  return hash;
}

/// True if a word below the stack pointer keeps its value for some interrupts. No code may rely on that.
auto is_memory_below_stack_kept() -> bool {
  std::uint32_t word = 0;
  asm volatile(
      ".syntax unified\n mov r1, sp\n subs r1, #128\n movs r0, #7\n str r0, [r1]\n ldr r2, =4000\n"
      "1: subs r2, #1\n bne 1b\n ldr %0, [r1]\n b 2f\n .ltorg\n 2:\n"
      : "=l"(word)
      :
      : "r0", "r1", "r2", "memory", "cc");
  return word == 7;
}

}  // namespace

int main() {
  constexpr std::uint32_t ticks = 13;  // a few hundred instructions; the handler takes about as many
  constexpr unsigned inputs = 4;
  check(is_memory_below_stack_kept(), "without interrupts, memory below the stack pointer is kept");
  firmware::start_ticks(ticks);
  check(!is_memory_below_stack_kept(), "interrupts change memory below the stack pointer");
  firmware::stop_ticks();
  std::array<std::uint32_t, inputs> expected{};
  for (unsigned n = 0; n < inputs; ++n) expected[n] = run(n, 0, 0);
  check(std::count(expected.begin(), expected.end(), expected[0]) != inputs, "the outputs depend on the inputs");
  std::uint32_t during_runs = 0;
  std::uint32_t lazy = 0;
  [[maybe_unused]] std::uint32_t with_float_changes = 0;
  // SysTick counts a tick in up to 63 instructions. With the delays, interrupts begin at each of them.
  for (unsigned delay = 0; delay < 64; ++delay) {
#if defined(__ARM_FP)
    constexpr std::uint32_t lspen = 1u << 30;
    reg(0xE000EF34) = delay % 4 == 3 ? reg(0xE000EF34) & ~lspen : reg(0xE000EF34) | lspen;
    asm volatile("dsb\n isb\n vmov s0, s0" : : : "memory");  // from here on, an interrupt saves floating-point registers
#endif
    interrupts = 0;
    float_changes = 0;
    lazy_frames = 0;
    check(run(delay % inputs, ticks, delay) == expected[delay % inputs], "a run with interrupts that change registers");
    during_runs += interrupts;
    with_float_changes += float_changes;
    lazy += lazy_frames;
  }
  check(during_runs > 64 * 10, "interrupts during the runs");
#if defined(__ARM_FP)
  check(with_float_changes > during_runs / 3, "every second interrupt changes floating-point registers");
  check(lazy > with_float_changes / 2 && lazy < with_float_changes, "most floating-point registers are saved lazily");
#endif
  firmware::print("interrupts ", during_runs, ", with changes of floating-point registers ", with_float_changes);
  firmware::print(", saved lazily ", lazy, "; failures ", failures);
  firmware::print("\n");
  return failures == 0 ? 0 : 1;
}
