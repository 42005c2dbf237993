// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: acme wide_part: a part must have at most 8 inputs; this one has more; split it
// EXPECT: because<baton::fixed_string<9>{"9 inputs"}>
// EXPECT: for_backend<baton::fixed_string<5>{"Acme"}>
#include <baton/core/rules.hpp>

#include <string_view>

template <>
struct baton::rule<"acme wide_part"> {
  static constexpr std::string_view sentence = "acme wide_part: a part must have at most 8 inputs; this one has more; split it";
  template <class Facts>
  static consteval void report() {
    static_assert(baton::always_false<Facts>, "acme wide_part: a part must have at most 8 inputs; this one has more; split it");
  }
};

#include "fail/wide_part.hpp"
