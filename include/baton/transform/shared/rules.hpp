// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Generated: error messages of passes.
// Do not edit: add a line to cmake/rules.txt and run: cmake -P cmake/rules.cmake
#pragma once

#include <baton/core/rule.hpp>

#include <string_view>

// clang-format off
namespace baton {

template <>
struct rule<"unsupported_operator"> {
  static constexpr std::string_view sentence{
      "baton unsupported_operator: a node cannot be replaced by operators that the kernels support; see the reason, and change the model or add a legalization of the operator", 167};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#unsupported_operator
                  "baton unsupported_operator: a node cannot be replaced by operators that the kernels support; see the reason, and change the model or add a legalization of the operator");
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
      "baton costly_pass: the compiler cannot evaluate a pass; see the compiler's message above, and omit the pass, or raise the limit if it names one (-fconstexpr-steps, -fconstexpr-ops-limit)", 186};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,  // docs/errors.md#costly_pass
                  "baton costly_pass: the compiler cannot evaluate a pass; see the compiler's message above, and omit the pass, or raise the limit if it names one (-fconstexpr-steps, -fconstexpr-ops-limit)");
  }
};

}  // namespace baton
