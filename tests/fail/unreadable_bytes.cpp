// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton unreadable_bytes: a model must be a constant array of char that ends with a zero, or of unsigned char; generate it with baton_embed or xxd -i
// EXPECT: the model is not a constant
#include <baton/executor.hpp>
#include <baton/import/tflite.hpp>

#if defined(FIXED)
#include <baton/core/builder.hpp>
constexpr baton::static_program model{[] { return baton::program_builder{}.finish(); }};
#else
extern const char from_another_file[1000];
constexpr auto model = baton::tflite::read<from_another_file>;
#endif
baton::executor<model> net;
void infer() { net.run(); }
