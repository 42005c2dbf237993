// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The real function that a float32 node applies to its variable operand: the operand that is not a constant. Passes compute lookup tables
// from such functions.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/operators/requantization.hpp>
#include <baton/operators/shared/real_functions.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

namespace baton {

/// The function of one real number that a float32 node computes for each element of its variable operand. Results are doubles, not rounded
/// to float.
struct unary_function {
  enum class kind : std::uint8_t {
    unknown,
    abs,
    add,
    ceil,
    div,
    elu,
    exp,
    floor,
    gelu,
    hard_swish,
    leaky_relu,
    log,
    logistic,
    maximum,
    minimum,
    mul,
    neg,
    relu,
    relu6,
    relu_0_to_1,
    relu_n1_to_1,
    round,
    rsqrt,
    sign,
    sqrt,
    square,
    sub,
    tanh
  };

  kind op = kind::unknown;
  bool is_approximate = false;                                ///< gelu: approximated with tanh
  double constant = 0;                                        ///< the constant operand, or the slope of `leaky_relu`
  std::size_t variable = 0;                                   ///< the position of the variable operand
  quantized::activation fused = quantized::activation::none;  ///< the activation after `add`, `sub`, `mul` or `div`

  /// True if the node computes a known function of one variable.
  constexpr explicit operator bool() const { return op != kind::unknown; }

  /// Returns the value of the function at `x`. `x` is first clamped to [-1e150, 1e150], so that products of `x` do not overflow. The result
  /// may be infinite, as for `exp` of 1000 or `log` of 0. The result is NaN if `x` is NaN or the function is undefined at `x`.
  constexpr auto operator()(double x) const -> double {
    if (x != x) return x;
    x = clamped(x, -1e150, 1e150);
    const bool is_first = variable == 0;
    // The frequent functions come first, because Clang counts each case before the selected one as a step of constant evaluation.
    switch (op) {
      case kind::logistic:
        return x < 0 ? real::exp(x) / (1 + real::exp(x)) : 1 / (1 + real::exp(-x));
      case kind::relu:
        return x < 0 ? 0 : x;
      case kind::relu6:
        return clamped(x, 0, 6);
      case kind::hard_swish:
        return x * clamped(x + 3, 0, 6) / 6;
      case kind::leaky_relu:
        return x < 0 ? x * constant : x;
      case kind::tanh:
        return real::tanh(x);
      case kind::mul:
        return activated(x * constant);
      case kind::add:
        return activated(x + constant);
      case kind::sub:
        return activated(is_first ? x - constant : constant - x);
      case kind::maximum:
        return x > constant ? x : constant;
      case kind::minimum:
        return x < constant ? x : constant;
      case kind::div:
        return activated(is_first ? x / constant : quotient(constant, x));
      case kind::abs:
        return x < 0 ? -x : x;
      case kind::ceil:
        return -real::floor(-x);
      case kind::floor:
        return real::floor(x);
      case kind::round:
        return real::round_half_to_even(x);
      case kind::sign:
        return x > 0 ? 1 : x < 0 ? -1 : 0;
      case kind::neg:
        return -x;
      case kind::square:
        return x * x;
      case kind::sqrt:
        return real::square_root(x);
      case kind::rsqrt:
        return x == 0 ? real::infinity : quotient(1, real::square_root(x));
      case kind::exp:
        return real::exp(x);
      case kind::log:
        return real::log(x);
      case kind::elu:
        return x < 0 ? real::exp(x) - 1 : x;
      case kind::gelu:
        return gelu(x);
      case kind::relu_0_to_1:
        return clamped(x, 0, 1);
      case kind::relu_n1_to_1:
        return clamped(x, -1, 1);
      default:
        return x;
    }
  }

