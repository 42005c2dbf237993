// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The closed forms of minimum distances, checked against the reads and writes of random windows.
#include <baton/kernels/detail/distances.hpp>

#include "overlap/accesses.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace {

using namespace overlap;
using baton::min_distance;
using baton::portable::window_walk;

class drawn {
 public:
  auto from_to(std::int64_t min, std::int64_t max) -> std::int64_t {
    return min + static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(max - min + 1));
  }

 private:
  std::mt19937_64 engine_{20261122};
};

/// Returns windows of any stride, with padding at one end, at both ends or at neither. They are dilated only if `dilates` is true.
auto random_windows(drawn& draw, bool dilates) -> windows {
  windows w;
  w.batches = draw.from_to(1, 4) == 1 ? 2 : 1;
  w.element = draw.from_to(1, 4) == 1 ? 4 : 1;
  w.groups = draw.from_to(1, 2) == 1 ? 1 : draw.from_to(2, 4);
  w.channels = w.groups * draw.from_to(1, 3);
  w.out_channels = w.groups * draw.from_to(1, 4);
  for (std::size_t axis = 0; axis < 2; ++axis) {
    w.filter[axis] = draw.from_to(1, 4);
    w.stride[axis] = draw.from_to(1, 3);
    w.dilation[axis] = dilates ? draw.from_to(1, 3) : 1;
    const auto reach = (w.filter[axis] - 1) * w.dilation[axis] + 1;
    if (draw.from_to(0, 1) == 0) {
      w.input[axis] = reach + draw.from_to(0, 5);
      w.output[axis] = (w.input[axis] - reach) / w.stride[axis] + 1;
    } else {
      w.input[axis] = draw.from_to(1, 7);
      w.output[axis] = (w.input[axis] + w.stride[axis] - 1) / w.stride[axis];
      w.before[axis] = std::max<std::int64_t>(0, (w.output[axis] - 1) * w.stride[axis] + reach - w.input[axis]) / 2;
    }
  }
  return w;
}

auto walk_of(const windows& w) -> window_walk {
  window_walk walk;
  const auto axis = [&](std::size_t i) {
    const auto narrow = [](std::int64_t x) { return static_cast<std::int32_t>(x); };
    return baton::portable::window_axis{narrow(w.input[i]),  narrow(w.output[i]),   narrow(w.filter[i]),
                                        narrow(w.stride[i]), narrow(w.dilation[i]), narrow(w.before[i])};
  };
  walk.rows = axis(0);
  walk.columns = axis(1);
  walk.in_pixel_bytes = w.channels * w.element;
  walk.out_pixel_bytes = w.out_channels * w.element;
  walk.batches = w.batches;
  return walk;
}

auto observed(const windows& w, write_order order, block blocks) -> observed_distance {
  observed_distance seen(w.in_bytes(), w.out_bytes());
  replay_windows(
      w, order, blocks, [&](auto first, auto bytes) { seen.read(first, bytes); },
      [&](auto first, auto bytes) { seen.write(first, bytes); });
  return seen;
}

/// Counts how often a declared distance was safe, and how often it equaled the minimum distance.
struct tally {
  std::size_t seen = 0;
  std::size_t safe = 0;
  std::size_t matter = 0;  ///< the minimum distance is positive, so the declared distance matters
  std::size_t tight = 0;
  std::size_t within = 0;  ///< the declared distance is at most the size of the output

  void add(std::int64_t declared, std::int64_t minimum, bool matters, std::int64_t output) {
    ++seen;
    within += declared <= output ? 1 : 0;
    safe += !matters || declared >= minimum || declared >= output ? 1 : 0;
    if (!matters || minimum <= 0 || minimum > output) return;
    ++matter;
    tight += declared == minimum ? 1 : 0;
  }
};

auto tally_of(bool dilates, bool in_blocks) -> tally {
  drawn draw;
  tally sum;
  for (int i = 0; i < 3000; ++i) {
    auto w = random_windows(draw, dilates);
    block blocks;
    if (in_blocks) {
      w.groups = 1;
      blocks = {draw.from_to(1, 4), draw.from_to(1, w.out_channels)};
    }
    const auto inside = in_blocks
                            ? baton::portable::inside_of_blocks(w.out_channels * w.element, blocks.pixels, blocks.channels * w.element)
                            : baton::portable::inside_of_groups(w.groups, w.channels / w.groups * w.element,
                                                                w.out_channels / w.groups * w.element, w.element);
    const auto declared = baton::portable::distance_of(walk_of(w), inside);
    const auto up = observed(w, write_order::ascending, blocks);
    const auto down = observed(w, write_order::descending, blocks);
    sum.add(declared.ascending, up.ascending(), up.matters(), w.out_bytes());
    sum.add(declared.descending, down.descending(), down.matters(), w.out_bytes());
  }
  return sum;
}

}  // namespace

