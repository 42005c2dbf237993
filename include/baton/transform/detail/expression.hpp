// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A class that inserts the nodes of a formula, which replaces a node of a file format.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/operators/shared/integer_list.hpp>
#include <baton/transform/detail/emission.hpp>
#include <baton/transform/detail/layout.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace baton::detail {

/// An emitter of the nodes of a formula. All intermediate values have the same type, by default the type of the output.
class expression {
 public:
  constexpr explicit expression(emission& emitter) : expression(emitter, emitter.output_type(), emitter.layout(emitter.output())) {}
  constexpr expression(emission& emitter, const tensor_type& type, const value_layout& layout)
      : emitter_(emitter),
        type_(type),
        layout_(layout) {}

  constexpr auto type() const -> const tensor_type& { return type_; }
  /// Returns a copy of this emitter whose intermediate values have the element type `type`.
  constexpr auto of(dtype type) const -> expression {
    auto result = *this;
    result.type_.type = type;
    return result;
  }

  /// Adds a constant float32 number.
  constexpr auto number(std::string_view suffix, double x) -> value_id {
    const auto rounded = static_cast<float>(x);
    return emitter_.real_constant(suffix, {&rounded, 1}, tensor(dtype::float32));
  }
  /// Adds the constant number `x` of the type of the intermediate values: float32, a boolean, or an integer.
  constexpr auto whole(std::string_view suffix, std::int64_t x) -> value_id {
    if (type_.type == dtype::float32) return number(suffix, static_cast<double>(x));
    text_buffer bytes;
    for (std::size_t b = 0; b < facts(type_.type).bits / 8u; ++b) {
      bytes.push_back(static_cast<char>(b < 8 ? static_cast<std::uint64_t>(x) >> (8 * b) & 0xff : 0));
    }
    return emitter_.constant(suffix, tensor(type_.type), view(bytes));
  }
  /// Adds the constant number `x`, an argument of a node of the file. The type of the intermediate values must be float32, boolean or an
  /// integer of at least 8 bits, and must be able to represent `x`. Otherwise, refuses the node (the pass then fails with
  /// `unsupported_operator`). A boolean is true if `x` is not 0.
  constexpr auto argument(std::string_view suffix, std::int64_t x) -> value_id {
    const auto type = type_.type;
    const bool is_integer = type >= dtype::int2 && type <= dtype::boolean && facts(type).bits >= 8;
    if (type != dtype::float32 && !is_integer) emitter_.refuse("elements of ", facts(type).name, " are not supported");
    const bool is_signed = type >= dtype::int2 && type <= dtype::int64;
    const auto bits = facts(type).bits - (is_signed ? 1 : 0);
    const bool is_limited = type != dtype::float32 && type != dtype::boolean && facts(type).bits < 64;
    if (is_limited && (x >= std::int64_t{1} << bits || x < (is_signed ? -(std::int64_t{1} << bits) : 0)))
      emitter_.refuse("the number ", x, " does not fit ", facts(type).name);
    return whole(suffix, type == dtype::boolean && x != 0 ? 1 : x);
  }

  /// Inserts a node, and returns its output.
  constexpr auto call(std::string_view suffix, std::string_view op, std::initializer_list<value_id> inputs,
                      std::initializer_list<named_literal> literals = {}) -> value_id {
    return emitter_.add(suffix, op, inputs, type_, literals, layout_);
  }
  /// Inserts a sum, a difference, a product or a quotient: `op` is `tfl.add`, `tfl.sub`, `tfl.mul` or `tfl.div`.
  constexpr auto arithmetic(std::string_view suffix, std::string_view op, value_id a, value_id b) -> value_id {
    return call(suffix, op, {a, b}, {{"fused_activation_function", "none"}});
  }
  constexpr auto add(std::string_view suffix, value_id a, value_id b) -> value_id { return arithmetic(suffix, "tfl.add", a, b); }
  constexpr auto sub(std::string_view suffix, value_id a, value_id b) -> value_id { return arithmetic(suffix, "tfl.sub", a, b); }
  constexpr auto mul(std::string_view suffix, value_id a, value_id b) -> value_id { return arithmetic(suffix, "tfl.mul", a, b); }
  constexpr auto div(std::string_view suffix, value_id a, value_id b) -> value_id { return arithmetic(suffix, "tfl.div", a, b); }
  /// Finishes the formula with a sum, a difference, a product or a quotient, which computes the output.
  constexpr void finish(std::string_view op, value_id a, value_id b) {
    emitter_.finish(op, {a, b}, {{"fused_activation_function", "none"}});
  }

 private:
  emission& emitter_;
  tensor_type type_;
  value_layout layout_;
};

}  // namespace baton::detail
