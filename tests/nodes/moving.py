# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
"""Operators that move elements along axes."""

from nodes import Family, Tensor, constant, options, schema

family = Family(__file__)


def quant(dtype):
    return {"scale": 0.05, "zero": 3} if dtype == "int8" else {"scale": 0.01, "zero": 0} if dtype == "int16" else {}


def strided_slice(name, dtype, shape, begin, end, strides, out, runs=1, **masks):
    family.add(f"strided_slice_{name}", "STRIDED_SLICE",
               [Tensor(dtype, shape), constant("int32", begin), constant("int32", end), constant("int32", strides)], [Tensor(dtype, out)],
               options=options("StridedSlice", **masks), runs=runs)


for dtype in ("int8", "int16", "int32", "float32", "bool"):
    strided_slice(dtype, dtype, [3, 5], [1, 0], [3, 5], [1, 2], [2, 3])
strided_slice("rows", "int8", [4, 6], [1, 0], [3, 6], [1, 1], [2, 6])
strided_slice("backwards", "int8", [3, 7], [2, -2], [-4, 0], [-1, -2], [3, 3])
strided_slice("masks", "int8", [3, 7], [1, 5], [2, 2], [1, 3], [3, 3], beginMask=3, endMask=3)
strided_slice("masks_backwards", "int8", [4, 5], [0, 0], [0, 0], [-2, -1], [2, 5], beginMask=3, endMask=3)
strided_slice("shrink", "int8", [3, 4, 5], [-1, 1, 0], [0, 2, 5], [1, 1, 1], [5], shrinkAxisMask=3)
strided_slice("shrink_all", "int32", [4], [2], [3], [1], [], shrinkAxisMask=1)
strided_slice("cut", "int8", [5], [-9], [99], [2], [3])
strided_slice("rank_4", "int8", [2, 3, 4, 3], [0, 1, -1, 0], [2, 3, 0, 3], [1, 1, -2, 2], [2, 2, 2, 2])

for dtype in ("int8", "int16", "float32"):
    family.add(f"transpose_{dtype}", "TRANSPOSE", [Tensor(dtype, [2, 3, 4]), constant("int32", [2, 0, 1])], [Tensor(dtype, [4, 2, 3])], runs=1)
for order in ([1, 0], [0, 1], [0], [0, 2, 1], [0, 2, 3, 1], [3, 2, 1, 0], [0, 3, 1, 2, 4], [4, 0, 3, 1, 2]):
    shape = [2, 3, 4, 2, 3][:len(order)]
    family.add("transpose_" + "".join(map(str, order)), "TRANSPOSE", [Tensor("int8", shape), constant("int32", order)],
               [Tensor("int8", [shape[d] for d in order])], runs=1)

for dtype in ("int8", "int16", "int32", "float32", "bool"):
    family.add(f"slice_{dtype}", "SLICE", [Tensor(dtype, [4, 5]), constant("int32", [1, 2]), constant("int32", [2, -1])],
               [Tensor(dtype, [2, 3])], runs=1)
family.add("slice_int64", "SLICE", [Tensor("int8", [2, 3, 2, 3, 4]), constant("int64", [0, 1, 0, 1, 2]), constant("int64", [2, 2, 1, -1, 2])],
           [Tensor("int8", [2, 2, 1, 2, 2])], runs=1)

for dtype in ("int8", "int16", "int32", "float32"):
    family.add(f"pad_{dtype}", "PAD", [Tensor(dtype, [2, 3], **quant(dtype)), constant("int32", [[1, 0], [2, 3]])],
               [Tensor(dtype, [3, 8], **quant(dtype))], runs=1)
    family.add(f"padv2_{dtype}", "PADV2",
               [Tensor(dtype, [2, 3], **quant(dtype)), constant("int32", [[0, 1], [1, 1]]), constant(dtype, 7, **quant(dtype))],
               [Tensor(dtype, [3, 5], **quant(dtype))], runs=1)
family.add("pad_image", "PAD", [Tensor("int8", [1, 2, 3, 2], scale=0.1, zero=-128), constant("int32", [[0, 0], [1, 2], [0, 1], [0, 0]])],
           [Tensor("int8", [1, 5, 4, 2], scale=0.1, zero=-128)], runs=1)
family.add("pad_depth", "PAD", [Tensor("int8", [2, 2, 1, 3], scale=0.1, zero=127), constant("int32", [[1, 1], [0, 0], [1, 0], [2, 1]])],
           [Tensor("int8", [4, 2, 2, 6], scale=0.1, zero=127)], runs=1)
family.add("pad_rank_1", "PAD", [Tensor("float32", [3]), constant("int32", [[2, 1]])], [Tensor("float32", [6])], runs=1)
family.add("pad_nothing", "PAD", [Tensor("int8", [3, 2], scale=0.1, zero=5), constant("int32", [[0, 0], [0, 0]])],
           [Tensor("int8", [3, 2], scale=0.1, zero=5)], runs=1)
family.add("padv2_run_time", "PADV2", [Tensor("int8", [2, 3], scale=0.1), constant("int32", [[0, 1], [1, 1]]), Tensor("int8", [1], scale=0.1)],
           [Tensor("int8", [3, 5], scale=0.1)])

for dtype in ("int8", "int16", "int32", "float32", "bool", "uint8", "int64"):
    family.add(f"reverse_{dtype}", "REVERSE_V2", [Tensor(dtype, [2, 3, 2]), constant("int32", [1])], [Tensor(dtype, [2, 3, 2])], runs=1)
family.add("reverse_all", "REVERSE_V2", [Tensor("int8", [2, 3, 2]), constant("int32", [1, 0, 2])], [Tensor("int8", [2, 3, 2])], runs=1)
family.add("reverse_negative", "REVERSE_V2", [Tensor("int8", [2, 3, 2]), constant("int32", [-1, -2])], [Tensor("int8", [2, 3, 2])], runs=1)

for dtype in ("int8", "float32", "int32"):
    family.add(f"broadcast_to_{dtype}", "BROADCAST_TO", [Tensor(dtype, [3, 1]), constant("int32", [2, 3, 4])], [Tensor(dtype, [2, 3, 4])],
               runs=1)
    family.add(f"fill_{dtype}", "FILL", [constant("int32", [2, 3]), Tensor(dtype, [])], [Tensor(dtype, [2, 3])])
    family.add(f"zeros_like_{dtype}", "ZEROS_LIKE", [Tensor(dtype, [2, 3])], [Tensor(dtype, [2, 3])], runs=1)
family.add("broadcast_to_rank_5", "BROADCAST_TO", [Tensor("int8", [2, 1, 3, 1, 2]), constant("int64", [2, 2, 3, 2, 2])],
           [Tensor("int8", [2, 2, 3, 2, 2])], runs=1)

for dtype in ("int8", "float32"):
    family.add(f"depth_to_space_{dtype}", "DEPTH_TO_SPACE", [Tensor(dtype, [2, 2, 1, 12])], [Tensor(dtype, [2, 4, 2, 3])],
               options=options("DepthToSpace", blockSize=2), runs=1)
    family.add(f"space_to_depth_{dtype}", "SPACE_TO_DEPTH", [Tensor(dtype, [2, 4, 2, 3])], [Tensor(dtype, [2, 2, 1, 12])],
               options=options("SpaceToDepth", blockSize=2), runs=1)
