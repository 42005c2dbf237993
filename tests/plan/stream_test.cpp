// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Segments: random chains and residual graphs run in a memory that records the owner of each byte, and no stale byte is read.
#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/plan/arena.hpp>
#include <baton/plan/execution_plan.hpp>
#include <baton/plan/memory_policies/row_streaming.hpp>

#include "plan/by_rows.hpp"
#include "plan/random_images.hpp"
#include "plan/sliding.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string_view>

namespace {

using namespace baton;

static_assert(row_kernel<by_rows> && pixel_kernel<by_rows> && summing_kernel<by_rows>);

/// Like `sliding`, with segments: it places outputs over operands as far as distances allow.
struct sliding_by_rows : sliding {
  static constexpr std::string_view name = "sliding by rows";
  static constexpr auto find_segments(const unstreamed_plan& without) -> stream_plan {
    return memory_policies::row_streaming::find_segments(without);
  }
};

using plan_tests::random_graph;
using plan_tests::stale_reads;

template <class Policy>
auto plan_of(const exported_program& program, Policy policy, std::uint32_t alignment = 1) -> memory_plan {
  auto planned = plan_execution(kernels<by_rows>, program, plan_options{alignment}, policy);
  REQUIRE(planned);
  return std::move(planned.value.memory);
}

/// Images of 8 columns. The input and the output have 16 channels, the values between them 64.
auto chain_of(std::initializer_list<named_literal> literals, int rows, int nodes) -> exported_program {
  program_builder build;
  auto latest = build.user_input("x", tensor(dtype::int8, 1, rows, 8, 16));
  for (int n = 0; n < nodes; ++n) {
    latest = build.call("test.window", {latest}, tensor(dtype::int8, 1, rows, 8, n + 1 == nodes ? 16 : 64), literals);
  }
  build.output(latest);
  return build.finish();
}

/// Plans random programs by rows, and calls `visit(program, plan, segment, n)` for each node `n` of each segment.
template <class Visit>
void for_each_node_of_segments(std::uint32_t seed, int programs, const plan_tests::graph_parts& parts, Visit visit) {
  std::mt19937 random(seed);
  for (int i = 0; i < programs; ++i) {
    CAPTURE(i);
    const auto program = random_graph(random, parts).run();
    const auto plan = plan_of(program, planned_by<sliding_by_rows>{});
    CHECK(stale_reads(program, plan) == 0);
    for (const auto& segment : plan.streams.segments) {
      for (std::uint32_t n = 0; n < segment.count; ++n) visit(program, plan, segment, n);
    }
  }
}

}  // namespace

TEST_CASE("a chain of filters stores as many rows as the height of a filter") {
  const auto program = chain_of({{"span", 3}, {"before", 1}}, 16, 4);
  const auto plan = plan_of(program, planned_by<sliding_by_rows>{});
  REQUIRE(plan.streams.segments.size() == 1);
  const auto& segment = plan.streams.segments[0];
  CHECK(segment.first == 0);
  CHECK(segment.count == 4);
  CHECK(segment.bytes == 3 * 3 * 512);
  CHECK(segment.distance == -2 * 128);  // after r rows of output, the first node continues at row r + 2 of the input
  CHECK(plan.arena_bytes == 16 * 128 + 3 * 3 * 512);
  CHECK(stale_reads(program, plan) == 0);
}

TEST_CASE("operands of nodes that are computed pixel by pixel are supplied in the order of the nodes") {
  program_builder build;
  const auto image = [](int channels) { return tensor(dtype::int8, 1, 16, 8, channels); };
  const auto a = build.call("test.window", {build.user_input("x", image(16))}, image(64), {{"span", 3}, {"before", 1}});
  const auto r = build.call("test.window", {a}, image(64), {{"span", 1}});
  const auto linked = build.call("test.window", {r}, image(64), {{"span", 5}, {"before", 2}});
  const auto other = build.call("test.window", {a}, image(64), {{"span", 3}, {"before", 1}, {"rows_per_step", 2}});
  build.output(build.call("test.add", {other, linked}, image(16)));
  const auto program = build.finish();
  const auto plan = plan_of(program, planned_by<sliding_by_rows>{});
  REQUIRE(plan.streams.segments.size() == 1);
  const auto kept = plan.streams.kept_of(plan.streams.segments[0]);
  REQUIRE(kept.size() == 5);
  CHECK(kept[2].pixels != 0);
  CHECK(kept[3].pixels == 0);
  CHECK(kept[0].rows == 4);  // the rows for `linked` are computed before `other` reads the rows above
  CHECK(stale_reads(program, plan) == 0);
}

