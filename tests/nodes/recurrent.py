# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
"""Recurrent layers: each run goes on where the one before left the states."""

import numpy as np
from nodes import Family, Tensor, constant, options

family = Family(__file__)
rng = np.random.default_rng(7)


def lstm(name, dtype, batches=1, steps=3, inputs=5, units=4, time_major=False, clip=0.0, cell=2.0**-12, hidden=(0.0078, 3),
         zero=-5, gain=1.0, runs=3):
    is_float = dtype == "float32"
    weight_scale = [0.011 * gain, 0.007 * gain, 0.013 * gain, 0.009 * gain]

    def weights(columns, g):
        if is_float:
            return constant("float32", rng.uniform(-gain, gain, (units, columns)))
        return constant("int8", rng.integers(-127, 127, (units, columns), endpoint=True), scale=weight_scale[g])

    in_scale = 0.03 if dtype == "int8" else 2.0**-12
    zero = zero if dtype == "int8" else 0
    hidden_scale, hidden_zero = hidden if dtype == "int8" else (2.0**-15, 0)
    quant = {} if is_float else {"scale": in_scale, "zero": zero}
    out = {} if is_float else {"scale": hidden_scale, "zero": hidden_zero}
    x = Tensor(dtype, [steps, batches, inputs] if time_major else [batches, steps, inputs], **quant)
    y = Tensor(dtype, [steps, batches, units] if time_major else [batches, steps, units], **out)
    if is_float:
        biases = [constant("float32", rng.uniform(-1, 1, units)) for _ in range(4)]
    else:
        bias_type = "int32" if dtype == "int8" else "int64"
        biases = [constant(bias_type, rng.integers(-3000, 3000, units), scale=in_scale * weight_scale[g]) for g in range(4)]
    cell_type, cell_quant = ("float32", {}) if is_float else ("int16", {"scale": cell})
    operands = [x] + [weights(inputs, g) for g in range(4)] + [weights(units, g) for g in range(4)] + [None] * 3 + biases + [None] * 2
    operands += [Tensor(dtype, [batches, units], variable=True, **out), Tensor(cell_type, [batches, units], variable=True, **cell_quant)]
    family.add(name, "UNIDIRECTIONAL_SEQUENCE_LSTM", operands + [None] * 4, [y], runs=runs,
               options=options("UnidirectionalSequenceLSTM", fusedActivationFunction=4, cellClip=clip, timeMajor=time_major))


for dtype in ("float32", "int8", "int16"):
    lstm(f"lstm_{dtype}", dtype)
    lstm(f"lstm_{dtype}_batches", dtype, batches=3, steps=2)
    lstm(f"lstm_{dtype}_time_major", dtype, batches=2, steps=3, inputs=1, time_major=True)
    lstm(f"lstm_{dtype}_one_unit", dtype, units=1, inputs=17, steps=1)
    lstm(f"lstm_{dtype}_clip", dtype, clip=0.3, units=6, steps=5)
    lstm(f"lstm_{dtype}_saturated", dtype, gain=8.0, steps=6, units=7)
lstm("lstm_int8_wide_cell", "int8", cell=2.0**-9, gain=6.0, steps=6)
lstm("lstm_int8_narrow_cell", "int8", cell=2.0**-15, steps=4)
lstm("lstm_int8_odd_cell", "int8", cell=0.0003, steps=4)
lstm("lstm_int8_zero_points", "int8", zero=127, hidden=(0.004, -128), steps=4)
lstm("lstm_int8_small_hidden", "int8", hidden=(0.0009, 120), steps=4)
