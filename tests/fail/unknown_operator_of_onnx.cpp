// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton unknown_operator: the namespace has no operator of this name, or is misspelled; correct the name, or use your own namespace
// EXPECT: onnx.Convv
// EXPECT: the nearest name is onnx.Conv
#include <baton/partition/operator_support.hpp>

#if defined(FIXED)
using supported = baton::operator_names<"onnx.Conv", "onnx.Einsum">;
#else
using supported = baton::operator_names<"onnx.Convv", "onnx.Einsum">;
#endif

static_assert(baton::operator_support<supported>);
