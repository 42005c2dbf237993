// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Signal operators against definitions in real numbers and over whole signals. tests/nodes/signal_test.cpp compares them with the
// reference.
#include "laws/kernel.hpp"
#include "nodes/interpreter.hpp"
#include "reference/flexbuffer.hpp"
#include "reference/signal.hpp"

#include <baton/core/builder.hpp>
#include <baton/core/static_program.hpp>
#include <baton/kernels/signal_kernels.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using namespace baton;
using reference::flex_attribute;
using reference::flex_map;
using reference::flex_option;

std::mt19937 random_bits(12);  // NOLINT(cert-msc51-cpp): the same numbers each time

auto from_to(std::int64_t min, std::int64_t max) -> std::int64_t {
  return std::uniform_int_distribution<std::int64_t>(min, max)(random_bits);
}
template <class T>
auto random_numbers(std::int64_t count, std::int64_t min, std::int64_t max) -> std::vector<T> {
  std::vector<T> result;
  for (std::int64_t i = 0; i < count; ++i) result.push_back(static_cast<T>(from_to(min, max)));
  return result;
}

template <class T>
auto bytes_of(const std::vector<T>& numbers) -> nodes::bytes {
  nodes::bytes result(numbers.size() * sizeof(T));
  if (!result.empty()) std::memcpy(result.data(), numbers.data(), result.size());
  return result;
}
/// Returns the numbers in `size` bytes from byte `first` on.
template <class T>
auto numbers_of(const nodes::bytes& bytes, std::size_t first = 0, std::size_t size = SIZE_MAX) -> std::vector<T> {
  std::vector<T> result(std::min(size, bytes.size() - first) / sizeof(T));
  if (!result.empty()) std::memcpy(result.data(), bytes.data() + first, result.size() * sizeof(T));
  return result;
}

/// Returns a program of one node with an input, and with a state of `state` bytes if that is not 0.
constexpr auto one_node(std::string_view op, const tensor_type& in, std::initializer_list<tensor_type> out,
                        std::initializer_list<flex_option> options, std::int64_t state = 0) -> exported_program {
  program_builder b;
  const auto bytes = flex_map(options);
  const auto x = b.user_input("x", in);
  const auto kept = state == 0 ? x : b.mutable_buffer("state", tensor(dtype::uint8, state));
  const std::initializer_list<value_id> both{x, kept};
  const std::initializer_list<value_id> alone{x};
  for (const auto id : b.call_many("node", op, state == 0 ? alone : both, out, {flex_attribute(bytes)})) b.output(id);
  return b.finish();
}

/// Returns the outputs of one inference.
auto run(nodes::interpreter& runner, const nodes::bytes& input) -> nodes::bytes {
  nodes::bytes output;
  REQUIRE(runner.run(signal_kernels, input, output) == "");
  return output;
}
auto run(const exported_program& program, const nodes::bytes& input) -> nodes::bytes {
  nodes::interpreter runner{program_view(program)};
  return run(runner, input);
}

/// Returns "yes" if the first node is supported, or the reason if not.
auto answer(const exported_program& program) -> std::string {
  const auto actual = choose_kernel(signal_kernels, program, program.nodes[0]).support;
  return actual.accepted ? "yes" : std::string(view(actual.reason));
}

// Fourier transforms

constexpr std::int64_t lengths[] = {4, 6, 8, 10, 12, 16, 18, 20, 24, 30, 32, 36, 40, 50, 60, 64, 90, 100, 128, 162, 250};

template <class T>
constexpr auto type_of() -> dtype {
  return sizeof(T) == 2 ? dtype::int16 : std::is_floating_point_v<T> ? dtype::float32 : dtype::int32;
}

/// Returns the maximum error of a transform: each stage rounds a few times.
template <class T>
auto tolerance(std::int64_t length, double largest) -> double {
  const auto stages = std::log2(static_cast<double>(length));
  return std::is_floating_point_v<T> ? largest * 1e-6 * stages : 1 + 1.5 * stages;
}

