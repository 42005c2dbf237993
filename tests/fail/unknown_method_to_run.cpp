// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton unknown_method: a method must be among the programs given; this one is not; add its program or correct the name
// EXPECT: in_method<baton::fixed_string<8>{"decoder"}>
#include <baton/core/static_program.hpp>
#include <baton/kernels/methods_executor.hpp>
#include <baton/lower/methods.hpp>

template <std::int64_t Size>
constexpr auto with_cache() -> baton::exported_program {
  baton::program_builder b;
  const auto type = baton::tensor(baton::dtype::float32, Size);
  const auto cache = b.mutable_buffer("cache", type);
  const auto next = b.call("next", "tfl.add", {cache, b.user_input("x", type)}, type);
  b.mutation(next, "cache");
  b.output(next);
  return b.finish();
}

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
