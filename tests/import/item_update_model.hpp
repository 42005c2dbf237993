// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// TensorFlow Lite models with a loop that stores an item in each iteration, as the converter of TensorFlow writes it.
#pragma once

#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>

#include "import/tflite_writer.hpp"

#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace tests {

/// The difference of a model from an item update.
enum class difference : std::uint8_t {
  none,
  open_list,        // no difference, but the subgraphs leave the number of items open, as those of tf.map_fn
  open_list_sizes,  // no difference, but the subgraphs leave all sizes of the list open, and dimension 0 of the result
  open_result,
  item_of_other_columns,  // the subgraphs leave all sizes of the list open, but the item and the result have 3 columns
  two_updates,            // no difference, but both updates use the same size
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
constexpr auto model_of(difference what) -> baton::vector<char> {
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
    return w.tensor(name, shape, int32, buffer);
  };
  const auto list = [&](std::string_view name) { return w.tensor(name, {3, 2}, float32); };
  // A list in a subgraph. Open sizes have the placeholder 1.
  const auto list_of_body = [&](std::string_view name) {
    if (is(difference::open_list)) return w.tensor(name, {1, 2}, float32, 0, w.shape_signature({-1, 2}));
    if (is(difference::open_list_sizes) || is(difference::item_of_other_columns))
      return w.tensor(name, {1, 1}, float32, 0, w.shape_signature({-1, -1}));
    return list(name);
  };
  const auto updated = [&] {
    if (is(difference::open_result)) return w.tensor("updated", {3, 1}, float32, 0, w.shape_signature({3, -1}));
    if (is(difference::open_list_sizes)) return w.tensor("updated", {1, 2}, float32, 0, w.shape_signature({-1, 2}));
    if (is(difference::item_of_other_columns)) return w.tensor("updated", {1, 3}, float32, 0, w.shape_signature({-1, 3}));
    return list_of_body("updated");
  };
  const auto item = [&](std::string_view name) {
    if (is(difference::item_of_other_columns)) return w.tensor(name, {1, 3}, float32);
    if (is(difference::item_of_two_rows)) return w.tensor(name, {2, 2}, float32);
    if (is(difference::open_item)) return w.tensor(name, {1, 2}, float32, 0, w.shape_signature({-1, 2}));
    if (is(difference::item_of_another_scale)) return w.tensor(name, {1, 2}, float32, 0, w.quantization({0.5f}, {0}));
    return w.tensor(name, {1, 2}, float32);
  };
  const auto turns = w.operation(5, {0, 1, 2, 3}, {4, 5, 6, 7}, w.options(93, {int_field(0, 1), int_field(1, 2)}));
  const auto root =
      w.graph({whole("i", {}), list("a"), list("b"), item("item"), whole("i_end", {}), list("a_end"), list("b_end"), item("item_end")},
              {0, 1, 2, 3}, {5, 6}, {turns});
  const auto compare = w.operation(4, {0, 4}, {5});
  const auto condition =
      w.graph({whole("i", {}), list_of_body("a"), list("b"), item("item"), whole("limit", {}, 8), w.tensor("goes_on", {}, 6)}, {0, 1, 2, 3},
              {5}, {compare});
  baton::vector<reference> tensors{whole("i", {}),
                                   list_of_body("a"),
                                   list("b"),
                                   item("item"),
                                   whole("one", {}, is(difference::step_of_two) ? 7 : 6),
                                   whole("next", {}),
                                   whole("at", {1}),
                                   whole("filler", {1}, is(difference::size_of_zeros) ? 4 : 2),
                                   whole("size", {2}),
                                   whole("start", {2}, is(difference::start_of_ones) ? 1 : 3),
                                   w.tensor("head", {1, 1}, float32, 0, w.shape_signature({-1, -1})),
                                   whole("after", {1}),
                                   whole("rest", {1}, is(difference::begin_of_ones) ? 6 : 4),
                                   whole("begin", {2}),
                                   whole("end", {2}, is(difference::end_of_zeros) ? 3 : 5),
                                   w.tensor("tail", {1, 2}, float32, 0, w.shape_signature({-1, 2})),
                                   updated(),
                                   whole("scalar", {1}, 6),
                                   w.tensor("head_of_b", {1, 1}, float32, 0, w.shape_signature({-1, -1})),
                                   w.tensor("tail_of_b", {1, 2}, float32, 0, w.shape_signature({-1, 2})),
                                   list("updated_b"),
                                   whole("sizes", {2})};
  const auto joined = [&](std::int32_t axis, bool has_activation) {
    return w.options(10, {int_field(0, axis), byte_field(1, has_activation ? 1 : 0)});
  };
  const auto other = is(difference::another_list) ? 2 : 1;
  baton::vector<reference> operations{
      w.operation(0, {is(difference::sum_of_another_scalar) ? 4 : 0, 4}, {5},
                  w.options(11, {byte_field(0, is(difference::sum_with_activation) ? 1 : 0)})),
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
  const baton::span<const reference> all_tensors{tensors.data(), tensors.size()}, all{operations.data(), operations.size()};
  const auto body = is(difference::two_updates)     ? w.graph(all_tensors, {0, 1, 2, 3}, {5, 16, 20, 3}, all)
                    : is(difference::returned_head) ? w.graph(all_tensors, {0, 1, 2, 3}, {5, 16, 10, 3}, all)
                                                    : w.graph(all_tensors, {0, 1, 2, 3}, {5, 16, 2, 3}, all);
  return w.model({add, reshape, join, slice, less, loop}, {root, condition, body},
                 {empty, ones, minus, zeros, zero, minuses, one, two, three});
}

/// A model with a loop that stores `item`, a scalar, in element i of `list`, [3], while i is less than 3.
constexpr auto model_of_scalar_items() -> baton::vector<char> {
  using namespace std::string_view_literals;
  tflite_writer w;
  const auto add = w.operator_code(0), reshape = w.operator_code(22), join = w.operator_code(2), slice = w.operator_code(65),
             less = w.operator_code(58), loop = w.operator_code(119);
  const auto empty = w.buffer({}), zero = w.buffer("\0\0\0\0"sv), one = w.buffer("\1\0\0\0"sv), three = w.buffer("\3\0\0\0"sv),
             minus = w.buffer("\xff\xff\xff\xff"sv);
  const auto whole = [&](std::string_view name, std::initializer_list<std::int32_t> shape, int buffer = 0) {
    return w.tensor(name, shape, int32, buffer);
  };
  const auto list = [&](std::string_view name) { return w.tensor(name, {3}, float32); };
  const auto open = [&](std::string_view name) { return w.tensor(name, {1}, float32, 0, w.shape_signature({-1})); };
  const auto item = [&](std::string_view name) { return w.tensor(name, {1}, float32); };
  const auto turns = w.operation(5, {0, 1, 2}, {3, 4, 5}, w.options(93, {int_field(0, 1), int_field(1, 2)}));
  const auto root =
      w.graph({whole("i", {}), list("a"), item("item"), whole("i_end", {}), open("a_end"), item("item_end")}, {0, 1, 2}, {4}, {turns});
  const auto condition = w.graph({whole("i", {}), open("a"), item("item"), whole("limit", {}, 3), w.tensor("goes_on", {}, boolean)},
                                 {0, 1, 2}, {4}, {w.operation(4, {0, 3}, {4})});
  const auto body = w.graph(
      {whole("i", {}), open("a"), item("item"), whole("one", {}, 2), whole("scalar", {1}, 2), whole("start", {1}, 1), whole("end", {1}, 4),
       whole("next", {}), whole("size", {1}), open("head"), whole("begin", {1}), open("tail"), open("updated")},
      {0, 1, 2}, {7, 12, 2},
      {w.operation(0, {0, 3}, {7}, w.options(11, {})), w.operation(1, {0, 4}, {8}), w.operation(3, {1, 5, 8}, {9}),
       w.operation(1, {7, 4}, {10}), w.operation(3, {1, 10, 6}, {11}), w.operation(2, {9, 2, 11}, {12}, w.options(10, {}))});
  return w.model({add, reshape, join, slice, less, loop}, {root, condition, body}, {empty, zero, one, three, minus});
}

}  // namespace tests
