# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
"""Elementwise selection by a condition, and sums of many operands."""

from nodes import Family, Tensor, options

family = Family(__file__)
for name, shapes in {"whole": ([2, 3], [2, 3], [2, 3]), "scalar": ([], [2, 3], [2, 3]), "three_ways": ([2, 1, 3], [4, 1], [1]),
                     "rank_5": ([2, 1, 2, 1, 2], [3, 1, 2, 1], [2, 1, 2, 1, 1]), "scalars": ([2], [], [])}.items():
    out = {"whole": [2, 3], "scalar": [2, 3], "three_ways": [2, 4, 3], "rank_5": [2, 3, 2, 2, 2], "scalars": [2]}[name]
    for dtype in ("float32", "int8", "int16"):
        if dtype == "float32" or name in ("whole", "three_ways"):
            family.add(f"select_v2_{dtype}_{name}", "SELECT_V2", [Tensor("bool", shapes[0]), Tensor(dtype, shapes[1]), Tensor(dtype, shapes[2])],
                       [Tensor(dtype, out)], options=options("SelectV2"))

for count in (2, 3, 5):
    family.add(f"add_n_float32_{count}", "ADD_N", [Tensor("float32", [2, 3]) for _ in range(count)], [Tensor("float32", [2, 3])],
               options=options("AddN"))
    family.add(f"add_n_int8_{count}", "ADD_N", [Tensor("int8", [3, 4], scale=0.05, zero=-4) for _ in range(count)],
               [Tensor("int8", [3, 4], scale=0.07, zero=3)], options=options("AddN"), runs=2)
family.add("add_n_int8_saturates", "ADD_N", [Tensor("int8", [40], scale=0.5, zero=127) for _ in range(4)],
           [Tensor("int8", [40], scale=0.3, zero=-128)], options=options("AddN"))
