// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton unnamed_rule: no rule has this name, or its specialization of baton::rule has no sentence and report; correct the name, or write the specialization
// EXPECT: because<baton::fixed_string<15>{"acme wide_part"}>
// EXPECT: for_backend<baton::fixed_string<5>{"Acme"}>
#include <baton/core/rule.hpp>

#include <string_view>

template <>
struct baton::rule<"acme wide_part"> {
  static constexpr std::string_view sentence = "acme wide_part: a part must have at most 8 inputs; this one has more; split it";
};

#include "fail/wide_part.hpp"
