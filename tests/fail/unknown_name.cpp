// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton unknown_name: an entry point or input that is chosen by name must be one of the model; this is none; take one that there is
// EXPECT: there is no entry point decode;
#include <baton/import/tflite.hpp>

#include "fail/main_model.hpp"

#if defined(FIXED)
constexpr auto model = baton::tflite::read<bytes, baton::tflite::entry<"main">>;
#else
constexpr auto model = baton::tflite::read<bytes, baton::tflite::entry<"decode">>;
#endif
static_assert(model->graphs.size() < 2);