template <class T>
void check_transform(std::int64_t length, double largest) {
  const auto samples = from_to(1, length);
  const auto signal = [&] {
    std::vector<T> result;
    for (std::int64_t i = 0; i < samples; ++i)
      result.push_back(static_cast<T>(largest * (static_cast<double>(from_to(-1000, 1000)) / 1000)));
    return result;
  }();
  const auto program = one_node("tfl.custom.SignalRfft", tensor(type_of<T>(), samples), {tensor(type_of<T>(), length + 2)},
                                {{"T", 0}, {"fft_length", length}});
  const auto actual = numbers_of<T>(run(program, bytes_of(signal)));
  std::vector<double> real(signal.begin(), signal.end());
  real.resize(static_cast<std::size_t>(length));
  const auto expected = reference::mean_transform(real);
  const auto scale = std::is_floating_point_v<T> ? static_cast<double>(length) : 1.0;  // integers are divided by the length
  double max_error = 0;
  for (std::size_t k = 0; k < expected.size(); ++k) {
    const std::complex<double> number{static_cast<double>(actual[2 * k]), static_cast<double>(actual[2 * k + 1])};
    max_error = std::fmax(max_error, std::abs(number - scale * expected[k]));
  }
  CHECK(max_error <= tolerance<T>(length, largest * scale));
}

template <class T>
void check_inverse(std::int64_t length, double largest) {
  reference::spectrum half;
  std::vector<T> numbers;
  for (std::int64_t k = 0; k <= length / 2; ++k) {
    for (int part = 0; part < 2; ++part) numbers.push_back(static_cast<T>(largest * (static_cast<double>(from_to(-1000, 1000)) / 1000)));
    half.emplace_back(static_cast<double>(numbers[numbers.size() - 2]), static_cast<double>(numbers.back()));
  }
  const auto program = one_node("tfl.custom.SignalIrfft", tensor(type_of<T>(), length + 2), {tensor(type_of<T>(), length)},
                                {{"T", 0}, {"fft_length", length}});
  const auto actual = numbers_of<T>(run(program, bytes_of(numbers)));
  const auto expected = reference::mean_signal(half, static_cast<std::size_t>(length));
  double max_error = 0;
  for (std::size_t i = 0; i < expected.size(); ++i)
    max_error = std::fmax(max_error, std::fabs(static_cast<double>(actual[i]) - expected[i]));
  CHECK(max_error <= tolerance<T>(length, largest));
}

// Static programs for the laws

template <int Length, dtype Type, bool IsInverse>
struct make_transform {
  constexpr auto operator()() const -> exported_program {
    const auto real = tensor(Type, 2, Length);
    const auto complex = tensor(Type, 2, Length + 2);
    if (IsInverse) return one_node("tfl.custom.SignalIrfft", complex, {real}, {{"T", 0}, {"fft_length", Length}});
    return one_node("tfl.custom.SignalRfft", real, {complex}, {{"T", 0}, {"fft_length", Length}});
  }
};
struct make_framer {
  constexpr auto operator()() const -> exported_program {
    return one_node("tfl.custom.SignalFramer", tensor(dtype::int16, 2, 6), {tensor(dtype::int16, 2, 3, 5), tensor(dtype::boolean)},
                    {{"frame_size", 5}, {"frame_step", 2}, {"prefill", 0, true}}, 20);
  }
};

/// True if the kernel obeys the laws, and its static program computes the same as a plan at run time.
template <class Kernel, class Make>
auto is_lawful() -> bool {
  using program = static_program<Make>;
  const auto type = program_view(program::value())[program::value().operands[0]].type;
  const auto shape = program_view(program::value()).shape(program::value().operands[0]);
  const auto numbers = random_numbers<std::int16_t>(byte_count(type, shape) / 2, -16000, 16000);
  const auto bytes = bytes_of(numbers);
  const baton::vector<char> input(bytes.begin(), bytes.end());
  const auto actual = laws::kernel::trial<Kernel, program>{}.run(input);
  const auto expected = run(exported_program(Make{}()), bytes);
  return laws::kernel::all<Kernel, program>(input) && std::equal(expected.begin(), expected.end(), actual.begin());
}

}  // namespace

TEST_CASE("Fourier transforms match their definition") {
  for (int round = 0; round < 3; ++round) {
    for (const auto length : lengths) {
      CAPTURE(length);
      check_transform<std::int16_t>(length, 20000);
      check_transform<std::int32_t>(length, 1.2e9);
      check_transform<float>(length, 3);
      check_inverse<std::int16_t>(length, 10000);
      check_inverse<std::int32_t>(length, 6e8);
      check_inverse<float>(length, 3);
    }
  }
}

TEST_CASE("the inverse transform of a float spectrum restores the signal") {
  const auto signal = random_numbers<float>(240, -1000, 1000);
  const auto transform =
      one_node("tfl.custom.SignalRfft", tensor(dtype::float32, 240), {tensor(dtype::float32, 242)}, {{"T", 0}, {"fft_length", 240}});
  const auto inverse =
      one_node("tfl.custom.SignalIrfft", tensor(dtype::float32, 242), {tensor(dtype::float32, 240)}, {{"T", 0}, {"fft_length", 240}});
  const auto actual = numbers_of<float>(run(inverse, run(transform, bytes_of(signal))));
  for (std::size_t i = 0; i < signal.size(); ++i) CHECK(std::fabs(actual[i] - signal[i]) < 1e-3f);
}