TEST_CASE("pixelwise nodes store pixels, and summing nodes store sums") {
  program_builder build;
  const auto x = build.user_input("x", tensor(dtype::int8, 1, 16, 8, 16));
  const auto a = build.call("test.window", {x}, tensor(dtype::int8, 1, 16, 8, 32), {{"span", 3}, {"before", 1}});
  const auto b = build.call("test.window", {a}, tensor(dtype::int8, 1, 16, 8, 64), {{"span", 1}});
  build.output(build.call("test.sum", {b}, tensor(dtype::int8, 1, 1, 8, 64)));
  const auto program = build.finish();
  const auto plan = plan_of(program, planned_by<sliding_by_rows>{});
  REQUIRE(plan.streams.segments.size() == 1);
  CHECK(plan.streams.segments[0].count == 3);
  const auto kept = plan.streams.kept_of(plan.streams.segments[0]);
  CHECK(kept[0].pixels == 2);  // 64 bytes
  CHECK(kept[1].rows == 1);
  CHECK(plan.streams.segments[0].bytes == 64 + 512 + 4 * 512);
  CHECK(plan.arena_bytes == 16 * 128 + 64 + 512 + 4 * 512);  // the output overlaps the input, which is dead by then
  CHECK(stale_reads(program, plan) == 0);
}

TEST_CASE("a row overlaps the newest row of its only user") {
  program_builder build;
  const auto x = build.user_input("x", tensor(dtype::int8, 1, 16, 8, 16));
  const auto a = build.call("test.window", {x}, tensor(dtype::int8, 1, 16, 8, 32), {{"span", 3}, {"before", 1}});
  const auto b = build.call("test.window", {a}, tensor(dtype::int8, 1, 16, 8, 32), {{"span", 1}});
  const auto c = build.call("test.window", {b}, tensor(dtype::int8, 1, 16, 8, 32), {{"span", 3}, {"before", 1}});
  build.output(build.call("test.sum", {c}, tensor(dtype::int8, 1, 1, 8, 32)));
  const auto program = build.finish();
  const auto plan = plan_of(program, planned_by<sliding_by_rows>{});
  REQUIRE(plan.streams.segments.size() == 1);
  CHECK(plan.streams.segments[0].count == 4);
  const auto kept = plan.streams.kept_of(plan.streams.segments[0]);
  CHECK(kept[0].in_user);
  CHECK(kept[0].rows == 1);
  CHECK(kept[0].offset == 2 * 256);  // the first two rows of the user are read again
  CHECK(kept[1].rows == 3);
  CHECK(plan.streams.segments[0].bytes == 3 * 256 + 256 + 4 * 256);
  CHECK(stale_reads(program, plan) == 0);
}

