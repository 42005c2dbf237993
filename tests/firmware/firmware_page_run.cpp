// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The code of docs/firmware.md on a Cortex-M4: a main loop with slices, interrupts in an inference, cache lines, stack, sleep and the MPU.
#include <baton/baton.hpp>

#include "cortex_m/measure.hpp"
#include "cortex_m/semihosting.hpp"
#include "digits_int8.tflite.hpp"
#include "firmware/registers.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

extern "C" {
// Symbols of the linker script.
extern std::uint32_t weights_begin;
extern std::uint32_t weights_end;

volatile std::uint32_t interrupts = 0;  ///< written by handlers in assembly
volatile std::uint32_t faults = 0;
}

namespace {

// [executors]
constexpr auto model = baton::tflite::read<digits_int8_tflite>;

baton::executor<model, baton::in_slices, baton::with_plan_options<baton::plan_options{.alignment = 32}>> net;
baton::executor<model> net_of_interrupt;  // the same weights, another arena
// [executors]

// [bound]
using with_lines = baton::with_plan_options<baton::plan_options{.alignment = 32}>;
baton::executor<model, baton::in_slices, baton::bound_inputs<0>, baton::bound_outputs<0>, with_lines> net_of_frames;
// [bound]

/// A DMA device with one transfer at a time. Overwrites the destination at first, and copies at the second query of `is_busy`.
struct device {
  static inline std::byte* to = nullptr;
  static inline const std::byte* from = nullptr;
  static inline std::size_t bytes = 0;
  static inline unsigned questions = 0;
  static inline unsigned transfers = 0;
  static inline std::size_t sum = 0;

  static void begin(void* destination, const void* source, std::size_t size) {
    to = static_cast<std::byte*>(destination);
    from = static_cast<const std::byte*>(source);
    bytes = size;
    questions = 0;
    ++transfers;
    sum += size;
    std::memset(to, 0x5a, bytes);
  }
  static auto is_busy() -> bool {
    if (bytes == 0) return false;
    if (questions++ == 0) return true;
    std::memcpy(to, from, bytes);
    bytes = 0;
    return false;
  }
};

// [copies]
/// A DMA device that has no queue, so `start` waits for the previous transfer.
struct flash_dma {
  static void start(void* to, const void* from, std::size_t bytes) {
    wait();
    device::begin(to, from, bytes);
  }
  static void wait() {
    while (device::is_busy()) {
    }
  }
};

[[gnu::section(".bss.fast")]] baton::memory_region<2048> fast_memory;
baton::executor<model, baton::copied_weights<flash_dma, fast_memory>> net_with_copies;
static_assert(net_with_copies.copied_weights_bytes <= sizeof fast_memory);
static_assert(net_with_copies.weight_copies().copied_bytes() > 0);
// [copies]

using image = std::array<std::int8_t, 64>;
using scores = std::array<std::int8_t, 10>;

using firmware::reg;

// Stand-ins for a board. The handlers of SysTick are installed in a table in RAM.

alignas(128) std::array<void (*)(), 16> handlers;

void install(void (*on_tick)(), std::uint32_t ticks) {
  handlers[15] = on_tick;
  reg(0xE000ED08) = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(handlers.data()));
  asm volatile("dsb\n isb" : : : "memory");
  interrupts = 0;
  firmware::start_ticks(ticks);
}
using firmware::stop_ticks;

/// Expires if it is not fed for this number of ticks.
struct watchdog {
  static constexpr unsigned max_age = 5;
  static inline std::atomic<unsigned> age = 0;
  static inline std::atomic<bool> has_expired = false;

  static void feed() { age = 0; }
  static void tick() {
    if (++age > max_age) has_expired = true;
  }
};

/// A sensor with one sample at each tick, and a small queue.
struct sensor {
  static constexpr unsigned max_samples = 4;
  static inline std::atomic<unsigned> produced = 0;
  static inline std::atomic<unsigned> read = 0;
  static inline std::atomic<unsigned> lost = 0;

  static void tick() {
    if (produced - read == max_samples) {
      ++lost;
    } else {
      ++produced;
    }
  }
  static auto has_sample() -> bool { return produced != read; }
  static auto sample() -> std::int8_t { return static_cast<std::int8_t>(read++ % 17); }
};

void count_interrupt() { interrupts = interrupts + 1; }

void on_tick() {
  count_interrupt();
  watchdog::tick();
  sensor::tick();
}

void restart_stand_ins() {
  watchdog::age = 0;
  watchdog::has_expired = false;
  sensor::produced = sensor::read = sensor::lost = 0;
}

