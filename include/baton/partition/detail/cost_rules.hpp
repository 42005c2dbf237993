// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Rules: what costs and capacities must keep to.
#pragma once

#include <baton/core/rules.hpp>

#include <string_view>
#include <type_traits>

namespace baton::rule {

struct malformed_cost {
  static constexpr std::string_view sentence =
      "baton malformed_cost: a cost must be a number from 0 to below 10^9; this one is not; mend the cost table";
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton malformed_cost: a cost must be a number from 0 to below 10^9; this one is not; mend the cost table");
  }
};
template <>
struct named<"malformed_cost"> : std::type_identity<malformed_cost> {};

struct costs_overflow {
  static constexpr std::string_view sentence =
      "baton costs_overflow: all costs of a program must add up to less than 10^12; these add up to more; state them in a larger unit";
  template <class Facts>
  static consteval void report() {
    static_assert(
        always_false<Facts>,
        "baton costs_overflow: all costs of a program must add up to less than 10^12; these add up to more; state them in a larger unit");
  }
};
template <>
struct named<"costs_overflow"> : std::type_identity<costs_overflow> {};

struct malformed_capacity {
  static constexpr std::string_view sentence =
      "baton malformed_capacity: a capacity must be a count of bytes, 0 or more; this one is not; mend it, or leave it out for no limit";
  template <class Facts>
  static consteval void report() {
    static_assert(
        always_false<Facts>,
        "baton malformed_capacity: a capacity must be a count of bytes, 0 or more; this one is not; mend it, or leave it out for no limit");
  }
};
template <>
struct named<"malformed_capacity"> : std::type_identity<malformed_capacity> {};

struct capacity_too_small {
  static constexpr std::string_view sentence =
      "baton capacity_too_small: a backend's capacity must hold the constants of some node it supports; this holds none; raise it";
  template <class Facts>
  static consteval void report() {
    static_assert(
        always_false<Facts>,
        "baton capacity_too_small: a backend's capacity must hold the constants of some node it supports; this holds none; raise it");
  }
};
template <>
struct named<"capacity_too_small"> : std::type_identity<capacity_too_small> {};

}  // namespace baton::rule
