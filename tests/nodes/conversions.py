# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
"""Operators that convert elements to another type."""

import numpy as np

from nodes import TYPES, Family, Tensor

family = Family(__file__)


def ends(dtype):
    """Returns some numbers of an integer type, including its minimum and maximum."""
    info = np.iinfo(TYPES[dtype][1])
    some = np.linspace(info.min, info.max, 14).astype(np.int64)
    return np.unique(np.append(some, [info.min + 1, -1, 0, 1, 2, 3, info.max - 1, info.max])).clip(info.min, info.max)


REALS = np.array([-1e6, -1000.5, -129, -12.75, -6.4, -6.35, -3.5, -2.5, -1.5, -1, -0.5, -0.25, -0.05, 0, 0.05, 0.25, 0.5, 1, 1.5, 2.5, 3.5,
                  6.35, 6.4, 12.75, 127.4, 1000.5, 1e6], np.float32)


def case(name, op, dtype, values, out, scale=None, zero=0, out_scale=None, out_zero=0, shape=None):
    shape = [values.size] if shape is None else shape
    family.add(name, op, [Tensor(dtype, shape, scale=scale, zero=zero)], [Tensor(out, shape, scale=out_scale, zero=out_zero)],
               data=[[values.reshape(shape)]])


for out, scale, zero in [("int8", 0.05, -3), ("int8", 0.5, 127), ("int16", 0.05, 0), ("int16", 0.001, -7)]:
    case(f"quantize_float32_{out}_{zero}", "QUANTIZE", "float32", REALS, out, out_scale=scale, out_zero=zero)

ZERO = {"int8": -5, "uint8": 130, "int16": 0, "int32": 0}
for dtype, out in [("int8", "int8"), ("int8", "uint8"), ("uint8", "int8"), ("int8", "int16"), ("int8", "int32"), ("int16", "int8"),
                   ("int16", "int16"), ("int16", "int32"), ("int32", "int8"), ("int32", "int16")]:
    case(f"quantize_{dtype}_{out}_less", "QUANTIZE", dtype, ends(dtype), out, 0.05, ZERO[dtype], 0.13, ZERO[out])
    more = ends(dtype) if dtype != "int32" else np.arange(-60, 60)
    case(f"quantize_{dtype}_{out}_more", "QUANTIZE", dtype, more, out, 0.05, ZERO[dtype], 0.011, ZERO[out])
case("quantize_int8_uint8_same", "QUANTIZE", "int8", ends("int8"), "uint8", 0.05, -5, 0.05, 123)
case("quantize_uint8_int8_same", "QUANTIZE", "uint8", ends("uint8"), "int8", 0.05, 123, 0.05, -5)
case("quantize_int16_zero", "QUANTIZE", "int16", ends("int16"), "int16", 0.05, 77, 0.06, -300)
case("quantize_rank5", "QUANTIZE", "float32", np.arange(-6, 6), "int8", out_scale=0.05, out_zero=1, shape=[1, 2, 1, 3, 2])

for dtype, zero in [("int8", -128), ("int8", 7), ("uint8", 255), ("int16", 0), ("int16", -900)]:
    case(f"dequantize_{dtype}_{zero}", "DEQUANTIZE", dtype, ends(dtype), "float32", 0.0371, zero)
case("dequantize_rank0", "DEQUANTIZE", "int8", np.array([-7]), "float32", 0.5, 3, shape=[])

for dtype in ("int8", "int16", "int32", "uint32"):
    for out in ("int8", "int16", "int32", "uint32", "float32"):
        case(f"cast_{dtype}_{out}", "CAST", dtype, ends(dtype), out)
for out in ("int8", "int16", "int32", "float32"):
    case(f"cast_float32_{out}", "CAST", "float32", REALS[3:-4], out)
    case(f"cast_bool_{out}", "CAST", "bool", np.array([True, False, True]), out)
case("cast_float32_uint32", "CAST", "float32", REALS[13:], "uint32")
