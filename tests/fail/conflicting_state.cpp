// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton conflicting_state: a state that methods share must be the same in all of them; this one is not; make it so, or let each have its own
// EXPECT: in_method<baton::fixed_string<7>{"decode"}>
// EXPECT: because<baton::fixed_string<28>{"cache has another shape in "}, baton::fixed_string<8>{"prefill"}>
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
                                     baton::method<"decode">(baton::static_program{[] { return with_cache<8>(); }}));
#if defined(FIXED)
baton::methods_executor<both> net;
#else
baton::methods_executor<both, baton::state_sharing::by_name> net;
#endif
