// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton unnamed_rule: no rule has this name, or its specialization of baton::rule has no sentence and report; correct the name, or write the specialization
// EXPECT: acme wide_par
#include <baton/core/error.hpp>
#include <baton/core/rules.hpp>

#include <string_view>

template <>
struct baton::rule<"acme wide_part"> {
  static constexpr std::string_view sentence = "acme wide_part: a part must have at most 8 inputs; this one has more; split it";
};

#if defined(FIXED)
constexpr auto why = [] { return baton::broken<"acme wide_part">("9 inputs").rule; }();
#else
constexpr auto why = [] { return baton::broken<"acme wide_par">("9 inputs").rule; }();
#endif