// [loop]
image frame;  // the samples of the next inference
std::size_t samples = 0;

void read_sensor() {
  while (sensor::has_sample()) frame[samples++ % frame.size()] = sensor::sample();
}

void infer() {
  std::memcpy(net.input().data(), frame.data(), frame.size());
  net.start();
  while (net.step() == baton::status::ok) {
    watchdog::feed();
    read_sensor();
  }
}
// [loop]

// [power]
void infer_with_pauses() {
  net.start();
  while (net.step() == baton::status::ok) asm volatile("wfi");  // until the next interrupt
}
// [power]

// [interrupt]
image image_of_interrupt;
scores scores_of_interrupt;

void infer_in_interrupt() { net_of_interrupt.run(image_of_interrupt, scores_of_interrupt); }
// [interrupt]

/// Changes every register and flag that the hardware saves at an interrupt, and the bytes below the stack pointer.
[[gnu::naked]] void dirty_registers() {
  asm volatile(
      "ldr r0, =interrupts\n ldr r1, [r0]\n adds r1, #1\n str r1, [r0]\n"
      "ldr r0, =0xf3c0009f\n vmsr fpscr, r0\n"
      "vmov s0, r0\n vmov s1, r0\n vmov s2, r0\n vmov s3, r0\n vmov s4, r0\n vmov s5, r0\n vmov s6, r0\n vmov s7, r0\n"
      "vmov s8, r0\n vmov s9, r0\n vmov s10, r0\n vmov s11, r0\n vmov s12, r0\n vmov s13, r0\n vmov s14, r0\n vmov s15, r0\n"
      "movs r1, #64\n"
      "1: sub r2, sp, r1, lsl #2\n str r0, [r2]\n subs r1, #1\n bne 1b\n"
      "ldr r0, =0xf80f0000\n msr apsr_nzcvqg, r0\n"
      "mov r1, r0\n mov r2, r0\n mov r3, r0\n mov r12, r0\n bx lr\n .ltorg\n");
}

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

// [cache]
constexpr std::uint32_t cache_line = 32;

/// Writes changed lines to memory, before a device reads it.
void clean_cache(const void* at, std::size_t bytes) {
  asm volatile("dsb" : : : "memory");
  auto line = reinterpret_cast<std::uintptr_t>(at) / cache_line * cache_line;
  for (const auto end = reinterpret_cast<std::uintptr_t>(at) + bytes; line < end; line += cache_line) reg(0xE000EF68) = line;  // DCCMVAC
  asm volatile("dsb\n isb" : : : "memory");
}
/// Discards lines, after a device has written memory. `at` is the begin of a line, and nothing else is in the last line.
void invalidate_cache(void* at, std::size_t bytes) {
  asm volatile("dsb" : : : "memory");
  auto line = reinterpret_cast<std::uintptr_t>(at);
  for (const auto end = line + bytes; line < end; line += cache_line) reg(0xE000EF5C) = line;  // DCIMVAC
  asm volatile("dsb\n isb" : : : "memory");
}
// [cache]

// [frames]
alignas(cache_line) std::array<image, 2> frames;  // whole lines: a device writes one while the executor reads the other
alignas(cache_line) std::array<std::int8_t, cache_line> received_scores;
std::atomic<unsigned> frames_done = 0;  // frame n is in frames[n % 2]

/// Called before the first transfer. Clearing .bss leaves changed lines, which the processor could later write over a received frame.
void prepare_frames() { invalidate_cache(frames.data(), sizeof frames); }

/// The interrupt at the end of a transfer: starts the next one.
void on_end_of_transfer();

auto infer_frame(unsigned n) -> baton::status {
  auto& received = frames[n % 2];
  invalidate_cache(received.data(), sizeof received);  // lines that the processor has read ahead during the transfer
  auto code = net_of_frames.bind_input<0>(received);
  if (code == baton::status::ok) code = net_of_frames.bind_output<0>(std::span{received_scores}.first<10>());
  if (code == baton::status::ok) code = net_of_frames.start();
  while (code == baton::status::ok) code = net_of_frames.step();  // reads the frame, and never writes it
  if (code != baton::status::end_of_method) return code;
  clean_cache(received_scores.data(), sizeof received_scores);  // before another device reads the scores
  return baton::status::ok;
}
// [frames]

auto image_number(unsigned n) -> image {
  image result{};
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = static_cast<std::int8_t>((i * i * 7 + n * 29 + (i * n) % 23) % 127);
  return result;
}

