// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Compares inferences in slices with `run` of an executor without slices, in every byte, and prints the number of slices:
// program POLICY FILE... The files contain the inputs of inferences, which run in order. POLICY is no_overlap or row_streaming, or in_rows:
// in_place, where nodes are cut into rows.
#include <baton/baton.hpp>
#include <baton/kernels/signal_kernels.hpp>

#include "sliced_model.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

namespace {

constexpr auto program = baton::transform(baton::read_model<model>, baton::default_passes);

template <class Policy, class... Services>
using executor_of =
    baton::executor<program, baton::with_kernels<baton::portable_kernels + baton::signal_kernels>, baton::planned_by<Policy>, Services...>;

template <class Policy, class Slices = baton::in_slices>
auto check(std::vector<char> input) -> bool {
  static executor_of<Policy> whole;
  static executor_of<Policy, Slices> net;
  std::size_t at = 0;
  std::size_t slices = 0;
  std::size_t inferences = 0;
  while (at < input.size()) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      const auto fill = [&](auto to, auto same) {
        std::memcpy(to.data(), input.data() + at, to.size());
        std::memcpy(same.data(), input.data() + at, to.size());
        at += to.size();
      };
      (fill(whole.template input<I>(), net.template input<I>()), ...);
    }(std::make_index_sequence<whole.input_count>{});
    whole.run();
    net.start();
    slices = 1;
    while (net.step() == baton::status::ok) ++slices;
    const bool are_equal = [&]<std::size_t... I>(std::index_sequence<I...>) {
      return (std::ranges::equal(whole.template output<I>(), net.template output<I>()) && ...);
    }(std::make_index_sequence<whole.output_count>{});
    if (!are_equal) {
      std::printf("inference %zu: the outputs differ\n", inferences);
      return false;
    }
    ++inferences;
  }
  std::printf("%zu slices, %zu nodes, %zu inferences exact\n", slices, baton::program_view(program).nodes.size(), inferences);
  return inferences != 0;
}

}  // namespace

auto main(int count, char** words) -> int {
  std::vector<char> input;
  for (int i = 2; i < count; ++i) {
    std::ifstream stream(words[i], std::ios::binary);
    input.insert(input.end(), std::istreambuf_iterator<char>(stream), {});
  }
  const std::string_view policy = count > 1 ? words[1] : "";
  if (policy == "no_overlap") return check<baton::memory_policies::no_overlap>(std::move(input)) ? 0 : 1;
  if (policy == "row_streaming") return check<baton::memory_policies::row_streaming>(std::move(input)) ? 0 : 1;
  if (policy == "in_rows") return check<baton::memory_policies::in_place, baton::in_slices::of<1>>(std::move(input)) ? 0 : 1;
  return 2;
}
