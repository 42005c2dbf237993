// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Executors that copy weights compute the same as other executors. Their DMA overwrites the destination at first, and copies as late as
// possible.
#include <baton/run/copied_weights.hpp>

#include <baton/core/builder.hpp>
#include <baton/core/static_program.hpp>
#include <baton/lower/methods.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/plan/memory_policies/row_streaming.hpp>
#include <baton/run/basic_executor.hpp>
#include <baton/run/basic_methods_executor.hpp>
#include <baton/run/caller_arena.hpp>
#include <baton/run/in_slices.hpp>

#include "run/late_dma.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace {

using namespace baton;
using tests::late_dma;

template <std::size_t Bytes>
alignas(16) memory_region<Bytes> buffer;

// Kernels and programs

/// The bytes of memory, and how often kernels read operands and prepared constants from these bytes.
struct watched_memory {
  static inline const char* begin = nullptr;
  static inline std::size_t bytes = 0;
  static inline int operands = 0;
  static inline int prepared = 0;

  static void watch(auto& region) {
    begin = static_cast<const char*>(static_cast<const void*>(region.bytes));
    bytes = sizeof region.bytes;
    operands = prepared = 0;
  }
  static auto has(const void* at) -> bool { return static_cast<std::size_t>(static_cast<const char*>(at) - begin) < bytes; }
};

/// The number at position `at` of the weights, in any order.
constexpr auto weight(const char* weights, std::size_t bytes, std::int32_t at) -> int {
  return weights[static_cast<std::size_t>(at) * 7 % bytes];
}
enum class form : std::uint8_t { direct, packed, scaled };
/// The prepared constant of a form.
template <form Form>
struct preparation {
  static constexpr void prepare(const program_view& program, const node& record, std::size_t first, span<std::int16_t> to) {
    const auto weights = program.data(program[program.inputs(record)[1]].data);
    for (std::size_t i = 0; i < to.size(); ++i) {
      const auto at = Form == form::packed ? first * 4 + i : first + i;
      to[i] = static_cast<std::int16_t>(Form == form::packed ? 100 * weights[at] : static_cast<int>(at % 5) + 1);
    }
  }
};
template <>
struct preparation<form::direct> {};
/// Weighted sums over windows of `span` by `span` pixels. Operand 1 is the weights, operand 2 an optional bias. With `Form::packed`, the
/// kernel reads the weights from a constant that it prepares; with `Form::scaled`, a prepared constant has one factor for each channel.
template <form Form>
struct layer : preparation<Form> {
  static constexpr std::array<std::string_view, 3> operator_of_form = {"test.direct", "test.packed", "test.scaled"};
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<row_window> {
    if (program.text(record.target) != operator_of_form[static_cast<std::size_t>(Form)]) return {refuse("another form")};
    const auto span = static_cast<std::int32_t>(program.integer(record, "span", 1));
    const row_window::axis axis{1, span / 2, span};
    node_description<row_window> result{accept(), {axis, axis}};
    result.facts.operands[0].window = result.plan;
    result.facts.overread_bytes = 3;
    if (Form == form::packed) result.facts.prepared = {program[program.inputs(record)[1]].data.size / 4, 4};
    if (Form == form::scaled) result.facts.prepared = {image_of(program, program.outputs_of(record)[0]).pixel_bytes, 1};
    return result;
  }
  template <class Call>
  static void compute(const Call& call) {
    compute_rows(call, 0, image_of(Call::program(), Call::output_id(0)).rows);
    if constexpr (Form != form::packed) watched_memory::operands += watched_memory::has(call.template input<1>()) ? 1 : 0;
    if constexpr (Form != form::direct) watched_memory::prepared += watched_memory::has(call.prepared().data()) ? 1 : 0;
  }
  template <class Call>
  static void compute_rows(const Call& call, std::int32_t first, std::int32_t last) {
    constexpr auto in = image_of(Call::program(), Call::input_id(0));
    constexpr auto out = image_of(Call::program(), Call::output_id(0));
    constexpr auto in_channels = static_cast<std::int32_t>(in.pixel_bytes);
    constexpr auto out_channels = static_cast<std::int32_t>(out.pixel_bytes);
    constexpr auto count = static_cast<std::size_t>(byte_count(dtype::int8, Call::program().shape(Call::input_id(1))));
    const auto window = node_plan<layer, Call>;
    for (auto row = first; row < last; ++row) {
      for (std::int32_t column = 0; column < out.columns; ++column) {
        for (std::int32_t c = 0; c < out_channels; ++c) {
          int sum = 0;
          std::int32_t at = c;
          if constexpr (Call::has_input(2)) sum = call.template input<2>()[c % 8];
          for (auto y = window.rows.first(row); y < window.rows.end(row, in.rows); ++y) {
            for (auto x = window.columns.first(column); x < window.columns.end(column, in.columns); ++x, ++at) {
              const auto operand = call.template input<0>()[(y * in.columns + x) * in_channels + c % in_channels];
              if constexpr (Form == form::packed) {
                sum += operand * call.prepared()[static_cast<std::size_t>(at) * 3 % count];
              } else {
                sum += operand * weight(call.template input<1>(), count, at);
              }
            }
          }
          if constexpr (Form == form::scaled) sum *= call.prepared()[static_cast<std::size_t>(c)];
          call.template output<0>()[(row * out.columns + column) * out_channels + c] = static_cast<char>(sum);
        }
      }
    }
  }
};
/// Copies the operand if the output has another address.
struct same_bytes {
  static constexpr auto describe(const program_view&, const node& record) -> node_description<> {
    if (!record.is("test.same")) return {refuse("not test.same")};
    return {accept(), {}, {.output_aliases_input = true}};
  }
  template <class Call>
  static void compute(const Call& call) {
    const char* from = call.template input<0>();
    char* to = call.template output<0>();
    if (to != from) std::memcpy(to, from, image_of(Call::program(), Call::output_id(0)).pixel_bytes);
  }
};
/// Adds a constant of one byte, which is not copied, to the operand.
struct increment {
  static constexpr auto describe(const program_view&, const node& record) -> node_description<> {
    return {record.is("test.inc") || record.is("test.slow_inc") ? accept() : refuse("not test.inc")};
  }
  template <class Call>
  static void compute(const Call& call) {
    constexpr auto bytes = static_cast<std::size_t>(byte_count(dtype::int8, Call::program().shape(Call::output_id(0))));
    for (std::size_t i = 0; i < bytes; ++i)
      call.template output<0>()[i] = static_cast<char>(call.template input<0>()[i] + *call.template input<1>());
  }
};
constexpr auto kernels_of_test = kernels<layer<form::direct>, layer<form::packed>, layer<form::scaled>, same_bytes, increment>;

