# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
"""Operators with positions as operands or outputs. TensorFlow Lite Micro lacks them, so the reference is TensorFlow Lite's reference
kernels."""

import nodes
import numpy as np
from nodes import Family, Tensor, constant, options

nodes.run_model = nodes.run_model_in_litert
family = Family(__file__)


def one_hot(name, dtype, shape, depth, axis, out, where="int32", on=7, off=-3, **more):
    if dtype == "bool":
        on, off = True, False
    family.add(f"one_hot_{name}", "ONE_HOT",
               [Tensor(where, shape, values=(-1, depth)), constant("int32", depth), constant(dtype, on), constant(dtype, off)],
               [Tensor(dtype, out, **more)], options=options("OneHot", axis=axis))


one_hot("float32", "float32", [5], 4, -1, [5, 4], on=1, off=0)
one_hot("first", "float32", [2, 3], 5, 0, [5, 2, 3], where="int64")
one_hot("middle", "int8", [2, 3], 4, 1, [2, 4, 3], scale=0.1, zero=2)
one_hot("scalar", "int32", [], 6, -1, [6])
one_hot("int64", "int64", [3, 1, 2], 2, 2, [3, 1, 2, 2])
one_hot("uint8", "uint8", [4], 3, -1, [4, 3], off=1)
one_hot("bool", "bool", [2, 2], 3, -1, [2, 2, 3])
family.add("one_hot_values_given", "ONE_HOT", [Tensor("int32", [4], values=(0, 2)), constant("int32", 3), Tensor("int8", []), Tensor("int8", [])],
           [Tensor("int8", [4, 3])], options=options("OneHot", axis=-1))


def scatter(name, dtype, where, updates, shape, high, **more):
    family.add(f"scatter_nd_{name}", "SCATTER_ND", [Tensor("int32", where, values=(0, high)), Tensor(dtype, updates, **more), constant("int32", shape)],
               [Tensor(dtype, shape)])


for dtype in ("float32", "int8", "uint8", "int32", "int64"):
    scatter(dtype, dtype, [6, 2], [6], [3, 4], 2)  # some positions occur twice
scatter("rows", "int8", [2, 3, 1], [2, 3, 4], [5, 4], 4)
scatter("planes", "float32", [3, 1], [3, 2, 3], [4, 2, 3], 3)
scatter("one", "int32", [2], [2], [3, 3, 2], 2)


def topk(name, dtype, shape, k, **more):
    out = shape[:-1] + [k]
    family.add(f"topk_{name}", "TOPK_V2", [Tensor(dtype, shape, **more), constant("int32", k)], [Tensor(dtype, out), Tensor("int32", out)])


for dtype in ("float32", "int8", "uint8", "int32", "int64"):
    topk(dtype, dtype, [3, 9], 4)
topk("equal", "int8", [2, 3, 7], 5, values=(0, 2))
topk("all", "float32", [8], 8)
topk("largest", "int8", [4, 6], 1)
topk("equal_float32", "float32", [2, 6], 6, values=(0.0, 0.0))
