// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Measures the additional cost of an XNNPACK delegate, compared with direct calls of the library, for the model in model.hpp. Three
// variants alternate in one run. `by hand` is the code of a direct user: it sets the addresses of input and output once, and invokes the
// runtime.
//   xnnpack_cost INPUT.bin ROUNDS
#include <baton/backends/xnnpack/xnnpack.hpp>
#include <baton/baton.hpp>
#include <baton/compat/executorch/inspection.hpp>

#include "../backends/xnnpack/delegates.hpp"
#include "model.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <vector>

namespace {

constexpr auto lowered =
    baton::to_backend(baton::backends<baton::xnnpack::backend>, baton::tflite::read<model>, baton::xnnpack::partitioner{});
constexpr bool is_whole = baton::non_lowered_nodes(lowered).empty();
baton::executor<lowered> net;

/// The bytes that XNNPACK has requested from the heap, in all calls.
std::size_t allocated_bytes = 0;
auto take(void*, std::size_t size) -> void* {
  allocated_bytes += size;
  return std::malloc(size);
}
auto take_again(void*, void* old, std::size_t size) -> void* {
  allocated_bytes += size;
  return std::realloc(old, size);
}
void give(void*, void* memory) { std::free(memory); }
auto take_aligned(void*, std::size_t alignment, std::size_t size) -> void* {
  allocated_bytes += size;
  return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}
constexpr xnn_allocator counting{nullptr, take, take_again, give, take_aligned, give};

template <class F>
auto nanoseconds(int calls, const F& f) -> double {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < calls; ++i) f();
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count() / calls;
}
auto median(std::vector<double> of) -> double {
  std::ranges::nth_element(of, of.begin() + static_cast<std::ptrdiff_t>(of.size() / 2));
  return of[of.size() / 2];
}

}  // namespace

auto main(int count, char** words) -> int {
  if (count != 3) return 2;
  std::ifstream stream(words[1], std::ios::binary);
  const std::vector<char> input{std::istreambuf_iterator<char>(stream), {}};
  const auto rounds = static_cast<std::size_t>(std::atoi(words[2]));
  xnn_initialize(&counting);
  delegates::delegate own{lowered, baton::delegate_id{0}};
  if (own.init() != baton::status::ok) return 1;
  const auto of_library = allocated_bytes;
  delegates::delegate other{lowered, baton::delegate_id{0}};
  if (other.init() != baton::status::ok || net.init() != baton::status::ok || net.input().size() > input.size()) return 1;
  std::memcpy(net.input().data(), input.data(), net.input().size());

  alignas(64) static char from[1 << 20];
  alignas(64) static char to[2][1 << 16];
  std::memcpy(from, input.data(), net.input().size());
  const auto& at = own.state().externals;
  const baton::span<const char> inputs[] = {{from, at[0].bytes}};
  const baton::span<char> outputs[] = {{to[0], at[1].bytes}};
  const baton::delegate_call call{{}, inputs, outputs, {}};
  const xnn_external_value values[] = {{at[0].value, from}, {at[1].value, to[1]}};
  const auto runtime = other.state().runtime;
  xnn_setup_runtime(runtime, 2, values);

  const auto run_net = [] { static_cast<void>(net.run()); };
  const auto run_delegate = [&] { static_cast<void>(own.execute(call)); };
  const auto run_by_hand = [&] { xnn_invoke_runtime(runtime); };
  const auto calls = std::max(1, static_cast<int>(2e6 / nanoseconds(20, run_by_hand)));
  std::vector<double> by_net;
  std::vector<double> by_delegate;
  std::vector<double> by_hand;
  for (std::size_t round = 0; round < rounds; ++round) {
    by_hand.push_back(nanoseconds(calls, run_by_hand));
    by_delegate.push_back(nanoseconds(calls, run_delegate));
    by_net.push_back(nanoseconds(calls, run_net));
  }
  if (std::memcmp(to[0], to[1], at[1].bytes) != 0) return 1;
  std::size_t constants = 0;
  for (const auto& one : own.named()) constants += one.bytes.size();
  // A ratio for each round, because a slower machine affects all three variants.
  const auto added = [&](std::vector<double> to) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] /= by_hand[i];
    return 100 * (median(to) - 1);
  };
  std::printf("%10.2f us  delegate %+5.2f %%  ", median(by_hand) / 1000, added(by_delegate));
  if (is_whole) {
    std::printf("executor %+5.2f %%", added(by_net));
  } else {
    std::printf("executor   (*)  ");
  }
  std::printf("  constants %7zu  heap %7zu  executor %8.2f us\n", constants, of_library, median(by_net) / 1000);
  return 0;
}
