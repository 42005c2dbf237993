// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A loop that stores its outputs in a list reads as a loop with `dynamic_update_slice`; other slices of open sizes are refused.
#include <baton/import/detail/tflite_item_updates.hpp>

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/tflite.hpp>
#include <baton/operators/verify.hpp>

#include "import/tflite_writer.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace {

using namespace baton;
using tests::tflite_writer;

/// The difference of a model from an item update.
enum class difference : std::uint8_t {
  none,
  open_list,        // no difference, but the subgraphs leave the number of items open, as those of tf.map_fn
  open_list_sizes,  // no difference, but the subgraphs leave all sizes of the list open, and dimension 0 of the result
  open_result,
  two_updates,  // no difference, but both updates use the same size
  size_of_zeros,
  begin_of_ones,
  start_of_ones,
  end_of_zeros,
  step_of_two,
  sum_of_another_scalar,
  sum_with_activation,
  join_with_activation,
  join_along_dimension_1,
  item_of_two_rows,
  open_item,
  item_of_another_scale,
  another_list,
  returned_head,
  used_size
};

/// A model with a loop that stores `item` in row i of `list`, [3, 2], while i is less than 3.
constexpr auto model_of(difference what) -> vector<char> {
  using namespace std::string_view_literals;
  const auto is = [&](difference other) { return what == other; };
  tflite_writer w;
  const auto add = w.operator_code(0), reshape = w.operator_code(22), join = w.operator_code(2), slice = w.operator_code(65),
             less = w.operator_code(58), loop = w.operator_code(119);
  const auto empty = w.buffer({}), ones = w.buffer("\1\0\0\0\1\0\0\0"sv), minus = w.buffer("\xff\xff\xff\xff"sv),
             zeros = w.buffer("\0\0\0\0\0\0\0\0"sv), zero = w.buffer("\0\0\0\0"sv),
             minuses = w.buffer("\xff\xff\xff\xff\xff\xff\xff\xff"sv), one = w.buffer("\1\0\0\0"sv), two = w.buffer("\2\0\0\0"sv),
             three = w.buffer("\3\0\0\0"sv);
  const auto whole = [&](std::string_view name, std::initializer_list<std::int32_t> shape, int buffer = 0) {
    return w.tensor(name, shape, tests::int32, buffer);
  };
  const auto list = [&](std::string_view name) { return w.tensor(name, {3, 2}, tests::float32); };
  // A list in a subgraph. Open sizes have the placeholder 1.
  const auto list_of_body = [&](std::string_view name) {
    if (is(difference::open_list)) return w.tensor(name, {1, 2}, tests::float32, 0, w.shape_signature({-1, 2}));
    if (is(difference::open_list_sizes)) return w.tensor(name, {1, 1}, tests::float32, 0, w.shape_signature({-1, -1}));
    return list(name);
  };
  const auto updated = [&] {
    if (is(difference::open_result)) return w.tensor("updated", {3, 1}, tests::float32, 0, w.shape_signature({3, -1}));
    if (is(difference::open_list_sizes)) return w.tensor("updated", {1, 2}, tests::float32, 0, w.shape_signature({-1, 2}));
    return list_of_body("updated");
  };
  const auto item = [&](std::string_view name) {
    if (is(difference::item_of_two_rows)) return w.tensor(name, {2, 2}, tests::float32);
    if (is(difference::open_item)) return w.tensor(name, {1, 2}, tests::float32, 0, w.shape_signature({-1, 2}));
    if (is(difference::item_of_another_scale)) return w.tensor(name, {1, 2}, tests::float32, 0, w.quantization({0.5f}, {0}));
    return w.tensor(name, {1, 2}, tests::float32);
  };
  const auto turns = w.operation(5, {0, 1, 2, 3}, {4, 5, 6, 7}, w.options(93, {tests::int_field(0, 1), tests::int_field(1, 2)}));
  const auto root =
      w.graph({whole("i", {}), list("a"), list("b"), item("item"), whole("i_end", {}), list("a_end"), list("b_end"), item("item_end")},
              {0, 1, 2, 3}, {5, 6}, {turns});
  const auto compare = w.operation(4, {0, 4}, {5});
  const auto condition =
      w.graph({whole("i", {}), list_of_body("a"), list("b"), item("item"), whole("limit", {}, 8), w.tensor("goes_on", {}, 6)}, {0, 1, 2, 3},
              {5}, {compare});
  vector<tests::reference> tensors{whole("i", {}),
                                   list_of_body("a"),
                                   list("b"),
                                   item("item"),
                                   whole("one", {}, is(difference::step_of_two) ? 7 : 6),
                                   whole("next", {}),
                                   whole("at", {1}),
                                   whole("filler", {1}, is(difference::size_of_zeros) ? 4 : 2),
                                   whole("size", {2}),
                                   whole("start", {2}, is(difference::start_of_ones) ? 1 : 3),
                                   w.tensor("head", {1, 1}, tests::float32, 0, w.shape_signature({-1, -1})),
                                   whole("after", {1}),
                                   whole("rest", {1}, is(difference::begin_of_ones) ? 6 : 4),
                                   whole("begin", {2}),
                                   whole("end", {2}, is(difference::end_of_zeros) ? 3 : 5),
                                   w.tensor("tail", {1, 2}, tests::float32, 0, w.shape_signature({-1, 2})),
                                   updated(),
                                   whole("scalar", {1}, 6),
                                   w.tensor("head_of_b", {1, 1}, tests::float32, 0, w.shape_signature({-1, -1})),
                                   w.tensor("tail_of_b", {1, 2}, tests::float32, 0, w.shape_signature({-1, 2})),
                                   list("updated_b"),
                                   whole("sizes", {2})};
  const auto joined = [&](std::int32_t axis, bool has_activation) {
    return w.options(10, {tests::int_field(0, axis), tests::byte_field(1, has_activation ? 1 : 0)});
  };
  const auto other = is(difference::another_list) ? 2 : 1;
  vector<tests::reference> operations{
      w.operation(0, {is(difference::sum_of_another_scalar) ? 4 : 0, 4}, {5},
                  w.options(11, {tests::byte_field(0, is(difference::sum_with_activation) ? 1 : 0)})),
      w.operation(1, {0, 17}, {6}),
      w.operation(2, {6, 7}, {8}, joined(0, false)),
      w.operation(3, {1, 9, 8}, {10}),
      w.operation(1, {5, 17}, {11}),
      w.operation(2, {11, 12}, {13}, joined(0, false)),
      w.operation(3, {other, 13, 14}, {15}),
      w.operation(2, {10, 3, 15}, {16}, joined(is(difference::join_along_dimension_1) ? 1 : 0, is(difference::join_with_activation)))};
  if (is(difference::two_updates)) {
    operations.push_back(w.operation(3, {2, 9, 8}, {18}));
    operations.push_back(w.operation(3, {2, 13, 14}, {19}));
    operations.push_back(w.operation(2, {18, 3, 19}, {20}, joined(0, false)));
  }
  if (is(difference::used_size)) operations.push_back(w.operation(0, {8, 8}, {21}));
  const span<const tests::reference> all_tensors{tensors.data(), tensors.size()}, all{operations.data(), operations.size()};
  const auto body = is(difference::two_updates)     ? w.graph(all_tensors, {0, 1, 2, 3}, {5, 16, 20, 3}, all)
                    : is(difference::returned_head) ? w.graph(all_tensors, {0, 1, 2, 3}, {5, 16, 10, 3}, all)
                                                    : w.graph(all_tensors, {0, 1, 2, 3}, {5, 16, 2, 3}, all);
  return w.model({add, reshape, join, slice, less, loop}, {root, condition, body},
                 {empty, ones, minus, zeros, zero, minuses, one, two, three});
}

