// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton refused_path: the path of an external file is absolute or leaves the folder of the model; store the file beside the model
// EXPECT: a/../../weights.bin
#include <baton/import/onnx.hpp>

inline constexpr char weights[] = "0123456789abcdef";
// A node that adds x and w, a tensor of 16 bytes in a file.
alignas(16) inline constexpr char outside[] =
    "\010\010:|\012\016\012\001x\012\001w\022\001y\042\003Add\022\004main*:\010\001\010\004\020\001B\001wj\037\012\010"
    "location\022\023a/../../weights.binj\014\012\006length\022\00216p\001Z\023\012\001x\022\016\012\014\010\001\022"
    "\010\012\002\010\001\012\002\010\004b\023\012\001y\022\016\012\014\010\001\022\010\012\002\010\001\012\002\010\004"
    "B\004\012\000\020\021";
alignas(16) inline constexpr char beside[] =
    "\010\010:t\012\016\012\001x\012\001w\022\001y\042\003Add\022\004main*2\010\001\010\004\020\001B\001wj\027\012\010"
    "location\022\013weights.binj\014\012\006length\022\00216p\001Z\023\012\001x\022\016\012\014\010\001\022\010\012"
    "\002\010\001\012\002\010\004b\023\012\001y\022\016\012\014\010\001\022\010\012\002\010\001\012\002\010\004B\004"
    "\012\000\020\021";

#if defined(FIXED)
constexpr auto model = baton::onnx::read<beside, baton::onnx::external_file<"weights.bin", weights>>;
#else
constexpr auto model = baton::onnx::read<outside, baton::onnx::external_file<"a/../../weights.bin", weights>>;
#endif
static_assert(model->graphs.size() < 2);
