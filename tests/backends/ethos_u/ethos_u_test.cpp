// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Models compiled by Vela, run in a plan computed at compile time with a simulated accelerator.
#include <baton/backends/ethos_u/backend.hpp>
#include <baton/backends/ethos_u/partitioner.hpp>
#include <baton/executor.hpp>
#include <baton/import/tflite.hpp>
#include <baton/lower/contracts.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/report/text.hpp>
#include <baton/run/run_failure.hpp>

#include "backends/ethos_u/models.hpp"
#include "backends/ethos_u/simulated_driver.hpp"
#include "digits_int8.tflite.hpp"
#include "digits_u65_vela.tflite.hpp"
#include "digits_vela.tflite.hpp"
#include "mixed_vela.tflite.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace baton;
using namespace ethos_u_tests;
using ethos_u::u55_128;
using ethos_u::u55_256;

template <class Driver>
using npu = ethos_u::backend<u55_128, Driver>;
constexpr auto digits = tflite::read<digits_vela_tflite>;
constexpr auto mixed = tflite::read<mixed_vela_tflite>;
template <class Driver>
constexpr auto digits_on = to_backend(backends<npu<Driver>>, digits, ethos_u::partitioner<u55_128>{});
template <class Driver>
constexpr auto mixed_on = to_backend(backends<npu<Driver>>, mixed, ethos_u::partitioner<u55_128>{});

constexpr auto same_key(const lowered_module_view& a, const lowered_module_view& b) -> bool {
  const auto key = [](const lowered_module_view& of) { return of.program().text(of.named_data()[0].key); };
  return a.named_data().size() == 1 && b.named_data().size() == 1 && key(a) == key(b);
}

// The compile-time facts of the delegate.
static_assert(fully_delegated(digits_on<simulated_driver>));
static_assert(delegates(digits_on<simulated_driver>).size() == 1);
static_assert(delegates(digits_on<simulated_driver>)[0].scratch_bytes() == 3808);
static_assert(delegates(digits_on<simulated_driver>)[0].delegate_info() ==
              "ethos-u55-128, 2844 bytes of commands, 6816 of weights, 3808 of scratch");
// Vela assigns one scratch to both operators. The second operator uses a small part of it.
static_assert(delegates(mixed_on<simulated_driver>).size() == 2);
static_assert(delegates(mixed_on<simulated_driver>)[0].scratch_bytes() == 3808);
static_assert(delegates(mixed_on<simulated_driver>)[1].scratch_bytes() == 464);
static_assert(delegates(mixed_on<simulated_driver>)[0].processed_bytes().size() +
                  delegates(mixed_on<simulated_driver>)[1].processed_bytes().size() ==
              3188);
// The weights that both use are stored once.
static_assert(same_key(delegates(mixed_on<simulated_driver>)[0], delegates(mixed_on<simulated_driver>)[1]));

// Input and output are in the scratch, which is the whole arena.
static_assert(executor<digits_on<simulated_driver>>::arena_bytes == 3808);
static_assert(executor<digits_on<simulated_driver>, with_plan_options<plan_options{.alignment = 1}>>::arena_alignment == 16);

// Values between operators are in scratch if the arena does not grow. The first result is not in scratch: the first scratch would stay
// alive while the real features are computed.
static_assert(executor<mixed_on<simulated_driver>>::arena_bytes == 4192);
constexpr auto values_in_scratch = [] {
  const auto planned = plan_execution(portable_kernels, backends<npu<simulated_driver>>, mixed_on<simulated_driver>);
  return planned.value.accepted().size();
}();
static_assert(values_in_scratch == 3);

// An accelerator with internal memory: the fast scratch follows the scratch, which contains only input and output.
constexpr auto digits_u65 = tflite::read<digits_u65_vela_tflite>;
constexpr auto digits_on_u65 =
    to_backend(backends<ethos_u::backend<ethos_u::u65_256, simulated_driver>>, digits_u65, ethos_u::partitioner<ethos_u::u65_256>{});
static_assert(executor<digits_on_u65>::arena_bytes == 64 + 3808);