constexpr auto image(int channels) -> tensor_type { return tensor(dtype::int8, 1, 6, 7, channels); }

/// A builder of networks with weights of any size.
struct network_builder {
  program_builder build;
  int names = 0;

  constexpr auto weights(int bytes) -> value_id {
    vector<char> data(static_cast<std::size_t>(bytes), 0);
    for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<char>((i * i + 3 * i + static_cast<std::size_t>(bytes)) % 113);
    return build.parameter(view(join("w", names++)), tensor(dtype::int8, bytes), data);
  }
  constexpr auto call(std::string_view op, std::initializer_list<value_id> operands, int channels, int span = 1) -> value_id {
    return build.call(view(join("n", names++)), op, operands, image(channels), {{"span", span}});
  }
};

/// Layers of every form. The second reads one constant twice. `same` copies a constant, and a layer reads the copy.
constexpr static_program network{[] {
  network_builder b;
  const auto one = b.weights(1);
  auto x = b.call("test.direct", {b.build.user_input("x", image(2)), b.weights(200), b.weights(64)}, 4, 3);
  const auto twice = b.weights(96);
  x = b.call("test.direct", {x, twice, twice}, 4);
  x = b.call("test.inc", {x, one}, 4);
  x = b.call("test.packed", {x, b.weights(128), b.weights(65)}, 8, 3);
  x = b.call("test.inc", {x, one}, 8);
  const auto forwarded = b.weights(70);
  const auto same = b.build.call("same", "test.same", {forwarded}, tensor(dtype::int8, 70));
  x = b.call("test.scaled", {x, b.weights(300)}, 40);
  x = b.call("test.direct", {x, same}, 2);
  b.build.output(x);
  b.build.output(same);
  b.build.output(b.call("test.packed", {x, b.weights(400)}, 2, 3));
  return b.build.finish();
}};

/// A segment of four layers between two others, with the policy `row_streaming`.
constexpr static_program segment{[] {
  network_builder b;
  auto x = b.call("test.direct", {b.build.user_input("x", image(2)), b.weights(80)}, 2);
  x = b.call("test.direct", {x, b.weights(90), b.weights(64)}, 24, 3);
  x = b.call("test.packed", {x, b.weights(100)}, 12, 1);
  x = b.call("test.scaled", {x, b.weights(110)}, 20, 1);
  x = b.call("test.direct", {x, b.weights(120)}, 2, 3);
  b.build.output(x);
  return b.build.finish();
}};
constexpr static_program without_weights{[] {
  network_builder b;
  b.build.output(b.call("test.inc", {b.build.user_input("x", image(2)), b.weights(1)}, 2));
  return b.build.finish();
}};

