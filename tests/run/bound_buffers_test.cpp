// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Executors with inputs and outputs in buffers of the caller compute the same as others, never write an input, and need a smaller arena.
#include <baton/run/bound_buffers.hpp>

#include <baton/core/builder.hpp>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/plan/memory_policies.hpp>
#include <baton/run/basic_executor.hpp>
#include <baton/run/caller_arena.hpp>
#include <baton/run/copied_weights.hpp>

#include "reference/kernels.hpp"
#include "run/control_flow_programs.hpp"
#include "run/late_dma.hpp"
#include "run/multiply.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using namespace baton;

constexpr auto row = tensor(dtype::float32, 4);
constexpr char one_and_two[] = {0, 0, '\x80', '\x3f', 0, 0, 0, '\x40', 0, 0, 0, 0, 0, 0, 0, 0};

// Programs

/// A cache. Its new value is also an output.
constexpr static_program accumulating{[] {
  program_builder b;
  const auto cache = b.mutable_buffer("cache", row, one_and_two);
  const auto x = b.user_input("x", row);
  const auto z = b.user_input("z", row);
  const auto both = b.call("both", "aten.sub.Tensor", {x, z}, row);
  const auto next = b.call("next", "aten.add.Tensor", {cache, both}, row);
  b.mutation(next, "cache");
  b.output(next);
  b.output(b.call("y", "aten.mul.Tensor", {next, both}, row));
  return b.finish();
}};

/// Copies the operand if the output has another address.
struct same_bytes {
  static constexpr auto describe(const program_view&, const node& record) -> node_description<> {
    if (!record.is("test.same")) return {refuse("not test.same")};
    return {accept(), {}, {.output_aliases_input = true}};
  }
  static void compute(const no_plan&, const node_memory& memory) {
    if (memory.outputs[0] != memory.inputs[0]) std::copy_n(memory.inputs[0], 16, memory.outputs[0]);
  }
};
/// Adds 1 to each byte. Its output may be in place of the operand. Reads 3 bytes past the end of the operand of `test.wide_inc`.
struct increment {
  static constexpr auto describe(const program_view&, const node& record) -> node_description<> {
    if (!record.is("test.inc") && !record.is("test.wide_inc")) return {refuse("not test.inc")};
    node_description<> result{accept()};
    result.facts.operands.fill({.distance = {0, 0}});
    result.facts.overread_bytes = record.is("test.wide_inc") ? 3 : 0;
    return result;
  }
  static void compute(const no_plan&, const node_memory& memory) {
    for (std::size_t i = 0; i < 16; ++i) memory.outputs[0][i] = static_cast<char>(memory.inputs[0][i] + 1);
  }
};
constexpr auto kernels_of_bytes = kernels<same_bytes, increment>;
constexpr auto bytes = tensor(dtype::int8, 16);

/// Outputs that alias an input, an intermediate value, and one another.
constexpr static_program aliases{[] {
  program_builder b;
  const auto x = b.user_input("x", bytes);
  const auto first = b.call("first", "test.same", {x}, bytes);
  const auto inner = b.call("inner", "test.same", {first}, bytes);
  const auto more = b.call("more", "test.inc", {inner}, bytes);
  const auto second = b.call("second", "test.same", {more}, bytes);
  b.output(first);
  b.output(second);
  b.output(b.call("third", "test.same", {second}, bytes));
  b.output(b.call("fourth", "test.inc", {more}, bytes));
  return b.finish();
}};
/// A chain that can run in place.
constexpr static_program in_place{[] {
  program_builder b;
  auto x = b.user_input("x", bytes);
  for (const auto* name : {"first", "second"}) x = b.call(name, "test.inc", {x}, bytes);
  b.output(b.call("last", "test.wide_inc", {x}, bytes));
  return b.finish();
}};
constexpr static_program reads_beyond{[] {
  program_builder b;
  const auto x = b.user_input("x", bytes);
  const auto other = b.user_input("other", bytes);
  b.output(b.call("first", "test.wide_inc", {x}, bytes));
  b.output(b.call("second", "test.inc", {other}, bytes));
  return b.finish();
}};

/// Reads its input and a constant.
constexpr static_program reads_constant{[] {
  program_builder b;
  b.output(b.call("first", "test.inc", {b.user_input("x", bytes)}, bytes));
  b.output(b.call("second", "test.inc", {b.constant("weights", bytes, std::array<char, 16>{1})}, bytes));
  return b.finish();
}};