TEST_CASE("the rows of a step begin in the newest row of their user if it replaces each of them") {
  program_builder build;
  const auto x = build.user_input("x", tensor(dtype::int8, 1, 16, 8, 4));
  const auto window = [&](value_id from, int channels, int rows_per_step) {
    return build.call("test.window", {from}, tensor(dtype::int8, 1, 16, 8, channels),
                      {{"span", 3}, {"before", 1}, {"rows_per_step", rows_per_step}});
  };
  const auto a = window(x, 32, 1);
  const auto b = window(a, 32, 2);
  const auto c = build.call("test.add", {a, b}, tensor(dtype::int8, 1, 16, 8, 32));
  build.output(window(c, 4, 1));
  const auto program = build.finish();
  const auto plan = plan_of(program, planned_by<sliding_by_rows>{});
  REQUIRE(plan.streams.segments.size() == 1);
  REQUIRE(plan.streams.segments[0].count == 4);
  const auto kept = plan.streams.kept_of(plan.streams.segments[0]);
  CHECK(kept[1].in_user);
  CHECK(kept[1].rows == 2);
  CHECK(kept[2].rows == 3);
  CHECK(kept[1].offset == kept[2].offset + 2 * 256);
  CHECK(plan.streams.segments[0].bytes == static_cast<std::uint32_t>(kept[0].rows + 2 + 2) * 256);
  CHECK(stale_reads(program, plan) == 0);
}

TEST_CASE("the scratch of a node overlaps rows of an earlier node that are no longer needed") {
  program_builder build;
  const auto window = [&](value_id from, int rows, int channels, int stride, int scratch) {
    return build.call("test.window", {from}, tensor(dtype::int8, 1, rows, 8, channels),
                      {{"span", 3}, {"before", 1}, {"stride", stride}, {"scratch", scratch}});
  };
  const auto x = build.user_input("x", tensor(dtype::int8, 1, 32, 8, 16));
  const auto a = window(x, 32, 32, 1, 0);
  const auto b = window(a, 32, 32, 1, 100);
  const auto c = window(b, 32, 32, 1, 600);
  build.output(window(c, 32, 2, 1, 0));
  const auto program = build.finish();
  const auto plan = plan_of(program, planned_by<sliding_by_rows>{});
  REQUIRE(plan.streams.segments.size() == 1);
  const auto& segment = plan.streams.segments[0];
  CHECK(segment.count == 4);
  const auto kept = plan.streams.kept_of(segment);
  for (std::size_t n = 0; n < 3; ++n) CHECK(kept[n].rows == 3);
  // While node 2 runs, node 1 needs only the two newest rows of node 0. Node 1 needs all three.
  CHECK(kept[0].offset == 600 - 256);
  CHECK(segment.bytes == 600 - 256 + 3 * 3 * 256);
  CHECK(stale_reads(program, plan) == 0);
}

TEST_CASE("rows are in the output if the last node replaces each of them") {
  const auto plan_with = [](int rows_per_step) {
    program_builder build;
    const auto x = build.user_input("x", tensor(dtype::int8, 1, 32, 16, 4));
    const auto a = build.call("test.window", {x}, tensor(dtype::int8, 1, 32, 16, 32), {{"span", 3}, {"before", 1}});
    const auto half = [&](int span) {
      return build.call("test.window", {a}, tensor(dtype::int8, 1, 16, 8, 64),
                        {{"span", span}, {"stride", 2}, {"rows_per_step", rows_per_step}});
    };
    const auto b = half(3);
    const auto c = half(1);
    build.output(build.call("test.add", {b, c}, tensor(dtype::int8, 1, 16, 8, 64)));
    const auto program = build.finish();
    auto plan = plan_of(program, planned_by<sliding_by_rows>{});
    CHECK(stale_reads(program, plan) == 0);
    REQUIRE(plan.streams.segments.size() == 1);
    REQUIRE(plan.streams.segments[0].count == 4);
    return plan;
  };
  const auto plan = plan_with(2);
  const auto& kept = plan.streams.kept;
  CHECK_FALSE(kept[1].in_output);  // both nodes keep two rows, and node 2 is computed last
  CHECK(kept[2].in_output);
  CHECK(kept[2].rows == 2);
  CHECK(plan.streams.segments[0].bytes == static_cast<std::uint32_t>(kept[0].rows + kept[1].rows) * 512);
  const auto linked = plan_with(1);
  CHECK(linked.streams.kept[1].pixels == 1);
  CHECK_FALSE(linked.streams.kept[2].in_output);
}