template <auto Program, class... Services>
using executor_of = basic_executor<Program, kernels_of_test, plan_options{}, Services...>;
template <auto Program, std::size_t Bytes, class... Services>
using copying = executor_of<Program, copied_weights<late_dma, buffer<Bytes>>, Services...>;

// Plans

static_assert(executor_of<network>::copied_weights_bytes == 0 && executor_of<network>::weight_copies().constants.empty());
static_assert(copying<without_weights, 64>::copied_weights_bytes == 0);
// The arena does not change, and the executor has no additional bytes.
static_assert(copying<network, 4096>::arena_bytes == executor_of<network>::arena_bytes);
static_assert(sizeof(copying<network, 4096>) == sizeof(executor_of<network>));

constexpr auto ample() -> weight_copy_plan { return copying<network, 4096>::weight_copies(); }
constexpr auto ample_bytes = ample().buffer_bytes;
static_assert(ample().in_place_bytes() == 0);
// The weights, without those that kernels read only from a prepared constant, and the two prepared constants. The factors of
// `test.scaled`, one for each of 40 channels, are copied, too.
static_assert(ample().copied_bytes() == 200 + 64 + 96 + 2 * 128 + 300 + 2 * 40 + 70 + 2 * 400);
static_assert(copying<network, 4096>::copied_weights_bytes == ample_bytes && ample_bytes % 16 == 0);
static_assert(copying<network, ample_bytes>::weight_copies().copied_bytes() == ample().copied_bytes());
static_assert(copying<network, ample_bytes - 16>::weight_copies().in_place_bytes() != 0);
// The constants of the last layer, those of `test.scaled`, and the bytes that it may read past their end.
static_assert(ample_bytes == 2 * 400 + 304 + 80);
// Kernels may read three bytes past the end of an operand.
static_assert([] {
  const auto constants = ample().constants;
  return std::all_of(constants.begin(), constants.end(),
                     [](const auto& each) { return each.data == none<value_id> || each.reserved_bytes >= each.bytes + 3; });
}());
// A smaller threshold adds the constant of one byte, for each of two nodes.
using every_constant = executor_of<network, copied_weights<late_dma, buffer<4096>, 0>>;
static_assert(every_constant::weight_copies().copied_bytes() == ample().copied_bytes() + 2);

// Runs

template <class Left, class Right>
void fill(Left& left, Right& right, int round) {
  for (std::size_t i = 0; i < left.input().size(); ++i)
    left.input()[i] = right.input()[i] = static_cast<char>((static_cast<int>(i) * 5 + round * 11) % 23 - 9);
}
template <class Left, class Right>
auto have_equal_outputs(const Left& left, const Right& right) -> bool {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return (std::ranges::equal(left.template output<I>(), right.template output<I>()) && ...);
  }(std::make_index_sequence<Left::output_count>{});
}
void damage(auto& region) { std::memset(region.bytes, 0x66, sizeof region.bytes); }

/// Checks that all constants are complete before a node runs, and that they do not change until it has run.
struct constants_observer {
  int nodes = 0;
  bool are_intact = true;

  template <class Call>
  void before(Call call) {
    check(call);
  }
  template <class Call>
  void operator()(Call call) {
    check(call);
    ++nodes;
  }

 private:
  template <class Call>
  void check(Call call) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (check_operand<I>(call), ...);
    }(std::make_index_sequence<Call::record().inputs.size>{});
  }
  template <std::size_t I, class Call>
  void check_operand(Call call) {
    const auto data = Call::program()[Call::input_id(I)].data;
    if (data.size == 0) return;
    const auto expected = Call::program().data(data);
    are_intact = are_intact && std::equal(expected.begin(), expected.end(), call.template input<I>());
  }
};