 private:
  static constexpr auto clamped(double x, double lower, double upper) -> double { return x < lower ? lower : upper < x ? upper : x; }
  static constexpr auto quotient(double a, double b) -> double {
    if (b == 0) return a == 0 ? std::numeric_limits<double>::quiet_NaN() : a < 0 ? -real::infinity : real::infinity;
    return b != b ? b : a / b;
  }
  constexpr auto activated(double x) const -> double {
    if (fused == quantized::activation::none || x != x) return x;
    if (fused == quantized::activation::relu) return x < 0 ? 0 : x;
    return fused == quantized::activation::relu6 ? clamped(x, 0, 6) : clamped(x, -1, 1);
  }
  constexpr auto gelu(double x) const -> double {
    if (x > 16) return x;
    if (x < -16) return 0;
    constexpr double root_half = 0.7071067811865476;
    constexpr double root_two_by_pi = 0.7978845608028654;
    return x / 2 * (1 + (is_approximate ? real::tanh(root_two_by_pi * (x + 0.044715 * x * x * x)) : real::erf(x * root_half)));
  }
};

namespace detail {

struct unary_name {
  literal_name name;
  unary_function::kind op;
  std::uint32_t operands = 1;
};

inline constexpr unary_name unary_names[] = {
    {"tfl.logistic", unary_function::kind::logistic},
    {"tfl.relu", unary_function::kind::relu},
    {"tfl.relu6", unary_function::kind::relu6},
    {"tfl.hard_swish", unary_function::kind::hard_swish},
    {"tfl.tanh", unary_function::kind::tanh},
    {"tfl.mul", unary_function::kind::mul, 2},
    {"tfl.add", unary_function::kind::add, 2},
    {"tfl.sub", unary_function::kind::sub, 2},
    {"tfl.div", unary_function::kind::div, 2},
    {"tfl.maximum", unary_function::kind::maximum, 2},
    {"tfl.minimum", unary_function::kind::minimum, 2},
    {"tfl.prelu", unary_function::kind::leaky_relu, 2},
    {"tfl.leaky_relu", unary_function::kind::leaky_relu},
    {"tfl.elu", unary_function::kind::elu},
    {"tfl.gelu", unary_function::kind::gelu},
    {"tfl.exp", unary_function::kind::exp},
    {"tfl.log", unary_function::kind::log},
    {"tfl.sqrt", unary_function::kind::sqrt},
    {"tfl.rsqrt", unary_function::kind::rsqrt},
    {"tfl.square", unary_function::kind::square},
    {"tfl.abs", unary_function::kind::abs},
    {"tfl.neg", unary_function::kind::neg},
    {"tfl.floor", unary_function::kind::floor},
    {"tfl.ceil", unary_function::kind::ceil},
    {"tfl.round", unary_function::kind::round},
    {"tfl.sign", unary_function::kind::sign},
    {"tfl.relu_0_to_1", unary_function::kind::relu_0_to_1},
    {"tfl.relu_n1_to_1", unary_function::kind::relu_n1_to_1},
};

/// The element of a constant float32 tensor. `is_known` is true only if the value is such a tensor with exactly one element, and this
/// element is finite.
struct known_scalar {
  double number = 0;
  bool is_known = false;

  static constexpr auto in(const program_view& program, value_id id) -> known_scalar {
    if (index(id) >= program.values.size()) return {};
    const auto& record = program[id];
    if (record.type != dtype::float32 || !is_owned_data(record.kind) || record.kind == value_kind::mutable_buffer) return {};
    const auto bytes = program.data(record.data);
    if (bytes.size() != 4 || element_count(program.shape(id)) != 1) return {};
    const auto number = static_cast<double>(std::bit_cast<float>(quantized::little_endian_32(bytes.data())));
    constexpr auto max = static_cast<double>(std::numeric_limits<float>::max());
    return {number, number >= -max && number <= max};
  }
};

/// Sets the parameters of `f` from the node's attributes and operands. `has_constant` is true if the operator has two operands; then one of
/// them must be constant. Returns false if the node does not compute a known function of one variable.
constexpr auto read_parameters(const program_view& program, const node& record, bool has_constant, unary_function& f) -> bool {
  using kind = unary_function::kind;
  if (f.op == kind::gelu) f.is_approximate = program.integer(record, "approximate") != 0;
  if (f.op == kind::leaky_relu && !has_constant) {
    f.constant = program.real(record, "alpha");
    return f.constant >= -1e38 && f.constant <= 1e38;
  }
  if (!has_constant) return true;
  f.fused = quantized::activation_of(program.text(record, "fused_activation_function", "none"));
  if (f.fused == quantized::activation::unknown) return false;
  const auto operands = program.inputs(record);
  auto constant = known_scalar::in(program, operands[1]);
  if (!constant.is_known && f.op != kind::leaky_relu) {
    f.variable = 1;
    constant = known_scalar::in(program, operands[0]);
  }
  f.constant = constant.number;
  return constant.is_known && !(f.op == kind::div && f.variable == 0 && f.constant == 0);
}

}  // namespace detail

/// Returns the function that a float32 node computes for each element, or an unknown function. The function is known if `unary_names` has
/// the operator, and the variable operand and the output are float32 tensors of the same shape. If the operator has two operands, one of
/// them must be a constant with a single, finite element. For `tfl.prelu`, this must be the second operand. The function is also unknown
/// for a division by the constant 0, for an unknown fused activation, and for a slope (`alpha`) of `tfl.leaky_relu` outside [-1e38, 1e38].
/// O(1).
constexpr auto unary_function_of(const program_view& program, const node& record) -> unary_function {
  if (record.outputs.size != 1 || record.inputs.size == 0 || record.inputs.size > 2) return {};
  for (const auto& row : detail::unary_names) {
    if (row.name.hash != record.op) continue;
    unary_function f{.op = row.op};
    if (record.inputs.size != row.operands || !detail::read_parameters(program, record, row.operands == 2, f)) return {};
    const auto in = program.inputs(record)[f.variable];
    const auto out = program.outputs_of(record)[0];
    if (index(in) >= program.values.size() || index(out) >= program.values.size()) return {};
    const auto from = program.shape(in), to = program.shape(out);
    if (program[in].type != dtype::float32 || program[out].type != dtype::float32 || from.size() != to.size()) return {};
    for (std::size_t i = 0; i < from.size(); ++i) {
      if (from[i] != to[i]) return {};
    }
    return f;
  }
  return {};
}

}  // namespace baton
