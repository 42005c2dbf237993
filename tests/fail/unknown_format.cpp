// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton unknown_format: no importer in the list recognizes the file; check the path, or add an importer
// EXPECT: the formats are: TensorFlow
#include <baton/import/read_model.hpp>

#if defined(FIXED)
#include <baton/core/builder.hpp>
constexpr baton::static_program model{[] { return baton::program_builder{}.finish(); }};
#else
alignas(16) inline constexpr char picture[] = "\x89PNG\r\n\x1a\n some picture or other";
constexpr auto model = baton::read_model<picture>;
#endif
static_assert(model->graphs.size() < 2);