TEST_CASE("other rows in the output are refused, or are read before they are replaced") {
  int in_output = 0;
  int refused = 0;
  for_each_node_of_segments(1933, 600, {},
                            [&](const exported_program& program, memory_plan mutant, const stream_segment& segment, std::uint32_t n) {
                              auto& kept = mutant.streams.kept[segment.kept + n];
                              in_output += kept.in_output ? 1 : 0;
                              if (kept.in_output) return;
                              kept.in_output = true;
                              const bool is_refused = verify_plan(mutant).is<"overlapping_memory">();
                              refused += is_refused ? 1 : 0;
                              if (!is_refused) CHECK(stale_reads(program, mutant) == 0);
                            });
  CHECK(in_output > 5);
  CHECK(refused > 200);
  MESSAGE(in_output, " in the output, ", refused, " refused");
}

TEST_CASE("rows nearer to the begin of scratch are refused, and would cause stale reads") {
  int moved = 0;
  int overlapped = 0;
  int stale = 0;
  for_each_node_of_segments(
      1931, 500, {.max_scratch = 600},
      [&](const exported_program& program, memory_plan mutant, const stream_segment& segment, std::uint32_t n) {
        if (n + 1 == segment.count) return;
        std::uint32_t scratch = 0;
        for (auto node = segment.first; node <= segment.last(); ++node)
          scratch =
              std::max(scratch, mutant.streams.kept_of(segment)[node - segment.first].scratch_bytes(mutant.streams.graph.nodes[node]));
        auto& kept = mutant.streams.kept[segment.kept + n];
        const auto others = mutant.streams.kept_of(segment);
        const auto begin = segment.scratch_offset;
        const bool is_first = kept.offset >= begin && std::none_of(others.begin(), others.end() - 1, [&](const auto& each) {
                                return each.offset >= begin && each.offset < kept.offset;
                              });
        if (!is_first || kept.pixels != 0 || kept.in_user || kept.in_output || scratch == 0) return;
        overlapped += kept.offset < begin + scratch ? 1 : 0;
        if (kept.offset == begin) return;
        --kept.offset;
        ++moved;
        CHECK(verify_plan(mutant).is<"overlapping_memory">());
        stale += stale_reads(program, mutant) != 0 ? 1 : 0;
      });
  CHECK(moved > 20);
  CHECK(overlapped > 5);
  CHECK(stale * 10 >= moved * 6);  // the scratch of earlier nodes never overlaps rows, although some of these are not needed yet
  MESSAGE(moved, " rows, ", overlapped, " overlap scratch, stale reads in ", stale);
}

TEST_CASE("the last output rows do not replace stored rows if the last row of an operand is never computed") {
  program_builder build;
  const auto x = build.user_input("x", tensor(dtype::int8, 1, 12, 7, 1));
  const auto wide = build.call("test.window", {x}, tensor(dtype::int8, 1, 12, 7, 23), {{"span", 2}});
  // The last row reads the rows 8 to 10 of 12.
  build.output(build.call("test.window", {wide}, tensor(dtype::int8, 1, 6, 4, 23), {{"span", 3}, {"stride", 2}, {"before", 2}}));
  const auto program = build.finish();
  const auto plan = plan_of(program, planned_by<memory_policies::row_streaming>{});
  REQUIRE(plan.streams.segments.size() == 1);
  CHECK(stale_reads(program, plan) == 0);
}

TEST_CASE("without rows, the plan is that of `in_place`") {
  const auto program = chain_of({{"span", 3}, {"before", 1}, {"whole", 1}}, 16, 4);
  const auto plan = plan_of(program, planned_by<memory_policies::row_streaming>{});
  CHECK(plan.streams.segments.empty());
  CHECK(plan.arena_bytes == plan_of(program, planned_by<memory_policies::in_place>{}).arena_bytes);
}

