// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Float32 nodes that clamp their operand, and the fused activations with the same bounds.
#pragma once

#include <baton/core/program.hpp>
#include <baton/operators/requantization.hpp>
#include <baton/operators/shared/unary_function.hpp>

#include <cstddef>
#include <initializer_list>
#include <limits>
#include <string_view>

namespace baton::detail {

/// The bounds of a float32 node that clamps its operand. An absent bound is infinite.
struct real_clamp {
  quantized::bounds<float> limits{-std::numeric_limits<float>::infinity(), std::numeric_limits<float>::infinity()};
  bool is_clamp = false;

  constexpr explicit operator bool() const { return is_clamp; }
  /// Returns the bounds of two successive clamps: this clamp, and then a clamp to `next`.
  constexpr auto then(quantized::bounds<float> next) const -> quantized::bounds<float> {
    return {next.clamp(limits.lower), next.clamp(limits.upper)};
  }
};

/// Returns the bounds of a fused activation. `is_clamp` is false if `quantized::activation_of` (operators/requantization.hpp) does not know
/// the activation.
constexpr auto clamp_of(std::string_view fused) -> real_clamp {
  const auto activation = quantized::activation_of(fused);
  if (activation == quantized::activation::unknown) return {};
  real_clamp result{.is_clamp = true};
  const auto finite = quantized::float_bounds(activation);
  if (finite.lower > std::numeric_limits<float>::lowest()) result.limits.lower = finite.lower;
  if (finite.upper < std::numeric_limits<float>::max()) result.limits.upper = finite.upper;
  return result;
}

/// Returns the bounds of a float32 node that clamps its operand: a relu, or a minimum or maximum with a constant of one element. Sets
/// `variable` to the position of the clamped operand. `is_clamp` is false for all other nodes.
constexpr auto clamp_of(const program_view& program, const node& record, std::size_t& variable) -> real_clamp {
  using kind = unary_function::kind;
  const auto f = unary_function_of(program, record);
  variable = f.variable;
  real_clamp result{.is_clamp = true};
  switch (f.op) {
    case kind::maximum:
      if (f.fused != quantized::activation::none) return {};
      result.limits.lower = static_cast<float>(f.constant);
      return result;
    case kind::minimum:
      if (f.fused != quantized::activation::none) return {};
      result.limits.upper = static_cast<float>(f.constant);
      return result;
    case kind::relu:
      return clamp_of("relu");
    case kind::relu6:
      return clamp_of("relu6");
    case kind::relu_n1_to_1:
      return clamp_of("relu_n1_to_1");
    case kind::relu_0_to_1:
      result.limits = {0, 1};
      return result;
    default:
      return {};
  }
}

/// Returns the name of the fused activation with the bounds `limits`, or null if there is no such activation.
constexpr auto activation_with(quantized::bounds<float> limits) -> const char* {
  for (const auto* const fused : {"none", "relu", "relu6", "relu_n1_to_1"}) {
    if (clamp_of(fused).limits == limits) return fused;
  }
  return nullptr;
}

}  // namespace baton::detail
