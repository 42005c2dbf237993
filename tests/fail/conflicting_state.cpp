// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton conflicting_state: a state that methods share differs between them; make it equal, or do not share it
// EXPECT: in_method<baton::fixed_string<7>{"decode"}>
// EXPECT: because<baton::fixed_string<32>{"cache has a different shape in "}, baton::fixed_string<8>{"prefill"}>
#include "fail/method_with_cache.hpp"

constexpr auto both = baton::methods(baton::method<"prefill">(baton::static_program{[] { return with_cache<4>(); }}),
                                     baton::method<"decode">(baton::static_program{[] { return with_cache<8>(); }}));
#if defined(FIXED)
baton::methods_executor<both> net;
#else
baton::methods_executor<both, baton::state_sharing::by_name> net;
#endif
