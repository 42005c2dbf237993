# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
"""Operators that concatenate or split tensors."""

from nodes import Family, Tensor, constant, options

family = Family(__file__)


def quant(dtype):
    return {"scale": 0.05, "zero": 3} if dtype == "int8" else {"scale": 0.01, "zero": 0} if dtype == "int16" else {}


def concatenation(name, dtype, shapes, axis, runs=1):
    out = list(shapes[0])
    out[axis] = sum(shape[axis] for shape in shapes)
    q = quant(dtype)
    family.add(f"concatenation_{name}", "CONCATENATION", [Tensor(dtype, shape, **q) for shape in shapes], [Tensor(dtype, out, **q)],
               options=options("Concatenation", axis=axis), runs=runs)


for dtype in ("int8", "int16", "int32", "int64", "float32", "bool"):
    concatenation(dtype, dtype, [[2, 3], [2, 1], [2, 4]], 1)
concatenation("rank_1", "int8", [[3], [5]], 0)
concatenation("negative", "int8", [[2, 2, 3], [2, 4, 3]], -2)
concatenation("rank_4", "float32", [[1, 2, 2, 3]] * 3, 3)
concatenation("rank_5", "int8", [[2, 1, 2, 1, 3], [2, 1, 2, 2, 3]], 3)
concatenation("first", "int8", [[1, 4, 2], [3, 4, 2]], 0)
concatenation("ten", "int16", [[1, k + 1] for k in range(10)], 1)
concatenation("one", "int8", [[2, 3]], 1)
q = {"scale": 0.05, "zero": -7}
family.add("concatenation_constant", "CONCATENATION", [Tensor("int8", [2, 2], **q), constant("int8", [[1, 2, 3], [4, 5, 6]], **q)],
           [Tensor("int8", [2, 5], **q)], options=options("Concatenation", axis=1))

for dtype in ("int8", "int16", "int32", "int64", "float32"):
    for axis in (0, 1, -1, -3):
        out = [2, 3]
        out.insert(axis if axis >= 0 else axis + 3, 3)
        if dtype != "int8" and axis != 1:
            continue
        family.add(f"pack_{dtype}_{axis}", "PACK", [Tensor(dtype, [2, 3]) for _ in range(3)], [Tensor(dtype, out)],
                   options=options("Pack", valuesCount=3, axis=axis), runs=1)
family.add("pack_scalars", "PACK", [Tensor("int32", []) for _ in range(4)], [Tensor("int32", [4])],
           options=options("Pack", valuesCount=4, axis=0), runs=1)

for dtype in ("int8", "int16", "int32", "float32"):
    for axis in (0, 1, 2, -1, -2):
        shape = [3, 2, 4]
        if dtype != "int8" and axis != 1:
            continue
        part = [size for d, size in enumerate(shape) if d != axis % 3]
        family.add(f"unpack_{dtype}_{axis}", "UNPACK", [Tensor(dtype, shape)], [Tensor(dtype, part) for _ in range(shape[axis])],
                   options=options("Unpack", num=shape[axis], axis=axis), runs=1)
    for axis in (0, 1, 2, -1):
        shape = [4, 2, 6]
        if dtype != "int8" and axis != 2:
            continue
        part = list(shape)
        part[axis] //= 2
        family.add(f"split_{dtype}_{axis}", "SPLIT", [constant("int32", [axis]), Tensor(dtype, shape)], [Tensor(dtype, part)] * 2,
                   options=options("Split", numSplits=2), runs=1)
        parts = []
        sizes = [1, shape[axis] - 1]
        for size in sizes:
            part = list(shape)
            part[axis] = size
            parts.append(Tensor(dtype, part))
        family.add(f"split_v_{dtype}_{axis}", "SPLIT_V", [Tensor(dtype, shape), constant("int32", sizes), constant("int32", axis)], parts,
                   options=options("SplitV", numSplits=2), runs=1)
