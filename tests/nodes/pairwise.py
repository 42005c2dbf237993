# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
"""Binary elementwise operators."""

import numpy as np

from nodes import Family, Tensor, constant, options

family = Family(__file__)
NONE, RELU, RELU_N1_TO_1, RELU6 = range(4)
EXTREMES = {"int8": [-128, -127, -1, 0, 1, 126, 127], "int16": [-32768, -32767, -1, 0, 1, 32766, 32767]}
SHAPES = {
    "whole": ([2, 3], [2, 3]),
    "scalar": ([2, 3], []),
    "of_scalars": ([], []),
    "row": ([3], [2, 4, 3]),
    "crosswise": ([2, 1, 3, 1], [1, 4, 1, 2]),
    "rank_5": ([2, 1, 2, 1, 3], [3, 1, 2, 1]),
}


def joined(a, b):
    return list(np.broadcast_shapes(a, b))


def scales(dtype, *numbers):
    return [dict(zip(("scale", "zero"), pair)) if dtype in ("int8", "int16") else {} for pair in numbers]


def case(op, dtype, shape="whole", quant=((0.05, 3), (0.031, -7), (0.09, -2)), fused=None, runs=1, name="", **more):
    left, right = SHAPES[shape]
    q = scales(dtype, *quant)
    fields = {} if fused is None else {"fusedActivationFunction": fused}
    kind = "".join(word.capitalize() for word in op.split("_"))
    kind = "MaximumMinimum" if op in ("MAXIMUM", "MINIMUM") else kind
    family.add(f"{op.lower()}_{dtype}_{shape}{name}", op, [Tensor(dtype, left, **q[0], **more), Tensor(dtype, right, **q[1], **more)],
               [Tensor(dtype, joined(left, right), **q[2])], options=None if op == "PRELU" else options(kind, **fields), runs=runs)


def pairs(op, dtype, quant, name, fused=NONE, numbers=None):
    """Adds a case of one inference with all pairs of some numbers, including the minimum and maximum of the range."""
    numbers = numbers or EXTREMES[dtype]
    left, right = np.meshgrid(numbers, numbers)
    kind = "".join(word.capitalize() for word in op.split("_"))
    fields = {"fusedActivationFunction": fused} if op != "SQUARED_DIFFERENCE" else {}
    family.add(f"{op.lower()}_{dtype}_pairs_{name}", op, [Tensor(dtype, left.shape, **q) for q in scales(dtype, *quant[:2])],
               [Tensor(dtype, left.shape, **scales(dtype, quant[2])[0])], options=options(kind, **fields), data=[[left, right]])


for op in ("ADD", "SUB", "MUL"):
    activations = ((NONE, "none"), (RELU, "relu"), (RELU_N1_TO_1, "n1"), (RELU6, "relu6"))
    for fused, name in activations if op == "ADD" else activations[::2]:
        pairs(op, "int8", ((0.05, 3), (0.031, -7), (0.04, -2)), name, fused)
    pairs(op, "int8", ((0.5, -128), (0.001, 127), (0.3, 127)), "far_scales")
    pairs(op, "int16", ((0.00031, 0), (0.00017, 0), (0.0003, 0)), "none")
    pairs(op, "int16", ((0.00025, 0), (0.0005, 0), (0.0004, 0)), "relu6", RELU6)
    for shape in ("scalar", "row", "crosswise", "rank_5") if op == "MUL" else ("crosswise",):
        case(op, "int8", shape, fused=RELU6)
    case(op, "float32", "crosswise", fused=RELU_N1_TO_1)
    case(op, "float32", "of_scalars", fused=NONE)
    case(op, "int32", "row", fused=NONE, values=(-30000, 30000))
    case(op, "int16", "rank_5", quant=((0.0003, 0), (0.0002, 0), (0.0004, 0)), fused=RELU)
pairs("ADD", "int16", ((0.0001, 1000), (0.0003, -32767), (0.0005, 32767)), "zero_points")
pairs("MUL", "int8", ((1.5, 3), (2.5, -7), (0.03, 1)), "factor_over_one")
case("SUB", "int32", "whole", fused=RELU6, values=(-9, 9))
case("MUL", "int32", "scalar", fused=RELU_N1_TO_1, values=(-3, 3))