const bytes samples = file_at(BATON_EXAMPLES_DIR "/digits/samples.bin");
const bytes expected = file_at(BATON_EXAMPLES_DIR "/digits/expected.bin");
constexpr std::size_t image_bytes = 64;
constexpr std::size_t score_bytes = 10;
auto image(std::size_t i) -> span<const char> { return {samples.data() + image_bytes * i, image_bytes}; }
auto scores(std::size_t i) -> span<const char> { return {expected.data() + score_bytes * i, score_bytes}; }

template <class Program>
auto weights_of(const Program& program) -> span<const char> {
  const program_view view = program;
  for (const auto& record : view.values) {
    if (view.text(record.name) == "read_only") return view.data(record.data);
  }
  return {};
}

/// The model that was the input of Vela.
constexpr auto uncompiled = tflite::read<digits_int8_tflite>;

/// Returns the real numbers of the quantized bytes of a value of that model.
auto reals_of(value_id id, span<const char> integers) -> std::vector<float> {
  const program_view program = uncompiled.value();
  std::vector<float> reals;
  for (const auto integer : integers) {
    const auto& quant = program[id].quant;
    reals.push_back(static_cast<float>(static_cast<signed char>(integer) - program.zero_point(quant)) * program.scale(quant));
  }
  return reals;
}

/// Returns the flattened features of a digit, as that model computes them.
auto features(std::size_t i) -> bytes {
  static executor<uncompiled> net;
  std::ranges::copy(image(i), net.template input<0>().begin());
  bytes result;
  net.run([&](auto call) {
    if (call.record().is("tfl.reshape")) {
      const auto values = call.template output<0>();
      result.assign(values, values + 384);
    }
  });
  return result;
}

template <class Net>
auto run_digit(Net& net, std::size_t i, std::array<std::int8_t, score_bytes>& output) -> status {
  std::array<std::int8_t, image_bytes> input{};
  std::memcpy(input.data(), image(i).data(), image_bytes);
  return net.run(input, output);
}
auto is_expected(const std::array<std::int8_t, score_bytes>& output, std::size_t i) -> bool {
  return std::memcmp(output.data(), scores(i).data(), score_bytes) == 0;
}

// Processed bytes and weights that are loaded at run time and were changed.

enum class damage { none, newer, other_board, bit, cut, misaligned };

alignas(16) char brought[4096];
int releases = 0;

template <damage Kind>
struct bringer {
  static auto load(const processed_bytes::request& request) -> status_or<processed_bytes::loaded> {
    const auto processed = delegates(digits_on<simulated_driver>)[0].processed_bytes();
    if (request.backend_id != "EthosU" || request.alignment != 16 || processed.size() + 16 > sizeof brought) return status::not_found;
    char* at = brought + (Kind == damage::misaligned ? 4 : 0);
    std::memcpy(at, processed.data(), processed.size());
    auto size = processed.size();
    if constexpr (Kind == damage::newer) at[3] = '2';
    if constexpr (Kind == damage::bit) at[size / 2] = static_cast<char>(at[size / 2] ^ 4);
    if constexpr (Kind == damage::cut) size -= 4;
    if constexpr (Kind == damage::other_board) {
      at[8] = 8;
      const auto hash = ethos_u::detail::processed_view::hash_of_rest({at, size});
      std::memcpy(at + 4, &hash, 4);
    }
    return processed_bytes::loaded{{at, size}, [](void*, span<const char>) { ++releases; }};
  }
};

struct alignas(16) aligned_scratch {
  char bytes[3808];
};

/// Returns the status of `init` for processed bytes and weights.
auto init_with(span<const char> bytes, span<const named_data_map::entry> named) -> status {
  using backend = npu<simulated_driver>;
  processed_bytes owner;
  owner.hold({bytes});
  const backend::options options{};
  backend::state own;
  return backend::init(init_context<backend::options>(owner, {}, "forward", {named, nullptr}, options), own);
}

