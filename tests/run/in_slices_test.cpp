// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// An inference in slices computes the same as `run`, reports the same failures, and ends if something else uses the executor.
#include <baton/run/in_slices.hpp>

#include <baton/core/builder.hpp>
#include <baton/core/static_program.hpp>
#include <baton/lower/methods.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/run/basic_executor.hpp>
#include <baton/run/basic_methods_executor.hpp>
#include <baton/run/detail/slice_position.hpp>
#include <baton/run/executor_backend.hpp>

#include "reference/kernels.hpp"
#include "run/control_flow_programs.hpp"
#include "run/float_net.hpp"
#include "run/multiply.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace {

using namespace baton;
using four = std::array<float, 4>;

constexpr auto row = tensor(dtype::float32, 4);
constexpr char one_and_two[] = {0, 0, '\x80', '\x3f', 0, 0, 0, '\x40', 0, 0, 0, 0, 0, 0, 0, 0};

template <auto Program, class... Services>
using executor_of = basic_executor<Program, reference::any_aten, plan_options{}, Services...>;

// Sizes: only executors in slices have a position. Without segments, it takes four bytes.

using small = float_net::net_type;
using small_in_slices = basic_executor<float_net::model, kernels<float_net::copy>, plan_options{}, in_slices>;
static_assert(small::arena_alignment == 16 && sizeof(small) == (small::arena_bytes + 15) / 16 * 16);
static_assert(sizeof(small_in_slices) == sizeof(small) + 16 && small_in_slices::arena_bytes == small::arena_bytes);
static_assert(sizeof(detail::slice_position<0>) == 4 && sizeof(detail::slice_position<3>) == 4 + 4 + 3 * 4);

// Programs

/// A cache, five nodes.
constexpr auto accumulate() -> exported_program {
  program_builder b;
  const auto cache = b.mutable_buffer("cache", row, one_and_two);
  const auto x = b.user_input("x", row);
  const auto twice = b.call("twice", "aten.add.Tensor", {x, x}, row);
  const auto square = b.call("square", "aten.mul.Tensor", {x, x}, row);
  const auto both = b.call("both", "aten.sub.Tensor", {twice, square}, row);
  const auto next = b.call("next", "aten.add.Tensor", {cache, both}, row);
  b.mutation(next, "cache");
  b.output(b.call("y", "aten.mul.Tensor", {next, twice}, row));
  return b.finish();
}
constexpr static_program accumulating{[] { return accumulate(); }};
constexpr auto with_own_part = to_backend(backends<executor_backend>, accumulating,
                                          by_support<executor_backend, operator_names<"aten.add.Tensor">, partition_options{1, 1}>{});
static_assert(!delegates(with_own_part).empty());

constexpr static_program unchanged{[] {
  program_builder b;
  b.output(b.user_input("x", row));
  return b.finish();
}};

/// A backend that multiplies, counts its calls, and fails on request.
struct multiplier {
  static constexpr auto id = name<"Multiplier">;
  static constexpr auto preprocess(const exported_program&, const compile_specs&) -> preprocess_result { return {}; }
  static auto init(init_context<>&) -> status { return init_result; }
  static auto execute(const execution_context<>& call) -> status {
    ++calls;
    tests::multiply(call);
    if (execute_result != status::ok) call.failed_operation = 7;
    return calls == fails_at ? execute_result : status::ok;
  }
  static void restore() {
    init_result = execute_result = status::ok;
    calls = fails_at = 0;
  }

  static inline status init_result = status::ok;
  static inline status execute_result = status::ok;
  static inline int calls = 0;
  static inline int fails_at = 0;
};
constexpr auto multiplied =
    to_backend(backends<multiplier>, accumulating, by_support<multiplier, operator_names<"aten.mul.Tensor">, partition_options{1, 1}>{});
static_assert(delegates(multiplied).size() == 2);

// Runs

