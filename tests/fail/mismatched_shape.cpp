// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton mismatched_shape: the read options set a shape or size that the model does not permit; correct the read options, or export the model for this shape
// EXPECT: input x has the sizes 1, 1, 8
#include <baton/import/tflite.hpp>

#include "fail/open_sizes_model.hpp"

#if defined(FIXED)
constexpr auto model = baton::tflite::read<bytes, baton::tflite::input_shape<"x", 1, 1, 8>>;
#else
constexpr auto model = baton::tflite::read<bytes, baton::tflite::input_shape<"x", 1, 49, 8>>;
#endif
static_assert(model->graphs.size() < 2);
