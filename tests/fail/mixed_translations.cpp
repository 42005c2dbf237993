// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton not_a_translation: the rows of a translation_table return different instruction types; return one type, for example a std::variant
#include <baton/backend/translation_table.hpp>

#if defined(FIXED)
using letter = char;
#else
using letter = int;
#endif

constexpr auto add(const baton::program_view&, const baton::node&) -> baton::translation<char> { return {baton::accept(), 'a'}; }
constexpr auto mul(const baton::program_view&, const baton::node&) -> baton::translation<letter> { return {baton::accept(), 'm'}; }

using table = baton::translation_table<baton::translates<"tfl.add", add>, baton::translates<"tfl.mul", mul>>;
static_assert(sizeof(table) == 1);