TEST_CASE("random graphs by rows: no stale read, and no more memory than without rows") {
  std::mt19937 random(20261122);
  int streamed = 0;
  int linked = 0;
  int in_user = 0;
  int summed = 0;
  int overlapping = 0;
  int in_blocks = 0;
  int single_rows = 0;
  for (int i = 0; i < 400; ++i) {
    CAPTURE(i);
    const auto program = random_graph(random).run();
    const std::uint32_t alignment = i % 2 == 0 ? 1 : 16;
    const auto plan = plan_of(program, planned_by<sliding_by_rows>{}, alignment);
    CHECK(stale_reads(program, plan) == 0);
    CHECK(plan.arena_bytes <= plan_of(program, planned_by<sliding>{}, alignment).arena_bytes);
    const auto by_default = plan_of(program, planned_by<memory_policies::row_streaming>{}, alignment);
    CHECK(stale_reads(program, by_default) == 0);
    CHECK(by_default.arena_bytes <= plan_of(program, planned_by<memory_policies::in_place>{}, alignment).arena_bytes);
    for (const auto& segment : plan.streams.segments) {
      ++streamed;
      for (const auto& kept : plan.streams.kept_of(segment)) {
        linked += kept.pixels != 0 ? 1 : 0;
        in_user += kept.in_user ? 1 : 0;
      }
      for (const auto& kept : plan.streams.kept_of(segment)) single_rows += kept.by_single_rows ? 1 : 0;
      for (auto n = segment.first; n < segment.last(); ++n) in_blocks += plan.streams.graph.nodes[n].rows_per_step > 1 ? 1 : 0;
      summed += program.nodes[segment.last()].is("test.sum") ? 1 : 0;
      const auto input = plan.offset_of(segment.input);
      const auto output = plan.offset_of(plan.streams.graph.nodes[segment.last()].output);
      overlapping += input == output || segment.distance < 0 ? 1 : 0;
    }
  }
  CHECK(streamed > 100);
  CHECK(linked > 30);
  CHECK(in_user > 20);
  CHECK(summed > 10);
  CHECK(in_blocks > 30);
  CHECK(single_rows > 10);
  MESSAGE(single_rows, " nodes compute single rows");
  CHECK(overlapping > 30);
}

TEST_CASE("a row one byte nearer to the rows of its user is refused, and would cause stale reads") {
  int moved = 0;
  int stale = 0;
  for_each_node_of_segments(4711, 400, {},
                            [&](const exported_program& program, memory_plan mutant, const stream_segment& segment, std::uint32_t n) {
                              auto& kept = mutant.streams.kept[segment.kept + n];
                              if (!kept.in_user || kept.offset == 0) return;
                              --kept.offset;
                              ++moved;
                              CHECK(verify_plan(mutant).is<"overlapping_memory">());
                              stale += stale_reads(program, mutant) != 0 ? 1 : 0;
                              ++kept.offset;
                              kept.in_user = false;
                              CHECK(verify_plan(mutant).is<"overlapping_memory">());
                            });
  CHECK(moved > 20);
  CHECK(stale * 10 >= moved * 9);
  MESSAGE(moved, " rows, stale reads in ", stale);
}

TEST_CASE("one row less is refused, and would cause stale reads") {
  int shortened = 0;
  for_each_node_of_segments(
      4242, 200, {}, [&](const exported_program& program, memory_plan mutant, const stream_segment& segment, std::uint32_t n) {
        auto& kept = mutant.streams.kept[segment.kept + n];
        if (n + 1 == segment.count || kept.pixels != 0) return;
        --kept.rows;
        ++shortened;
        const auto why = verify_plan(mutant);
        CHECK(why.is<"overlapping_memory">());
        CHECK(view(why.reason) == view(join("the node at position ", segment.first + n, " of the schedule keeps too few rows: ", kept.rows,
                                            " of ", kept.rows + 1)));
        CHECK((kept.rows == 0 || kept.in_output || stale_reads(program, mutant) != 0));
      });
  CHECK(shortened > 100);
}