/// The three bytes that are read past the end of x are in a fifth element.
constexpr static_program reads_beyond_words{[] {
  program_builder b;
  b.output(b.call("y", "test.wide_inc", {b.user_input("x", tensor(dtype::int32, 4))}, tensor(dtype::int32, 4)));
  return b.finish();
}};

struct multiplier {
  static constexpr auto id = name<"Multiplier">;
  static constexpr auto preprocess(const exported_program&, const compile_specs&) -> preprocess_result {
    preprocess_result result;
    result.scratch_bytes = 64;
    return result;
  }
  /// The argument and the result may be in the scratch.
  static constexpr auto io_offsets_in_scratch(const lowered_module_view&) -> io_offsets { return {{0, 16}, {32}}; }
  static void execute(const delegate_call& call) { tests::multiply(call); }
};
constexpr auto multiplied =
    to_backend(backends<multiplier>, accumulating, by_support<multiplier, operator_names<"aten.mul.Tensor">, partition_options{1, 1}>{});
static_assert(delegates(multiplied).size() == 1);

// Comparison with an executor that has everything in its arena

template <std::size_t Bytes>
struct guarded {
  alignas(16) std::array<char, 16> before;
  alignas(16) std::array<char, Bytes> bytes;
  std::array<char, 16> after;
};
/// Buffers for the inputs and outputs of a program. Bytes beside them have a pattern.
template <class Net, class Inputs, class Outputs>
struct frame;
template <class Net, std::size_t... I, std::size_t... O>
struct frame<Net, std::index_sequence<I...>, std::index_sequence<O...>> {
  std::tuple<guarded<Net::template bound_input_bytes<I>>...> inputs;
  std::tuple<guarded<Net::template bound_output_bytes<O>>...> outputs;

  frame() {
    (clear(std::get<I>(inputs)), ...);
    (clear(std::get<O>(outputs)), ...);
  }
  void bind_to(Net& net) {
    const std::array<status, sizeof...(I) + sizeof...(O)> results{net.template bind_input<I>(std::get<I>(inputs).bytes)...,
                                                                  net.template bind_output<O>(std::get<O>(outputs).bytes)...};
    for (const auto result : results) CHECK(result == status::ok);
  }
  auto are_guards_unchanged() const -> bool {
    return (is_unchanged(std::get<I>(inputs)) && ...) && (is_unchanged(std::get<O>(outputs)) && ...);
  }

 private:
  template <class Buffer>
  static void clear(Buffer& buffer) {
    buffer.before.fill('\x5a');
    buffer.bytes.fill('\x5a');
    buffer.after.fill('\x5a');
  }
  template <class Buffer>
  static auto is_unchanged(const Buffer& buffer) -> bool {
    const auto is_pattern = [](char byte) { return byte == '\x5a'; };
    return std::all_of(buffer.before.begin(), buffer.before.end(), is_pattern) &&
           std::all_of(buffer.after.begin(), buffer.after.end(), is_pattern);
  }
};

/// Fills the inputs of an executor and of a frame with equal numbers.
template <class Net, class Frame, std::size_t... I>
void fill(Net& net, Frame& to, std::size_t round, std::index_sequence<I...>) {
  const auto fill_one = [round](auto target, auto& copy) {
    for (std::size_t i = 0; i + sizeof(float) <= target.size(); i += sizeof(float)) {
      const auto number = static_cast<float>((i * 7 + round * 5) % 11) - 4;
      std::memcpy(target.data() + i, &number, sizeof number);
    }
    if (target.size() == 1) target[0] = static_cast<char>(round % 2);
    std::copy(target.begin(), target.end(), copy.bytes.begin());
  };
  (fill_one(net.template input<I>(), std::get<I>(to.inputs)), ...);
}

template <auto Program, auto Kernels, class Inputs, class Outputs, class... Services>
struct bound_executor;
template <auto Program, auto Kernels, std::size_t... I, std::size_t... O, class... Services>
struct bound_executor<Program, Kernels, std::index_sequence<I...>, std::index_sequence<O...>, Services...> {
  using type = basic_executor<Program, Kernels, plan_options{}, Services..., bound_inputs<I...>, bound_outputs<O...>>;
};

