// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Rules: what methods and what is lowered must keep to.
#pragma once

#include <baton/core/rules.hpp>

#include <string_view>
#include <type_traits>

namespace baton::rule {

struct undelegated_node {
  static constexpr std::string_view sentence =
      "baton undelegated_node: this program must be delegated whole; a node stays; extend a backend or its partitioner, or take back the "
      "demand";
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton undelegated_node: this program must be delegated whole; a node stays; extend a backend or its partitioner, or "
                  "take back the demand");
  }
};
template <>
struct named<"undelegated_node"> : std::type_identity<undelegated_node> {};

struct too_many_boundary_bytes {
  static constexpr std::string_view sentence =
      "baton too_many_boundary_bytes: fewer bytes must cross the borders of delegates; these are more; partition anew or raise the limit";
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton too_many_boundary_bytes: fewer bytes must cross the borders of delegates; these are more; partition anew or raise "
                  "the limit");
  }
};
template <>
struct named<"too_many_boundary_bytes"> : std::type_identity<too_many_boundary_bytes> {};

struct duplicate_method {
  static constexpr std::string_view sentence =
      "baton duplicate_method: every method must have a name of its own; two have the same; rename one or remove it";
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton duplicate_method: every method must have a name of its own; two have the same; rename one or remove it");
  }
};
template <>
struct named<"duplicate_method"> : std::type_identity<duplicate_method> {};

struct unknown_method {
  static constexpr std::string_view sentence =
      "baton unknown_method: a method must be among the programs given; this one is not; add its program or correct the name";
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton unknown_method: a method must be among the programs given; this one is not; add its program or correct the name");
  }
};
template <>
struct named<"unknown_method"> : std::type_identity<unknown_method> {};

struct unmatched_results {
  static constexpr std::string_view sentence =
      "baton unmatched_results: a backend must return one result for each part of a batch; it did not; return as many, method by method";
  template <class Facts>
  static consteval void report() {
    static_assert(
        always_false<Facts>,
        "baton unmatched_results: a backend must return one result for each part of a batch; it did not; return as many, method by method");
  }
};
template <>
struct named<"unmatched_results"> : std::type_identity<unmatched_results> {};

struct costly_preprocess {
  static constexpr std::string_view sentence =
      "baton costly_preprocess: what a backend makes of a part must be within the compiler's limits for a constant; this is not, or is no "
      "constant; see above, make the part smaller or preprocess leaner, or raise that limit";
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton costly_preprocess: what a backend makes of a part must be within the compiler's limits for a constant; this is "
                  "not, or is no constant; see above, make the part smaller or preprocess leaner, or raise that limit");
  }
};
template <>
struct named<"costly_preprocess"> : std::type_identity<costly_preprocess> {};

struct run_time_preprocess {
  static constexpr std::string_view sentence =
      "baton run_time_preprocess: what lowers in the compiler needs a preprocess that it can evaluate within its limits; this one it "
      "cannot; write constexpr, call only what is, and less of it";
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton run_time_preprocess: what lowers in the compiler needs a preprocess that it can evaluate within its limits; this "
                  "one it cannot; write constexpr, call only what is, and less of it");
  }
};
template <>
struct named<"run_time_preprocess"> : std::type_identity<run_time_preprocess> {};

}  // namespace baton::rule