TEST_CASE("rows that overlap the scratch of a kernel are refused, and a segment that is smaller than this scratch") {
  constexpr std::uint32_t scratch = 40;
  const auto plan = plan_of(chain_of({{"span", 3}, {"before", 1}, {"scratch", scratch}}, 16, 3), planned_by<sliding_by_rows>{});
  REQUIRE(plan.streams.segments.size() == 1);
  CHECK(plan.streams.graph.nodes[0].scratch_bytes == scratch);
  CHECK_FALSE(verify_plan(plan));
  CHECK(plan.streams.kept[0].offset == scratch);
  auto nearer = plan;
  --nearer.streams.kept[0].offset;
  CHECK(view(verify_plan(nearer).reason) ==
        "the rows of the node at position 0 of the schedule overlap scratch: their offset is 39, not at least 40");
  auto larger = plan;
  larger.streams.graph.nodes[1].scratch_bytes = scratch + 1;
  CHECK(view(verify_plan(larger).reason) ==
        "the rows of the node at position 0 of the schedule overlap scratch: their offset is 40, not at least 41");
  larger.streams.graph.nodes[1].scratch_bytes = plan.streams.segments[0].bytes + 1;
  CHECK(view(verify_plan(larger).reason).starts_with("the scratch of the segment at position 0 of the schedule exceeds its memory: "));
}

TEST_CASE("a segment whose memory is too small or not aligned is refused") {
  const auto program = chain_of({{"span", 3}, {"before", 1}, {"scratch", 40}}, 16, 3);
  const auto plan = plan_of(program, planned_by<sliding_by_rows>{}, 16);
  REQUIRE(plan.streams.segments.size() == 1);
  CHECK_FALSE(verify_plan(plan));
  const auto is_refused = [](const memory_plan& mutant) {
    return view(verify_plan(mutant).reason) == "the memory of the segment at position 0 of the schedule is too small or not aligned";
  };
  auto larger = plan;
  larger.streams.segments[0].bytes += 16;
  CHECK(is_refused(larger));
  REQUIRE(plan.streams.kept[0].offset % 32 == 16);
  auto coarser = plan;
  coarser.alignment = 32;
  CHECK(is_refused(coarser));
}