/// Compares runs, runs with an observer, and inferences in slices with runs without copies.
template <auto Program, std::size_t Bytes, class... Services>
void check_copies() {
  static executor_of<Program, Services...> plain;
  static copying<Program, Bytes, Services...> net;
  static copying<Program, Bytes, Services..., in_slices> sliced;
  static executor_of<Program, Services..., in_slices> plain_sliced;
  static copying<Program, Bytes, Services..., in_slices::of<100>> cut;  // also inside nodes
  const auto plan = net.weight_copies();
  CHECK(plan.buffer_bytes <= Bytes);
  int copies = 0;
  for (const auto& each : plan.constants) copies += each.is_copied() ? 1 : 0;
  const auto check_dma = [&] {
    CHECK(late_dma::copied_bytes == plan.copied_bytes());
    CHECK(late_dma::copies == copies);
    CHECK(late_dma::in_progress.empty());
    CHECK(late_dma::is_largest_last);
  };
  for (int round = 0; round < 4; ++round) {
    damage(buffer<Bytes>);
    late_dma::restart();
    fill(plain, net, round);
    plain.run();
    net.run();
    CHECK(have_equal_outputs(plain, net));
    check_dma();

    late_dma::restart();
    fill(plain, net, round);
    constants_observer observer;
    net.run(observer);
    plain.run();
    CHECK(observer.are_intact);
    CHECK(observer.nodes == static_cast<int>(Program.value().nodes.size()));
    CHECK(have_equal_outputs(plain, net));
    check_dma();

    late_dma::restart();
    fill(plain, sliced, round);
    plain.run();
    sliced.start();
    plain_sliced.start();
    auto code = status::ok;
    while (code == status::ok) {
      code = sliced.step();
      CHECK(plain_sliced.step() == code);
    }
    CHECK(code == status::end_of_method);
    CHECK(have_equal_outputs(plain, sliced));
    check_dma();

    late_dma::restart();
    fill(plain, cut, round);
    plain.run();
    cut.start();
    while (cut.step() == status::ok) {
    }
    CHECK(have_equal_outputs(plain, cut));
    check_dma();
  }
}

}  // namespace

TEST_CASE("copies to buffers of all sizes do not change outputs") {
  check_copies<network, 4096>();
  check_copies<network, ample_bytes>();
  check_copies<network, 720>();
  check_copies<network, 352>();
  check_copies<network, 80>();
  check_copies<without_weights, 64>();
}

TEST_CASE("kernels read copied constants from the buffer, and the others in place") {
  const auto reads = [](auto& net, auto& region) {
    late_dma::restart();
    watched_memory::watch(region);
    net.run();
    return std::array{watched_memory::operands, watched_memory::prepared};
  };
  static copying<network, 4096> all;
  CHECK(reads(all, buffer<4096>) == std::array{3, 3});
  CHECK(reads(all, buffer<80>) == std::array{0, 0});
  static copying<network, 80> few;
  CHECK(reads(few, buffer<80>) == std::array{0, 1});  // the factors of `test.scaled`
  watched_memory::bytes = 0;
}

TEST_CASE("copies do not change the outputs of segments that are computed row by row") {
  using streaming = planned_by<memory_policies::row_streaming>;
  using net = copying<segment, 2048, streaming>;
  static_assert(net::plan().streams.segments.size() == 1);
  static_assert(net::weight_copies().in_place_bytes() == 0 && net::weight_copies().constants.size() == 6);
  constexpr auto steps_with_constants = [] {
    const auto constants = net::weight_copies().constants;
    int steps = 1;
    for (std::size_t i = 1; i < constants.size(); ++i) steps += constants[i].step != constants[i - 1].step ? 1 : 0;
    return steps;
  }();
  static_assert(steps_with_constants == 2);
  check_copies<segment, 2048, streaming>();
  check_copies<segment, 512, streaming>();
  check_copies<segment, 96, streaming>();
  check_copies<segment, 512>();
}

namespace {

/// Counts the nodes during which a transfer is in progress.
struct transfer_observer {
  int& nodes;
  void before(auto) { nodes += late_dma::in_progress.empty() ? 0 : 1; }
  void operator()(auto) const {}
};

}  // namespace

TEST_CASE("the next copies start before a step, and the step does not wait for them") {
  static copying<network, 4096> net;
  late_dma::restart();
  net.run();
  // One wait at the begin, and one for each of the six layers.
  CHECK(late_dma::waits == 1 + 6);
  int steps_with_transfers = 0;
  net.run(transfer_observer{steps_with_transfers});
  CHECK(steps_with_transfers == 8);  // all steps before the last layer
}

TEST_CASE("an abandoned inference leaves no transfer that damages the next one") {
  static executor_of<network> plain;
  static copying<network, 1024, in_slices> net;
  for (int slices = 0; slices < 9; ++slices) {
    fill(plain, net, slices);
    net.start();
    for (int i = 0; i < slices; ++i) CHECK(net.step() == status::ok);
    fill(plain, net, slices);
    plain.run();
    if (slices % 2 == 0) {
      net.run();
    } else {
      net.run([](auto) {});
    }
    CHECK(have_equal_outputs(plain, net));
    CHECK(late_dma::in_progress.empty());
  }
}

