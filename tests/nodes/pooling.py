# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
"""Pooling operators."""

from nodes import Family, Tensor, options

SAME, VALID = 0, 1
NONE, RELU, RELU_N1_TO_1, RELU6 = 0, 1, 2, 3

family = Family(__file__)


def pool(op, name, dtype, image, taps, stride, padding, act=NONE):
    quant = {} if dtype == "float32" else {"scale": 0.05 if dtype == "int8" else 0.0005, "zero": -7 if dtype == "int8" else 0}
    sizes = [-(-image[1 + i] // stride[i]) if padding == SAME else (image[1 + i] - taps[i]) // stride[i] + 1 for i in range(2)]
    family.add(f"{op.split('_')[0].lower()}_{name}_{dtype}", op, [Tensor(dtype, image, **quant)],
               [Tensor(dtype, [image[0], *sizes, image[3]], **quant)],
               options=options("Pool2D", padding=padding, strideH=stride[0], strideW=stride[1], filterHeight=taps[0], filterWidth=taps[1],
                               fusedActivationFunction=act))


for op in ("AVERAGE_POOL_2D", "MAX_POOL_2D", "L2_POOL_2D"):
    for dtype in ("float32", "int8", "int16") if op != "L2_POOL_2D" else ("float32",):
        pool(op, "same", dtype, [1, 5, 4, 3], [3, 2], [1, 2], SAME)
        pool(op, "valid", dtype, [2, 4, 5, 2], [2, 3], [2, 1], VALID, RELU)
        pool(op, "wide", dtype, [1, 3, 3, 1], [7, 9], [2, 2], SAME, RELU6)
        pool(op, "steps", dtype, [1, 5, 5, 1], [1, 2], [3, 3], SAME, RELU_N1_TO_1)
