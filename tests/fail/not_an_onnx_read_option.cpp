// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton onnx::read: the arguments after the model are not read options; write: baton::onnx::dimension<"N", 4> or
#include <baton/import/onnx.hpp>

#if defined(FIXED)
using importer = baton::onnx::importer_with<baton::onnx::dimension<"N", 4>>;
#else
using importer = baton::onnx::importer_with<int>;
#endif
static_assert(importer::format == "ONNX");
