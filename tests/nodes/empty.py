# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
"""Operators with operands or outputs that have no elements. The reference is TensorFlow Lite's reference kernels."""

import nodes
from nodes import Family, Tensor, constant, options

nodes.run_model = nodes.run_model_in_litert
family = Family(__file__)

for dtype, quant in (("float32", {}), ("int8", {"scale": 0.1, "zero": 3})):
    family.add(f"concatenation_{dtype}", "CONCATENATION",
               [Tensor(dtype, [2, 0, 3], **quant), Tensor(dtype, [2, 2, 3], **quant), Tensor(dtype, [2, 0, 3], **quant)],
               [Tensor(dtype, [2, 2, 3], **quant)], options=options("Concatenation", axis=1))
    family.add(f"split_v_{dtype}", "SPLIT_V", [Tensor(dtype, [2, 5], **quant), constant("int32", [3, 0, 2]), constant("int32", 1)],
               [Tensor(dtype, [2, 3], **quant), Tensor(dtype, [2, 0], **quant), Tensor(dtype, [2, 2], **quant)],
               options=options("SplitV", numSplits=3))
    family.add(f"pad_{dtype}", "PAD", [Tensor(dtype, [2, 0], **quant), constant("int32", [[0, 1], [2, 1]])], [Tensor(dtype, [3, 3], **quant)])
for op in ("SUM", "REDUCE_PROD", "REDUCE_MAX", "REDUCE_MIN"):
    family.add(op.lower(), op, [Tensor("float32", [2, 0, 3]), constant("int32", [1])], [Tensor("float32", [2, 3])],
               options=options("Reducer", keepDims=False))
family.add("shape", "SHAPE", [Tensor("float32", [2, 0, 3])], [Tensor("int32", [3])], options=options("Shape", outType=nodes.schema.TensorType.INT32))
family.add("scatter_nd", "SCATTER_ND", [Tensor("int32", [0, 1]), Tensor("float32", [0, 2]), constant("int32", [3, 2])],
           [Tensor("float32", [3, 2])])
family.add("dynamic_update_slice", "DYNAMIC_UPDATE_SLICE",
           [Tensor("float32", [2, 3]), Tensor("float32", [2, 0]), Tensor("int32", [2], values=(0, 1))], [Tensor("float32", [2, 3])])