template <class Service>
auto sentence_of_a_run() -> std::string {
  const script scripts[] = {{weights_of(digits.value()), image(0), scores(0)}};
  simulated_driver::scripts = scripts;
  simulated_driver::runs = 0;
  executor<digits_on<simulated_driver>, Service> net;
  std::array<std::int8_t, score_bytes> output{};
  const auto code = run_digit(net, 0, output);
  CHECK((code == status::ok) == (simulated_driver::runs == 1));  // after a failure, nothing is executed
  CHECK(is_expected(output, 0) == (code == status::ok));
  const auto why = explain(digits_on<simulated_driver>, net.last_failure());
  if (!why) return {};
  CHECK(view(why.backend) == "EthosU");
  CHECK(view(why.node_name) == "executorch_call_delegate");
  return std::string(why.rule_name) + ": " + std::string(view(why.reason));
}

}  // namespace

TEST_CASE("a model that Vela compiled entirely runs with its input and output in the accelerator's scratch") {
  static executor<digits_on<simulated_driver>> net;
  CHECK(net.init() == status::ok);
  const auto before = simulated_driver::accesses;
  for (std::size_t i = 0; i < 10; ++i) {
    const script scripts[] = {{weights_of(digits.value()), image(i), scores(i)}};
    simulated_driver::scripts = scripts;
    std::array<std::int8_t, score_bytes> output{};
    CHECK(run_digit(net, i, output) == status::ok);
    CHECK(simulated_driver::fault == "");
    CHECK(is_expected(output, i));
  }
  CHECK(simulated_driver::accesses - before == 10 * 104);
  // Nothing is copied: the user's input buffer is the input buffer of the accelerator.
  const auto* input = net.template input<0>().data();
  CHECK(input == net.template output<0>().data());
}

TEST_CASE("commands find the fast scratch after the scratch") {
  static executor<digits_on_u65> net;
  for (std::size_t i = 0; i < 10; ++i) {
    const script scripts[] = {{weights_of(digits_u65.value()), image(i), scores(i)}};
    simulated_driver::scripts = scripts;
    std::array<std::int8_t, score_bytes> output{};
    CHECK(run_digit(net, i, output) == status::ok);
    CHECK(simulated_driver::fault == "");
    CHECK(is_expected(output, i));
  }
  CHECK(simulated_driver::offsets[2] == 64);
}

TEST_CASE("nodes that Vela leaves on the processor run on kernels between two parts on the accelerator") {
  static executor<mixed_on<simulated_driver>> net;
  const auto weights = weights_of(mixed.value());
  for (std::size_t i = 0; i < 10; ++i) {
    const auto between = features(i);
    const span<const char> middle{between.data(), between.size()};
    const script scripts[] = {{weights, image(i), middle}, {weights, middle, scores(i)}};
    simulated_driver::scripts = scripts;
    simulated_driver::runs = 0;
    const auto reals = reals_of(user_inputs_of(uncompiled.value(), graph_id{0})[0], image(i));
    const auto wanted = reals_of(user_outputs_of(uncompiled.value(), graph_id{0})[0], scores(i));
    std::ranges::copy(std::as_bytes(std::span(reals)), reinterpret_cast<std::byte*>(net.input<0>().data()));
    CHECK(net.run() == status::ok);
    CHECK(simulated_driver::fault == "");
    CHECK(std::memcmp(net.output<0>().data(), wanted.data(), 4 * wanted.size()) == 0);
  }
}

TEST_CASE("processed bytes with another version or accelerator, and damaged or misaligned ones, are errors before execution") {
  releases = 0;
  CHECK(sentence_of_a_run<bringer<damage::none>>() == "");
  CHECK(sentence_of_a_run<bringer<damage::newer>>() == "failed_init: status 48 delegate_invalid_compatibility, delegate lowered_module_0");
  CHECK(sentence_of_a_run<bringer<damage::other_board>>() ==
        "failed_init: status 48 delegate_invalid_compatibility, delegate lowered_module_0");
  CHECK(sentence_of_a_run<bringer<damage::bit>>() == "failed_init: status 35 invalid_program, delegate lowered_module_0");
  CHECK(sentence_of_a_run<bringer<damage::cut>>() == "unloaded_processed_bytes: status 34 access_failed, delegate lowered_module_0");
  CHECK(sentence_of_a_run<bringer<damage::misaligned>>() == "unloaded_processed_bytes: status 34 access_failed, delegate lowered_module_0");
  CHECK(releases == 6);
}

