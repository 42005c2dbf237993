// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton unknown_operator: the namespace has no operator of this name, or is misspelled; correct the name, or use your own namespace
// EXPECT: tfl.Add
// EXPECT: the nearest name is tfl.add;
#include <baton/backend/translation_table.hpp>

constexpr auto add(const baton::program_view&, const baton::node&) -> baton::translation<char> { return {baton::accept(), 'a'}; }

#if defined(FIXED)
using table = baton::translation_table<baton::translates<"tfl.add", add>>;
#else
using table = baton::translation_table<baton::translates<"tfl.Add", add>>;
#endif
static_assert(sizeof(table::instruction) == 1);