/// Compares an executor whose inputs and outputs are all bound, to two frames in turn, with one whose inputs and outputs are in the arena.
template <auto Program, auto Kernels, class... Services>
void check_bound() {
  static basic_executor<Program, Kernels, plan_options{}, Services...> whole;
  using inputs = std::make_index_sequence<decltype(whole)::input_count>;
  using outputs = std::make_index_sequence<decltype(whole)::output_count>;
  using net_type = typename bound_executor<Program, Kernels, inputs, outputs, Services...>::type;
  static net_type net;
  static_assert(net_type::can_fail);
  std::array<frame<net_type, inputs, outputs>, 2> frames;
  for (std::size_t round = 0; round < 6; ++round) {
    CAPTURE(round);
    auto& current = frames[round % 2];
    fill(whole, current, round, inputs{});
    const auto before = current.inputs;
    const auto other = frames[(round + 1) % 2].outputs;
    current.bind_to(net);
    static_cast<void>(whole.run());
    CHECK(net.run() == status::ok);
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      CHECK(((std::get<I>(current.inputs).bytes == std::get<I>(before).bytes) && ...));
    }(inputs{});
    [&]<std::size_t... O>(std::index_sequence<O...>) {
      CHECK((std::ranges::equal(std::get<O>(current.outputs).bytes, whole.template output<O>()) && ...));
      CHECK(((std::get<O>(frames[(round + 1) % 2].outputs).bytes == std::get<O>(other).bytes) && ...));
    }(outputs{});
    CHECK(current.are_guards_unchanged());
  }
}

}  // namespace

TEST_CASE("states, aliases, delegates, branches and loops with bound inputs and outputs") {
  check_bound<accumulating, reference::any_aten>();
  check_bound<multiplied, reference::any_aten>();
  check_bound<aliases, kernels_of_bytes>();
  check_bound<in_place, kernels_of_bytes, planned_by<memory_policies::in_place>>();
  check_bound<control_flow_programs::nested_program, reference::any_aten>();
  check_bound<control_flow_programs::while_program, reference::any_aten>();
}

// Sizes. The addresses of two or fewer tensors take 16 bytes.

namespace {

template <auto Program, class... Services>
using of_bytes = basic_executor<Program, kernels_of_bytes, plan_options{}, Services...>;

// x and the outputs are bound. The operand of an output that aliases it is in the buffer of the output.
static_assert(of_bytes<aliases>::arena_bytes == 48);
static_assert(of_bytes<aliases, bound_inputs<0>, bound_outputs<0, 1, 2, 3>>::arena_bytes == 48);  // the table of five addresses alone
static_assert(of_bytes<in_place>::arena_bytes == 32 + 3);
static_assert(of_bytes<in_place, bound_inputs<0>>::arena_bytes == 16 + 32 + 3);
static_assert(of_bytes<in_place, planned_by<memory_policies::in_place>>::arena_bytes == 16 + 3);
static_assert(of_bytes<in_place, planned_by<memory_policies::in_place>, bound_inputs<0>>::arena_bytes == 16 + 16 + 3);
static_assert(of_bytes<in_place, planned_by<memory_policies::in_place>, bound_inputs<0>, bound_outputs<0>>::arena_bytes == 16 + 16 + 3);
// Nodes read three bytes past the end of x, and none past the end of the others.
using reading_beyond = of_bytes<reads_beyond, bound_inputs<0, 1>, bound_outputs<1>>;
static_assert(reading_beyond::bound_input_bytes<0> == 16 + 3 && reading_beyond::bound_input_bytes<1> == 16);
static_assert(reading_beyond::bound_output_bytes<1> == 16);
// Executors without bound tensors have no addresses, and cannot fail.
static_assert(!of_bytes<in_place>::can_fail && sizeof(of_bytes<in_place>) == 48);

memory_region<64> fast;
memory_region<64> slow;

}  // namespace

TEST_CASE("an unbound output is not stored in the bound input that it aliases") {
  static of_bytes<aliases, bound_inputs<0>> net;
  alignas(16) std::array<std::int8_t, 16> one{1};
  alignas(16) std::array<std::int8_t, 16> two{2};
  CHECK(net.bind_input(one) == status::ok);
  CHECK(net.run() == status::ok);
  CHECK(net.bind_input(two) == status::ok);
  one[0] = 7;
  CHECK(net.output<0>()[0] == 1);
  CHECK(net.output<1>()[0] == 2);
}