TEST_CASE("signal kernels obey the laws") {
  CHECK(is_lawful<portable::detail::signal_fourier, make_transform<30, dtype::int16, false>>());
  CHECK(is_lawful<portable::detail::signal_fourier, make_transform<8, dtype::int32, true>>());
  CHECK(is_lawful<portable::detail::signal_framer, make_framer>());
}

TEST_CASE("windows, energies and automatic scaling match their definitions") {
  for (int round = 0; round < 300; ++round) {
    const auto weights = from_to(1, 40);
    const auto samples = weights * from_to(1, 3);
    const auto shift = from_to(0, 31);
    const auto window = [&] {
      program_builder b;
      const auto options = flex_map({{"shift", shift}});
      const auto type = tensor(dtype::int16, samples);
      b.output(b.call("tfl.custom.SignalWindow", {b.user_input("x", type), b.user_input("w", tensor(dtype::int16, weights))}, type,
                      {flex_attribute(options)}));
      return b.finish();
    }();
    const auto numbers = random_numbers<std::int16_t>(samples + weights, -32768, 32767);
    const auto windowed = numbers_of<std::int16_t>(run(window, bytes_of(numbers)));
    for (std::int64_t i = 0; i < samples; ++i) {
      const double product =
          numbers[static_cast<std::size_t>(i)] * static_cast<double>(numbers[static_cast<std::size_t>(samples + i % weights)]);
      const auto expected = std::clamp(std::floor(std::ldexp(product, -static_cast<int>(shift))), -32768.0, 32767.0);
      CHECK(windowed[static_cast<std::size_t>(i)] == expected);
    }

    const auto first = from_to(0, samples);
    const auto end = from_to(first, samples);
    const auto energy = one_node("tfl.custom.SignalEnergy", tensor(dtype::int16, 2 * samples), {tensor(dtype::uint32, samples)},
                                 {{"end_index", end}, {"start_index", first}});
    const auto spectrum = random_numbers<std::int16_t>(2 * samples, -32768, 32767);
    const auto energies = numbers_of<std::uint32_t>(run(energy, bytes_of(spectrum)));
    for (std::int64_t i = 0; i < samples; ++i) {
      const auto at = static_cast<std::size_t>(2 * i);
      const auto expected = i < first || i >= end ? 0.0 : std::norm(std::complex<double>(spectrum[at], spectrum[at + 1]));
      CHECK(energies[at / 2] == expected);
    }

    const auto scale =
        one_node("tfl.custom.SignalFftAutoScale", tensor(dtype::int16, samples), {tensor(dtype::int16, samples), tensor(dtype::int32)}, {});
    const auto limit = from_to(1, 32767) >> from_to(0, 14);
    const auto signal = random_numbers<std::int16_t>(samples, -limit, limit);
    const auto actual = run(scale, bytes_of(signal));
    const auto bits = numbers_of<std::int32_t>(actual, static_cast<std::size_t>(2 * samples))[0];
    const auto scaled = numbers_of<std::int16_t>(actual, 0, static_cast<std::size_t>(2 * samples));
    std::int32_t largest = 0;
    for (std::size_t i = 0; i < signal.size(); ++i) {
      CHECK(scaled[i] == signal[i] * (1 << bits));
      largest = std::max<std::int32_t>(largest, std::abs(scaled[i]));
    }
    CHECK((largest == 0 ? bits == 0 : largest >= 16384));
  }
}

TEST_CASE("square roots are rounded to the nearest integer") {
  const auto program = [] {
    program_builder b;
    const auto x = b.user_input("x", tensor(dtype::uint64, 4000));
    const auto bits = b.user_input("bits", tensor(dtype::int32));
    b.output(b.call("tfl.custom.SignalFilterBankSquareRoot", {x, bits}, tensor(dtype::uint32, 4000)));
    return b.finish();
  }();
  std::vector<std::uint64_t> numbers;
  while (numbers.size() < 4000) {
    const auto number = static_cast<std::uint64_t>(random_bits()) << 32 | random_bits();
    const auto root = reference::nearest_root(number >> from_to(0, 63));
    for (const auto each : {number >> from_to(0, 63), root * root + root, root * root + root + 1, root * root}) numbers.push_back(each);
  }
  for (const std::int32_t bits : {0, 5, 31, 40, -3}) {
    auto input = bytes_of(numbers);
    const auto shift = bytes_of(std::vector<std::int32_t>{bits});
    input.insert(input.end(), shift.begin(), shift.end());
    const auto actual = numbers_of<std::uint32_t>(run(program, input));
    bool is_right = true;
    for (std::size_t i = 0; i < numbers.size(); ++i)
      is_right = is_right && actual[i] == reference::nearest_root(numbers[i]) >> (bits < 0 ? 0 : bits > 31 ? 31 : bits);
    CHECK(is_right);
  }
}