namespace {

/// A few filters with much larger values between them than at both ends.
auto narrow_ends(std::mt19937& random) -> exported_program {
  const auto below = [&](int limit) { return static_cast<int>(random() % static_cast<unsigned>(limit)); };
  program_builder build;
  auto rows = 6 + below(12);
  auto columns = 2 + below(6);
  auto latest = build.user_input("x", tensor(dtype::int8, 1, rows, columns, 1 + below(8)));
  const auto nodes = 2 + below(3);
  for (int n = 0; n < nodes; ++n) {
    const auto span = 2 + below(3);
    const auto stride = below(4) == 0 ? 2 : 1;
    rows = std::max(1, (rows + stride - 1) / stride);
    columns = std::max(1, (columns + stride - 1) / stride);
    const auto channels = n + 1 == nodes ? 1 + below(8) : 24 + below(16);
    latest = build.call("test.window", {latest}, tensor(dtype::int8, 1, rows, columns, channels),
                        {{"span", span}, {"stride", stride}, {"before", span / 2}});
  }
  build.output(latest);
  return build.finish();
}

/// Places the output of the only segment at `distance` from its input, and the rows after both.
auto placed_at(memory_plan plan, std::int64_t distance) -> memory_plan {
  const auto& segment = plan.streams.segments[0];
  const auto input = plan.needs.value_entries[index(segment.input)];
  const auto output = plan.needs.value_entries[index(plan.streams.graph.nodes[segment.last()].output)];
  const auto begin = static_cast<std::uint64_t>(std::max<std::int64_t>(0, -distance));
  plan.offsets[output] = begin;
  plan.offsets[input] = begin + static_cast<std::uint64_t>(distance);
  const auto& lives = plan.needs.lifetimes;
  const auto end = std::max(plan.offsets[output] + lives[output].bytes, plan.offsets[input] + lives[input].bytes);
  const auto rows = plan.needs.scratch_entries[segment.first];
  if (rows != npos) plan.offsets[rows] = end;
  plan.arena_bytes = end + segment.bytes;
  plan.graphs.back().bytes = plan.arena_bytes;
  return plan;
}

/// Returns a copy of a plan that is a single segment. In the copy, the input is `distance` bytes after the memory, and the output follows.
auto with_memory_at(memory_plan plan, std::int64_t distance) -> memory_plan {
  const auto& segment = plan.streams.segments[0];
  const auto input = plan.needs.value_entries[index(segment.input)];
  const auto output = plan.needs.value_entries[index(plan.streams.graph.nodes[segment.last()].output)];
  const auto memory = plan.needs.scratch_entries[segment.first];
  const auto& lives = plan.needs.lifetimes;
  plan.offsets[memory] = static_cast<std::uint64_t>(std::max<std::int64_t>(0, -distance));
  plan.offsets[input] = static_cast<std::uint64_t>(std::max<std::int64_t>(0, distance));
  plan.offsets[output] = std::max(plan.offsets[memory] + lives[memory].bytes, plan.offsets[input] + lives[input].bytes);
  plan.arena_bytes = plan.offsets[output] + lives[output].bytes;
  plan.graphs.back().bytes = plan.arena_bytes;
  return plan;
}

/// Returns a copy of a plan that is a single segment. In the copy, the memory is `distance` bytes after the output, and the input follows.
auto with_memory_in_output(memory_plan plan, std::int64_t distance) -> memory_plan {
  const auto& segment = plan.streams.segments[0];
  const auto input = plan.needs.value_entries[index(segment.input)];
  const auto output = plan.needs.value_entries[index(plan.streams.graph.nodes[segment.last()].output)];
  const auto memory = plan.needs.scratch_entries[segment.first];
  const auto& lives = plan.needs.lifetimes;
  plan.offsets[output] = static_cast<std::uint64_t>(std::max<std::int64_t>(0, -distance));
  plan.offsets[memory] = static_cast<std::uint64_t>(std::max<std::int64_t>(0, distance));
  plan.offsets[input] = std::max(plan.offsets[memory] + lives[memory].bytes, plan.offsets[output] + lives[output].bytes);
  plan.arena_bytes = plan.offsets[input] + lives[input].bytes;
  plan.graphs.back().bytes = plan.arena_bytes;
  return plan;
}

/// Checks that a plan with a segment at `distance`, which `place(plan, distance)` returns, is valid, and that one byte less is refused.
/// Returns true if one byte less would cause stale reads.
template <class Place>
auto is_stale_one_byte_nearer(const exported_program& program, const memory_plan& plan, Place place, std::int64_t distance) -> bool {
  const auto near = place(plan, distance);
  CHECK(!verify_plan(near));
  CHECK(stale_reads(program, near) == 0);
  const auto nearer = place(plan, distance - 1);
  CHECK(verify_plan(nearer).template is<"overlapping_memory">());
  return stale_reads(program, nearer) != 0;
}

}  // namespace

TEST_CASE("memory one byte further in the input is refused, and would cause stale reads") {
  std::mt19937 random(78);
  int moved = 0;
  int stale = 0;
  int whole = 0;
  for (int i = 0; i < 600; ++i) {
    CAPTURE(i);
    const auto program = i % 2 == 0 ? random_graph(random, {.max_scratch = 200}).run() : narrow_ends(random);
    const auto plan = plan_of(program, planned_by<sliding_by_rows>{});
    for (std::size_t s = 0; s < plan.streams.segments.size(); ++s) {
      const auto& segment = plan.streams.segments[s];
      if (segment.bytes == 0 || segment.memory_distance == min_distance::disjoint) continue;
      auto mutant = plan;
      mutant.streams.segments[s].memory_distance -= 1;
      ++moved;
      const auto why = verify_plan(mutant);
      CHECK(why.is<"overlapping_memory">());
      CHECK(view(why.reason) ==
            view(join("the distance from the memory to the input of the segment at position ", segment.first, " of the schedule is ",
                      segment.memory_distance - 1, ", not at least ", segment.memory_distance)));
      if (segment.count != program.nodes.size() || segment.memory_distance >= std::int64_t{segment.bytes}) continue;
      ++whole;
      stale += is_stale_one_byte_nearer(program, plan, with_memory_at, segment.memory_distance) ? 1 : 0;
    }
  }
  CHECK(moved > 60);
  CHECK(whole > 20);
  CHECK(stale * 10 >= whole * 6);  // rows count as moved in each step of their node, also if they stay
  MESSAGE(moved, " segments, ", whole, " of them whole graphs, stale reads in ", stale);
}

