// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton missing_file: a tensor is in an external file that was not passed to the importer; pass the file (external_file)
// EXPECT: tensor w is in weights.bin;
// EXPECT: baton::onnx::external_file<
#include <baton/import/onnx.hpp>

// A node that adds x and w, a tensor of 16 bytes in the file weights.bin.
alignas(16) inline constexpr char bytes[] =
    "\010\010:t\012\016\012\001x\012\001w\022\001y\042\003Add\022\004main*2\010\001\010\004\020\001B\001wj\027\012\010"
    "location\022\013weights.binj\014\012\006length\022\00216p\001Z\023\012\001x\022\016\012\014\010\001\022\010\012"
    "\002\010\001\012\002\010\004b\023\012\001y\022\016\012\014\010\001\022\010\012\002\010\001\012\002\010\004B\004"
    "\012\000\020\021";

#if defined(FIXED)
inline constexpr char weights[] = "0123456789abcdef";
constexpr auto model = baton::onnx::read<bytes, baton::onnx::external_file<"weights.bin", weights>>;
#else
constexpr auto model = baton::onnx::read<bytes>;
#endif
static_assert(model->graphs.size() < 2);
