# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
"""Reductions along axes."""

from nodes import Family, Tensor, constant, options

family = Family(__file__)


def reduced(shape, axes, keeps):
    gone = {a % len(shape) for a in axes} if shape else set()
    return [1 if d in gone else s for d, s in enumerate(shape) if keeps or d not in gone]


def case(name, op, dtype, shape, axes, keeps=False, zero=(0, 0), scale=(0.05, 0.04), **more):
    quant = {} if dtype not in ("int8", "int16") else {"scale": scale[0], "zero": zero[0]}
    out = {} if not quant else {"scale": scale[1], "zero": zero[1]}
    family.add(f"{name}_{dtype}", op, [Tensor(dtype, shape, **quant, **more), constant("int32", axes)],
               [Tensor(dtype, reduced(shape, axes, keeps), **out)], options=options("Reducer", keepDims=keeps))


for dtype in ("float32", "int8", "int16"):
    zero = (-7, 5) if dtype == "int8" else (0, 0)
    for op, name in (("MEAN", "mean"), ("SUM", "sum")):
        case(f"{name}_all", op, dtype, [2, 3, 2, 5], [0, 1, 2, 3], zero=zero)
        case(f"{name}_image_keeps", op, dtype, [2, 3, 4, 5], [1, 2], keeps=True, zero=zero)
        case(f"{name}_last", op, dtype, [3, 7], [-1], zero=zero)
        if dtype == "int16":
            continue
        case(f"{name}_repeated", op, dtype, [2, 3, 4], [0, -3, 2, 0], zero=zero)
        case(f"{name}_rank_5", op, dtype, [2, 3, 2, 3, 2], [0, 2, 4], zero=zero)
        case(f"{name}_none", op, dtype, [2, 3], [], zero=zero)
        case(f"{name}_scalar", op, dtype, [], [0], zero=zero)
for op, name in (("MEAN", "mean"), ("SUM", "sum")):
    for scale in ((0.9, 0.001), (0.001, 3.0), (1.0, 1.0)):
        case(f"{name}_from_{scale[0]}_to_{scale[1]}", op, "int8", [2, 9, 3], [1], zero=(127, -128), scale=scale)
    case(f"{name}_low", op, "int8", [4, 31], [1], zero=(-128, 127), scale=(0.02, 0.02))
    case(f"{name}_wide", op, "int16", [2, 40], [1], zero=(100, -200), scale=(0.9, 0.7))
case("mean_tiny_scale", "MEAN", "int8", [5, 6], [1], scale=(1e-8, 1.0))
for op, name in (("REDUCE_MAX", "max"), ("REDUCE_MIN", "min")):
    for dtype in ("float32", "int8"):
        case(f"{name}_keeps", op, dtype, [2, 3, 4], [-2], keeps=True, zero=(3, 3), scale=(0.1, 0.1))
        case(f"{name}_rank_5", op, dtype, [2, 3, 2, 3, 2], [1, 3], zero=(3, 3), scale=(0.1, 0.1))
case("all_last", "REDUCE_ALL", "bool", [8, 2], [1])
case("all_rank_4", "REDUCE_ALL", "bool", [2, 2, 3, 2], [0, -1], keeps=True)
