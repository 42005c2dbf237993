// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Rules: what a model file must keep to.
#pragma once

#include <baton/core/rules.hpp>

#include <string_view>
#include <type_traits>

namespace baton::rule {

struct damaged_model {
  static constexpr std::string_view sentence =
      "baton damaged_model: a model file must lie whole within its bounds; this one is cut short or damaged; fetch or export it again";
  template <class Facts>
  static consteval void report() {
    static_assert(
        always_false<Facts>,
        "baton damaged_model: a model file must lie whole within its bounds; this one is cut short or damaged; fetch or export it again");
  }
};
template <>
struct named<"damaged_model"> : std::type_identity<damaged_model> {};

struct foreign_file {
  static constexpr std::string_view sentence =
      "baton foreign_file: a TensorFlow Lite model carries the file identifier TFL3; this file does not; check the path and the format";
  template <class Facts>
  static consteval void report() {
    static_assert(
        always_false<Facts>,
        "baton foreign_file: a TensorFlow Lite model carries the file identifier TFL3; this file does not; check the path and the format");
  }
};
template <>
struct named<"foreign_file"> : std::type_identity<foreign_file> {};

struct unsupported_model {
  static constexpr std::string_view sentence =
      "baton unsupported_model: a model may use only what the importer knows of its format; this one uses more; see the reason";
  template <class Facts>
  static consteval void report() {
    static_assert(
        always_false<Facts>,
        "baton unsupported_model: a model may use only what the importer knows of its format; this one uses more; see the reason");
  }
};
template <>
struct named<"unsupported_model"> : std::type_identity<unsupported_model> {};

}  // namespace baton::rule
