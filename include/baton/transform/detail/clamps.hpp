// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Float32 nodes that clamp their operand, and the fused activations with the same bounds.
#pragma once

#include <baton/core/program.hpp>
#include <baton/operators/requantization.hpp>
#include <baton/operators/shared/unary_function.hpp>

#include <limits>
#include <string_view>

namespace baton::detail {

/// The bounds of a float32 node that clamps its operand. Without a bound, a limit is infinite.
struct real_clamp {
  quantized::bounds<float> limits{-std::numeric_limits<float>::infinity(), std::numeric_limits<float>::infinity()};
  bool is_clamp = false;

  constexpr explicit operator bool() const { return is_clamp; }
  /// Returns the bounds of clamping to these limits, and then to `next`.
  constexpr auto then(quantized::bounds<float> next) const -> quantized::bounds<float> {
    return {next.clamp(limits.lower), next.clamp(limits.upper)};
  }
};

/// Returns the bounds of a float32 node that clamps its operand: a relu, or a minimum or maximum with a constant of one element.
/// `variable` receives the position of the operand.
constexpr auto clamp_of(const program_view& program, const node& record, std::size_t& variable) -> real_clamp {
  using kind = unary_function::kind;
  const auto f = unary_function_of(program, record);
  variable = f.variable;
  real_clamp result{.is_clamp = true};
  const auto constant = f.of == kind::maximum || f.of == kind::minimum ? static_cast<float>(f.constant) : 0.0f;
  switch (f.of) {
    case kind::maximum:
      if (f.fused != quantized::activation::none) return {};
      result.limits.lower = constant;
      return result;
    case kind::minimum:
      if (f.fused != quantized::activation::none) return {};
      result.limits.upper = constant;
      return result;
    case kind::relu:
      result.limits.lower = 0;
      return result;
    case kind::relu6:
      result.limits = {0, 6};
      return result;
    case kind::relu_0_to_1:
      result.limits = {0, 1};
      return result;
    case kind::relu_n1_to_1:
      result.limits = {-1, 1};
      return result;
    default:
      return {};
  }
}

/// Returns the bounds of a fused activation. `is_clamp` is false if the activation is not one of those that all kernels support.
constexpr auto clamp_of(std::string_view fused) -> real_clamp {
  real_clamp result{.is_clamp = true};
  switch (quantized::activation_of(fused)) {
    case quantized::activation::none:
      return result;
    case quantized::activation::relu:
      result.limits.lower = 0;
      return result;
    case quantized::activation::relu6:
      result.limits = {0, 6};
      return result;
    case quantized::activation::relu_n1_to_1:
      result.limits = {-1, 1};
      return result;
    default:
      return {};
  }
}

/// Returns the name of the fused activation with these bounds, or null if there is none.
constexpr auto activation_with(quantized::bounds<float> limits) -> const char* {
  constexpr auto infinity = std::numeric_limits<float>::infinity();
  if (limits == quantized::bounds<float>{0, infinity}) return "relu";
  if (limits == quantized::bounds<float>{0, 6}) return "relu6";
  if (limits == quantized::bounds<float>{-1, 1}) return "relu_n1_to_1";
  return limits == quantized::bounds<float>{-infinity, infinity} ? "none" : nullptr;
}

}  // namespace baton::detail
