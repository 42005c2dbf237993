# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
"""Matrix products."""

import numpy as np

from nodes import Family, Tensor, options

family = Family(__file__)
rng = np.random.default_rng(5)


def case(name, dtype, left, right, out, x=False, y=False, scales=(0.1, 0.05, 0.9), zeros=(3, -7, 5), fixed=False, **more):
    quant = [{} if dtype == "float32" else {"scale": s, "zero": z if dtype == "int8" else 0} for s, z in zip(scales, zeros)]
    data = Tensor(dtype, right, **more).random(rng) if fixed else None
    family.add(f"{name}_{dtype}", "BATCH_MATMUL", [Tensor(dtype, left, **quant[0], **more), Tensor(dtype, right, **quant[1], data=data, **more)],
               [Tensor(dtype, out, **quant[2])], options=options("BatchMatMul", adjX=x, adjY=y))


for dtype in ("float32", "int8", "int16"):
    fine = (0.1, 0.05, 0.9) if dtype != "int16" else (0.001, 0.002, 0.05)
    case("plain", dtype, [3, 5], [5, 4], [3, 4], scales=fine)
    case("turned_left", dtype, [5, 3], [5, 4], [3, 4], x=True, scales=fine)
    case("turned_right", dtype, [3, 5], [4, 5], [3, 4], y=True, scales=fine)
    case("turned_both", dtype, [2, 5, 3], [2, 4, 5], [2, 3, 4], x=True, y=True, scales=fine)
    case("batches", dtype, [2, 3, 2, 4], [2, 3, 4, 3], [2, 3, 2, 3], scales=fine)
    case("broadcast_left", dtype, [2, 4], [3, 4, 3], [3, 2, 3], scales=fine)
    case("broadcast_both", dtype, [2, 1, 1, 2, 3], [1, 3, 2, 3, 2], [2, 3, 2, 2, 2], scales=fine)
    case("constant", dtype, [2, 3, 4], [4, 2], [2, 3, 2], scales=fine, fixed=True)
case("one_batch", "int8", [3, 2, 4], [1, 4, 3], [3, 2, 3], x=False)
case("coarse", "int8", [3, 5], [5, 4], [3, 4], scales=(3.0, 2.0, 0.1), zeros=(-128, 127, -128), values=(-5, 5))
