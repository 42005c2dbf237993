# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
"""Real functions of quantized elements, and powers. TensorFlow Lite Micro lacks them, so the reference is TensorFlow Lite's reference
kernels."""

import nodes
import numpy as np
from nodes import Family, Tensor, options

nodes.run_model = nodes.run_model_in_litert
family = Family(__file__)
ALL8 = np.arange(-128, 128)
SOME16 = np.concatenate([np.arange(-32768, 32768, 331), [-129, -128, -127, -1, 0, 1, 63, 64, 127, 128, 32766, 32767]])


def case(name, op, dtype, values, scale, out_scale, zero=0, out_zero=0, **more):
    family.add(name, op, [Tensor(dtype, values.shape, scale=scale, zero=zero)],
               [Tensor(dtype, values.shape, scale=out_scale, zero=out_zero)], data=[[values]], **more)


for is_approximate in (False, True):
    name = "gelu_tanh" if is_approximate else "gelu"
    case(f"{name}_int16", "GELU", "int16", SOME16, 0.0003, 0.0003, options=options("Gelu", approximate=is_approximate))
    case(f"{name}_int8", "GELU", "int8", ALL8, 0.04, 0.02, 5, -120, options=options("Gelu", approximate=is_approximate))
case("exp_int16", "EXP", "int16", SOME16, 0.00011, 0.0012)
case("exp_int16_steep", "EXP", "int16", SOME16, 0.001, 0.001)
case("log_int16", "LOG", "int16", SOME16, 0.0004, 0.0002)
case("rsqrt_int16", "RSQRT", "int16", np.abs(SOME16[1:]), 0.0002, 0.0001)
case("sqrt_int16", "SQRT", "int16", np.abs(SOME16[1:]), 0.0007, 0.00015)
case("exp_int8", "EXP", "int8", ALL8, 0.03, 0.1, 10, -128)
case("log_int8", "LOG", "int8", ALL8, 0.05, 0.02, -128, 7)
case("sqrt_int8", "SQRT", "int8", ALL8, 0.07, 0.02, -128, -128)

REALS = np.array([0.1, 0.5, 1, 1.5, 2, 7.25], np.float32)
family.add("pow_float32", "POW", [Tensor("float32", [6, 1]), Tensor("float32", [5])], [Tensor("float32", [6, 5])],
           data=[[REALS, np.array([-1.5, 0, 0.4, 1, 3], np.float32)]], options=options("Pow"))
family.add("pow_float32_scalar", "POW", [Tensor("float32", [7]), Tensor("float32", [])], [Tensor("float32", [7])],
           data=[[np.append(-REALS, 0), np.array(3, np.float32)]], options=options("Pow"))
family.add("pow_int32", "POW", [Tensor("int32", [7, 1]), Tensor("int32", [4])], [Tensor("int32", [7, 4])],
           data=[[np.array([-9, -2, -1, 0, 1, 2, 10]), np.array([0, 1, 2, 9])]], options=options("Pow"))
