// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton unknown_size: the size of an input dimension other than the batch is unknown; export the model with fixed shapes, or set the size when reading it
// EXPECT: the size of dimension 1 of
// EXPECT: input x is unknown;
// EXPECT: input_shape<
#include <baton/import/tflite.hpp>

#include "fail/open_sizes_model.hpp"

#if defined(FIXED)
constexpr auto model = baton::tflite::read<bytes, baton::tflite::input_shape<"x", 1, 1, 8>>;
#else
constexpr auto model = baton::tflite::read<bytes>;
#endif
static_assert(model->graphs.size() < 2);