TEST_CASE("logarithms are close to the real ones") {
  for (const auto& [bits, scale] : {std::pair{0, 64}, {3, 64}, {7, 1000}}) {
    const auto program = one_node("tfl.custom.SignalFilterBankLog", tensor(dtype::uint32, 3000), {tensor(dtype::int16, 3000)},
                                  {{"input_correction_bits", bits}, {"output_scale", scale}});
    std::vector<std::uint32_t> numbers;
    for (int i = 0; i < 3000; ++i) numbers.push_back(static_cast<std::uint32_t>(random_bits()) >> from_to(bits, 31));
    const auto actual = numbers_of<std::int16_t>(run(program, bytes_of(numbers)));
    double max_error = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const auto number = std::ldexp(static_cast<double>(numbers[i]), bits);
      max_error = std::fmax(max_error, std::fabs(actual[i] - (number > 1 ? scale * std::log(number) : 0)));
    }
    // The reference interpolates between entries 1/128 apart, with 1/128 of the correct slope.
    CHECK(max_error <= 0.55 + scale * 224.0 / 65536);
  }
}

TEST_CASE("gains follow their parabolas") {
  for (int round = 0; round < 50; ++round) {
    std::vector<std::int16_t> gains;
    for (int i = 0; i < 125; ++i) gains.push_back(static_cast<std::int16_t>(i % 4 == 2 ? from_to(8000, 16000) : from_to(-1000, 1000)));
    gains[0] = gains[1] = gains[2] = 9000;
    const auto shift = static_cast<int>(from_to(6, 20));
    const auto program = [&] {
      program_builder b;
      const auto options = flex_map({{"snr_shift", shift}});
      const auto type = tensor(dtype::uint32, 100);
      const auto table = bytes_of(gains);
      b.output(b.call("tfl.custom.SignalPCAN",
                      {b.user_input("x", type), b.user_input("noise", type),
                       b.constant("gains", tensor(dtype::int16, 125), {table.data(), table.size()})},
                      type, {flex_attribute(options)}));
      return b.finish();
    }();
    std::vector<std::uint32_t> numbers;
    for (int i = 0; i < 200; ++i) numbers.push_back(static_cast<std::uint32_t>(random_bits()) >> from_to(i < 100 ? 16 : 0, 31));
    const auto actual = numbers_of<std::uint32_t>(run(program, bytes_of(numbers)));
    bool is_near = true;
    for (std::size_t i = 0; i < 100; ++i) {
      const auto expected = reference::shrunk_signal(numbers[i], numbers[100 + i], gains, shift);
      const auto gain_error = std::ldexp(static_cast<double>(numbers[i]) * 6, -shift - 6);  // a gain is 6 off at most
      is_near = is_near && std::fabs(actual[i] - expected) <= 2 + gain_error;
    }
    CHECK(is_near);
  }
}

