// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The assembler of depthwise convolutions against plain arithmetic on the same random words, for every stride, length, shift and activation
// by which routines differ.
#include <baton/kernels/cortex_m/depthwise_conv_2d.hpp>

#include "firmware/comparison.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace {

namespace detail = baton::cortex_m::detail;

using firmware::check_equal;
using firmware::random;

template <class T>
auto number(T of) -> unsigned {
  return static_cast<unsigned>(of);
}

constexpr std::int32_t max_outputs = 13;
constexpr std::int32_t max_strided_outputs = 90;
constexpr std::int32_t max_channels = 300;
std::uint32_t words[(max_strided_outputs + 2) * detail::strided_block_words];
std::int32_t stream[max_channels * 11];
std::int8_t inputs_of_rows[3 * 2 * max_outputs * max_channels];
std::int8_t actual_bytes[(2 * max_outputs + 1) * max_channels];
std::int8_t expected[sizeof actual_bytes];

void draw(const detail::pair_walk& walk, std::int32_t channels = 4) {
  for (auto& word : words) word = detail::halfwords(static_cast<std::int8_t>(random() >> 24), static_cast<std::int8_t>(random() >> 24));
  auto* to = stream;
  const auto draw_weights = [&to](int count) {
    for (int k = 0; k < count; ++k) *to++ = static_cast<std::int32_t>(random());
  };
  for (std::int32_t channel = 0; channel < channels; ++channel) {
    auto* const begin = to;
    if (walk.stride == 2) draw_weights(5);
    *to++ = static_cast<std::int32_t>(random()) >> 10;
    *to++ = static_cast<std::int32_t>((random() >> 2) | 0x40000000u);
    *to++ = static_cast<std::int32_t>(random()) >> (25 - walk.shift);
    if (walk.stride == 2) {
      const auto correction = walk.corrects_ties != 0 ? -(1 << random() % 8) : 0;
      const auto top = detail::strided_repetitions(walk.outputs, walk.channels) << 8 | (correction & 0xff);
      begin[4] = static_cast<std::int32_t>(detail::halfwords(begin[4], top));
    } else {
      if (walk.corrects_ties != 0) *to++ = -(1 << random() % 7);
      draw_weights(6);
    }
    to = begin + walk.stream_words;
  }
}

/// Runs both on the same words. They must write the same bytes, and nothing else.
template <class F>
void compare(const detail::pair_walk& walk, bool has_second, F run) {
  draw(walk);
  for (std::size_t i = 0; i < sizeof actual_bytes; ++i) actual_bytes[i] = expected[i] = 0x5a;
  const auto second = has_second ? max_outputs * max_channels : 0;
  for (std::int32_t count = 1; count <= 4; ++count) {
    const detail::pair_memory wanted{words, stream, expected, expected + second, count};
    walk.stride == 1 ? detail::walk_pairs_plainly(walk, wanted) : detail::walk_strided_plainly(walk, wanted);
    run(detail::pair_memory{words, stream, actual_bytes, actual_bytes + second, count});
    check_equal(actual_bytes, expected, sizeof actual_bytes, "stride ", number(walk.stride), " channels ", number(walk.channels),
                " outputs ", number(walk.outputs), " shift ", number(walk.shift), " signed ", number(walk.corrects_ties), " count ",
                number(count));
  }
}

