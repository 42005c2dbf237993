# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
"""Operators on pairs of elements."""

from nodes import Family, Tensor, constant, options

family = Family(__file__)
for dtype, zero in (("int8", 3), ("float32", 0)):
    quant = {} if dtype == "float32" else {"scale": 0.05, "zero": zero}
    out = {} if dtype == "float32" else {"scale": 0.09, "zero": -2}
    family.add(f"add_{dtype}", "ADD", [Tensor(dtype, [2, 3], **quant), Tensor(dtype, [2, 3], **quant)], [Tensor(dtype, [2, 3], **out)],
               options=options("Add"))
