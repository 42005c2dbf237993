// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton unknown_name: the model has no entry point, input or dimension of this name; use a name that the model has
// EXPECT: there is no entry point decode;
#include <baton/import/tflite.hpp>

#include "fail/main_model.hpp"

#if defined(FIXED)
constexpr auto model = baton::tflite::read<bytes, baton::tflite::entry<"main">>;
#else
constexpr auto model = baton::tflite::read<bytes, baton::tflite::entry<"decode">>;
#endif
static_assert(model->graphs.size() < 2);
