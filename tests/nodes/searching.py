# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
"""Operators along one axis: positions of the maximum and minimum, and cumulative sums."""

from nodes import Family, Tensor, constant, options, schema

family = Family(__file__)
INT32 = schema.TensorType.INT32


def arg(name, op, dtype, shape, axis, **more):
    quant = {} if dtype == "float32" else {"scale": 0.1, "zero": 3}
    family.add(f"{op.lower()}_{name}_{dtype}", op, [Tensor(dtype, shape, **quant, **more), constant("int32", [axis])],
               [Tensor("int32", shape[:axis % len(shape)] + shape[axis % len(shape) + 1:])],
               options=options("ArgMax" if op == "ARG_MAX" else "ArgMin", outputType=INT32))


for op in ("ARG_MAX", "ARG_MIN"):
    arg("last", op, "float32", [3, 7], -1)
    arg("first", op, "float32", [4, 3, 2], 0)
    arg("middle", op, "int8", [2, 5, 3], 1)
    arg("equal", op, "int8", [2, 9], 1, values=(-1, 1))
    arg("one", op, "int8", [1], 0)
    arg("rank_5", op, "int8", [2, 3, 2, 4, 2], -2)


def cumsum(name, dtype, shape, axis, exclusive=False, reverse=False, scale=0.1, zero=(0, 0), out=0.3, **more):
    quant = {} if dtype == "float32" else {"scale": scale, "zero": zero[0]}
    result = {} if dtype == "float32" else {"scale": out, "zero": zero[1]}
    family.add(f"cumsum_{name}_{dtype}", "CUMSUM", [Tensor(dtype, shape, **quant, **more), constant("int32", [axis])],
               [Tensor(dtype, shape, **result)], options=options("Cumsum", exclusive=exclusive, reverse=reverse))


for dtype in ("float32", "int8"):
    cumsum("last", dtype, [3, 5], -1, zero=(3, -5))
    cumsum("first", dtype, [4, 3], 0, exclusive=True)
    cumsum("middle", dtype, [2, 4, 3], 1, reverse=True, zero=(-128, 5))
    cumsum("both", dtype, [2, 6], 1, exclusive=True, reverse=True, zero=(127, -128))
    cumsum("rank_5", dtype, [2, 2, 3, 2, 2], 2, zero=(7, 0))
cumsum("long", "int8", [2, 30], 1, zero=(2, 1), values=(-40, 40))
cumsum("fine", "int8", [2, 7], 1, scale=0.3, out=0.001)
