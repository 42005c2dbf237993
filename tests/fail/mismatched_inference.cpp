// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton mismatched_inference: the type of an output differs from the inferred one; correct the model
// EXPECT: tfl.relu
// EXPECT: output tfl_relu is int8 [4, 5]
// EXPECT: should be int8 [4, 4]
#include <baton/core/builder.hpp>
#include <baton/core/static_program.hpp>
#include <baton/operators/infer.hpp>

constexpr auto make = []() -> baton::result<baton::exported_program> {
  baton::program_builder b;
#if defined(FIXED)
  const auto stated = baton::tensor(baton::dtype::int8, 4, 4);
#else
  const auto stated = baton::tensor(baton::dtype::int8, 4, 5);
#endif
  b.output(b.call("tfl.relu", {b.user_input("x", baton::tensor(baton::dtype::int8, 4, 4))}, stated));
  auto program = b.finish();
  if (auto why = baton::check_inference(program)) return why;
  return program;
};

constexpr baton::static_program model{make};
static_assert(model->graphs.size() < 2);
