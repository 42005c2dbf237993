// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton pt2::read: the arguments after the archive are not read options; write: baton::pt2::entry<"decode"> or baton::pt2::input_shape<"x", 16, 64>
#include <baton/import/pt2.hpp>

#if defined(FIXED)
using importer = baton::pt2::importer_with<baton::pt2::entry<"decode">>;
#else
using importer = baton::pt2::importer_with<int>;
#endif
static_assert(importer::format == "torch.export");