TEST_CASE("bound inputs of an executor in two regions") {
  static of_bytes<in_place, bound_inputs<0>, bound_outputs<0>, in_regions<fast, slow>> net;
  alignas(16) std::array<std::int8_t, 16> from{1, 2, 3};
  alignas(16) std::array<std::int8_t, 16> to{};
  CHECK(net.bind_input(from) == status::ok);
  CHECK(net.bind_output(to) == status::ok);
  CHECK(net.run() == status::ok);
  CHECK(to[0] == 4);
  CHECK(to[2] == 6);
}

TEST_CASE("without a buffer, a run returns invalid_state") {
  static of_bytes<in_place, bound_inputs<0>, bound_outputs<0>, in_slices> net;
  alignas(16) std::array<std::int8_t, 16> from{};
  alignas(16) std::array<std::int8_t, 16> to{};
  CHECK(net.run() == status::invalid_state);
  CHECK(net.bind_output(to) == status::ok);
  CHECK(net.run() == status::invalid_state);
  CHECK(net.start() == status::invalid_state);
  CHECK(net.step() == status::end_of_method);
  CHECK(to[0] == 0);
  CHECK(net.bind_input(from) == status::ok);
  CHECK(net.run() == status::ok);
  CHECK(to[0] == 3);
}

TEST_CASE("an output that overlaps another bound buffer is refused, and two inputs may overlap") {
  static of_bytes<reads_beyond, bound_inputs<0, 1>, bound_outputs<0, 1>, in_slices> net;
  // x has three more bytes than a row: x ends in the row after it.
  alignas(16) std::array<std::int8_t, 96> memory{};
  const std::span<std::int8_t> all{memory};
  const auto runs = [&](std::size_t x, std::size_t other, std::size_t first, std::size_t second) {
    CHECK(net.bind_input<0>(all.subspan(x).first<19>()) == status::ok);
    CHECK(net.bind_input<1>(all.subspan(other).first<16>()) == status::ok);
    CHECK(net.bind_output<0>(all.subspan(first).first<16>()) == status::ok);
    CHECK(net.bind_output<1>(all.subspan(second).first<16>()) == status::ok);
    memory.fill(5);
    const auto code = net.run();
    CHECK(net.start() == code);
    while (net.step() == status::ok) {
    }
    CHECK(memory[first] == (code == status::ok ? 6 : 5));
    CHECK(memory[second] == (code == status::ok ? 6 : 5));
    return code;
  };
  CHECK(runs(0, 32, 48, 64) == status::ok);
  CHECK(runs(0, 0, 32, 48) == status::ok);
  CHECK(runs(0, 16, 32, 48) == status::ok);
  CHECK(runs(0, 32, 48, 48) == status::invalid_state);
  CHECK(runs(0, 32, 0, 48) == status::invalid_state);
  CHECK(runs(0, 32, 48, 32) == status::invalid_state);
  CHECK(runs(0, 32, 16, 48) == status::invalid_state);
  CHECK(runs(16, 48, 0, 64) == status::ok);  // buffers that touch
  CHECK(runs(0, 32, 48, 64) == status::ok);
}

