// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Checks of operator names against the operators of all formats.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/shared/static_failure.hpp>
#include <baton/operators/executorch.hpp>
#include <baton/operators/onnx.hpp>
#include <baton/operators/operator_dialect.hpp>
#include <baton/operators/shared/check_operator_name.hpp>
#include <baton/operators/torch.hpp>

#include <string_view>

namespace baton {

/// Checks the name of an operator, with the operators of all formats as the known names (`check_operator_name` with a list of dialects).
constexpr auto check_operator_name(std::string_view name) -> failure {
  const operator_dialect* const dialects[] = {&torch::dialect, &executorch::dialect, &onnx::dialect};
  return check_operator_name(name, dialects);
}

/// Reports an error at compile time if `Name` is not a valid operator name (`check_operator_name`). The error is reported where the name is
/// written. Always returns true, so that a constraint does not fail and add a second error.
template <fixed_string Name>
consteval auto require_operator_name() -> bool {
  constexpr static_failure why{check_operator_name(Name)};
  require_no_failure<why>();
  return true;
}

}  // namespace baton
