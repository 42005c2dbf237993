// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Rules: what the headers beside this one check.
#pragma once

#include <baton/core/rules.hpp>

#include <string_view>
#include <type_traits>

namespace baton::rule {

struct unknown_device {
  static constexpr std::string_view sentence =
      "baton unknown_device: a target device is a kind and a number, as in cuda:0; this kind or number is unknown; correct the compile "
      "spec";
  template <class Facts>
  static consteval void report() {
    static_assert(always_false<Facts>,
                  "baton unknown_device: a target device is a kind and a number, as in cuda:0; this kind or number is unknown; correct the "
                  "compile spec");
  }
};
template <>
struct named<"unknown_device"> : std::type_identity<unknown_device> {};

}  // namespace baton::rule