/// True if the nodes of the loop's body have these operators.
constexpr auto has_body(const program_view& program, std::initializer_list<std::string_view> operators) -> bool {
  const auto nodes = program.nodes_of(program[graph_id{2}]);
  return std::equal(nodes.begin(), nodes.end(), operators.begin(), operators.end(),
                    [&](const node& record, std::string_view expected) { return program.text(record.target) == expected; });
}

/// True if the operands of a node of the loop's body have these names.
constexpr auto has_operands(const program_view& program, std::size_t position, std::initializer_list<std::string_view> names) -> bool {
  const auto operands = program.inputs(program.nodes_of(program[graph_id{2}])[position]);
  return std::equal(operands.begin(), operands.end(), names.begin(), names.end(),
                    [&](value_id id, std::string_view expected) { return program.text(program[id].name) == expected; });
}

constexpr auto an_update_becomes_one_node() -> bool {
  const auto model = model_of(difference::none);
  const auto read = tflite::try_read_bytes(model);
  if (!read) return false;
  const program_view program = read.value;
  const auto nodes = program.nodes_of(program[graph_id{2}]);
  return has_body(program, {"tfl.add", "tfl.reshape", "tfl.concatenation", "tfl.dynamic_update_slice"}) &&
         has_operands(program, 2, {"at", "rest"}) && has_operands(program, 3, {"a", "item", "size"}) && !verify(program) &&
         nodes[3].debug_handle - nodes[0].debug_handle == 7;  // handles count the operators of the file
}
static_assert(an_update_becomes_one_node());