TEST_CASE("filter banks add the weighted energies of overlapping bands") {
  for (int round = 0; round < 200; ++round) {
    const auto channels = from_to(1, 6);
    const auto size = from_to(4, 20);
    std::vector<std::int16_t> starts;
    std::vector<std::int16_t> weight_starts;
    std::vector<std::int16_t> widths;
    std::int16_t next = 0;
    for (std::int64_t i = 0; i <= channels; ++i) {
      widths.push_back(static_cast<std::int16_t>(from_to(0, 4)));
      starts.push_back(static_cast<std::int16_t>(from_to(0, size - widths.back())));
      weight_starts.push_back(next);
      next = static_cast<std::int16_t>(next + widths.back());
    }
    const auto count = next + 1;
    const auto weights = random_numbers<std::int16_t>(count, 0, 4096);
    const auto unweights = random_numbers<std::int16_t>(count, 0, 4096);
    const auto program = [&] {
      program_builder b;
      const auto options = flex_map({{"num_channels", channels}});
      std::vector<value_id> inputs{b.user_input("x", tensor(dtype::uint32, size))};
      for (const auto* numbers :
           std::initializer_list<const std::vector<std::int16_t>*>{&weights, &unweights, &starts, &weight_starts, &widths}) {
        const auto bytes = bytes_of(*numbers);
        inputs.push_back(
            b.constant("c" + std::to_string(inputs.size()), tensor(dtype::int16, numbers->size()), {bytes.data(), bytes.size()}));
      }
      b.output(b.call("tfl.custom.SignalFilterBank", {inputs[0], inputs[1], inputs[2], inputs[3], inputs[4], inputs[5]},
                      tensor(dtype::uint64, channels), {flex_attribute(options)}));
      return b.finish();
    }();
    const auto energies = random_numbers<std::uint32_t>(size, 0, 0xffffffff);
    const auto actual = numbers_of<std::uint64_t>(run(program, bytes_of(energies)));
    const auto band = [&](std::size_t i, const std::vector<std::int16_t>& by) {
      std::uint64_t sum = 0;
      for (std::int16_t j = 0; j < widths[i]; ++j)
        sum += static_cast<std::uint64_t>(by[static_cast<std::size_t>(weight_starts[i] + j)]) *
               energies[static_cast<std::size_t>(starts[i] + j)];
      return sum;
    };
    for (std::size_t i = 0; i < actual.size(); ++i) CHECK(actual[i] == band(i + 1, weights) + band(i, unweights));
  }
}

TEST_CASE("frames do not depend on the division of the signal into inputs") {
  for (int round = 0; round < 300; ++round) {
    const auto step = from_to(1, 5);
    const auto frames = from_to(1, 4);
    const bool prefill = from_to(0, 1) == 1;
    const auto size = from_to(prefill ? step : 1, 13);
    const auto kept = prefill ? size - step : (size - 1) / step * step;
    const auto samples = step * frames;
    const auto program =
        one_node("tfl.custom.SignalFramer", tensor(dtype::int16, samples), {tensor(dtype::int16, frames, size), tensor(dtype::boolean)},
                 {{"frame_size", size}, {"frame_step", step}, {"prefill", prefill ? 1 : 0, true}}, 4 + 2 * kept);
    nodes::interpreter runner{program_view(program)};
    std::vector<std::int16_t> signal;
    for (std::int64_t n = 0; n < 6; ++n) {
      const auto part = random_numbers<std::int16_t>(samples, -32768, 32767);
      signal.insert(signal.end(), part.begin(), part.end());
      const auto output = run(runner, bytes_of(part));
      bool is_valid = true;
      for (std::int64_t f = 0; f < frames; ++f) {
        const auto first = (n * frames + f) * step - kept;
        const bool is_full = prefill || first >= 0;
        is_valid = is_valid && is_full;
        const auto expected =
            is_full ? reference::samples_from(signal, first, size) : std::vector<std::int16_t>(static_cast<std::size_t>(size));
        CHECK(numbers_of<std::int16_t>(output, static_cast<std::size_t>(2 * f * size), static_cast<std::size_t>(2 * size)) == expected);
      }
      CHECK(output.back() == (is_valid ? 1 : 0));
    }
  }
}

TEST_CASE("delayed signals are complete") {
  for (int round = 0; round < 100; ++round) {
    const auto signals = from_to(1, 3);
    const auto size = from_to(1, 6);
    const auto length = from_to(0, 15);
    const auto program = one_node("tfl.custom.SignalDelay", tensor(dtype::int16, signals, size), {tensor(dtype::int16, signals, size)},
                                  {{"delay_length", length}}, signals * 2 * std::max<std::int64_t>(length, 1));
    nodes::interpreter runner{program_view(program)};
    std::vector<std::vector<std::int16_t>> whole(static_cast<std::size_t>(signals));
    for (std::int64_t n = 0; n < 6; ++n) {
      const auto part = random_numbers<std::int16_t>(signals * size, -32768, 32767);
      const auto actual = numbers_of<std::int16_t>(run(runner, bytes_of(part)));
      for (std::int64_t s = 0; s < signals; ++s) {
        auto& signal = whole[static_cast<std::size_t>(s)];
        signal.insert(signal.end(), part.begin() + s * size, part.begin() + (s + 1) * size);
        const auto expected = reference::samples_from(signal, n * size - length, size);
        CHECK(std::equal(expected.begin(), expected.end(), actual.begin() + s * size));
      }
    }
  }
}