TEST_CASE("the processed bytes and the weights must be present, complete and aligned") {
  const auto processed = delegates(digits_on<simulated_driver>)[0].processed_bytes();
  const auto weights = weights_of(digits.value());
  alignas(16) static char processed_bytes_memory[4096];
  alignas(16) static char memory[6816 + 16];
  std::memcpy(processed_bytes_memory, processed.data(), processed.size());
  const span<const char> valid{processed_bytes_memory, processed.size()};
  const auto init_at = [&](std::size_t offset, std::size_t missing) {
    std::memcpy(memory + offset, weights.data(), weights.size());
    const named_data_map::entry named[] = {{"weights", {memory + offset, weights.size() - missing}}};
    return init_with(valid, named);
  };
  CHECK(init_at(0, 0) == status::ok);
  CHECK(init_at(0, 16) == status::invalid_external_data);
  CHECK(init_at(8, 0) == status::delegate_memory_allocation_failed);
  CHECK(init_with(valid, {}) == status::not_found);
  CHECK(init_with({processed_bytes_memory, processed.size() - 4}, {}) == status::invalid_program);
  std::memcpy(processed_bytes_memory + 4, processed.data(), processed.size());
  CHECK(init_with({processed_bytes_memory + 4, processed.size()}, {}) == status::delegate_memory_allocation_failed);
}

TEST_CASE("an error of the accelerator's driver fails the call") {
  static executor<digits_on<swapped_bases>> net;
  std::array<std::int8_t, score_bytes> output{};
  const script scripts[] = {{weights_of(digits.value()), image(0), scores(0)}};
  simulated_driver::scripts = scripts;
  CHECK(run_digit(net, 0, output) == status::internal);
  CHECK(simulated_driver::fault == "base 0 is not the weights");
  CHECK(net.last_failure().step == run_failure::lifecycle_step::execution);
  CHECK_FALSE(is_expected(output, 0));
}

TEST_CASE("arguments outside the scratch are copied; misaligned or short scratch is an error, and nothing is executed") {
  using backend = npu<simulated_driver>;
  const auto processed = delegates(digits_on<simulated_driver>)[0].processed_bytes();
  const auto stored = weights_of(digits.value());
  alignas(16) static char processed_bytes_memory[4096];
  alignas(16) static char weights[6816];
  alignas(16) static char memory[4096];
  alignas(16) static char result[16];
  std::memcpy(processed_bytes_memory, processed.data(), processed.size());
  std::memcpy(weights, stored.data(), stored.size());
  const span<const char> inputs[] = {image(0)};
  const span<char> outputs[] = {{result, score_bytes}};
  const backend::options options{};
  backend::state own{weights};
  const script scripts[] = {{stored, image(0), scores(0)}};
  simulated_driver::scripts = scripts;
  simulated_driver::runs = 0;
  const auto run_in = [&](char* at, std::size_t size) {
    const delegate_call call{{processed_bytes_memory, processed.size()}, inputs, outputs, {at, size}};
    return backend::execute(execution_context<backend::options>(call, "forward", options), own);
  };
  CHECK(run_in(memory, 3808) == status::ok);
  CHECK(std::memcmp(result, scores(0).data(), score_bytes) == 0);
  CHECK(run_in(memory + 8, 3808) == status::delegate_memory_allocation_failed);
  CHECK(run_in(memory, 3792) == status::delegate_memory_allocation_failed);
  CHECK(simulated_driver::runs == 1);
}

