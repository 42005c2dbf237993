# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
"""Softmax, log-softmax and L2 normalization."""

from nodes import Family, Tensor, options

family = Family(__file__)
OUT = {("int8", "int8"): (1 / 256, -128), ("int8", "int16"): (1 / 65536, -32768), ("int16", "int16"): (1 / 32768, 0)}


def softmax(name, types, shape, scale=0.1, zero=0, beta=1.0, **more):
    source, target = types
    quant = {} if source == "float32" else {"scale": scale, "zero": zero}
    out = {} if source == "float32" else dict(zip(("scale", "zero"), OUT[types]))
    family.add(f"softmax_{source}_{target}_{name}", "SOFTMAX", [Tensor(source, shape, **quant, **more)], [Tensor(target, shape, **out)],
               options=options("Softmax", beta=beta))


for types in (("float32", "float32"), *OUT):
    fine = 0.1 if types[0] == "int8" else 0.0005
    softmax("rows", types, [5, 7], scale=fine)
    softmax("rank_4", types, [2, 2, 2, 3], scale=fine / 3, zero=0 if types[0] == "int16" else -5)
    softmax("rank_1", types, [40], scale=fine / 10)
    softmax("beta", types, [4, 9], scale=fine, beta=0.3)
    softmax("one", types, [3, 1], scale=fine)
    softmax("coarse", types, [4, 9], scale=30 * fine)
    softmax("flat", types, [1, 200], scale=fine / 1000, values=(-3, 3))


def log_softmax(name, dtype, shape, scale=0.1, zero=0, **more):
    quant = {} if dtype == "float32" else {"scale": scale, "zero": zero}
    out = {} if dtype == "float32" else {"scale": 1 / 16, "zero": 127}
    family.add(f"log_softmax_{dtype}_{name}", "LOG_SOFTMAX", [Tensor(dtype, shape, **quant, **more)], [Tensor(dtype, shape, **out)],
               options=options("LogSoftmax"))


for dtype in ("float32", "int8"):
    log_softmax("rows", dtype, [5, 7])
    log_softmax("rank_4", dtype, [2, 2, 2, 3], scale=0.03, zero=7)
    log_softmax("one", dtype, [3, 1])
    log_softmax("coarse", dtype, [6, 9], scale=1.5)
    log_softmax("fine", dtype, [6, 9], scale=0.0009)
    log_softmax("long", dtype, [1, 200], scale=0.02)


def l2(name, dtype, shape, zero=0, **more):
    quant = {} if dtype == "float32" else {"scale": 0.1, "zero": zero}
    out = {} if dtype == "float32" else {"scale": 1 / 128, "zero": 0}
    family.add(f"l2_{dtype}_{name}", "L2_NORMALIZATION", [Tensor(dtype, shape, **quant, **more)], [Tensor(dtype, shape, **out)],
               options=options("L2Norm"))


for dtype in ("float32", "int8"):
    l2("rows", dtype, [5, 7])
    l2("rank_4", dtype, [2, 3, 2, 5], zero=-128)
    l2("rank_1", dtype, [64], zero=127)
    l2("small", dtype, [20, 3], values=(-1, 1))
    l2("zero", dtype, [2, 4], values=(0, 0))