TEST_CASE("a buffer in the memory of the executor is refused, and memory beside it is allowed") {
  const auto code_of = [](auto& net) {
    const auto code = net.run();
    CHECK(net.start() == code);
    CHECK(net.step() == (code == status::ok ? status::ok : status::end_of_method));
    return code;
  };
  alignas(16) std::array<char, 16> buffer{};
  static of_bytes<in_place, bound_inputs<0>, in_slices> reads_output;
  CHECK(reads_output.bind_input(reads_output.output()) == status::ok);
  CHECK(code_of(reads_output) == status::invalid_state);
  CHECK(reads_output.output()[0] == 0);
  CHECK(reads_output.bind_input(buffer) == status::ok);
  CHECK(code_of(reads_output) == status::ok);
  static of_bytes<in_place, bound_outputs<0>, in_slices> writes_input;
  CHECK(writes_input.bind_output(writes_input.input()) == status::ok);
  CHECK(code_of(writes_input) == status::invalid_state);
  CHECK(writes_input.bind_output(buffer) == status::ok);
  CHECK(code_of(writes_input) == status::ok);

  // The executor does not use the last row of 16 bytes.
  using bound = of_bytes<in_place, bound_inputs<0>, bound_outputs<0>>;
  constexpr auto used = (bound::arena_bytes + 15) / 16;
  struct rows {
    alignas(16) std::array<std::array<char, 16>, used + 1> all;
  };
  static rows pool;
  static of_bytes<in_place, bound_inputs<0>, bound_outputs<0>, in_slices, in_arena<pool>> shared;
  for (std::size_t i = 0; i <= used; ++i) {
    const auto expected = i == used ? status::ok : status::invalid_state;
    CHECK(shared.bind_input(pool.all[i]) == status::ok);
    CHECK(shared.bind_output(buffer) == status::ok);
    CHECK(code_of(shared) == expected);
    CHECK(shared.bind_input(buffer) == status::ok);
    CHECK(shared.bind_output(pool.all[i]) == status::ok);
    CHECK(code_of(shared) == expected);
  }
}

TEST_CASE("a buffer in the object of an executor is refused, even if its arena is elsewhere") {
  static arena_for<of_bytes<in_place, bound_inputs<0>, bound_outputs<0>>> pool;
  using net_type = of_bytes<in_place, bound_inputs<0>, bound_outputs<0>, in_arena<pool>>;
  struct alignas(16) three {
    std::array<char, 16> before;
    alignas(16) net_type net;
    alignas(16) std::array<char, 16> after;
  };
  static three all;
  alignas(16) std::array<char, 16> buffer{};
  CHECK(all.net.bind_output(buffer) == status::ok);
  for (std::size_t at = 0; at < sizeof all; at += 16) {
    CHECK(all.net.bind_input(std::span<const char, 16>{reinterpret_cast<const char*>(&all) + at, 16}) == status::ok);
    CHECK(all.net.run() == (at == 0 || at + 16 == sizeof all ? status::ok : status::invalid_state));
  }
}

TEST_CASE("a buffer in the used bytes of a region is refused") {
  static memory_region<16 + 16> near;  // for the table of addresses and one of two values
  static memory_region<16 + 48> far;
  using net_type = of_bytes<in_place, bound_inputs<0>, bound_outputs<0>, in_regions<near, far>>;
  static net_type net;
  alignas(16) std::array<char, 16> buffer{};
  const auto used = net_type::plan().used;
  CHECK(used.fast > 0);
  CHECK(used.slow > 0);
  CHECK(used.slow < sizeof far);
  CHECK(net.bind_output(buffer) == status::ok);
  const auto check_region = [&](auto& region, std::uint64_t used_bytes) {
    for (std::size_t at = 0; at < sizeof region; at += 16) {
      CHECK(net.bind_input(std::span<const std::byte, 16>{region.bytes + at, 16}) == status::ok);
      CHECK(net.run() == (at < used_bytes ? status::invalid_state : status::ok));
    }
  };
  check_region(near, used.fast);
  check_region(far, used.slow);
}

TEST_CASE("a buffer in the used bytes of the buffer of copied weights is refused") {
  static memory_region<48> weights;
  static of_bytes<reads_constant, bound_inputs<0>, bound_outputs<0>, in_slices, copied_weights<tests::late_dma, weights, 16>> net;
  static_assert(net.copied_weights_bytes == 16);
  alignas(16) std::array<std::byte, 16> buffer{};
  const auto code_of = [&](std::span<std::byte, 16> input, std::span<std::byte, 16> output) {
    CHECK(net.bind_input(input) == status::ok);
    CHECK(net.bind_output(output) == status::ok);
    tests::late_dma::restart();
    const auto code = net.run();
    CHECK((tests::late_dma::copies == 1) == (code == status::ok));  // a refused run starts no transfer
    CHECK(net.start() == code);
    return code;
  };
  for (std::size_t at = 0; at < sizeof weights; at += 16) {
    const auto expected = at < net.copied_weights_bytes ? status::invalid_state : status::ok;
    const std::span<std::byte, 16> part{weights.bytes + at, 16};
    CHECK(code_of(part, buffer) == expected);
    CHECK(code_of(buffer, part) == expected);
  }
}