TEST_CASE("valid processed bytes of another model revision are an error, and only the call's memory is accessed") {
  using backend = npu<simulated_driver>;
  const auto processed = delegates(digits_on<simulated_driver>)[0].processed_bytes();
  const auto stored = weights_of(digits.value());
  alignas(16) static char processed_bytes_memory[4096];
  alignas(16) static char weights[6816];
  std::memcpy(weights, stored.data(), stored.size());
  const script scripts[] = {{stored, image(0), scores(0)}};
  simulated_driver::scripts = scripts;
  const backend::options options{};
  /// Calls `init` and then `execute` with one word of one place changed and the hash recomputed.
  const auto run_with = [&](std::size_t place, std::size_t word, std::uint32_t changed) {
    std::memcpy(processed_bytes_memory, processed.data(), processed.size());
    std::memcpy(processed_bytes_memory + 4 * (ethos_u::detail::processed_view::header_words + 3 * place + word), &changed, 4);
    const span<const char> bytes{processed_bytes_memory, processed.size()};
    const auto hash = ethos_u::detail::processed_view::hash_of_rest(bytes);
    std::memcpy(processed_bytes_memory + 4, &hash, 4);
    const named_data_map::entry named[] = {{"weights", {weights, sizeof weights}}};
    processed_bytes owner;
    owner.hold({bytes});
    backend::state own;
    const auto code = backend::init(init_context<backend::options>(owner, {}, "forward", {named, nullptr}, options), own);
    if (code != status::ok) return code;
    // All memory is on the heap, so that sanitizers detect accesses outside it.
    const auto scratch = std::make_unique<aligned_scratch>();
    const std::vector<char> input(image(0).begin(), image(0).end());
    std::vector<char> result(score_bytes);
    const span<const char> inputs[] = {{input.data(), input.size()}};
    const span<char> outputs[] = {{result.data(), result.size()}};
    const delegate_call call{bytes, inputs, outputs, {scratch->bytes, sizeof scratch->bytes}};
    return backend::execute(execution_context<backend::options>(call, "forward", options), own);
  };
  const auto is = [&](std::size_t place, std::size_t word, std::uint32_t changed, status code) {
    CAPTURE(place);
    CAPTURE(word);
    CAPTURE(changed);
    CHECK(run_with(place, word, changed) == code);
  };
  constexpr std::uint32_t memory = 3808;
  constexpr std::size_t input_place = 2;
  constexpr std::size_t output_place = 3;
  is(input_place, 2, 0, status::ok);  // unchanged
  const auto runs = simulated_driver::runs;
  for (std::size_t place = 0; place < 4; ++place) {
    is(place, 0, memory + 16, status::invalid_program);  // offsets outside the scratch
    is(place, 0, 0xfffffff0u, status::invalid_program);
    is(place, 0, 8, status::invalid_program);  // misaligned
    is(place, 1, memory + 1, status::invalid_program);
    is(place, 1, 0xffffffffu, status::invalid_program);
  }
  is(0, 0, 16, status::invalid_program);
  is(input_place, 0, memory - 48, status::invalid_program);  // only the end is outside
  is(output_place, 0, memory, status::invalid_program);
  is(0, 2, 0, status::invalid_program);  // an argument for places that need none
  is(1, 2, 0, status::invalid_program);
  is(input_place, 2, npos, status::invalid_program);  // no argument for a place that needs one
  for (const auto place : {input_place, output_place}) {
    is(place, 2, 1, status::invalid_argument);  // arguments that do not exist
    is(place, 2, 0xfffffffeu, status::invalid_argument);
    is(place, 1, 0, status::invalid_argument);  // other sizes
    is(place, 1, 11, status::invalid_argument);
    is(place, 1, memory, status::invalid_argument);
  }
  CHECK(simulated_driver::runs == runs);
  is(output_place, 2, npos, status::ok);       // an output that nothing reads
  is(input_place, 0, 1024, status::internal);  // elsewhere in the scratch, so that the simulated driver does not find it
  CHECK(simulated_driver::fault == "the input is not there");
}

TEST_CASE("the driver's callbacks receive the user's argument") {
  int mine = 0;
  const script scripts[] = {{weights_of(digits.value()), image(3), scores(3)}};
  simulated_driver::scripts = scripts;
  executor<digits_on<simulated_driver>> net{with_options<npu<simulated_driver>>({.user_argument = &mine})};
  std::array<std::int8_t, score_bytes> output{};
  CHECK(run_digit(net, 3, output) == status::ok);
  CHECK(simulated_driver::user_argument == &mine);
}

TEST_CASE("reports list the values in the accelerator's scratch") {
  const auto table = report::memory_table(digits_on<simulated_driver>, executor<digits_on<simulated_driver>>::plan());
  CHECK(view(table).find("module_0 (contains serving_default_keras_tensor_8:0, StatefulPartitionedCall_1:0)") != std::string_view::npos);
}