TEST_CASE("windows: nothing is overwritten too early at the distance, but something is at one byte less") {
  const auto sum = tally_of(false, false);
  CHECK(sum.seen == 6000);
  CHECK(sum.safe == sum.seen);
  CHECK(sum.within == sum.seen);
  CHECK(sum.matter > 4000);
  CHECK(sum.tight == sum.matter);
}

TEST_CASE("windows: with dilation the distance is never below the minimum, but may exceed it") {
  const auto sum = tally_of(true, false);
  CHECK(sum.safe == sum.seen);
  CHECK(sum.within == sum.seen);
  CHECK(sum.matter > 3500);
  CHECK(sum.tight * 10 > sum.matter * 9);
}

TEST_CASE("windows: blocks of pixels and channels are read before they are written") {
  const auto sum = tally_of(false, true);
  CHECK(sum.safe == sum.seen);
  CHECK(sum.within == sum.seen);
  CHECK(sum.matter > 3500);
  CHECK(sum.tight * 2 > sum.matter);
}

TEST_CASE("windows: the distance holds for rows in descending order with the pixels of a row in ascending order") {
  for (const bool dilates : {false, true}) {
    drawn draw;
    tally sum;
    for (int i = 0; i < 3000; ++i) {
      auto w = random_windows(draw, dilates);
      w.groups = 1;
      observed_distance down(w.in_bytes(), w.out_bytes());
      for (auto row = w.batches * w.output[0] - 1; row >= 0; --row) {
        for (std::int64_t column = 0; column < w.output[1]; ++column) {
          const auto pixel = row * w.output[1] + column;
          read_window(w, pixel, 0, [&](auto first, auto bytes) { down.read(first, bytes); });
          down.write(pixel * w.out_channels * w.element, w.out_channels * w.element);
        }
      }
      const auto declared = baton::portable::distance_of_descending_rows(walk_of(w));
      sum.add(declared, down.descending(), down.matters(), w.out_bytes());
    }
    CHECK(sum.safe == sum.seen);
    CHECK(sum.within == sum.seen);
    CHECK(sum.matter > 1300);
    CHECK(sum.tight * 2 > sum.matter);
  }
}

TEST_CASE("elements: a wider output may overlap its input from the end that is written last") {
  for (const std::int64_t count : {1, 2, 5}) {
    for (const std::int64_t in : {1, 2, 4}) {
      for (const std::int64_t out : {1, 2, 4}) {
        for (const auto order : {write_order::ascending, write_order::descending}) {
          observed_distance seen(count * in, count * out);
          for (std::int64_t i = 0; i < count; ++i) {
            const auto at = baton::portable::nth(order, static_cast<std::int32_t>(i), static_cast<std::int32_t>(count));
            seen.read(at * in, in);
            seen.write(at * out, out);
          }
          const auto declared = baton::portable::distance_of_elements(count, in, out);
          if (!seen.matters()) continue;
          const auto minimum = order == write_order::ascending ? seen.ascending() : seen.descending();
          CHECK((order == write_order::ascending ? declared.ascending : declared.descending) >= minimum);
          if (out > in) CHECK((order == write_order::ascending ? declared.ascending : declared.descending) == minimum);
        }
      }
    }
  }
  CHECK(baton::portable::upward({3, 4}) == min_distance{.ascending = 3});
}

TEST_CASE("ranges in descending order are those in ascending order, reversed") {
  std::vector<std::array<int, 2>> up;
  std::vector<std::array<int, 2>> down;
  baton::portable::for_runs_in<write_order::ascending, 11, 4>([&](int at, auto n) { up.push_back({at, static_cast<int>(n())}); });
  baton::portable::for_runs_in<write_order::descending, 11, 4>([&](int at, auto n) { down.push_back({at, static_cast<int>(n())}); });
  std::reverse(down.begin(), down.end());
  CHECK(up == down);
  CHECK(up.size() == 3);
}