TEST_CASE("stacks contain the frames around each frame") {
  for (int round = 0; round < 200; ++round) {
    const auto channels = from_to(1, 3);
    const auto left = from_to(0, 3);
    const auto right = from_to(0, 3);
    const auto count = left + right + 1;
    const auto step = from_to(1, count);
    const auto program = one_node(
        "tfl.custom.SignalStacker", tensor(dtype::int16, channels), {tensor(dtype::int16, channels * count), tensor(dtype::boolean)},
        {{"num_channels", channels}, {"stacker_left_context", left}, {"stacker_right_context", right}, {"stacker_step", step}},
        4 + 2 * channels * (count - 1));
    nodes::interpreter runner{program_view(program)};
    std::vector<std::int16_t> frames;  // all frames; the first one is repeated `left` times at the front
    std::int64_t next = 0;             // the first frame of the next stack
    for (int n = 0; n < 12; ++n) {
      const auto frame = random_numbers<std::int16_t>(channels, -32768, 32767);
      for (std::int64_t i = 0; i <= (n == 0 ? left : 0); ++i) frames.insert(frames.end(), frame.begin(), frame.end());
      const auto output = run(runner, bytes_of(frame));
      const bool is_full = static_cast<std::int64_t>(frames.size()) / channels >= next + count;
      CHECK(output.back() == (is_full ? 1 : 0));
      auto expected = std::vector<std::int16_t>(static_cast<std::size_t>(channels * count));
      if (is_full) expected = reference::samples_from(frames, next * channels, channels * count);
      if (is_full) next += step;
      CHECK(numbers_of<std::int16_t>(output, 0, expected.size() * 2) == expected);
    }
  }
}

TEST_CASE("a stack with a damaged state starts again") {
  const auto second_output = [](std::int32_t position) {
    program_builder b;
    const auto options = flex_map({{"num_channels", 2}, {"stacker_left_context", 1}, {"stacker_right_context", 1}, {"stacker_step", 1}});
    auto state = bytes_of(std::vector<std::int32_t>{position});
    state.resize(12);
    const auto kept = b.mutable_buffer("state", tensor(dtype::uint8, 12), {state.data(), state.size()});
    for (const auto id : b.call_many("node", "tfl.custom.SignalStacker", {b.user_input("x", tensor(dtype::int16, 2)), kept},
                                     {tensor(dtype::int16, 6), tensor(dtype::boolean)}, {flex_attribute(options)}))
      b.output(id);
    const auto program = b.finish();
    nodes::interpreter runner{program_view(program)};
    run(runner, bytes_of(std::vector<std::int16_t>{1, 2}));
    return numbers_of<std::int16_t>(run(runner, bytes_of(std::vector<std::int16_t>{3, 4})), 0, 12);
  };
  const std::vector<std::int16_t> expected{1, 2, 1, 2, 3, 4};
  CHECK(second_output(0) == expected);
  CHECK(second_output(-1) == expected);
  CHECK(second_output(INT32_MIN) == expected);
}

TEST_CASE("noise is an exponential average, and the signal above it remains") {
  for (int round = 0; round < 200; ++round) {
    const auto channels = from_to(1, 7);
    const auto bits = from_to(8, 14);
    const auto fine_bits = from_to(0, 10);
    const auto part = [bits] { return from_to(0, std::int64_t{1} << bits); };
    const std::int64_t smoothing[] = {part(), part()};
    const auto min = part();
    const bool is_clamping = from_to(0, 1) == 1;
    const auto one = std::int64_t{1} << bits;
    const auto program = one_node("tfl.custom.SignalFilterBankSpectralSubtraction", tensor(dtype::uint32, channels),
                                  {tensor(dtype::uint32, channels), tensor(dtype::uint32, channels)},
                                  {{"alternate_one_minus_smoothing", one - smoothing[1]},
                                   {"alternate_smoothing", smoothing[1]},
                                   {"clamping", is_clamping ? 1 : 0, true},
                                   {"min_signal_remaining", min},
                                   {"num_channels", channels},
                                   {"one_minus_smoothing", one - smoothing[0]},
                                   {"smoothing", smoothing[0]},
                                   {"smoothing_bits", fine_bits},
                                   {"spectral_subtraction_bits", bits}},
                                  4 * channels);
    nodes::interpreter runner{program_view(program)};
    std::vector<double> noise(static_cast<std::size_t>(channels));
    for (int n = 0; n < 8; ++n) {
      const auto signals = random_numbers<std::uint32_t>(channels, 0, 1 << 20);
      const auto actual = numbers_of<std::uint32_t>(run(runner, bytes_of(signals)));
      for (std::size_t i = 0; i < signals.size(); ++i) {
        const auto signal = std::ldexp(static_cast<double>(signals[i]), static_cast<int>(fine_bits));
        const auto share = std::ldexp(static_cast<double>(smoothing[i % 2]), -static_cast<int>(bits));
        noise[i] = std::floor(signal * share + noise[i] * (1 - share));
        const auto left = std::floor(std::ldexp(std::fmax(signal - noise[i], 0), -static_cast<int>(fine_bits)));
        if (is_clamping) noise[i] = std::fmin(noise[i], signal);
        const auto expected =
            std::fmax(left, std::floor(std::ldexp(static_cast<double>(signals[i]) * static_cast<double>(min), -static_cast<int>(bits))));
        CHECK(actual[i] == expected);
        CHECK(actual[signals.size() + i] == noise[i]);
      }
    }
  }
}

