// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton unknown_method: no program is given for this method; add its program, or correct the name
// EXPECT: in_method<baton::fixed_string<8>{"decoder"}>
#include "fail/method_with_cache.hpp"

constexpr auto both = baton::methods(baton::method<"prefill">(baton::static_program{[] { return with_cache<4>(); }}),
                                     baton::method<"decode">(baton::static_program{[] { return with_cache<4>(); }}));
baton::methods_executor<both, baton::state_sharing::by_name> net;

void run_it() {
#if defined(FIXED)
  net.run<"decode">();
#else
  net.run<"decoder">();
#endif
}
