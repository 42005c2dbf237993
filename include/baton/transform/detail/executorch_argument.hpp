// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Functions that read the arguments of ExecuTorch's `aten` operators, and that convert tensors to the identity dimension order (0, 1, 2,
// and so on). Argument i is an operand if it is a tensor, otherwise the attribute `arg_i`. The number i counts all arguments, including
// tensors.
#pragma once

#include <baton/core/named_literal.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/operators/inference.hpp>
#include <baton/transform/detail/emission.hpp>
#include <baton/transform/detail/executorch_order.hpp>
#include <baton/transform/detail/expression.hpp>
#include <baton/transform/detail/legalization_row.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace baton::detail {

/// Returns `fixed` if the node has the attribute `dim_orders`, because its tensors may then be stored in dimension orders other than the
/// identity. Otherwise, returns the layout rule `How`, or the layout rule that the function `How` returns.
template <auto How>
constexpr auto fixed_if_reordered(const layout_query& node) -> layout_rule {
  if (node.program.find(node.record, "dim_orders") != nullptr) return layout_rule::fixed;
  if constexpr (std::is_same_v<decltype(How), layout_rule>) {
    return How;
  } else {
    return How(node);
  }
}

/// Calls `emit` with the operands in the identity dimension order. Converts the output from the identity order to the order in the file. If
/// `is_image` is set, operand 0 and the output have the channels last in `emit`; the other operands have the identity order.
constexpr void emit_in_order(emission& emitter, void (*emit)(emission&), bool is_image) {
  if (!emitter.has_attribute("dim_orders")) return emit(emitter);
  if (emitter.output_count() != 1) return emitter.refuse("dim_orders is supported only for a node with one output");
  vector<value_id> operands;
  for (std::size_t i = 0; i < emitter.operand_count(); ++i) {
    const auto type = emitter.stored_type(emitter.operand(i));
    if (!is_image || i != 0) {
      operands.push_back(emitter.has(i) ? operand_in(emitter, i, dim_order::identity(type.rank)) : none<value_id>);
    } else if (type.rank != 4) {
      return emitter.refuse("an image with dim_orders must have 4 dimensions, not ", type.rank);
    } else {
      const auto last = reordering(type, order_of_operand(emitter, 0), dim_order::channels_last()).result();
      operands.push_back(operand_in(emitter, 0, dim_order::channels_last(), layout_of_last(last)));
    }
  }
  const auto rank = emitter.output_type().rank;
  ordered_output output(emitter, is_image ? dim_order::channels_last() : dim_order::identity(rank), is_image);
  if (emitter.is_refused()) return;
  emitter.set_operands(operands);
  emit(emitter);
  output.end();
}
template <void (*Emit)(emission&), bool IsImage = false>
constexpr void in_identity_order(emission& emitter) {
  emit_in_order(emitter, Emit, IsImage);
}
/// Refuses the node (the pass then fails with `unsupported_operator`) if its tensors are stored in different dimension orders. Ignores
/// operands with one element.
constexpr void refuse_different_orders(emission& emitter) {
  if (!emitter.has_attribute("dim_orders")) return;
  const auto out = order_of_output(emitter);
  for (std::size_t i = 0; i < emitter.operand_count(); ++i) {
    if (!emitter.has(i) || element_count(emitter.stored_type(emitter.operand(i)).shape()) == 1) continue;
    if (!(order_of_operand(emitter, i) == out)) return emitter.refuse("its tensors are stored in different orders of dimensions");
  }
}
/// Calls `Emit` if all tensors of a node are stored in the same dimension order. Otherwise, refuses the node.
template <void (*Emit)(emission&)>
constexpr void in_one_order(emission& emitter) {
  refuse_different_orders(emitter);
  if (!emitter.is_refused()) Emit(emitter);
}

