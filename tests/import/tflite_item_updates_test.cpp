// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A loop that stores its outputs in a list reads as a loop with `dynamic_update_slice`; other slices of open sizes are refused.
#include <baton/import/detail/tflite_item_updates.hpp>

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/tflite.hpp>
#include <baton/operators/verify.hpp>

#include "import/item_update_model.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace {

using namespace baton;
using tests::difference;
using tests::model_of;

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

/// A list of scalars needs no start with several dimensions, so the body keeps `reshape(i)`.
constexpr auto an_update_of_scalars_becomes_one_node() -> bool {
  const auto model = tests::model_of_scalar_items();
  const auto read = tflite::try_read_bytes(model);
  if (!read) return false;
  const program_view program = read.value;
  const auto shape = program.shape(program.outputs_of(program.nodes_of(program[graph_id{2}])[2])[0]);
  return has_body(program, {"tfl.add", "tfl.reshape", "tfl.dynamic_update_slice"}) && has_operands(program, 2, {"a", "item", "size"}) &&
         shape.size() == 1 && shape[0] == 3 && !verify(program);
}
static_assert(an_update_of_scalars_becomes_one_node());

/// The sizes of the list come from the operand of the loop, [3, 2]. They differ from those of the item, [1, 3].
constexpr auto an_item_of_other_columns_disagrees_with_the_list() -> bool {
  const auto model = model_of(difference::item_of_other_columns);
  const auto read = tflite::try_read_bytes(model);
  return !read && read.error.is<"malformed_operator">();
}
static_assert(an_item_of_other_columns_disagrees_with_the_list());

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
             "the size of dimension 0 of output head, in a branch or a loop, where it depends on computed values; "
             "use fixed sizes there, and for a recurrent layer in Keras, set unroll=True";
}
static_assert(the_reason_names_the_slice());

}  // namespace

TEST_CASE("an update of an item of a list becomes one node") {
  CHECK(an_update_becomes_one_node());
  CHECK(an_update_of_scalars_becomes_one_node());
  CHECK(two_updates_share_the_start());
}

TEST_CASE("open sizes of a list are those of the loop's operand") {
  CHECK(open_sizes_of_a_list_are_those_of_the_operand(difference::open_list));
  CHECK(open_sizes_of_a_list_are_those_of_the_operand(difference::open_list_sizes));
}

TEST_CASE("a list whose sizes differ from those of its items is refused") { CHECK(an_item_of_other_columns_disagrees_with_the_list()); }

TEST_CASE("slices of open sizes that are no update of an item are refused") {
  for (const auto what : differences) {
    CAPTURE(static_cast<int>(what));
    CHECK(is_refused(what));
  }
  CHECK(the_reason_names_the_slice());
}
