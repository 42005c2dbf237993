// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton pte::read: the arguments after the program are not read options; write: baton::pte::entry<"decode"> or baton::pte::external_file<"weights.ptd", weights>
#include <baton/import/pte.hpp>

#if defined(FIXED)
using importer = baton::pte::importer_with<baton::pte::entry<"decode">>;
#else
using importer = baton::pte::importer_with<int>;
#endif
static_assert(importer::format == "ExecuTorch");