/// The sizes of a list come from the operand of the loop, if its subgraphs leave them open.
constexpr auto open_sizes_of_a_list_are_those_of_the_operand(difference what) -> bool {
  const auto model = model_of(what);
  const auto read = tflite::try_read_bytes(model);
  if (!read) return false;
  const program_view program = read.value;
  const auto& update = program.nodes_of(program[graph_id{2}])[3];
  const auto is_3_by_2 = [&](value_id id) {
    const auto shape = program.shape(id);
    return shape.size() == 2 && shape[0] == 3 && shape[1] == 2;
  };
  return has_operands(program, 3, {"a", "item", "size"}) && is_3_by_2(program.inputs(update)[0]) &&
         is_3_by_2(program.outputs_of(update)[0]) && !verify(program);
}
static_assert(open_sizes_of_a_list_are_those_of_the_operand(difference::open_list));

constexpr auto two_updates_share_the_start() -> bool {
  const auto model = model_of(difference::two_updates);
  const auto read = tflite::try_read_bytes(model);
  if (!read) return false;
  const program_view program = read.value;
  return has_body(program, {"tfl.add", "tfl.reshape", "tfl.concatenation", "tfl.dynamic_update_slice", "tfl.dynamic_update_slice"}) &&
         has_operands(program, 3, {"a", "item", "size"}) && has_operands(program, 4, {"b", "item", "size"}) && !verify(program);
}
static_assert(two_updates_share_the_start());

constexpr auto is_refused(difference what) -> bool {
  const auto model = model_of(what);
  return !tflite::try_read_bytes(model);
}
constexpr difference differences[] = {
    difference::size_of_zeros, difference::begin_of_ones,         difference::start_of_ones,         difference::end_of_zeros,
    difference::step_of_two,   difference::sum_of_another_scalar, difference::sum_with_activation,   difference::open_item,
    difference::open_result,   difference::join_with_activation,  difference::item_of_two_rows,      difference::join_along_dimension_1,
    difference::another_list,  difference::returned_head,         difference::item_of_another_scale, difference::used_size};
static_assert(is_refused(difference::size_of_zeros) && is_refused(difference::used_size));

constexpr auto the_reason_names_the_slice() -> bool {
  const auto model = model_of(difference::step_of_two);
  const auto read = tflite::try_read_bytes(model);
  return !read && read.error.is<"unresolved_type">() &&
         view(read.error.reason) ==
             "the size of dimension 0 of output head, in a branch or a loop; for a recurrent layer in Keras, set "
             "unroll=True";
}
static_assert(the_reason_names_the_slice());

}  // namespace

TEST_CASE("an update of an item of a list becomes one node") {
  CHECK(an_update_becomes_one_node());
  CHECK(two_updates_share_the_start());
}

TEST_CASE("open sizes of a list are those of the loop's operand") {
  CHECK(open_sizes_of_a_list_are_those_of_the_operand(difference::open_list));
  CHECK(open_sizes_of_a_list_are_those_of_the_operand(difference::open_list_sizes));
}

TEST_CASE("slices of open sizes that are no update of an item are refused") {
  for (const auto what : differences) {
    CAPTURE(static_cast<int>(what));
    CHECK(is_refused(what));
  }
  CHECK(the_reason_names_the_slice());
}
