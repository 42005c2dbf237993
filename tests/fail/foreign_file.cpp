// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton foreign_file: a file does not have the importer's format; check the path and the format
// EXPECT: identifier TFL3 at byte 4
#include <baton/import/tflite.hpp>

#if defined(FIXED)
#include <baton/core/builder.hpp>
constexpr baton::static_program model{[] { return baton::program_builder{}.finish(); }};
#else
alignas(16) inline constexpr char picture[] = "\x89PNG\r\n\x1a\n some picture or other";
constexpr auto model = baton::tflite::read<picture>;
#endif
static_assert(model->graphs.size() < 2);