TEST_CASE("overlapping frames are added") {
  for (int round = 0; round < 200; ++round) {
    const auto frames = from_to(1, 4);
    const auto size = from_to(1, 8);
    const auto step = from_to(1, size);
    const auto program = one_node("tfl.custom.SignalOverlapAdd", tensor(dtype::int16, frames, size), {tensor(dtype::int16, frames * step)},
                                  {{"T", 7}, {"frame_step", step}}, 2 * std::max<std::int64_t>(size - step, 1));
    nodes::interpreter runner{program_view(program)};
    std::vector<std::int32_t> sums(static_cast<std::size_t>(6 * frames * step + size));
    for (std::int64_t n = 0; n < 6; ++n) {
      const auto part = random_numbers<std::int16_t>(frames * size, -4000, 4000);  // a sum of eight does not saturate
      for (std::int64_t i = 0; i < frames * size; ++i)
        sums[static_cast<std::size_t>((n * frames + i / size) * step + i % size)] += part[static_cast<std::size_t>(i)];
      const auto actual = numbers_of<std::int16_t>(run(runner, bytes_of(part)));
      CHECK(std::equal(actual.begin(), actual.end(), sums.begin() + n * frames * step));
    }
  }
}

TEST_CASE("unsupported signal nodes are rejected with a reason") {
  const auto rfft = [](std::int64_t samples, std::int64_t length, dtype type = dtype::int16) {
    return answer(one_node("tfl.custom.SignalRfft", tensor(type, samples), {tensor(type, length + 2)}, {{"T", 0}, {"fft_length", length}}));
  };
  CHECK(rfft(8, 8) == "yes");
  CHECK(rfft(8, 8, dtype::int8) == "input is int8");
  CHECK(rfft(8, 14) == "fft_length 14 has prime factors other than 2, 3 and 5");
  CHECK(rfft(9, 8) == "input has 9 samples for fft_length 8");
  CHECK(rfft(2, 2) == "option fft_length is 2, not 4 to 65536");
  CHECK(answer(one_node("tfl.custom.SignalRfft", tensor(dtype::int16, 8), {tensor(dtype::int16, 8)}, {{"T", 0}, {"fft_length", 7}})) ==
        "fft_length 7 is odd");
  CHECK(answer(one_node("tfl.custom.SignalRfft", tensor(dtype::int16, 8), {tensor(dtype::int16, 2)}, {{"T", 0}})) ==
        "option fft_length is missing or not an integer");
  CHECK(answer(one_node("tfl.custom.SignalRfft", tensor(dtype::int16, 8), {tensor(dtype::int16, 9)}, {{"T", 0}, {"fft_length", 8}})) ==
        "output has a different shape than inferred");
  CHECK(answer(one_node("tfl.custom.SignalIrfft", tensor(dtype::int16, 8), {tensor(dtype::int16, 8)}, {{"T", 0}, {"fft_length", 8}})) ==
        "input has 4 frequencies for fft_length 8");
  CHECK(answer(one_node("tfl.custom.SignalEnergy", tensor(dtype::int16, 8), {tensor(dtype::uint32, 4)},
                        {{"end_index", 5}, {"start_index", 0}})) == "option end_index is 5, not 0 to 4");
  CHECK(answer(one_node("tfl.custom.SignalEnergy", tensor(dtype::int16, 8), {tensor(dtype::uint32, 4)},
                        {{"end_index", 2}, {"start_index", 3}})) == "option start_index is 3, not 0 to 2");
  CHECK(answer(one_node("tfl.custom.SignalFilterBankLog", tensor(dtype::uint32, 8), {tensor(dtype::int16, 8)},
                        {{"input_correction_bits", 32}, {"output_scale", 1}})) == "option input_correction_bits is 32, not 0 to 31");
  CHECK(answer(one_node("tfl.custom.SignalDelay", tensor(dtype::int16, 8), {tensor(dtype::int16, 8)}, {{"delay_length", 3}})) ==
        "state is missing");
  CHECK(answer(one_node("tfl.custom.SignalDelay", tensor(dtype::int16, 8), {tensor(dtype::int16, 8)}, {{"delay_length", 3}}, 7)) ==
        "state has 7 elements of uint8; 6 of uint8 are needed");
  CHECK(answer(one_node("tfl.custom.SignalFramer", tensor(dtype::int16, 6), {tensor(dtype::int16, 2, 2), tensor(dtype::boolean)},
                        {{"frame_size", 2}, {"frame_step", 3}, {"prefill", 1, true}}, 4)) ==
        "prefill needs frame_size 2 to be at least frame_step 3");
  CHECK(answer(one_node("tfl.custom.SignalFramer", tensor(dtype::int16, 6), {tensor(dtype::int16, 1, 2), tensor(dtype::boolean)},
                        {{"frame_size", 2}, {"frame_step", 4}, {"prefill", 1, true}}, 4)) ==
        "6 samples are not a multiple of frame_step 4");
  CHECK(answer(one_node("tfl.custom.SignalStacker", tensor(dtype::int16, 2), {tensor(dtype::int16, 4), tensor(dtype::boolean)},
                        {{"num_channels", 2}, {"stacker_left_context", 1}, {"stacker_right_context", 0}, {"stacker_step", 3}}, 8)) ==
        "option stacker_step is 3, not 1 to 2");
  CHECK(answer(one_node("tfl.custom.SignalOverlapAdd", tensor(dtype::int16, 2, 3), {tensor(dtype::int16, 8)}, {{"T", 7}, {"frame_step", 4}},
                        2)) == "option frame_step is 4, not 1 to 3");
  CHECK(answer(one_node("tfl.custom.SignalOverlapAdd", tensor(dtype::int16, 3), {tensor(dtype::int16, 8)}, {{"T", 7}, {"frame_step", 4}},
                        2)) == "operand 0 has 1 dimension and needs two, the frames and their samples");
}

