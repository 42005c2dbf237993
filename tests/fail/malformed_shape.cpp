// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Lowering by id also verifies the program.
// EXPECT: baton malformed_shape: a shape has a negative size, or its byte count overflows; correct the shape
// EXPECT: because<baton::fixed_string<8>{"value x"}>
#include <baton/core/builder.hpp>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>

constexpr auto make = [] {
  baton::program_builder b;
#if defined(FIXED)
  b.output(b.user_input("x", baton::tensor(baton::dtype::int8, 4, 4)));
#else
  b.output(b.user_input("x", baton::tensor(baton::dtype::int8, 4, -4)));
#endif
  return b.finish();
};

constexpr auto target = baton::backends<baton::archetypes::backend>;
constexpr auto lowered = baton::to_backend(target, baton::name<"archetype">, baton::static_program{make});