template <bool IsSigned, std::int32_t Channels, std::int32_t Outputs>
void compare_walk() {
  static constexpr detail::pair_walk walk{1, Channels, Outputs, 10, 9 + (IsSigned ? 1 : 0), IsSigned ? 1 : 0};
  for (const bool has_second : {true, false}) {
    constexpr auto shared = walk.shared();
    compare(walk, has_second, [](const auto& at) { detail::walk_pairs<walk, 2>({}, at); });
    if (!has_second) compare(walk, false, [](const auto& at) { detail::walk_pairs<walk, 1>({}, at); });
    for (const std::int32_t shift : {1, 7, 10, 22}) {
      auto other = walk;
      other.shift = shift;
      compare(other, has_second, [&](const auto& at) { detail::walk_pairs<shared, 2>(other, at); });
      if (!has_second) compare(other, false, [&](const auto& at) { detail::walk_pairs<shared, 1>(other, at); });
      ++other.stream_words;
      compare(other, has_second, [&](const auto& at) { detail::walk_pairs<shared, 2>(other, at); });
    }
  }
}
/// The walk of stride 2, with and without a word before the constants of a channel.
template <bool IsSigned, bool BeginsOdd, std::int32_t Channels, std::int32_t Outputs>
void compare_strided_walk() {
  static constexpr detail::pair_walk walk{2, Channels, Outputs, 10, 8, IsSigned ? 1 : 0, BeginsOdd ? 1 : 0};
  static constexpr detail::pair_walk longer{2, Channels, Outputs, 9, walk.stream_words + 1, walk.corrects_ties, walk.begins_odd};
  constexpr auto shared = walk.shared();
  compare(walk, false, [](const auto& at) { detail::walk_strided<walk>({}, at); });
  compare(longer, false, [](const auto& at) { detail::walk_strided<longer>({}, at); });
  for (const std::int32_t shift : {1, 7, 10, 22}) {
    for (auto other : {walk, longer}) {
      other.shift = shift;
      compare(other, false, [&](const auto& at) { detail::walk_strided<shared>(other, at); });
    }
  }
}
/// The routine that packs and computes a row of stride 2.
template <bool IsSigned, bool BeginsOdd, std::int32_t Channels, std::int32_t Outputs>
void compare_strided_row() {
  static constexpr detail::pair_walk walk{2, Channels, Outputs, 10, 8, IsSigned ? 1 : 0, BeginsOdd ? 1 : 0};
  for (auto& byte : inputs_of_rows) byte = static_cast<std::int8_t>(random() >> 24);
  draw(walk, Channels);
  for (std::size_t i = 0; i < sizeof actual_bytes; ++i) actual_bytes[i] = expected[i] = 0x5a;
  constexpr auto row_bytes = 2 * Outputs * Channels;
  auto* const packed = words + walk.begins_odd * detail::strided_block_words;
  const auto* const end = packed + Outputs * detail::strided_block_words;
  detail::packed_rows rows{inputs_of_rows + row_bytes, row_bytes, -row_bytes, 0};
  detail::convolve_strided_row<walk, Outputs % 2>({stream, stream + 4 * walk.stream_words, words + walk.begins_odd, actual_bytes,
                                                   rows.first, rows.second_offset, rows.third_offset, end, packed,
                                                   stream + Channels * walk.stream_words});
  for (std::int32_t c = 0; c < Channels; c += 4, rows.first += 4) {
    detail::pack_column_pairs_plainly(rows, Channels, packed, end);
    detail::walk_strided_plainly(walk, {words, stream + c * walk.stream_words, expected + c, expected + c, 4});
  }
  check_equal(actual_bytes, expected, sizeof actual_bytes, "packed row, channels ", number(Channels), " outputs ", number(Outputs),
              " signed ", number(walk.corrects_ties), " odd ", number(walk.begins_odd));
}
template <bool IsSigned, std::int32_t Channels>
void compare_lengths() {
  [&]<std::int32_t... I>(std::integer_sequence<std::int32_t, I...>) {
    (compare_walk<IsSigned, Channels, I + 2>(), ...);
  }(std::make_integer_sequence<std::int32_t, max_outputs - 1>{});
}
template <bool IsSigned, std::int32_t Channels, std::int32_t RowChannels>
void compare_strided_lengths() {
  [&]<std::int32_t... I>(std::integer_sequence<std::int32_t, I...>) {
    (compare_strided_walk<IsSigned, I % 2 != 0, Channels, I + 2>(), ...);
    (compare_strided_row<IsSigned, I % 2 != 0, RowChannels, I + 2>(), ...);
  }(std::make_integer_sequence<std::int32_t, max_outputs - 1>{});
}

