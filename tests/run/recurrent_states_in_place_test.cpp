// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The states of an LSTM and of a signal operator, which other nodes read before and after the write. A read before the write returns the
// state after the previous run, a read after it the new one, with every memory policy.
#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/executor.hpp>
#include <baton/kernels/signal_kernels.hpp>
#include <baton/plan/memory_policies.hpp>

#include "reference/flexbuffer.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace {

using namespace baton;

/// How other nodes read the state: not at all, by a view, or by a node that computes.
enum class reads : std::uint8_t { none, views, copies };

template <reads Reads>
constexpr auto lstm() -> exported_program {
  program_builder b;
  const auto x = b.user_input("x", tensor(dtype::float32, 1, 2, 2));
  const auto w = b.constant("w", tensor(dtype::float32, 2, 2), {"\0\0\0\x3f\0\0\x40\x3f\0\0\x80\xbe\0\0\0\x3f", 16});
  const auto bias = b.constant("b", tensor(dtype::float32, 2), {"\0\0\0\x3e\0\0\x80\x3e", 8});
  const auto hidden = b.mutable_buffer("hidden", tensor(dtype::float32, 1, 2));
  const auto cell = b.mutable_buffer("cell", tensor(dtype::float32, 1, 2));
  constexpr auto n = none<value_id>;
  const auto once = b.constant("once", tensor(dtype::int32, 2), {"\1\0\0\0\1\0\0\0", 8});
  const auto read_both = [&] {
    for (const auto state : {hidden, cell}) {
      if (Reads == reads::views) b.output(b.call("tfl.reshape", {state}, tensor(dtype::float32, 2)));
      if (Reads == reads::copies) b.output(b.call("tfl.tile", {state, once}, tensor(dtype::float32, 1, 2)));
    }
  };
  read_both();
  const auto y =
      b.call("tfl.unidirectional_sequence_lstm", {x, w, w, w, w, w, w, w, w, n, n, n, bias, bias, bias, bias, n, n, hidden, cell},
             tensor(dtype::float32, 1, 2, 2), {{"fused_activation_function", "tanh"}});
  read_both();
  b.output(y);
  return b.finish();
}

template <reads Reads>
constexpr auto delay() -> exported_program {
  program_builder b;
  const auto options = reference::flex_map({{"delay_length", 3}});
  const auto x = b.user_input("x", tensor(dtype::int16, 8));
  const auto state = b.mutable_buffer("state", tensor(dtype::uint8, 6));
  const auto read = [&] {
    if (Reads == reads::views) b.output(b.call("tfl.reshape", {state}, tensor(dtype::uint8, 2, 3)));
    if (Reads == reads::copies) {
      b.output(b.call("tfl.concatenation", {state, state}, tensor(dtype::uint8, 12), {{"axis", 0}, {"fused_activation_function", "none"}}));
    }
  };
  read();
  const auto y = b.call("tfl.custom.SignalDelay", {x, state}, tensor(dtype::int16, 8), {reference::flex_attribute(options)});
  read();
  b.output(y);
  return b.finish();
}

/// The outputs of three runs, in order.
using runs = std::vector<std::vector<std::vector<char>>>;

template <auto& Model, class Policy>
auto runs_of() -> runs {
  static basic_executor<Model, signal_kernels + portable_kernels, plan_options{}, Policy> net;
  runs all;
  for (int run = 1; run <= 3; ++run) {
    const auto input = net.template input<0>();
    for (std::size_t i = 0; i < input.size(); ++i)
      input.data()[i] = static_cast<char>(i % 4 == 3 ? 0x3e + run % 2 : 5 * static_cast<int>(i) + run);
    net.run();
    auto& outputs = all.emplace_back();
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (outputs.emplace_back(net.template output<I>().data(), net.template output<I>().data() + net.template output<I>().size()), ...);
    }(std::make_index_sequence<net.output_count>{});
  }
  return all;
}

/// True if the reads of a run return the states before and after the write, and the last output does not depend on the reads.
auto are_in_order(const runs& read, const runs& plain) -> bool {
  for (std::size_t run = 0; run < read.size(); ++run) {
    const auto states = read[run].size() / 2;
    for (std::size_t s = 0; s < states; ++s) {
      const auto& before = read[run][s];
      const auto is_zero = std::ranges::all_of(before, [](char c) { return c == 0; });
      if (run == 0 ? !is_zero : before != read[run - 1][states + s]) return false;
      if (before == read[run][states + s]) return false;
    }
    if (read[run].back() != plain[run].back()) return false;
  }
  return true;
}

template <class Policy, auto& Plain, auto& Viewed, auto& Copied>
auto policy_keeps_the_order() -> bool {
  const auto plain = runs_of<Plain, Policy>();
  return are_in_order(runs_of<Viewed, Policy>(), plain) && are_in_order(runs_of<Copied, Policy>(), plain);
}
template <auto& Plain, auto& Viewed, auto& Copied>
void check_policies() {
  CHECK(policy_keeps_the_order<planned_by<memory_policies::no_overlap>, Plain, Viewed, Copied>());
  CHECK(policy_keeps_the_order<planned_by<memory_policies::in_place>, Plain, Viewed, Copied>());
  CHECK(policy_keeps_the_order<planned_by<memory_policies::row_streaming>, Plain, Viewed, Copied>());
}

template <reads Reads>
inline constexpr static_program lstm_with{[] { return lstm<Reads>(); }};
template <reads Reads>
inline constexpr static_program delay_with{[] { return delay<Reads>(); }};

}  // namespace

TEST_CASE("the states of an LSTM are read before and after its write") {
  check_policies<lstm_with<reads::none>, lstm_with<reads::views>, lstm_with<reads::copies>>();
}
TEST_CASE("the state of a signal operator is read before and after its write") {
  check_policies<delay_with<reads::none>, delay_with<reads::views>, delay_with<reads::copies>>();
}
