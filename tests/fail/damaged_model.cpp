// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton damaged_model: a model file is truncated or damaged; download or export it again
#include <baton/import/tflite.hpp>

#if defined(FIXED)
#include <baton/core/builder.hpp>
constexpr baton::static_program model{[] { return baton::program_builder{}.finish(); }};
#else
// The header refers to a root table after the end of the file.
alignas(16) inline constexpr char cut_short[] = "\x1c\0\0\0TFL3\x14\0\x20\0";
constexpr auto model = baton::tflite::read<cut_short>;
#endif
static_assert(model->graphs.size() < 2);
