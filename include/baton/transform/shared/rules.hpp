// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Generated: rules of passes.
// Do not edit: add a line to cmake/rules.txt and run: cmake -P cmake/rules.cmake
#pragma once

#include <baton/core/rule.hpp>

#include <string_view>

// clang-format off
namespace baton {

template <>
struct rule<"unsupported_operator"> {
  static constexpr std::string_view sentence{
      "baton unsupported_operator: a node of another format cannot be replaced by an operator that the kernels compute; see the reason, and change the model or add a rule for the operator", 180};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#unsupported_operator
                  "baton unsupported_operator: a node of another format cannot be replaced by an operator that the kernels compute; see the reason, and change the model or add a rule for the operator");
  }
};

template <>
struct rule<"broken_by_pass"> {
  static constexpr std::string_view sentence{
      "baton broken_by_pass: a pass returned an invalid program; see the reason and correct the pass", 93};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#broken_by_pass
                  "baton broken_by_pass: a pass returned an invalid program; see the reason and correct the pass");
  }
};

template <>
struct rule<"costly_pass"> {
  static constexpr std::string_view sentence{
      "baton costly_pass: a pass exceeds a limit of the compiler for constant evaluation, or fails as the compiler reports above; omit the pass, or raise that limit (-fconstexpr-steps, -fconstexpr-ops-limit)", 200};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#costly_pass
                  "baton costly_pass: a pass exceeds a limit of the compiler for constant evaluation, or fails as the compiler reports above; omit the pass, or raise that limit (-fconstexpr-steps, -fconstexpr-ops-limit)");
  }
};

}  // namespace baton