# With a coarse output scale, the reference shifts quotients by an undefined number of bits.
pairs("DIV", "int8", ((0.5, 3), (0.05, -100), (0.05, -2)), "none", numbers=[-128, -127, -50, -1, 0, 1, 3, 99, 126, 127])
pairs("DIV", "int8", ((0.4, -128), (0.03, 127), (0.02, 5)), "relu6", RELU6, numbers=[-128, -127, -50, -1, 0, 1, 3, 99, 126])
case("DIV", "float32", "whole", fused=NONE)
case("DIV", "float32", "crosswise", fused=RELU6)
case("DIV", "int32", "row", fused=NONE, values=(1, 1000))
case("DIV", "int32", "scalar", fused=RELU6, values=(-20, -1))
family.add("div_int8_crosswise", "DIV", [Tensor("int8", [2, 1], scale=0.5, zero=0), Tensor("int8", [1, 5], scale=0.05, zero=-128)],
           [Tensor("int8", [2, 5], scale=0.05, zero=0)], options=options("Div"), data=[[[3, -90], [-127, -100, 0, 4, 127]]])

for op in ("MAXIMUM", "MINIMUM"):
    case(op, "float32", "crosswise")
    case(op, "int8", "whole", quant=((0.05, 3), (0.05, 3), (0.05, 3)))
    case(op, "int16", "row", quant=((0.05, 0), (0.05, 0), (0.05, 0)))
    case(op, "int32", "scalar")
    case(op, "int64", "rank_5")

pairs("SQUARED_DIFFERENCE", "int8", ((0.05, 3), (0.031, -7), (0.4, -128)), "coarse")
pairs("SQUARED_DIFFERENCE", "int8", ((1.5, 3), (2.5, -7), (0.5, -128)), "factor_over_one")
pairs("SQUARED_DIFFERENCE", "int16", ((0.001, 0), (0.0007, 0), (0.1, 0)), "coarse")
case("SQUARED_DIFFERENCE", "int8", "crosswise", quant=((0.02, 3), (0.031, -7), (0.3, -100)))
case("SQUARED_DIFFERENCE", "float32", "row")
case("SQUARED_DIFFERENCE", "int32", "scalar", values=(-40000, 6000))

for op in ("FLOOR_DIV", "FLOOR_MOD"):
    case(op, "float32", "crosswise", runs=2)
    family.add(f"{op.lower()}_float32_signs", op, [Tensor("float32", [8]), Tensor("float32", [8])], [Tensor("float32", [8])],
               options=options("FloorDiv" if op == "FLOOR_DIV" else "FloorMod"), data=[[[7, -7, 7, -7, 6, -6, 0, 1e30], [2, 2, -2, -2, 3, 3, -5, 3]]])
family.add("floor_mod_float32_by_zero", "FLOOR_MOD", [Tensor("float32", [3]), Tensor("float32", [3])], [Tensor("float32", [3])],
           options=options("FloorMod"), data=[[[7, -7, 0], [0, 0, 0]]])

alpha = np.random.default_rng(5)
family.add("prelu_float32", "PRELU", [Tensor("float32", [1, 2, 2, 3]), constant("float32", alpha.uniform(-1, 1, [1, 1, 3]))],
           [Tensor("float32", [1, 2, 2, 3])])
family.add("prelu_int8", "PRELU", [Tensor("int8", [1, 3, 2, 5], scale=0.05, zero=-9),
                                   constant("int8", alpha.integers(-128, 128, [1, 1, 5]), scale=0.01, zero=4)],
           [Tensor("int8", [1, 3, 2, 5], scale=0.03, zero=17)], runs=3)
family.add("prelu_int8_slope_of_one", "PRELU", [Tensor("int8", [2, 5], scale=0.05, zero=127), constant("int8", [[100]], scale=0.01, zero=0)],
           [Tensor("int8", [2, 5], scale=0.05, zero=127)])
family.add("prelu_int16", "PRELU", [Tensor("int16", [2, 2, 5], scale=0.0005, zero=0),
                                    constant("int8", alpha.integers(-128, 128, [5]), scale=0.01, zero=0)],
           [Tensor("int16", [2, 2, 5], scale=0.0004, zero=0)])
