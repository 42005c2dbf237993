// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Rules: what backends and lists of them must keep to.
#pragma once

#include <baton/core/rules.hpp>

#include <string_view>
#include <type_traits>

namespace baton::rule {

struct unknown_backend {
  static constexpr std::string_view sentence =
      "baton unknown_backend: the backend was not found in the list of backends; add it to baton::backends<...> or correct the id";
  template <class Facts>
  static consteval void report() {
    static_assert(
        always_false<Facts>,
        "baton unknown_backend: the backend was not found in the list of backends; add it to baton::backends<...> or correct the id");
  }
};
template <>
struct named<"unknown_backend"> : std::type_identity<unknown_backend> {};

struct duplicate_backend {
  static constexpr std::string_view sentence =
      "baton duplicate_backend: every backend in the list must have an id of its own; two have the same; rename one or remove it";
  template <class Facts>
  static consteval void report() {
    static_assert(
        always_false<Facts>,
        "baton duplicate_backend: every backend in the list must have an id of its own; two have the same; rename one or remove it");
  }
};
template <>
struct named<"duplicate_backend"> : std::type_identity<duplicate_backend> {};

struct nested_backend {
  static constexpr std::string_view sentence =
      "baton nested_backend: a backend must not derive from another of the list: nesting is unsupported; share a base that is no backend";
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton nested_backend: a backend must not derive from another of the list: nesting is unsupported; share a base that is "
                  "no backend");
  }
};
template <>
struct named<"nested_backend"> : std::type_identity<nested_backend> {};

struct refused_part {
  static constexpr std::string_view sentence =
      "baton refused_part: a backend must be able to preprocess the part it is given; it refused; see the reason and the partitioner";
  template <class Facts>
  static consteval void report() {
    static_assert(
        always_false<Facts>,
        "baton refused_part: a backend must be able to preprocess the part it is given; it refused; see the reason and the partitioner");
  }
};
template <>
struct named<"refused_part"> : std::type_identity<refused_part> {};

struct unmatched_specs {
  static constexpr std::string_view sentence =
      "baton unmatched_specs: every part of a batch needs compile specs, if empty ones; a method has another number; give each part its "
      "own";
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton unmatched_specs: every part of a batch needs compile specs, if empty ones; a method has another number; give each "
                  "part its own");
  }
};
template <>
struct named<"unmatched_specs"> : std::type_identity<unmatched_specs> {};

}  // namespace baton::rule
