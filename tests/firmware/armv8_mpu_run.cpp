// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The MPU of Armv8-M (docs/firmware.md) on a Cortex-M55: inferences write no weights and execute no data, and the MPU reports both as
// faults.
#include <baton/baton.hpp>

#include "cortex_m/semihosting.hpp"
#include "digits_int8.tflite.hpp"
#include "firmware/registers.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

extern "C" {
// Symbols of the linker script.
extern std::uint32_t weights_begin;
extern std::uint32_t weights_end;

volatile std::uint32_t faults = 0;  ///< written by the handler in assembly
}

namespace {

baton::executor<baton::tflite::read<digits_int8_tflite>> net;
using scores = std::array<std::int8_t, 10>;

using firmware::reg;

alignas(128) std::array<void (*)(), 16> handlers;

/// Counts a fault, and continues after the instruction of 2 bytes that caused it, or at the caller of code that may not be executed.
[[gnu::naked]] void on_fault() {
  asm volatile(
      "ldr r0, =faults\n ldr r1, [r0]\n adds r1, #1\n str r1, [r0]\n"
      "ldr r0, =0xE000ED28\n ldr r1, [r0]\n str r1, [r0]\n"  // the reason, which is cleared by writing it
      "lsls r1, r1, #31\n ite mi\n ldrmi r1, [sp, #20]\n ldrpl r1, [sp, #24]\n"
      "it pl\n addpl r1, #2\n"
      "bic r1, #1\n str r1, [sp, #24]\n bx lr\n .ltorg\n");
}
[[gnu::noinline]] void write_word(void* at) { asm volatile("movs r1, #0\n str r1, [%0]" : : "l"(at) : "r1", "memory", "cc"); }
[[gnu::noinline]] void execute(const void* at) {
  asm volatile("blx %0" : : "r"(reinterpret_cast<std::uintptr_t>(at) | 1) : "lr", "memory");
}

// [mpu]
/// Regions of the MPU (Armv8-M): from `base` to `base + size`, which are multiples of 32. Regions must not overlap.
void protect(std::uint32_t region, std::uint32_t base, std::uint32_t size, std::uint32_t access) {
  reg(0xE000ED98) = region;
  reg(0xE000ED9C) = base | access;
  reg(0xE000EDA0) = (base + size - 32) | 1;  // with the attributes 0
}

void protect_memory() {
  constexpr std::uint32_t read_only = 3u << 1;
  constexpr std::uint32_t data = 1u << 1 | 1;       // read, write, never executed
  reg(0xE000EDC0) = 0xAA;                           // attributes 0: cacheable, written through
  protect(0, 0x10000000, 512u << 10, read_only);    // code
  protect(1, 0x11000000, 2u << 20, read_only | 1);  // weights, never executed
  protect(2, 0x30000000, 512u << 10, data);         // RAM: the arena, the stack
  reg(0xE000ED94) = 5;                              // on; other addresses as without an MPU
  asm volatile("dsb\n isb" : : : "memory");
}
// [mpu]

unsigned checks = 0;
unsigned failures = 0;
void check(bool holds, const char* what) {
  ++checks;
  if (holds) return;
  ++failures;
  firmware::print("FAILED: ", what, "\n");
}

auto scores_of(unsigned n) -> scores {
  std::array<std::int8_t, 64> image{};
  for (std::size_t i = 0; i < image.size(); ++i) image[i] = static_cast<std::int8_t>((i * i * 7 + n * 29 + (i * n) % 23) % 127);
  scores result{};
  net.run(image, result);
  return result;
}

}  // namespace

int main() {
  handlers.fill(on_fault);
  reg(0xE000ED08) = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(handlers.data()));
  asm volatile("dsb\n isb" : : : "memory");
  std::array<scores, 4> expected{};
  for (unsigned n = 0; n < expected.size(); ++n) expected[n] = scores_of(n);
  check(expected[0] != expected[1], "the scores depend on the image");
  check(&weights_begin < &weights_end, "the image has weights");
  protect_memory();
  for (unsigned n = 0; n < expected.size(); ++n) check(scores_of(n) == expected[n], "a run with the MPU");
  check(faults == 0, "a run writes no weights and executes no data");
  write_word(&weights_begin);
  check(faults == 1, "a write to the weights is a fault");
  write_word(net.input().data());
  check(faults == 1, "a write to the arena is not");
  constexpr std::uint16_t return_to_caller = 0x4770;  // bx lr
  std::memcpy(net.input().data(), &return_to_caller, sizeof return_to_caller);
  asm volatile("dsb\n isb" : : : "memory");
  execute(net.input().data());
  check(faults == 2, "the arena cannot be executed");
  reg(0xE000ED94) = 0;
  asm volatile("dsb\n isb" : : : "memory");
  execute(net.input().data());
  check(faults == 2, "without an MPU, it can");
  firmware::print(checks, " checks, ", failures, " failed\n");
  return failures == 0 ? 0 : 1;
}
