// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The number of rows of a slice, and the nodes that are cut: into rows or chunks, at a distance that holds for them.
#include <baton/plan/detail/node_cut.hpp>
#include <baton/core/builder.hpp>

#include <doctest/doctest.h>

#include <cstdint>

namespace {

using namespace baton;
using detail::node_cut;
using detail::unit_cut;

constexpr auto cut_of(unit_cut cut, std::uint64_t max, std::uint64_t whole, std::uint64_t call) -> unit_cut {
  cut.limit_to(max, whole, {call});
  return cut;
}
constexpr unit_cut ten_rows{10, 1, 10};
constexpr unit_cut pairs_of_rows{25, 2, 25};

// 100 instructions a row, and 7 a call. Equal slices: 8 rows would fit, so two slices have 5 rows each.
static_assert(cut_of(ten_rows, 1000, 1000, 7).slices() == 1 && !cut_of(ten_rows, 1000, 1000, 7).is_cut());
static_assert(cut_of(ten_rows, 807, 1000, 7).units_per_slice == 5 && cut_of(ten_rows, 807, 1000, 7).slices() == 2);
static_assert(cut_of(ten_rows, 507, 1000, 7).units_per_slice == 5);
static_assert(cut_of(ten_rows, 506, 1000, 7).units_per_slice == 4 && cut_of(ten_rows, 506, 1000, 7).slices() == 3);
static_assert(cut_of(ten_rows, 506, 1000, 7).slice_cost(1000, {7}) == 407 && cut_of(ten_rows, 506, 1000, 7).added_cost({7}) == 3 * 7);
static_assert(cut_of(ten_rows, 1, 1000, 7).units_per_slice == 1 && cut_of(ten_rows, 1, 1000, 7).slice_cost(1000, {7}) == 107);

// With an overlap, each step is a call.
constexpr unit_cut overlapped{10, 1, 10, true};
static_assert(cut_of(overlapped, 507, 1000, 7).units_per_slice == 4 && cut_of(overlapped, 507, 1000, 7).slice_cost(1000, {7}) == 428);
static_assert(cut_of(overlapped, 507, 1000, 7).units_per_call() == 1 && cut_of(overlapped, 507, 1000, 7).added_cost({7}) == 70);

// Costs are rounded up: a slice of one of three rows.
static_assert(unit_cut{3, 1, 1}.slice_cost(1000, {}) == 334);

// The most expensive of ten rows exceeds an equal share by a fifth. All rows together cost no more than the node.
constexpr unit_cut uneven{10, 1, 10, false, false, 20};
static_assert(cut_of(uneven, 607, 1000, 7).units_per_slice == 5 && cut_of(uneven, 606, 1000, 7).units_per_slice == 4);
static_assert(cut_of(uneven, 606, 1000, 7).slice_cost(1000, {7}) == 487 && cut_of(uneven, 606, 1000, 7).added_cost({7}) == 3 * 7);
static_assert(unit_cut{10, 1, 9, false, false, 20}.slice_cost(1000, {7}) == 1007);
static_assert(unit_cut{10, 1, 8, false, false, 20}.slice_cost(1000, {7}) == 967);
static_assert(unit_cut{3, 1, 1, false, false, 10}.slice_cost(1000, {}) == 367);

// Whole steps, except at the end.
static_assert(cut_of(pairs_of_rows, 1299, 2500, 0).units_per_slice == 10 && cut_of(pairs_of_rows, 1299, 2500, 0).slices() == 3);
static_assert(cut_of(pairs_of_rows, 1, 2500, 0).units_per_slice == 2 && cut_of(pairs_of_rows, 1, 2500, 0).slices() == 13);

// The smaller of two limits applies. Calls that cost more than the node, and nodes without rows, are not cut.
static_assert(cut_of(cut_of(ten_rows, 500, 1000, 0), 300, 1000, 0).units_per_slice == 3);
static_assert(cut_of(cut_of(ten_rows, 300, 1000, 0), 500, 1000, 0).units_per_slice == 3);
static_assert(!cut_of(ten_rows, 1, 1000, 901).is_cut() && cut_of(ten_rows, 1, 1000, 899).is_cut());
static_assert(!cut_of(unit_cut{}, 1, 1000, 0).is_cut() && cut_of(unit_cut{}, 1, 1000, 0).slice_cost(1000, {}) == 1000);
static_assert(!cut_of(unit_cut{2, 2, 2}, 1, 1000, 0).is_cut());

// Chunks that are cheaper than rows are replaced by rows if a second limit, here of operations, is kept only by rows.
constexpr auto cut_twice(std::uint64_t max_operations) -> node_cut {
  node_cut cut;
  cut.rows = {16, 1, 16};
  cut.chunks = {4, 1, 4};
  cut.limit_to(5000, {10'000, {200}, {50}});
  cut.limit_to(max_operations, {256});
  return cut;
}
static_assert(cut_twice(256).is_by_chunks && !cut_twice(20).is_by_chunks && cut_twice(20).slice_cost({256}) == 16);

/// The limits of all sizes: a slice keeps the limit or has one step of rows, and a tighter limit never costs less.
constexpr auto limits_are_kept(unit_cut node, std::uint64_t call) -> bool {
  std::uint64_t looser = 0;
  for (std::uint64_t max = 1100; max > 0; --max) {
    const auto cut = cut_of(node, max, 1000, call);
    if (cut.slice_cost(1000, {call}) > max && cut.units_per_slice != node.units_per_step) return false;
    if (cut.added_cost({call}) < looser) return false;
    if (cut.is_cut() && cut.units_per_slice % node.units_per_step != 0) return false;
    looser = cut.added_cost({call});
  }
  return looser != 0;
}
static_assert(limits_are_kept(ten_rows, 7));

/// A node of two images and a constant, with the facts and the places of its operands. `distance` is that of the first operand.
struct node_of_images {
  kernel_facts facts{};
  std::int64_t offset_of_first = 100;
  std::int64_t offset_of_second = 200;
  write_order order = write_order::ascending;
  bool is_bound = false;
  bool is_image = true;
  memory_base base_of_second = memory_base::graph;

  constexpr auto cut() const -> unit_cut { return both().rows; }
  constexpr auto both() const -> node_cut {
    program_builder build;
    constexpr char bytes[] = {1, 2, 3, 4};
    const auto weights = build.constant("w", tensor(dtype::int8, 4), {bytes, 4});
    const auto x = build.user_input("x", tensor(dtype::int8, 1, 4, 5, 2));
    const auto y = build.user_input("y", is_image ? tensor(dtype::int8, 1, 4, 5, 2) : tensor(dtype::int8, 40));
    const auto sum = build.call("sum", "test.sum", {x, y, weights}, tensor(dtype::int8, 1, 4, 5, 2));
    build.output(sum);
    const auto program = build.finish();
    vector<memory_location> locations(program.values.size(), memory_location{});
    locations[index(weights)].data = weights;
    locations[index(x)].offset = offset_of_first;
    locations[index(y)] = {offset_of_second, none<value_id>, base_of_second, is_bound};
    locations[index(sum)].offset = 10;
    return detail::node_cut_of(program, program_view(program).nodes[0], facts, locations, order);
  }
};
constexpr auto by_rows(std::int32_t rows_per_step = 1) -> kernel_facts {
  kernel_facts facts;
  facts.rows_per_step = rows_per_step;
  facts.operands[0] = {{.ascending = 4}, {}};
  facts.operands[1] = {{.ascending = 4}, {}};
  return facts;
}

/// The facts of rows that are computed from `span` operand rows, the first of which is `before` rows above.
constexpr auto in_windows(std::int32_t span, std::int32_t before) -> kernel_facts {
  auto facts = by_rows();
  facts.operands[0].window.rows = facts.operands[1].window.rows = {.before = before, .span = span};
  return facts;
}

static_assert(node_of_images{by_rows()}.cut().units == 4 && !node_of_images{by_rows()}.cut().is_overlapped);
static_assert(node_of_images{by_rows(9)}.cut().units_per_step == 4);
static_assert(node_of_images{kernel_facts{}}.cut().units == 0);                                    // no windows
static_assert(node_of_images{.facts = by_rows(), .is_image = false}.cut().units == 0);             // not an image
static_assert(node_of_images{by_rows(), 14}.cut().is_overlapped);                                  // at the distance
static_assert(node_of_images{by_rows(), 100, 49}.cut().is_overlapped);                             // the last byte
static_assert(!node_of_images{by_rows(), 100, 50}.cut().is_overlapped);                            // after the output
static_assert(node_of_images{by_rows(), 100, -29}.cut().units == 0);                               // the first byte, at a negative distance
static_assert(!node_of_images{by_rows(), 100, -30}.cut().is_overlapped);                           // before the output
static_assert(node_of_images{by_rows(), 13}.cut().units == 0);                                     // nearer than declared
static_assert(node_of_images{by_rows(), 100, 10, write_order::ascending, true}.cut().units == 4);  // in a buffer of the caller
static_assert(node_of_images{.facts = by_rows(), .offset_of_second = 10, .base_of_second = memory_base::slow_region}.cut().units == 4);
static_assert(node_of_images{by_rows(), 14, 200, write_order::descending}.cut().units == 0);
static_assert(!node_of_images{by_rows(), 100, 200, write_order::descending}.cut().is_overlapped &&
              node_of_images{by_rows(), 100, 200, write_order::descending}.cut().units == 4);
constexpr auto view_of_first() -> kernel_facts {
  auto facts = by_rows();
  facts.operands[0].distance = {};
  return facts;
}
static_assert(node_of_images{view_of_first(), 10}.cut().units == 0 && node_of_images{view_of_first(), 100}.cut().units == 4);

/// The facts of images whose output may be written in descending order.
constexpr auto upward_and_downward() -> kernel_facts {
  auto facts = by_rows();
  facts.operands[0].distance.descending = 4;
  facts.chunks = 3;
  return facts;
}
constexpr node_of_images below{upward_and_downward(), 6, 200, write_order::descending};  // ends four bytes before the output
static_assert(below.cut().units == 4 && below.cut().is_overlapped && below.cut().is_descending && below.both().chunks.units == 0);
static_assert(node_of_images{upward_and_downward(), 7, 200, write_order::descending}.cut().units == 0);
static_assert(node_of_images{upward_and_downward(), 6}.cut().units == 0 && !node_of_images{upward_and_downward(), 14}.cut().is_descending);
static_assert(!node_of_images{upward_and_downward(), 100, 200, write_order::descending}.cut().is_descending);

/// The same facts without rows.
constexpr auto chunks_upward_and_downward() -> kernel_facts {
  auto facts = upward_and_downward();
  facts.operands[0].window = facts.operands[1].window = row_window::none();
  return facts;
}
static_assert(node_of_images{chunks_upward_and_downward(), 14}.both().chunks.units == 3);
static_assert(node_of_images{chunks_upward_and_downward(), 6, 200, write_order::descending}.both().chunks.units == 0);

/// The facts of a layer with a window of three rows and chunks of different sizes.
constexpr auto with_border(std::int32_t span, std::int32_t before) -> kernel_facts {
  auto facts = in_windows(span, before);
  facts.chunks = 3;
  facts.uneven_chunks_percent = 50;
  return facts;
}
// Of four rows, the inner two have three taps and the outer two have two: 3 / (10 / 4) is 1.2.
static_assert(node_of_images{with_border(3, 1)}.cut().uneven_percent == 20);
static_assert(node_of_images{with_border(2, 1)}.cut().uneven_percent == 15);  // 2 / (7 / 4), rounded up
static_assert(node_of_images{with_border(1, 0)}.cut().uneven_percent == 0 && node_of_images{by_rows()}.cut().uneven_percent == 0);
static_assert(node_of_images{with_border(1, 2)}.cut().uneven_percent == 0);  // rows of the padding are written, too
static_assert(node_of_images{with_border(3, 1)}.both().chunks.uneven_percent == 50);
// The windows of the four rows contain 2, 1, 0 and 0 rows of the image: 2 / (3 / 4), rounded up. Windows without rows of the image are
// even.
static_assert(node_of_images{in_windows(2, -2)}.cut().uneven_percent == 167 && node_of_images{in_windows(2, -9)}.cut().uneven_percent == 0);
/// The facts of operands with different windows. The percentage of the first operand is larger.
constexpr auto in_different_windows() -> kernel_facts {
  auto facts = in_windows(3, 1);
  facts.operands[1].window.rows.span = 2;
  return facts;
}
static_assert(node_of_images{in_different_windows()}.cut().uneven_percent == 20);
// Taps in the padding are operations.
constexpr auto with_operations() -> node_cut {
  auto cut = node_of_images{with_border(3, 1)}.both();
  cut.chunks = {};
  cut.limit_operations_to(500, 1000);
  return cut;
}
static_assert(with_operations().rows.units_per_slice == 2 && with_operations().rows.uneven_percent == 20);

// The calls of five rows in steps of two.
constexpr unit_cut upward{5, 2, 4, true};
constexpr unit_cut downward{5, 2, 4, true, true};
static_assert(upward.units_of_call(0) == detail::range_of_units{0, 2} && upward.units_of_call(2) == detail::range_of_units{4, 5});
static_assert(downward.units_of_call(0) == detail::range_of_units{4, 5} && downward.units_of_call(2) == detail::range_of_units{0, 2});

/// The same facts, with or without rows, and three chunks.
constexpr auto in_chunks(bool has_rows) -> kernel_facts {
  auto facts = by_rows();
  facts.chunks = 3;
  if (!has_rows) facts.operands[0].window = facts.operands[1].window = row_window::none();
  return facts;
}
static_assert(node_of_images{in_chunks(true)}.both().chunks.units == 3 && node_of_images{in_chunks(true)}.both().rows.units == 4);
static_assert(node_of_images{in_chunks(false)}.both().chunks.units == 3 && node_of_images{in_chunks(false)}.both().rows.units == 0);
static_assert(node_of_images{.facts = in_chunks(false), .is_image = false}.both().chunks.units == 3);
// With an overlap, a node with rows is cut into rows only. Other nodes are cut into chunks, in one call a slice.
static_assert(node_of_images{in_chunks(true), 14}.both().chunks.units == 0 && node_of_images{in_chunks(true), 14}.both().rows.units == 4);
static_assert(node_of_images{in_chunks(false), 14}.both().chunks.units == 3 &&
              !node_of_images{in_chunks(false), 14}.both().chunks.is_overlapped);
static_assert(node_of_images{in_chunks(false), 13}.both().chunks.units == 0);
static_assert(node_of_images{in_chunks(false), 14, 200, write_order::descending}.both().chunks.units == 0);
static_assert(node_of_images{in_chunks(false), 100, 200, write_order::descending}.both().chunks.units == 3);

constexpr auto limited(node_cut cut, std::uint64_t max, std::uint64_t second = UINT64_MAX) -> node_cut {
  cut.limit_to(max, {1000, {10}, {10}});
  cut.limit_to(second, {1000});
  return cut;
}
constexpr node_cut four_rows_or_many_chunks{{4, 1, 4}, {100, 1, 100}};

// Slices of rows and of chunks have separate costs. A node is not cut into slices that cost as much as the node.
constexpr auto limited_by(const detail::cut_costs& costs, std::uint64_t max) -> node_cut {
  auto cut = four_rows_or_many_chunks;
  cut.limit_to(max, costs);
  return cut;
}
static_assert(limited_by({1000, {750}, {10}}, 900).is_by_chunks && limited_by({1000, {749}, {10}}, 999).is_by_chunks);
static_assert(limited_by({1000, {0, 200}, {990}}, 900).slice_cost({1000, {0, 200}, {990}}) == 600);
static_assert(limited_by({1000, {0, 200}, {990}}, 900).added_cost({1000, {0, 200}, {990}}) == 200);
static_assert(!limited_by({1000, {0, 3000}, {0, 99000}}, 1).is_cut() && limited_by({1000, {0, 3000}, {0, 98900}}, 1).is_by_chunks);

// Work that only the first slice does lengthens the longest slice, but adds no cost. It can require shorter slices.
static_assert(limited_by({1000, {0, 0, 100}, {990}}, 600).slice_cost({1000, {0, 0, 100}, {990}}) == 600);
static_assert(limited_by({1000, {0, 0, 100}, {990}}, 599).slice_cost({1000, {0, 0, 100}, {990}}) == 350);
static_assert(limited_by({1000, {0, 0, 100}, {990}}, 599).added_cost({1000, {0, 0, 100}, {990}}) == 0);

// A margin lengthens the estimate of slices, but not the cost of a call.
static_assert(detail::cut_costs::of({.form = "rows", .instructions = 1000, .by_rows = {7, 100}, .margin_percent = 10}).whole == 1100);
static_assert(detail::cut_costs::of({.form = "rows", .instructions = 1000, .by_rows = {7, 100}, .margin_percent = 10}).by_rows.in_total ==
              110);
static_assert(detail::cut_costs::of({.form = "rows", .instructions = 1000, .by_rows = {7, 100}, .margin_percent = 10}).by_rows.per_call ==
              7);
static_assert(detail::cut_costs::of({.form = "chunks", .by_chunks = {7, 100, 50}, .margin_percent = 10}).by_chunks.at_first == 55);
static_assert(detail::cut_costs::of({.form = "rows", .by_rows = {7, 100, 50}, .margin_percent = 10}).by_rows.at_first == 55);
static_assert(detail::cut_costs::of({.form = "rows", .instructions = 1000, .margin_percent = 10, .margin_instructions = 50}).whole == 1150);
static_assert(!limited(four_rows_or_many_chunks, 1000).is_cut());
static_assert(limited(four_rows_or_many_chunks, 510).slices() == 2 && !limited(four_rows_or_many_chunks, 510).is_by_chunks);
static_assert(limited(four_rows_or_many_chunks, 260).slices() == 4 && !limited(four_rows_or_many_chunks, 260).is_by_chunks);
static_assert(limited(four_rows_or_many_chunks, 259).slices() == 5 && limited(four_rows_or_many_chunks, 259).is_by_chunks);
static_assert(limited(four_rows_or_many_chunks, 1).slices() == 100);
// Rows that keep the limit are used, although chunks would be shorter.
static_assert(limited({{3, 1, 3}, {100, 1, 100}}, 700).slices() == 2 && !limited({{3, 1, 3}, {100, 1, 100}}, 700).is_by_chunks);
static_assert(limited(four_rows_or_many_chunks, 259, 100).slices() == 10 && limited(four_rows_or_many_chunks, 260, 100).slices() == 10);
static_assert(!limited({{4, 1, 4}, {3, 1, 3}}, 1).is_by_chunks);  // rows are shorter
static_assert(!limited({{4, 1, 4}, {4, 1, 4}}, 1).is_by_chunks);  // equal
static_assert(limited({{}, {3, 1, 3}}, 1).is_by_chunks && limited({{}, {3, 1, 3}}, 1).slices() == 3);
static_assert(!limited({{}, {}}, 1).is_cut() && limited({{}, {}}, 1).slices() == 1);

/// The operations of a split into one and nine elements, and of a node without outputs that precedes other values.
constexpr auto operations_of_node(std::size_t n) -> std::uint64_t {
  program_builder build;
  const auto x = build.user_input("x", tensor(dtype::int8, 10));
  const auto state = build.mutable_buffer("state", tensor(dtype::int8, 10));
  const auto parts = build.call_many("parts", "test.split", {x}, {tensor(dtype::int8, 1), tensor(dtype::int8, 9)});
  build.call_many("store", "test.store", {x, state}, {});
  build.output(parts[0]);
  build.output(build.call("test.twice", {parts[1]}, tensor(dtype::int8, 9)));
  const auto program = build.finish();
  return detail::operations_of(program, program_view(program).nodes[n]);
}
static_assert(operations_of_node(0) == 10 && operations_of_node(1) == 0 && operations_of_node(2) == 9);

/// A node whose first output, at offset 10, overlaps its operand at `offset`. A node of several outputs permits no overlap.
constexpr auto cut_of_split(std::int64_t offset, std::size_t outputs) -> node_cut {
  program_builder build;
  const auto x = build.user_input("x", tensor(dtype::int8, 8));
  vector<value_id> parts;
  if (outputs == 1) {
    parts.push_back(build.call("part", "test.split", {x}, tensor(dtype::int8, 8)));
  } else {
    parts = build.call_many("parts", "test.split", {x}, {tensor(dtype::int8, 8), tensor(dtype::int8, 8)});
  }
  for (const auto part : parts) build.output(part);
  const auto program = build.finish();
  vector<memory_location> locations(program.values.size(), memory_location{});
  locations[index(x)].offset = offset;
  locations[index(parts[0])].offset = 10;
  if (outputs == 2) locations[index(parts[1])].offset = 100;
  kernel_facts facts;
  facts.chunks = 3;
  facts.operands[0] = {{.ascending = 0}, row_window::none()};
  return detail::node_cut_of(program, program_view(program).nodes[0], facts, locations, write_order::ascending);
}
static_assert(cut_of_split(10, 1).chunks.units == 3 && cut_of_split(10, 2).chunks.units == 0 && cut_of_split(50, 2).chunks.units == 3);

/// Two images of 40 bytes that are joined to one of 80 bytes. The whole is at offset 8.
struct joined_images {
  std::int64_t offset_of_first = 8;
  std::int64_t offset_of_second = 48;
  bool is_bound = false;
  kernel_facts::subview_layout layout{.offset = 0};
  bool are_parts_bound = false;

  constexpr auto facts() const -> kernel_facts {
    auto facts = by_rows();
    facts.subviews = layout;
    return facts;
  }
  template <class F>
  constexpr auto with_node(F f) const {
    program_builder build;
    const auto x = build.user_input("x", tensor(dtype::int8, 1, 4, 5, 2));
    const auto y = build.user_input("y", tensor(dtype::int8, 1, 4, 5, 2));
    const auto empty = build.user_input("empty", tensor(dtype::int8, 1, 0, 5, 2));
    const auto whole = build.call("whole", "test.join", {x, none<value_id>, empty, y}, tensor(dtype::int8, 1, 8, 5, 2));
    build.output(whole);
    const auto program = build.finish();
    vector<memory_location> locations(program.values.size(), memory_location{});
    locations[index(x)] = {offset_of_first, none<value_id>, memory_base::graph, are_parts_bound};
    locations[index(y)] = {offset_of_second, none<value_id>, memory_base::graph, are_parts_bound};
    locations[index(whole)] = {8, none<value_id>, memory_base::graph, is_bound};
    return f(program_view(program), program_view(program).nodes[0], facts(), span<const memory_location>(locations));
  }
  constexpr auto is_view() const -> bool {
    return with_node([](const auto&... of) { return detail::is_view(of...); });
  }
  constexpr auto cut() const -> unit_cut {
    return with_node([](const auto&... of) { return detail::node_cut_of(of..., write_order::ascending).rows; });
  }
};
static_assert(joined_images{}.is_view() && joined_images{}.cut().units == 0);
static_assert(!joined_images{8, 49}.is_view() && !joined_images{7, 48}.is_view());
static_assert(!joined_images{8, 200}.is_view());  // one part is a view; the other is copied
static_assert(!joined_images{.is_bound = true}.is_view());
// The location of a bound value is the location of its address, so equal offsets do not mean equal bytes.
static_assert(!joined_images{.is_bound = true, .are_parts_bound = true}.is_view());
static_assert(!joined_images{.layout = {}}.is_view());
static_assert(!joined_images{100, 200}.is_view());

/// The same facts as a slice of the first operand, from byte `first` on: the output is a view of the operand.
constexpr auto sliced(std::int64_t first, std::int64_t offset_of_operand) -> unit_cut {
  auto facts = by_rows();
  facts.operands[0].distance.ascending = 0;
  facts.subviews = {.offset = first, .whole_operand = 0};
  return node_of_images{facts, offset_of_operand}.cut();  // the output is at offset 10
}
static_assert(sliced(0, 10).units == 0 && sliced(-4, 14).units == 0);
static_assert(sliced(0, 14).is_overlapped && sliced(0, 100).units == 4);
constexpr auto aliased(std::int64_t offset_of_operand) -> unit_cut {
  auto facts = by_rows();
  facts.output_aliases_input = true;
  facts.operands[0].distance.ascending = 0;
  return node_of_images{facts, offset_of_operand}.cut();
}
static_assert(aliased(10).units == 0 && aliased(11).is_overlapped);

}  // namespace

TEST_CASE("slices keep a limit, or have one step of rows") {
  for (std::int32_t rows = 1; rows < 30; ++rows) {
    for (std::int32_t step = 1; step <= rows; ++step) {
      for (const bool overlaps : {false, true}) {
        if (step == rows) continue;
        CAPTURE(rows);
        CAPTURE(step);
        CHECK(limits_are_kept({rows, step, rows, overlaps}, 3));
      }
    }
  }
}

TEST_CASE("at run time, the same nodes are cut") {
  CHECK(below.cut().is_descending);
  CHECK(uneven.slice_cost(1000, {7}) == 1000);
  CHECK(cut_of(uneven, 606, 1000, 7).units_per_slice == 4);
  CHECK(node_of_images{with_border(3, 1)}.cut().uneven_percent == 20);
  CHECK(node_of_images{in_windows(2, -2)}.cut().uneven_percent == 167);
  CHECK(node_of_images{in_windows(2, -9)}.cut().uneven_percent == 0);
  CHECK(node_of_images{in_different_windows()}.cut().uneven_percent == 20);
  CHECK(with_operations().rows.units_per_slice == 2);
  CHECK(downward.units_of_call(0) == detail::range_of_units{4, 5});
  CHECK(node_of_images{by_rows(), 14}.cut().is_overlapped);
  CHECK(node_of_images{by_rows(), 13}.cut().units == 0);
  CHECK(node_of_images{view_of_first(), 10}.cut().units == 0);
  CHECK(joined_images{}.is_view());
  CHECK_FALSE(joined_images{8, 49}.is_view());
  CHECK(sliced(0, 10).units == 0);
  CHECK(node_of_images{in_chunks(false), 14}.both().chunks.units == 3);
  CHECK(limited(four_rows_or_many_chunks, 259).is_by_chunks);
  CHECK(cut_of_split(10, 1).chunks.units == 3);
  CHECK(cut_of_split(10, 2).chunks.units == 0);
  CHECK_FALSE(joined_images{.is_bound = true, .are_parts_bound = true}.is_view());
}