// The device fills a frame in one transfer at each interrupt.
void on_end_of_transfer() {
  count_interrupt();
  const unsigned next = frames_done + 1;
  frames[next % 2] = image_number(next);
  frames_done = next;
}

// [mpu]
/// Regions of the MPU (Armv7-M): flash is read-only, code in RAM cannot be executed. `size` is a power of two, and `base` a multiple of it.
void protect(std::uint32_t region, std::uint32_t base, std::uint32_t size, std::uint32_t attributes) {
  reg(0xE000ED98) = region;
  reg(0xE000ED9C) = base;
  reg(0xE000EDA0) = attributes | static_cast<std::uint32_t>(__builtin_ctz(size) - 1) << 1 | 1;
}

void protect_memory() {
  constexpr std::uint32_t read_only = 6u << 24 | 1u << 17;        // and cacheable
  constexpr std::uint32_t data = 3u << 24 | 1u << 28 | 1u << 17;  // read, write, never executed
  protect(0, 0x00000000, 4u << 20, read_only);                    // flash: code and weights
  protect(1, 0x20000000, 4u << 20, data);                         // RAM: the arena, the stack
  reg(0xE000ED94) = 5;                                            // on; other addresses as without an MPU
  asm volatile("dsb\n isb" : : : "memory");
}
// [mpu]

constexpr std::size_t slices_of_net = decltype(net)::plan().steps.steps_of(baton::graph_id{0}).size();

unsigned checks = 0;
unsigned failures = 0;
void check(bool holds, const char* what) {
  ++checks;
  if (holds) return;
  ++failures;
  firmware::print("FAILED: ", what, "\n");
}

auto output_of_net() -> scores {
  scores result{};
  std::memcpy(result.data(), net.output().data(), sizeof result);
  return result;
}

/// The outputs without interrupts.
std::array<scores, 8> expected;

auto run_image(unsigned n) -> scores {
  const auto input = image_number(n);
  std::memcpy(net.input().data(), input.data(), input.size());
  net.run();
  return output_of_net();
}

void compute_expected() {
  for (unsigned n = 0; n < expected.size(); ++n) net_of_interrupt.run(image_number(n), expected[n]);
  bool are_equal = true;
  for (unsigned n = 1; n < expected.size(); ++n) are_equal = are_equal && expected[n] == expected[0];
  check(!are_equal, "the outputs depend on the inputs");
  check(firmware::bytes_between(weights_begin, weights_end) < sizeof digits_int8_tflite, "two executors share the weights");
}

[[gnu::noinline]] void step_once() { static_cast<void>(net.step()); }
[[gnu::noinline]] void run_once() { net.run(); }

// [stack]
auto stack_of_a_run() -> std::size_t {
  const firmware::stack_gauge gauge;  // fills the free stack with a pattern
  run_once();
  return gauge.used();  // to the first word that has changed
}
// [stack]

std::uint32_t ticks_of_longest_slice = 0;

void measure_slices() {
  unsigned slices = 0;
  std::uint64_t longest = 0;
  std::uint64_t sum = 0;
  std::size_t stack = 0;
  net.start();
  auto code = baton::status::ok;
  while (code == baton::status::ok) {
    firmware::instruction_counter::start();
    code = net.step();
    const auto instructions = firmware::instruction_counter::count();
    longest = std::max(longest, instructions);
    sum += instructions;
    ++slices;
  }
  net.start();
  for (unsigned i = 0; i < slices; ++i) {
    const firmware::stack_gauge gauge;
    step_once();
    stack = std::max(stack, gauge.used());
  }
  firmware::instruction_counter::start();
  run_once();
  const auto whole = firmware::instruction_counter::count();
  const auto stack_of_run = stack_of_a_run();
  firmware::print("slices ", slices, ", longest ", longest);
  firmware::print(", all ", sum, ", a run ", whole);
  firmware::print("\nstack of a slice ", stack, ", of a run ", stack_of_run);
  firmware::print("\n");
  constexpr std::uint32_t instructions_of_tick = 1'000'000'000 / firmware::instruction_counter::clock_hz;
  ticks_of_longest_slice = static_cast<std::uint32_t>(longest) / instructions_of_tick;
  check(slices == slices_of_net, "one slice for each step");
  check(longest < whole && longest > 0, "a slice is shorter than a run");
  check(stack <= stack_of_run, "a slice needs no more stack than a run");
}