namespace {

/// A backend that adds 1 to each byte, and fails on request.
struct adder {
  static constexpr auto id = name<"Adder">;
  static constexpr auto preprocess(const exported_program&, const compile_specs&) -> preprocess_result { return {}; }
  static auto execute(const execution_context<>& call) -> status {
    for (std::size_t i = 0; i < call.outputs[0].size(); ++i) call.outputs[0][i] = static_cast<char>(call.inputs[0][i] + call.inputs[1][0]);
    return result;
  }
  static inline status result = status::ok;
};
constexpr auto delegated = to_backend(backends<adder>, network, by_support<adder, operator_names<"test.inc">, partition_options{1, 1}>{});
static_assert(!delegates(delegated).empty());

}  // namespace

TEST_CASE("a transfer continues during a delegate, and ends if the delegate fails") {
  static executor_of<network> plain;
  static copying<delegated, 2048> net;
  static copying<delegated, 2048, in_slices> sliced;
  late_dma::restart();
  const auto check_runs = [&] {
    adder::result = status::ok;
    fill(plain, net, 1);
    plain.run();
    CHECK(net.run() == status::ok);
    CHECK(have_equal_outputs(plain, net));
    fill(plain, sliced, 2);
    plain.run();
    CHECK(sliced.run() == status::ok);
    CHECK(have_equal_outputs(plain, sliced));
  };
  check_runs();
  adder::result = status::out_of_resources;
  CHECK(net.run() == status::out_of_resources);
  CHECK(late_dma::in_progress.empty());
  CHECK(sliced.run() == status::out_of_resources);
  CHECK(late_dma::in_progress.empty());
  check_runs();
}

namespace {

/// A choice between two graphs with weights, then a layer with weights.
constexpr static_program branches{[] {
  network_builder b;
  const auto is_first = b.build.user_input("x", tensor(dtype::boolean, 1));
  const auto begin = b.build.current();
  const auto branch = [&](int bytes) {
    const auto id = b.build.add_graph(view(join("branch", bytes)));
    b.build.output(b.call("test.direct", {b.build.user_input(view(join("x", bytes)), image(2)), b.weights(bytes)}, 2));
    return id;
  };
  const auto yes = branch(100);
  const auto no = branch(120);
  b.build.enter(begin);
  const auto x = b.call("test.direct", {b.build.user_input("image", image(2)), b.weights(80)}, 2);
  const auto chosen = b.build.call_many("cond", "cond", {is_first, x}, {image(2)}, {}, {yes, no})[0];
  b.build.output(b.call("test.direct", {chosen, b.weights(90)}, 2));
  return b.build.finish();
}};
constexpr auto methods_of_test = methods(method<"first">(network), method<"second">(segment));

}  // namespace

TEST_CASE("the graphs of a branch read their weights in place") {
  static executor_of<branches> plain;
  static copying<branches, 256> net;
  static_assert(net.weight_copies().copied_bytes() == 80 + 90);
  for (int round = 0; round < 4; ++round) {
    fill(plain, net, 0);
    plain.input()[0] = net.input()[0] = static_cast<char>(round % 2);
    std::fill_n(plain.input<1>().data(), plain.input<1>().size(), static_cast<char>(round + 3));
    std::copy_n(plain.input<1>().data(), plain.input<1>().size(), net.input<1>().data());
    plain.run();
    net.run();
    CHECK(have_equal_outputs(plain, net));
  }
}

TEST_CASE("methods copy to one buffer, also if one abandons the inference of the other") {
  static basic_methods_executor<methods_of_test, kernels_of_test> plain;
  static basic_methods_executor<methods_of_test, kernels_of_test, state_sharing::by_name, plan_options{},
                                copied_weights<late_dma, buffer<1024>>, in_slices>
      net;
  const auto check_method = [&](auto& method, auto& expected, int round) {
    fill(method, expected, round);
    expected.run();
    method.run();
    CHECK(have_equal_outputs(method, expected));
  };
  for (int round = 0; round < 4; ++round) {
    check_method(net.method<"first">(), plain.method<"first">(), round);
    net.method<"first">().start();
    for (int i = 0; i < round; ++i) CHECK(net.method<"first">().step() == status::ok);
    check_method(net.method<"second">(), plain.method<"second">(), round);
  }
}