TEST_CASE("weights and bands must be inside their tensors") {
  const auto window = [](std::int64_t weights, std::int64_t shift) {
    program_builder b;
    const auto options = flex_map({{"shift", shift}});
    const auto type = tensor(dtype::int16, 6);
    b.output(b.call("tfl.custom.SignalWindow", {b.user_input("x", type), b.user_input("w", tensor(dtype::int16, weights))}, type,
                    {flex_attribute(options)}));
    return answer(b.finish());
  };
  CHECK(window(3, 31) == "yes");
  CHECK(window(4, 3) == "6 samples are not a multiple of 4 weights");
  CHECK(window(3, 32) == "option shift is 32, not 0 to 31");
  const auto bank = [](std::vector<std::int16_t> starts, std::vector<std::int16_t> weight_starts, std::vector<std::int16_t> widths) {
    program_builder b;
    const auto options = flex_map({{"num_channels", 1}});
    const auto weights = bytes_of(std::vector<std::int16_t>{1, 2, 3});
    const auto x = b.user_input("x", tensor(dtype::uint32, 5));
    const auto w = b.constant("w", tensor(dtype::int16, 3), {weights.data(), weights.size()});
    const auto u = b.constant("u", tensor(dtype::int16, 3), {weights.data(), weights.size()});
    std::vector<value_id> bands;
    for (const auto& numbers : {starts, weight_starts, widths}) {
      const auto bytes = bytes_of(numbers);
      bands.push_back(b.constant("b" + std::to_string(bands.size()), tensor(dtype::int16, numbers.size()), {bytes.data(), bytes.size()}));
    }
    b.output(b.call("tfl.custom.SignalFilterBank", {x, w, u, bands[0], bands[1], bands[2]}, tensor(dtype::uint64, 1),
                    {flex_attribute(options)}));
    return answer(b.finish());
  };
  CHECK(bank({0, 3}, {0, 1}, {2, 2}) == "yes");
  CHECK(bank({0, 4}, {0, 1}, {2, 2}) == "band 1 is out of range of the spectrum");
  CHECK(bank({-1, 3}, {0, 1}, {2, 2}) == "band 0 is out of range of the spectrum");
  CHECK(bank({0, 3}, {0, 2}, {2, 2}) == "band 1 is out of range of the weights");
  CHECK(bank({0, 3}, {0, -1}, {2, 2}) == "band 1 is out of range of the weights");
  CHECK(bank({0, 9}, {0, 9}, {2, 0}) == "yes");
  CHECK(bank({0}, {0}, {2}) == "1 band for 1 channel; one more band than channels is needed");
}
