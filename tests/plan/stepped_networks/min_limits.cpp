// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Prints a line for each network of the seeds FIRST to LAST: program FIRST LAST. A line is a `stepped<...>`, which main.cpp includes: the
// seed, the smallest limit of slices, the smallest limits of the arena and of flash, and the smallest limit of slices within each of them.
#include <baton/kernels/cortex_m4_costs.hpp>
#include <baton/plan/plan_within.hpp>

#include "plan/random_network.hpp"
#include "plan/stepped_networks/kernels.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

using namespace baton;

/// Returns the smallest value of a limit within other limits, which the error of a plan within `within` states. Returns the value in
/// `within` if a plan keeps the limits.
auto min_of(const exported_program& program, const limits& within, std::uint64_t limits::* limit, std::string_view name) -> std::uint64_t {
  const auto planned = plan_within<cortex_m4_costs>(plan_tests::fast_list, program, within);
  if (planned) return within.*limit;
  const auto text = std::string(name) + " >= ";
  const auto reason = std::string(view(planned.error.reason));
  const auto at = reason.find(text);
  return at == std::string::npos ? 0 : std::stoull(reason.substr(at + text.size()));
}

}  // namespace

auto main(int count, char** words) -> int {
  if (count != 3) return 2;
  const auto last = static_cast<std::uint32_t>(std::atoi(words[2]));
  for (auto seed = static_cast<std::uint32_t>(std::atoi(words[1])); seed <= last; ++seed) {
    const auto program = plan_tests::random_network(seed).run();
    const auto arena = min_of(program, {.arena_bytes = 1}, &limits::arena_bytes, "arena_bytes");
    const auto flash = min_of(program, {.flash_bytes = 1}, &limits::flash_bytes, "flash_bytes");
    const auto slice = [&](const limits& within) { return min_of(program, within, &limits::slice_instructions, "slice_instructions"); };
    const auto min_slice = slice({.slice_instructions = 1});
    const unsigned long long numbers[] = {min_slice, arena, slice({.arena_bytes = arena, .slice_instructions = min_slice}), flash,
                                          slice({.flash_bytes = flash, .slice_instructions = min_slice})};
    std::printf("stepped<%u, %llu, %llu, %llu, %llu, %llu>,\n", static_cast<unsigned>(seed), numbers[0], numbers[1], numbers[2], numbers[3],
                numbers[4]);
  }
  return 0;
}