TEST_CASE("memory one byte further in the output is refused, and would cause stale reads") {
  std::mt19937 random(79);
  int moved = 0;
  int stale = 0;
  int whole = 0;
  for (int i = 0; i < 500; ++i) {
    CAPTURE(i);
    const auto program = i % 2 == 0 ? random_graph(random, {.max_scratch = 200}).run() : narrow_ends(random);
    const auto plan = plan_of(program, planned_by<sliding_by_rows>{});
    for (std::size_t s = 0; s < plan.streams.segments.size(); ++s) {
      const auto& segment = plan.streams.segments[s];
      if (segment.bytes == 0 || segment.output_distance == min_distance::disjoint) continue;
      auto mutant = plan;
      mutant.streams.segments[s].output_distance -= 1;
      ++moved;
      const auto why = verify_plan(mutant);
      CHECK(why.is<"overlapping_memory">());
      CHECK(view(why.reason) ==
            view(join("the distance from the output to the memory of the segment at position ", segment.first, " of the schedule is ",
                      segment.output_distance - 1, ", not at least ", segment.output_distance)));
      const auto output = plan.needs.lifetimes[plan.needs.value_entries[index(plan.streams.graph.nodes[segment.last()].output)]];
      if (segment.count != program.nodes.size() || segment.output_distance >= static_cast<std::int64_t>(output.bytes)) continue;
      ++whole;
      stale += is_stale_one_byte_nearer(program, plan, with_memory_in_output, segment.output_distance) ? 1 : 0;
    }
  }
  CHECK(moved > 20);
  CHECK(whole > 10);
  CHECK(stale * 10 >= whole * 6);  // rows count as moved in each step of their node, also if they stay
  MESSAGE(moved, " segments, ", whole, " of them whole graphs, stale reads in ", stale);
}

TEST_CASE("one byte nearer is refused, and would cause stale reads") {
  std::mt19937 random(77);
  int moved = 0;
  int stale = 0;
  int whole = 0;
  for (int i = 0; i < 300; ++i) {
    CAPTURE(i);
    const auto program = i % 2 == 0 ? random_graph(random).run() : narrow_ends(random);
    const auto plan = plan_of(program, planned_by<sliding_by_rows>{});
    for (std::size_t s = 0; s < plan.streams.segments.size(); ++s) {
      const auto& segment = plan.streams.segments[s];
      const auto size = image_of(program, segment.input);
      const auto disjoint = -std::int64_t{size.rows} * size.columns * size.pixel_bytes;
      if (segment.distance == min_distance::disjoint || segment.distance == disjoint) continue;  // then the distance has no effect
      auto mutant = plan;
      mutant.streams.segments[s].distance -= 1;
      ++moved;
      const auto why = verify_plan(mutant);
      CHECK(why.is<"overlapping_memory">());
      CHECK(view(why.reason) == view(join("the distance from output to input of the segment at position ", segment.first,
                                          " of the schedule is ", segment.distance - 1, ", not at least ", segment.distance)));
      if (segment.count != program.nodes.size()) continue;
      ++whole;
      stale += is_stale_one_byte_nearer(program, plan, placed_at, segment.distance) ? 1 : 0;
    }
  }
  CHECK(moved > 60);
  CHECK(whole > 20);
  CHECK(stale * 10 >= whole * 9);  // a pixel link from end to end, or windows that omit columns, leave a little room
}
