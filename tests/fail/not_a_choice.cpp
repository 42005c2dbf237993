// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton tflite::read: the arguments after the model are not read options; write: baton::tflite::entry<"decode"> or baton::tflite::input_shape<"audio", 1, 49, 40>
#include <baton/import/tflite.hpp>

#include "fail/main_model.hpp"

#if defined(FIXED)
constexpr auto model = baton::tflite::read<bytes, baton::tflite::entry<"main">>;
#else
constexpr auto model = baton::tflite::read<bytes, int>;
#endif
static_assert(model->graphs.size() < 2);
