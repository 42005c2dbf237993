// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton not_a_translation: a row of a translation_table has no function that translates a node; write: constexpr auto f(const
#include <baton/backend/translation_table.hpp>

#if defined(FIXED)
constexpr auto add(const baton::program_view&, const baton::node&) -> baton::translation<char> { return {baton::accept(), 'a'}; }
#else
constexpr auto add(const baton::program_view&, const baton::node&) -> char { return 'a'; }
#endif

using table = baton::translation_table<baton::translates<"tfl.add", add>>;
static_assert(sizeof(table) == 1);
