// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The lowered model with its kernels. model.hpp is generated from the model's file. KERNELS is the name of a list below, POLICY that of a
// memory policy, IMPORTERS a list of importers, and CHOICE a choice of examples/choices, in the file CHOICE_HEADER. WITHIN are the members
// of `baton::limits`; then the compiler selects the policy, which ONLY_POLICY can name, and kernels of the list, by the cost table COSTS.
// With SLICES, inferences run in slices.
#include "inference.hpp"

#include "model.hpp"

#include <baton/baton.hpp>
#include <baton/kernels/cortex_m4_costs.hpp>
#include <baton/kernels/cortex_m55_costs.hpp>
#include <baton/kernels/cortex_m_kernels.hpp>
#include <baton/kernels/helium_kernels.hpp>
#include <baton/kernels/signal_kernels.hpp>

#if __has_include(<arm_nnfunctions.h>)
#include <baton/backends/cmsis_nn/cmsis_nn_kernels.hpp>
#endif

#if defined(CHOICE_HEADER)
#include CHOICE_HEADER
#endif

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#if defined(PROFILE)
#include <baton/run/profiler.hpp>
#include "measure.hpp"
#include "semihosting.hpp"
#endif

#if !defined(KERNELS)
#define KERNELS cortex_m
#endif
#if !defined(COSTS)
#define COSTS cortex_m4_costs
#endif
#if !defined(POLICY)
#define POLICY no_overlap
#endif
#if !defined(IMPORTERS)
#define IMPORTERS baton::default_importers
#endif

namespace {

namespace lists {
inline constexpr auto portable = baton::portable_kernels + baton::signal_kernels;
inline constexpr auto cortex_m = baton::cortex_m_kernels + portable;
inline constexpr auto cortex_m_small =
    baton::cortex_m_kernels_with<baton::cortex_m::options{
        .optimize = baton::cortex_m::optimize_for::code_size, .max_wide_weights = 0, .max_winograd_bytes = 0}> +
    portable;
inline constexpr auto helium = baton::helium_kernels + cortex_m;
#if __has_include(<arm_nnfunctions.h>)
inline constexpr auto cmsis_nn = baton::cmsis_nn_kernels + portable;
#endif
}  // namespace lists

#if defined(CHOICE_HEADER)
constexpr auto lowered = choices::CHOICE::lower(baton::read_model<model, IMPORTERS>);
#else
constexpr auto lowered = baton::transform(baton::read_model<model, IMPORTERS>, baton::default_passes);
#endif
#if defined(WITHIN)
using planning = baton::within<baton::limits{WITHIN}, baton::COSTS>;
#else
using planning = baton::planned_by<baton::memory_policies::POLICY>;
#endif
#if defined(ONLY_POLICY)
template <class... Services>
using executor_with = baton::executor<lowered, baton::with_kernels<lists::KERNELS>, planning,
                                      baton::planned_by<baton::memory_policies::ONLY_POLICY>, Services...>;
#else
template <class... Services>
using executor_with = baton::executor<lowered, baton::with_kernels<lists::KERNELS>, planning, Services...>;
#endif
#if defined(SLICES)
using executor = executor_with<baton::in_slices>;
#else
using executor = executor_with<>;
#endif
static_assert(!executor::can_fail,
              "main() expects that an inference cannot fail; a backend with `init` or with failures needs another main()");
[[gnu::section(".bss.arena")]] executor net;

#if defined(PROFILE)
struct instruction_clock {
  static auto now() -> std::uint64_t { return firmware::instruction_counter::count(); }
};
baton::profiler<lowered, instruction_clock> profile;
#endif

}  // namespace

namespace inference {

auto input_count() -> std::size_t { return executor::input_count; }
auto output_count() -> std::size_t { return executor::output_count; }
auto input(std::size_t i) -> std::span<char> {
  std::span<char> tensor;
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    ((I == i ? static_cast<void>(tensor = net.template input<I>()) : void()), ...);
  }(std::make_index_sequence<executor::input_count>{});
  return tensor;
}
auto output(std::size_t i) -> std::span<const char> {
  std::span<const char> tensor;
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    ((I == i ? static_cast<void>(tensor = net.template output<I>()) : void()), ...);
  }(std::make_index_sequence<executor::output_count>{});
  return tensor;
}

#if defined(SLICES)
namespace {
template <std::size_t I>
std::array<char, decltype(net.template input<I>())::extent> prepared_input;
}  // namespace

auto next_input(std::size_t i) -> std::span<char> {
  std::span<char> tensor;
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    ((I == i ? static_cast<void>(tensor = prepared_input<I>) : void()), ...);
  }(std::make_index_sequence<executor::input_count>{});
  return tensor;
}
void start() {
  for (std::size_t i = 0; i < executor::input_count; ++i) std::ranges::copy(next_input(i), input(i).begin());
  net.start();
}
auto step() -> bool { return net.step() == baton::status::ok; }
#endif

auto arena_bytes() -> std::size_t { return executor::arena_bytes; }
auto min_arena_bytes() -> std::size_t { return executor::lower_bound; }

#if defined(PROFILE)
void run() { net.run(profile); }
void print_profile() {
  for (std::size_t i = 0; i < profile.size(); ++i) {
    const auto row = profile[i];
    firmware::print("  ", row.own, " ");
    for (const auto text : {row.op, std::string_view(" "), row.name}) {
      for (const char letter : text) {
        const char shown[] = {letter, '\0'};
        firmware::print(shown);
      }
    }
    firmware::print("\n");
  }
}
#else
void run() { net.run(); }
void print_profile() {}
#endif

}  // namespace inference