void compare_packing() {
  std::array<std::int8_t, 4 * 200> rows{};
  for (auto& byte : rows) byte = static_cast<std::int8_t>(random() >> 24);
  for (std::int32_t columns = 1; columns <= 9; ++columns) {
    for (const std::int32_t step : {3, 4, 17}) {
      const detail::packed_rows from{rows.data() + 200 + columns % 4, 200, -200, 399};
      std::uint32_t actual[10 * detail::column_words] = {};
      std::uint32_t wanted[10 * detail::column_words] = {};
      const auto size = columns * detail::column_words;
      const auto compare = [&] {
        check_equal(actual, wanted, sizeof actual / sizeof *actual, number(columns), " columns ", number(step), " bytes apart");
      };
      detail::pack_columns<true>(from, step, actual, actual + size);
      detail::pack_columns_plainly<true>(from, step, wanted, wanted + size);
      compare();
      detail::pack_columns<false>(from, step, actual, actual + size);
      detail::pack_columns_plainly<false>(from, step, wanted, wanted + size);
      // With three rows, the upper half of the word of the lower rows is undefined.
      for (auto& word : actual) word &= (&word - actual) % 2 != 0 ? 0xffffu : ~0u;
      for (auto& word : wanted) word &= (&word - wanted) % 2 != 0 ? 0xffffu : ~0u;
      compare();

      std::uint32_t actual_pairs[5 * detail::strided_block_words] = {};
      std::uint32_t wanted_pairs[5 * detail::strided_block_words] = {};
      const auto half = detail::strided_block_words / 2;
      detail::pack_strided_columns(from, step, actual_pairs, actual_pairs + columns * half);
      detail::pack_column_pairs_plainly(from, step, wanted_pairs, wanted_pairs + columns / 2 * 2 * half);
      if (columns % 2 != 0) detail::pack_lone_column(from, (columns - 1) * step, wanted_pairs + (columns - 1) * half);
      check_equal(actual_pairs, wanted_pairs, sizeof actual_pairs / sizeof *actual_pairs, number(columns), " columns in pairs ",
                  number(step), " bytes apart");
    }
  }
}

void compare_taps() {
  std::array<std::int8_t, 2000> inputs{};
  for (auto& byte : inputs) byte = static_cast<std::int8_t>(random() >> 24);
  std::array<std::int32_t, 3 * 4 * 40> constants{};
  for (std::int32_t round = 0; round < 200; ++round) {
    std::array<detail::tap_run, 3> runs{};
    std::int32_t pairs = 0;
    for (auto& run : runs) {
      run = {static_cast<std::ptrdiff_t>(random() % 300) - 100, static_cast<std::ptrdiff_t>(random() % 50),
             static_cast<std::ptrdiff_t>(random() % 8 + 1), inputs.data() + 101 + random() % 900};
      pairs += run.count;
    }
    auto* to = constants.data();
    const auto groups = static_cast<std::int32_t>(random() % 3 + 1);
    for (std::int32_t g = 0; g < groups; ++g) {
      for (int i = 0; i < 4; ++i) *to++ = static_cast<std::int32_t>(random()) >> 10;
      for (int i = 0; i < 4 * pairs; ++i) *to++ = static_cast<std::int32_t>(random());
      for (int i = 0; i < 4; ++i) *to++ = random() % 2 == 0 ? 0 : -(1 << random() % 7);
      for (int i = 0; i < 4; ++i) {
        const auto shift = static_cast<std::int32_t>(random() % 22 + 1);
        *to++ = static_cast<std::int32_t>((random() >> 2) | 0x40000000u);
        *to++ = static_cast<std::int32_t>(random()) >> (25 - shift);
        *to++ = shift;
      }
    }
    const baton::quantized::bounds<std::int32_t> ranges[] = {{-128, 127}, {-128, 20}, {-30, 127}, {-128, 126}, {5, 90}};
    detail::tap_pixel pixel{runs.data(), runs.data() + 1 + random() % 3, constants.data(), actual_bytes, 3, groups, ranges[random() % 5]};
    for (std::size_t i = 0; i < sizeof actual_bytes; ++i) actual_bytes[i] = expected[i] = 0x5a;
    detail::add_taps(pixel);
    pixel.to = expected;
    detail::add_taps_plainly(pixel, detail::packed_channels);
    check_equal(actual_bytes, expected, sizeof actual_bytes, "taps, round ", number(round));
  }
}

}  // namespace

int main() {
  compare_taps();
  compare_packing();
  compare_lengths<false, 6>();
  compare_lengths<true, 300>();
  compare_strided_lengths<false, 300, 8>();
  compare_strided_lengths<true, 6, 108>();
  compare_strided_walk<true, true, 700, 12>();
  compare_strided_walk<false, true, 5, 90>();
  compare_strided_row<true, false, 300, 12>();
  return firmware::verdict(3554);
}
