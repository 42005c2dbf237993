# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
"""Elementwise comparisons and logical operators."""

import numpy as np

from nodes import Family, Tensor, options

family = Family(__file__)
ORDERED = ("GREATER", "GREATER_EQUAL", "LESS", "LESS_EQUAL")
NEAR = {"float32": (-1, 1), "int32": (-2, 2), "int64": (-2, 2), "bool": (0, 1)}


def kind(op):
    return options("".join(word.capitalize() for word in op.split("_")))


def case(op, dtype, left, right):
    rng = np.random.default_rng(len(op) + len(dtype))
    numbers = [rng.integers(*NEAR[dtype], shape, endpoint=True) for shape in (left, right)]
    family.add(f"{op.lower()}_{dtype}", op, [Tensor(dtype, left), Tensor(dtype, right)], [Tensor("bool", np.broadcast_shapes(left, right))],
               options=kind(op), data=[numbers])


for op in ("EQUAL", "NOT_EQUAL") + ORDERED:
    case(op, "float32", [2, 1, 3], [4, 1])
    case(op, "int32", [2, 4], [])
    case(op, "int64", [7], [7])
    left, right = np.meshgrid([-128, -127, -90, -2, -1, 0, 1, 2, 50, 126, 127], [-128, -120, -2, 0, 1, 3, 5, 127])
    family.add(f"{op.lower()}_int8", op, [Tensor("int8", left.shape, scale=0.02, zero=-3), Tensor("int8", left.shape, scale=0.04, zero=-2)],
               [Tensor("bool", left.shape)], options=kind(op), data=[[left, right]])
family.add("greater_int8_fine", "GREATER", [Tensor("int8", [1, 9], scale=0.0005, zero=-128), Tensor("int8", [9, 1], scale=0.9, zero=127)],
           [Tensor("bool", [9, 9])], options=kind("GREATER"))
for op in ("EQUAL", "NOT_EQUAL", "LOGICAL_AND", "LOGICAL_OR"):
    case(op, "bool", [2, 2, 3], [2, 1, 3])
