// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Models that Vela compiled, run in the compiler's plan with a stand-in for the accelerator.
#include <baton/backends/ethos_u/backend.hpp>
#include <baton/backends/ethos_u/partitioner.hpp>
#include <baton/import/tflite.hpp>
#include <baton/kernels/executor.hpp>
#include <baton/lower/contracts.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/report/text.hpp>
#include <baton/run/run_failure.hpp>

#include "backends/ethos_u/models.hpp"
#include "backends/ethos_u/stand_in.hpp"
#include "digits_int8.tflite.hpp"
#include "digits_vela.tflite.hpp"
#include "mixed_vela.tflite.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
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

// What the compiler knows of the delegate.
static_assert(fully_delegated(digits_on<stand_in>));
static_assert(delegates(digits_on<stand_in>).size() == 1);
static_assert(delegates(digits_on<stand_in>)[0].scratch_bytes() == 3808);
static_assert(delegates(digits_on<stand_in>)[0].delegate_info() ==
              "ethos-u55-128, 2844 bytes of commands, 6816 of weights, 3808 of scratch");
// Vela gives both of its operators one scratch, of which the second uses little.
static_assert(delegates(mixed_on<stand_in>).size() == 2);
static_assert(delegates(mixed_on<stand_in>)[0].scratch_bytes() == 3808);
static_assert(delegates(mixed_on<stand_in>)[1].scratch_bytes() == 464);

// Input and output lie in the scratch, which is all that the arena has.
static_assert(executor<digits_on<stand_in>>::arena_bytes == 3808);

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

/// The model that Vela was given.
constexpr auto uncompiled = tflite::read<digits_int8_tflite>;

/// What quantized bytes mean that are a value of it.
auto reals_of(value_id id, span<const char> integers) -> std::vector<float> {
  const program_view program = uncompiled.value();
  std::vector<float> reals;
  for (const auto integer : integers) {
    const auto& quant = program[id].quant;
    reals.push_back(static_cast<float>(static_cast<signed char>(integer) - program.zero_point(quant)) * program.scale(quant));
  }
  return reals;
}

/// The flattened features of the digits, as it makes them.
auto features(std::size_t i) -> bytes {
  static executor<uncompiled> net;
  std::ranges::copy(image(i), net.template input<0>().begin());
  bytes found;
  net.run([&](auto call) {
    if (call.record().is("tfl.reshape")) {
      const auto made = call.template output<0>();
      found.assign(made, made + 384);
    }
  });
  return found;
}

template <class Net>
auto run_digit(Net& net, std::size_t i, std::array<std::int8_t, score_bytes>& made) -> status {
  std::array<std::int8_t, image_bytes> input{};
  std::memcpy(input.data(), image(i).data(), image_bytes);
  return net.run(input, made);
}
auto is_expected(const std::array<std::int8_t, score_bytes>& made, std::size_t i) -> bool {
  return std::memcmp(made.data(), scores(i).data(), score_bytes) == 0;
}

}  // namespace

TEST_CASE("a model that Vela compiled whole runs, with its input and output in the accelerator's scratch") {
  static executor<digits_on<stand_in>> net;
  CHECK(net.init() == status::ok);
  const auto before = stand_in::accesses;
  for (std::size_t i = 0; i < 10; ++i) {
    const script told[] = {{weights_of(digits.value()), image(i), scores(i)}};
    stand_in::scripts = told;
    std::array<std::int8_t, score_bytes> made{};
    CHECK(run_digit(net, i, made) == status::ok);
    CHECK(stand_in::fault == "");
    CHECK(is_expected(made, i));
  }
  CHECK(stand_in::accesses - before == 10 * 104);
  // Nothing is copied: what the user fills is what the accelerator reads.
  const auto* input = net.template input<0>().data();
  CHECK(input == net.template output<0>().data());
}

TEST_CASE("what Vela leaves on the processor runs on the kernels, between two parts of the accelerator's") {
  static executor<mixed_on<stand_in>> net;
  const auto weights = weights_of(mixed.value());
  for (std::size_t i = 0; i < 10; ++i) {
    const auto between = features(i);
    const span<const char> middle{between.data(), between.size()};
    const script told[] = {{weights, image(i), middle}, {weights, middle, scores(i)}};
    stand_in::scripts = told;
    stand_in::runs = 0;
    const auto given = reals_of(user_inputs_of(uncompiled.value(), graph_id{0})[0], image(i));
    const auto wanted = reals_of(user_outputs_of(uncompiled.value(), graph_id{0})[0], scores(i));
    std::ranges::copy(std::as_bytes(std::span(given)), reinterpret_cast<std::byte*>(net.input<0>().data()));
    CHECK(net.run() == status::ok);
    CHECK(stand_in::fault == "");
    CHECK(std::memcmp(net.output<0>().data(), wanted.data(), 4 * wanted.size()) == 0);
  }
}
