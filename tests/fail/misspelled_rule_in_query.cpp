// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton unnamed_rule: no rule has this name, or its specialization of baton::rule has no sentence and report; correct the name, or write the specialization
// EXPECT: misplaced_inde
#include <baton/core/error.hpp>
#include <baton/core/rules.hpp>

#if defined(FIXED)
constexpr auto is_misplaced = baton::failure{}.is<"misplaced_index">();
#else
constexpr auto is_misplaced = baton::failure{}.is<"misplaced_inde">();
#endif
