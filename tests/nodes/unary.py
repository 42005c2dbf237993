# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
"""Unary elementwise operators."""

import numpy as np

from nodes import Family, Tensor, options

family = Family(__file__)
ALL8 = np.arange(-128, 128)
SOME8 = np.append(np.arange(-128, 127, 5), 127)
SOME16 = np.concatenate([np.arange(-32768, 32768, 1331), [-32767, -4096, -1, 0, 1, 4095, 32766, 32767]])
REALS = np.array([-1e30, -100, -20.5, -16.7, -9.01, -9, -8, -6.5, -5.5, -3.5, -3, -2.5, -1.5, -1, -0.5, -0.1, -1e-3, 0, 1e-3, 0.1, 0.4,
                  0.5, 0.6, 1, 1.5, 2.5, 3, 3.5, 5.9, 6, 6.1, 7.5, 16.7, 20.5, 80, 1e30], np.float32)
SMALL = REALS[np.abs(REALS) < 8]  # the tolerance of float32 is relative to the largest magnitude


def case(name, op, dtype, values, scale=None, zero=0, out_scale=None, out_zero=0, out=None, shape=None, **more):
    values = np.asarray(values)
    shape = [values.size] if shape is None else shape
    x = Tensor(dtype, shape, scale=scale, zero=zero)
    y = Tensor(out or dtype, shape, scale=out_scale, zero=out_zero)
    family.add(name, op, [x], [y], data=[[values.reshape(shape)]], **more)


# Every int8 number, at scales for which all, some, or nearly none are in the range of the function.
for at, (scale, zero) in enumerate([(0.05, 3), (0.25, -128), (9.0, 0)]):
    case(f"logistic_int8_{at}", "LOGISTIC", "int8", ALL8, scale, zero, 1 / 256, -128)
    case(f"tanh_int8_{at}", "TANH", "int8", ALL8, scale, zero, 1 / 128, 0)
for at, scale in enumerate([1 / 4096, 1 / 2048, 0.0003, 1e-6, 1.3, 1.0004 / 4096, 0.9997 / 2048]):
    case(f"logistic_int16_{at}", "LOGISTIC", "int16", SOME16, scale, 0, 1 / 32768, 0)
    case(f"tanh_int16_{at}", "TANH", "int16", SOME16, scale, 0, 1 / 32768, 0)

for op, values in [("LOGISTIC", REALS), ("TANH", REALS), ("RELU", SMALL), ("RELU6", REALS), ("ELU", SMALL), ("HARD_SWISH", SMALL),
                   ("EXP", SMALL[SMALL < 2]), ("LOG", np.abs(REALS)), ("SQRT", np.abs(SMALL)), ("RSQRT", np.abs(SMALL[SMALL != 0])),
                   ("SQUARE", SMALL), ("ABS", SMALL), ("NEG", SMALL), ("SIN", REALS[1:-1]), ("COS", REALS[1:-1]), ("FLOOR", SMALL),
                   ("CEIL", SMALL), ("ROUND", SMALL)]:
    case(f"{op.lower()}_float32", op, "float32", values)
case("leaky_relu_float32", "LEAKY_RELU", "float32", SMALL, options=options("LeakyRelu", alpha=-0.3))
case("abs_rank5", "ABS", "float32", np.arange(-6, 6), shape=[1, 2, 1, 3, 2])
case("abs_rank0", "ABS", "float32", [-3.5], shape=[])
case("logical_not", "LOGICAL_NOT", "bool", [True, False, True, True], shape=[2, 2])

for at, (scale, zero, out_scale, out_zero) in enumerate([(0.05, 3, 0.05, 3), (0.11, -20, 0.05, -128), (0.02, 127, 0.3, 5)]):
    quant = (scale, zero, out_scale, out_zero)
    case(f"relu_int8_{at}", "RELU", "int8", SOME8, *quant)
    case(f"hard_swish_int8_{at}", "HARD_SWISH", "int8", SOME8, *quant)
    case(f"elu_int8_{at}", "ELU", "int8", SOME8, *quant)
    case(f"abs_int8_{at}", "ABS", "int8", SOME8, *quant)
    case(f"rsqrt_int8_{at}", "RSQRT", "int8", np.arange(zero, 128, 3), *quant)
    case(f"leaky_relu_int8_{at}", "LEAKY_RELU", "int8", SOME8, *quant, options=options("LeakyRelu", alpha=[0.1, -0.7, 2.5][at]))
case("rsqrt_int8_3", "RSQRT", "int8", SOME8, 0.0001, -128, 0.5, -128)
case("rsqrt_int8_4", "RSQRT", "int8", SOME8, 30.0, -128, 0.001, 0)
case("hard_swish_int8_wide", "HARD_SWISH", "int8", SOME8, 3.0, 0, 3.0, 0)
case("hard_swish_int8_fine", "HARD_SWISH", "int8", SOME8, 0.0004, 10, 0.0004, -128)
case("relu6_int8", "RELU6", "int8", SOME8, 0.05, -20, 0.05, -20)
case("relu6_int8_beyond", "RELU6", "int8", SOME8, 0.01, 100, 0.01, 100)
case("relu6_int16", "RELU6", "int16", SOME16, 0.0005, 0, 0.0005, 0)
case("relu_int16", "RELU", "int16", SOME16, 0.0005, 0, 0.00013, 0)
case("leaky_relu_int16", "LEAKY_RELU", "int16", SOME16, 0.0005, 0, 0.00043, 0, options=options("LeakyRelu", alpha=0.3))
case("leaky_relu_int16_zero", "LEAKY_RELU", "int16", SOME16, 0.0005, -70, 0.0005, 200, options=options("LeakyRelu", alpha=-1.5))
case("abs_int16", "ABS", "int16", SOME16, 0.0005, 0, 0.0007, 0)
case("abs_int16_same", "ABS", "int16", SOME16, 0.0005, 0, 0.0005, 0)
case("abs_int16_plain", "ABS", "int16", SOME16)
