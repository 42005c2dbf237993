// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton cyclic_graph: the nodes of a graph depend on each other in a cycle; correct the model
// EXPECT: node first
#include <baton/import/onnx.hpp>

// The first node adds x and the output of the second node. The second node uses the output of the first.
alignas(16) inline constexpr char cycle[] =
    "\010\010:]\012\025\012\001x\012\001b\022\001a\032\005first\042\003Add\012\024\012\001a\022\001b\032\006second\042"
    "\004Relu\022\004mainZ\023\012\001x\022\016\012\014\010\001\022\010\012\002\010\001\012\002\010\004b\023\012\001"
    "b\022\016\012\014\010\001\022\010\012\002\010\001\012\002\010\004B\004\012\000\020\021";
// A node that computes y from x.
alignas(16) inline constexpr char chain[] =
    "\010\010:>\012\014\012\001x\022\001y\042\004Relu\022\004mainZ\023\012\001x\022\016\012\014\010\001\022\010\012\002"
    "\010\001\012\002\010\004b\023\012\001y\022\016\012\014\010\001\022\010\012\002\010\001\012\002\010\004B\004\012"
    "\000\020\021";

#if defined(FIXED)
constexpr auto model = baton::onnx::read<chain>;
#else
constexpr auto model = baton::onnx::read<cycle>;
#endif
static_assert(model->graphs.size() < 2);