/// Returns one number of the list argument `key` for each of `dimensions` dimensions. A list of one number applies to all dimensions.
/// Missing numbers are `absent`.
constexpr auto numbers_for(emission& emitter, literal_name key, std::size_t dimensions, std::int64_t absent) -> vector<std::int64_t> {
  vector<std::int64_t> result;
  const auto count = emitter.list(key).size();
  for (std::size_t d = 0; d < dimensions; ++d) result.push_back(emitter.entry(key, count == 1 ? 0 : d, absent));
  return result;
}
/// Returns a list with the paddings before all dimensions, and then the paddings after all dimensions. The padding before a dimension
/// equals the padding after the dimension: the number that `numbers_for` returns for the argument `key`. For example, the list {1, 2}
/// yields {1, 2, 1, 2} for two dimensions.
constexpr auto pads_for(emission& emitter, literal_name key, std::size_t dimensions) -> vector<std::int64_t> {
  auto result = numbers_for(emitter, key, dimensions, 0);
  for (std::size_t d = 0; d < dimensions; ++d) result.push_back(result[d]);
  return result;
}
/// Returns the number in the argument `key` as an integer, or `absent` if the argument is omitted. A real number is rounded toward 0.
/// Refuses the node if int64 cannot represent the result.
constexpr auto whole_argument(emission& emitter, literal_name key, double absent = 0) -> std::int64_t {
  const auto whole = emitter.unclamped_integer(key);
  if (whole != 0) return whole;  // an integer or a boolean
  const auto real = emitter.real(key, absent);
  if (real >= -0x1p63 && real < 0x1p63) return static_cast<std::int64_t>(real);
  emitter.refuse("argument ", key.text.substr(4), " does not fit int64");
  return 0;
}
/// Adds a constant of the type `type` with the number in the argument `key`. Refuses the node if the type cannot represent the number.
constexpr auto number_argument(emission& emitter, literal_name key, dtype type, double absent = 0) -> value_id {
  auto f = expression(emitter).of(type);
  const auto real = emitter.real(key, absent);  // 0 for an attribute of the kind `boolean`
  if (type == dtype::float32) return f.number(key.text, real == 0 ? static_cast<double>(emitter.unclamped_integer(key)) : real);
  const auto whole = whole_argument(emitter, key, absent);
  if (emitter.unclamped_integer(key) == 0 && static_cast<double>(whole) != real)
    emitter.refuse("argument ", key.text.substr(4), " is not a number of the type ", facts(type).name);
  return f.argument(key.text, whole);
}
/// Adds a constant with the number in the argument `key`. The constant has the type of operand 0, or of the output if operand 0 is omitted.
constexpr auto number_of_argument(emission& emitter, literal_name key) -> value_id {
  return number_argument(emitter, key, emitter.has(0) ? emitter.record(emitter.operand(0)).type : emitter.output_type().type);
}
/// Returns the dimension that the argument `key` names, counted from 0. If there is no such dimension, refuses the node and returns `rank`.
constexpr auto dimension_argument(emission& emitter, literal_name key, std::size_t rank, std::int64_t absent = 0) -> std::size_t {
  const auto axis = inference::dimension(emitter.integer(key, absent), rank);
  if (axis == rank) emitter.refuse("there is no dimension ", emitter.integer(key, absent));
  return axis;
}
/// The window of a pool: argument 1 is the size, argument 2 the stride (by default the size), and argument 3 the padding.
struct pool_window {
  vector<std::int64_t> sizes;
  vector<std::int64_t> strides;
  vector<std::int64_t> pads;

  constexpr pool_window(emission& emitter, std::size_t dimensions)
      : sizes(numbers_for(emitter, "arg_1", dimensions, 1)),
        strides(sizes),
        pads(pads_for(emitter, "arg_3", dimensions)) {
    if (!emitter.list("arg_2").empty()) strides = numbers_for(emitter, "arg_2", dimensions, 1);
  }
};
/// True if operand 0 and the output are [batches, channels, ...] with `dimensions` spatial dimensions. Otherwise, refuses the node and
/// returns false.
constexpr auto has_batches(emission& emitter, std::size_t dimensions) -> bool {
  const auto in = emitter.stored_type(emitter.operand(0)).rank, out = emitter.stored_type(emitter.output()).rank;
  if (in == dimensions + 2 && out == in) return true;
  if (in == dimensions + 1)
    emitter.refuse("images without batches are not supported; add a dimension to them");
  else
    emitter.refuse("the operand has ", in, " dimensions, not ", dimensions + 2);
  return false;
}
constexpr auto image_dimensions(emission& emitter) -> std::size_t {
  const auto rank = emitter.stored_type(emitter.operand(0)).rank;
  return rank < 2 ? 0 : rank - 2;
}

}  // namespace baton::detail
