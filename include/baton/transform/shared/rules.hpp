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
struct rule<"broken_by_pass"> {
  static constexpr std::string_view sentence{
      "baton broken_by_pass: what a pass makes must be a well-formed program; this pass leaves a broken one; see the reason and mend the pass", 134};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton broken_by_pass: what a pass makes must be a well-formed program; this pass leaves a broken one; see the reason and mend the pass");
  }
};

template <>
struct rule<"costly_pass"> {
  static constexpr std::string_view sentence{
      "baton costly_pass: what a pass does must be within the compiler's limits for a constant; this takes more, or fails as the compiler says above; leave that pass out or raise that limit (-fconstexpr-steps, -fconstexpr-ops-limit)", 225};
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton costly_pass: what a pass does must be within the compiler's limits for a constant; this takes more, or fails as the compiler says above; leave that pass out or raise that limit (-fconstexpr-steps, -fconstexpr-ops-limit)");
  }
};

}  // namespace baton