/// Fills the inputs of two executors with equal numbers.
template <class Left, class Right>
void fill(Left& left, Right& right, int round) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    const auto fill_one = [round](auto to, auto same) {
      for (std::size_t i = 0; i + sizeof(float) <= to.size(); i += sizeof(float)) {
        const auto number = static_cast<float>((static_cast<int>(i) * 7 + round * 5) % 11) - 4;
        std::memcpy(to.data() + i, &number, sizeof number);
      }
      if (to.size() == 1) to[0] = static_cast<char>(round % 2);
      std::copy(to.begin(), to.end(), same.begin());
    };
    (fill_one(left.template input<I>(), right.template input<I>()), ...);
  }(std::make_index_sequence<Left::input_count>{});
}
template <class Left, class Right>
auto have_equal_outputs(const Left& left, const Right& right) -> bool {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return (std::ranges::equal(left.template output<I>(), right.template output<I>()) && ...);
  }(std::make_index_sequence<Left::output_count>{});
}
/// Runs the remaining slices. Returns their number; adds 100 if the last status is not `end_of_method`.
template <class Net>
auto finish(Net& net) -> int {
  int slices = 1;
  auto code = net.step();
  for (; code == status::ok; code = net.step()) ++slices;
  return code == status::end_of_method ? slices : slices + 100;
}
template <class Result>
auto starts(Result start) -> bool {
  if constexpr (std::is_void_v<decltype(start())>) {
    start();
    return true;
  } else {
    return start() == status::ok;
  }
}

/// Compares inferences in slices, and `run` of an executor in slices, with `run` of an executor without slices.
template <auto Program, class... Services>
void check_slices(int slices) {
  static executor_of<Program, Services...> whole;
  static executor_of<Program, Services..., in_slices> net;
  for (int round = 0; round < 6; ++round) {
    fill(whole, net, round);
    static_cast<void>(whole.run());
    if (round % 3 == 2) {
      static_cast<void>(net.run());
    } else {
      CHECK(starts([&] { return net.start(); }));
      CHECK(finish(net) == slices);
    }
    CHECK(have_equal_outputs(whole, net));
    CHECK(net.step() == status::end_of_method);
    CHECK(have_equal_outputs(whole, net));
  }
}

}  // namespace

TEST_CASE("slices compute the same as a run: kernels, states, parts, delegates, branches and loops") {
  multiplier::restore();
  check_slices<accumulating>(5);
  check_slices<with_own_part>(5);
  check_slices<multiplied>(5);
  check_slices<unchanged>(1);
  check_slices<control_flow_programs::cond_program>(6);    // the branch is one of them
  check_slices<control_flow_programs::nested_program>(1);  // the loop is the only node
  check_slices<control_flow_programs::while_program>(3);   // a node before and a node after the loop
}

TEST_CASE("without a start, and after the end, a step runs nothing") {
  multiplier::restore();
  static executor_of<multiplied, in_slices> net;
  CHECK(net.step() == status::end_of_method);
  CHECK(multiplier::calls == 0);
  CHECK(net.start() == status::ok);
  CHECK(multiplier::calls == 0);
  CHECK(finish(net) == 5);
  CHECK(multiplier::calls == 2);
  CHECK(net.step() == status::end_of_method);
  CHECK(multiplier::calls == 2);
}

TEST_CASE("slices report the failures of a run, and the inference ends") {
  multiplier::restore();
  static executor_of<multiplied, in_slices> net;
  static executor_of<multiplied> whole;
  multiplier::init_result = status::operator_missing;
  CHECK(net.start() == status::operator_missing);
  CHECK(whole.run() == status::operator_missing);
  CHECK(net.last_failure() == whole.last_failure());
  CHECK(net.last_failure().step == run_failure::lifecycle_step::init);
  CHECK(net.step() == status::end_of_method);
  CHECK(multiplier::calls == 0);

  multiplier::restore();
  CHECK(net.start() == status::ok);
  multiplier::fails_at = 2;
  multiplier::execute_result = status::out_of_resources;
  status code = status::ok;
  int slices = 0;
  for (; code == status::ok; ++slices) code = net.step();
  CHECK(code == status::out_of_resources);
  CHECK(slices == 5);
  multiplier::calls = 0;
  CHECK(whole.run() == status::out_of_resources);
  CHECK(net.last_failure() == whole.last_failure());
  CHECK(net.last_failure().operation == 7);
  CHECK(net.step() == status::end_of_method);
  CHECK(multiplier::calls == 2);
  multiplier::calls = 0;
  CHECK(net.run() == status::out_of_resources);  // `run` of an executor in slices fails, too

  multiplier::restore();
  CHECK(net.start() == status::ok);
  CHECK(finish(net) == 5);
}

