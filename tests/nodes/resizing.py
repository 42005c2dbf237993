# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
"""Operators that resize images."""

from nodes import Family, Tensor, constant, options

family = Family(__file__)


def case(name, op, dtype, shape, size, corners=False, half=False, **more):
    quant = {} if dtype == "float32" else {"scale": 0.1, "zero": -3 if dtype == "int8" else 0}
    kind = "ResizeBilinear" if op == "RESIZE_BILINEAR" else "ResizeNearestNeighbor"
    short = "bilinear" if op == "RESIZE_BILINEAR" else "nearest"
    family.add(f"{short}_{name}_{dtype}", op, [Tensor(dtype, shape, **quant, **more), constant("int32", size)],
               [Tensor(dtype, [shape[0], *size, shape[3]], **quant)], options=options(kind, alignCorners=corners, halfPixelCenters=half))


for op, types in (("RESIZE_NEAREST_NEIGHBOR", ("float32", "int8", "int16")), ("RESIZE_BILINEAR", ("float32", "int8"))):
    for dtype in types:
        case("twice", op, dtype, [2, 2, 3, 2], [4, 6])
        case("odd", op, dtype, [1, 3, 4, 1], [7, 5])
        case("odd_corners", op, dtype, [1, 3, 4, 1], [7, 5], corners=True)
        case("odd_half", op, dtype, [1, 3, 4, 1], [7, 5], half=True)
        case("smaller", op, dtype, [1, 7, 6, 2], [3, 2], half=True)
        if dtype == "int16":
            continue
        case("to_one", op, dtype, [1, 5, 4, 2], [1, 1], corners=True)
        case("from_one", op, dtype, [1, 1, 1, 2], [3, 4])
        case("same", op, dtype, [1, 3, 3, 1], [3, 3], half=True)
        case("smaller_corners", op, dtype, [1, 7, 6, 1], [4, 3], corners=True)
case("both", "RESIZE_NEAREST_NEIGHBOR", "int8", [1, 4, 5, 1], [7, 8], corners=True, half=True)
