// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton executor: the argument is not a baton::static_program; import the bytes of a model with
#include <baton/core/builder.hpp>
#include <baton/executor.hpp>

inline constexpr char model_bytes[] = "\x1c\0\0\0TFL3";
constexpr baton::static_program model{[] { return baton::program_builder{}.finish(); }};

#if defined(FIXED)
baton::executor<model> net;
#else
baton::executor<model_bytes> net;
#endif
void infer() { net.run(); }
