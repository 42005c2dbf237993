// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Functions that read the arguments of torch.export's operators. The functions accept numbers in place of tensors, and apply PyTorch's type
// promotion.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/named_literal.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/transform/detail/emission.hpp>
#include <baton/transform/detail/executorch_argument.hpp>
#include <baton/transform/detail/expression.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::detail {

/// Returns `in` with elements of the type `type`: `in` itself, or the output of an inserted conversion.
constexpr auto converted(emission& emitter, std::string_view suffix, value_id in, dtype type) -> value_id {
  auto result = emitter.stored_type(in);
  if (result.type == type) return in;
  const bool is_boolean = type == dtype::boolean;
  auto f = expression(emitter, result, emitter.layout(in));
  result.type = type;
  if (is_boolean) return emitter.add(suffix, "tfl.not_equal", {in, f.whole("nothing", 0)}, result, {}, emitter.layout(in));
  return emitter.add(suffix, "tfl.cast", {in}, result, {}, emitter.layout(in));
}
/// True if the argument `key` is a real number that has a fraction or is outside (-2e9, 2e9). Such a number is treated as a float; a number
/// such as 2.0 is treated as an integer.
constexpr auto is_real_argument(emission& emitter, literal_name key) -> bool {
  if (emitter.unclamped_integer(key) != 0) return false;
  const auto number = emitter.real(key);
  return !(number > -2e9 && number < 2e9 && static_cast<double>(static_cast<std::int64_t>(number)) == number);
}

/// Returns the position of a type in the order of promotion, or 7 for a type that is not in this order. A boolean is promoted to an
/// integer, and an integer to a wider integer or a float.
constexpr auto promotion_rank(dtype type) -> int {
  constexpr dtype order[] = {dtype::boolean, dtype::uint8, dtype::int8, dtype::int16, dtype::int32, dtype::int64, dtype::float32};
  for (int i = 0; i < 7; ++i) {
    if (order[i] == type) return i;
  }
  return 7;
}
/// Returns the type to which both types are promoted: the type with the higher `promotion_rank`, but int16 for uint8 and int8.
constexpr auto promoted_type(dtype a, dtype b) -> dtype {
  const bool is_mixed = (a == dtype::uint8 && b == dtype::int8) || (a == dtype::int8 && b == dtype::uint8);
  return is_mixed ? dtype::int16 : promotion_rank(a) < promotion_rank(b) ? b : a;
}

/// Operands 0 and 1, converted to one type and to the layout of the output. If operand 1 is omitted, the second value is the argument
/// `arg_1`.
struct promoted_pair {
  value_id first = none<value_id>;
  value_id second = none<value_id>;

  /// Converts both operands to `type`.
  constexpr promoted_pair(emission& emitter, dtype type) {
    if (!emitter.has(1) && !emitter.has_attribute("arg_1")) {
      emitter.refuse("operand 1 is missing");
      return;
    }
    first = converted(emitter, "first", emitter.in(0), type);
    second = emitter.has(1) ? converted(emitter, "second", emitter.in(1), type) : number_argument(emitter, "arg_1", type);
  }
  /// Converts both operands to their promoted type. Comparisons of uint8 with int8 use int32, because kernels compare int16 values only if
  /// they are quantized.
  static constexpr auto of_both(emission& emitter) -> promoted_pair {
    auto type = emitter.record(emitter.operand(0)).type;
    if (emitter.has(1)) {
      const auto first = type, second = emitter.record(emitter.operand(1)).type;
      type = promoted_type(first, second);
      if (type != first && type != second && emitter.output_type().type == dtype::boolean) type = dtype::int32;
    }
    if (!emitter.has(1) && (type == dtype::boolean || is_real_argument(emitter, "arg_1")))
      type = promoted_type(type, is_real_argument(emitter, "arg_1") ? dtype::float32 : dtype::int64);
    return {emitter, type};
  }
};

}  // namespace baton::detail
