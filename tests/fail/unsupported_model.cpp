// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton unsupported_model: a model uses a feature that the importer does not support; see the reason
#include <baton/import/tflite.hpp>

#if defined(FIXED)
#include <baton/core/builder.hpp>
constexpr baton::static_program model{[] { return baton::program_builder{}.finish(); }};
#else
// The root table has one field: version 4 of the format.
alignas(16) inline constexpr char of_tomorrow[] = "\x10\0\0\0TFL3\x06\0\x08\0\x04\0\0\0\x08\0\0\0\x04\0\0\0";
constexpr auto model = baton::tflite::read<of_tomorrow>;
#endif
static_assert(model->graphs.size() < 2);