TEST_CASE("a run, a start, a reset and a restore abandon an inference") {
  static executor_of<accumulating> whole;
  static executor_of<accumulating, in_slices> net;
  std::array<char, decltype(net)::state_bytes> kept{};
  const auto begin = [&](int round) {
    fill(whole, net, round);
    net.start();
    CHECK(net.step() == status::ok);
    CHECK(net.step() == status::ok);
  };
  begin(0);
  whole.run();
  net.run();
  CHECK(have_equal_outputs(whole, net));
  CHECK(net.step() == status::end_of_method);
  CHECK(have_equal_outputs(whole, net));

  begin(1);
  net.run([](auto) {});
  whole.run();
  CHECK(net.step() == status::end_of_method);
  CHECK(have_equal_outputs(whole, net));

  begin(2);
  fill(whole, net, 3);  // a run may overwrite the inputs
  net.start();
  whole.run();
  CHECK(finish(net) == 5);
  CHECK(have_equal_outputs(whole, net));

  net.save(kept);
  begin(4);
  net.restore(kept);
  CHECK(net.step() == status::end_of_method);
  begin(5);
  net.reset();
  CHECK(net.step() == status::end_of_method);
  whole.reset();
  fill(whole, net, 6);
  whole.run();
  net.start();
  CHECK(finish(net) == 5);
  CHECK(have_equal_outputs(whole, net));
}

TEST_CASE("slices of two executors alternate") {
  static executor_of<accumulating> whole;
  static executor_of<accumulating, in_slices> first;
  static executor_of<accumulating, in_slices> second;
  fill(first, second, 1);
  fill(whole, second, 1);
  first.start();
  second.start();
  for (int slice = 0; slice < 4; ++slice) {
    CHECK(first.step() == status::ok);
    CHECK(second.step() == status::ok);
  }
  CHECK(second.step() == status::end_of_method);
  CHECK(first.step() == status::end_of_method);
  whole.run();
  CHECK(have_equal_outputs(whole, first));
  CHECK(have_equal_outputs(whole, second));
}

namespace {

constexpr static_program decoding{[] {
  program_builder b;
  const auto x = b.user_input("x", row);
  const auto cache = b.mutable_buffer("cache", row, one_and_two);
  const auto next = b.call("next", "aten.add.Tensor", {cache, x}, row);
  b.mutation(next, "cache");
  b.output(b.call("y", "aten.sub.Tensor", {next, x}, row));
  return b.finish();
}};
constexpr auto both = methods(method<"prefill">(accumulating), method<"decode">(decoding));
using whole_methods = basic_methods_executor<both, reference::any_aten, state_sharing::by_name>;
using sliced_methods = basic_methods_executor<both, reference::any_aten, state_sharing::by_name, plan_options{}, in_slices>;

}  // namespace

TEST_CASE("methods share one position: an inference ends if another method runs") {
  static whole_methods whole;
  static sliced_methods net;
  static_assert(sizeof net <= sizeof whole + 16 && decltype(net)::arena_bytes == decltype(whole)::arena_bytes);
  auto& prefill = net.method<"prefill">();
  auto& decode = net.method<"decode">();
  const auto both_start = [&](auto& method, auto& reference, int round) {
    fill(method, reference, round);
    method.start();
  };
  for (int round = 0; round < 3; ++round) {
    both_start(prefill, whole.method<"prefill">(), round);
    CHECK(decode.step() == status::end_of_method);  // it has not been started
    CHECK(finish(prefill) == 5);
    whole.method<"prefill">().run();
    CHECK(have_equal_outputs(prefill, whole.method<"prefill">()));
    both_start(decode, whole.method<"decode">(), round);
    CHECK(prefill.step() == status::end_of_method);
    CHECK(finish(decode) == 2);
    whole.method<"decode">().run();
    CHECK(have_equal_outputs(decode, whole.method<"decode">()));
  }
  // The states of the abandoned inference have not been written yet.
  both_start(prefill, whole.method<"prefill">(), 3);
  CHECK(prefill.step() == status::ok);
  fill(decode, whole.method<"decode">(), 4);
  net.run<"decode">();
  whole.run<"decode">();
  CHECK(have_equal_outputs(decode, whole.method<"decode">()));
  CHECK(prefill.step() == status::end_of_method);
  CHECK(decode.step() == status::end_of_method);
  CHECK(have_equal_outputs(decode, whole.method<"decode">()));

  prefill.start();
  net.reset();
  CHECK(prefill.step() == status::end_of_method);
  std::array<char, sliced_methods::state_bytes> kept{};
  net.save(kept);
  decode.start();
  net.restore(kept);
  CHECK(decode.step() == status::end_of_method);
}

namespace {

constexpr auto a_position_counts_65534_steps() -> bool { return detail::can_count_steps(65534) && !detail::can_count_steps(65535); }
static_assert(a_position_counts_65534_steps());

}  // namespace

TEST_CASE("a root graph has at most 65534 steps") { CHECK(a_position_counts_65534_steps()); }