TEST_CASE("a buffer of the wrong size or alignment is refused, and the earlier one stays") {
  static of_bytes<reads_beyond, bound_inputs<0>> net;
  alignas(16) std::array<std::int8_t, 40> memory{};
  const std::span<const std::int8_t> all{memory};
  memory[0] = 5;
  CHECK(net.bind_input(all.first(19)) == status::ok);
  CHECK(net.bind_input(all.first(16)) == status::invalid_argument);  // three more bytes are read
  CHECK(net.bind_input(all.first(20)) == status::invalid_argument);
  CHECK(net.bind_input(all.subspan(8, 19)) == status::invalid_argument);
  CHECK(net.bind_input(all.subspan(1).first<19>()) == status::invalid_argument);
  CHECK(net.bind_input(std::span<const std::int8_t>{}) == status::invalid_argument);
  CHECK(net.bind_input(std::span<const std::int8_t>{static_cast<const std::int8_t*>(nullptr), 19}) == status::invalid_argument);
  CHECK(net.run() == status::ok);
  CHECK(net.output<0>()[0] == 6);
  memory[16] = 9;
  std::array<std::int8_t, 19>& second = *reinterpret_cast<std::array<std::int8_t, 19>*>(memory.data() + 16);
  CHECK(net.bind_input(second) == status::ok);
  CHECK(net.run() == status::ok);
  CHECK(net.output<0>()[0] == 10);
  std::vector<char> raw(19);  // raw bytes whose size is known at run time
  const bool is_aligned = reinterpret_cast<std::uintptr_t>(raw.data()) % 16 == 0;
  CHECK(net.bind_input(raw) == (is_aligned ? status::ok : status::invalid_argument));
}

TEST_CASE("the size of a buffer is rounded up to whole elements") {
  static of_bytes<reads_beyond_words, bound_inputs<0>> net;
  alignas(16) std::array<std::int32_t, 5> words{5};
  const std::span<const std::int32_t> all{words};
  CHECK(net.bind_input(all.first(4)) == status::invalid_argument);
  CHECK(net.bind_input(all) == status::ok);
  CHECK(net.bind_input(words) == status::ok);
  CHECK(net.run() == status::ok);
  CHECK(net.output()[0] != 5);
}

TEST_CASE("a buffer bound during an inference in slices is used by the next inference") {
  static of_bytes<in_place, bound_inputs<0>, bound_outputs<0>, in_slices> net;
  alignas(16) std::array<std::array<std::int8_t, 16>, 2> from{};
  alignas(16) std::array<std::array<std::int8_t, 16>, 2> to{};
  from[0][3] = 10;
  from[1][3] = 20;
  CHECK(net.bind_input(from[0]) == status::ok);
  CHECK(net.bind_output(to[0]) == status::ok);
  CHECK(net.start() == status::ok);
  CHECK(net.bind_input(from[1]) == status::ok);
  CHECK(net.bind_output(to[1]) == status::ok);
  while (net.step() == status::ok) {
  }
  CHECK(to[0][3] == 13);
  CHECK(to[1][3] == 0);
  CHECK(net.start() == status::ok);
  from[0][3] = 30;  // the device writes the next frame
  while (net.step() == status::ok) {
  }
  CHECK(to[0][3] == 13);
  CHECK(to[1][3] == 23);
}

TEST_CASE("two executors of one type have their own buffers, also in one arena") {
  static arena_for<of_bytes<in_place, bound_inputs<0>, bound_outputs<0>>> pool;
  using net_type = of_bytes<in_place, bound_inputs<0>, bound_outputs<0>, in_arena<pool>>;
  static std::array<net_type, 2> nets;
  alignas(16) std::array<std::array<std::int8_t, 16>, 2> from{};
  alignas(16) std::array<std::array<std::int8_t, 16>, 2> to{};
  for (std::size_t i = 0; i < 2; ++i) {
    from[i][0] = static_cast<std::int8_t>(10 * (i + 1));
    CHECK(nets[i].bind_input(from[i]) == status::ok);
    CHECK(nets[i].bind_output(to[i]) == status::ok);
  }
  for (std::size_t i = 0; i < 2; ++i) CHECK(nets[i].run() == status::ok);
  CHECK(to[0][0] == 13);
  CHECK(to[1][0] == 23);
}