void test_loop() {
  install(on_tick, ticks_of_longest_slice / 3);  // a slice takes 3 ticks, the run more than 5
  for (unsigned n = 0; n < expected.size(); ++n) {
    restart_stand_ins();
    samples = 0;
    frame = image_number(n);
    infer();
    check(output_of_net() == expected[n], "an inference between readings of the sensor");
    check(!watchdog::has_expired, "the watchdog is fed");
    check(sensor::lost == 0 && samples > sensor::max_samples, "no sample is lost");
  }
  restart_stand_ins();
  run_once();
  check(watchdog::has_expired && sensor::lost > 0, "a whole run is too long for both");
  stop_ticks();
}

void test_power() {
  install(on_tick, 400);
  const auto input = image_number(2);
  std::memcpy(net.input().data(), input.data(), input.size());
  interrupts = 0;
  infer_with_pauses();
  check(output_of_net() == expected[2], "an inference with pauses");
  check(interrupts + 1 >= slices_of_net, "each pause ends with an interrupt");
  stop_ticks();
}

void test_interrupts() {
  install(dirty_registers, 11);
  std::uint32_t during_runs = 0;
  for (unsigned n = 0; n < expected.size(); ++n) {
    interrupts = 0;
    check(run_image(n) == expected[n], "a run with interrupts that change registers");
    during_runs += interrupts;
  }
  stop_ticks();
  check(during_runs > 200, "interrupts during the runs");

  unsigned nested = 0;
  for (unsigned round = 0; round < 40; ++round) {
    const auto n = round % 8;
    const auto other = (round + 3) % 8;
    image_of_interrupt = image_number(other);
    scores_of_interrupt = {};
    const auto input = image_number(n);
    std::memcpy(net.input().data(), input.data(), input.size());
    install(
        [] {
          stop_ticks();
          infer_in_interrupt();
          count_interrupt();
        },
        20 + 13 * round);
    run_once();
    stop_ticks();
    check(output_of_net() == expected[n], "a run that another executor interrupts");
    if (interrupts == 0) continue;
    ++nested;
    check(scores_of_interrupt == expected[other], "the run in an interrupt");
  }
  check(nested > 20, "runs in interrupts");
}

void test_frames() {
  check(reinterpret_cast<std::uintptr_t>(net.input().data()) % cache_line == 0, "the input begins with a line");
  check(net_of_frames.start() == baton::status::invalid_state, "without a buffer, no inference starts");
  check(net_of_frames.bind_input<0>(std::span{frames[0]}.subspan(16)) == baton::status::invalid_argument, "a buffer of the wrong size");
  prepare_frames();
  frames[0] = image_number(0);
  frames_done = 0;
  install(on_end_of_transfer, 3000);
  for (unsigned round = 0; round < 8; ++round) {
    const unsigned n = frames_done;
    check(infer_frame(n) == baton::status::ok, "an inference on a frame");
    const unsigned after = frames_done;
    const bool is_intact = after > n + 1 || frames[n % 2] == image_number(n);
    check(is_intact, "an inference writes no frame");
    if (after > n + 1) check(false, "a frame is used before it is overwritten");
    scores wanted{};
    stop_ticks();
    net_of_interrupt.run(image_number(n), wanted);
    check(std::equal(wanted.begin(), wanted.end(), received_scores.begin()), "the scores of a frame");
    install(on_end_of_transfer, 3000);
    while (frames_done == after) {
    }
  }
  stop_ticks();
}

void test_copies() {
  constexpr unsigned copies = [] {
    unsigned count = 0;
    for (const auto& each : decltype(net_with_copies)::weight_copies().constants) count += each.is_copied() ? 1 : 0;
    return count;
  }();
  constexpr auto copied_bytes = decltype(net_with_copies)::weight_copies().copied_bytes();
  for (unsigned n = 0; n < expected.size(); ++n) {
    scores result{};
    device::transfers = 0;
    device::sum = 0;
    net_with_copies.run(image_number(n), result);
    check(result == expected[n], "a run with copied weights");
    check(device::transfers == copies && device::sum == copied_bytes, "one transfer for each constant");
    check(device::bytes == 0, "no transfer after a run");
  }
  firmware::print("transfers ", copies, ", bytes ", copied_bytes);
  firmware::print(", buffer ", net_with_copies.copied_weights_bytes, "\n");
}

void test_mpu() {
  protect_memory();
  faults = 0;
  for (unsigned n = 0; n < expected.size(); ++n) check(run_image(n) == expected[n], "a run with the MPU");
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
}

}  // namespace

int main() {
  handlers.fill(on_fault);
  compute_expected();
  measure_slices();
  test_loop();
  test_power();
  test_interrupts();
  test_frames();
  test_copies();
  test_mpu();
  firmware::print(checks, " checks, ", failures, " failed\n");
  return failures == 0 ? 0 : 1;
}
