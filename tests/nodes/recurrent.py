# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
"""Recurrent layers. The states are kept from run to run."""

import numpy as np
from flatbuffers import flexbuffers
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


def svdf(name, dtype, state="int8", batches=1, inputs=6, units=3, rank=2, memory=4, activation=0, zeros=(-3, 0, 5), scales=(0.05, 0.2, 0.1),
         runs=6):
    is_float = dtype == "float32"
    filters = rank * units
    if is_float:
        x, y, kept = Tensor(dtype, [batches, inputs]), Tensor(dtype, [batches, units]), Tensor(dtype, [batches, memory * filters], variable=True)
        feature = constant(dtype, rng.uniform(-1, 1, (filters, inputs)))
        time = constant(dtype, rng.uniform(-1, 1, (filters, memory)))
        offset = constant(dtype, rng.uniform(-1, 1, units))
    else:
        x, y = Tensor(dtype, [batches, inputs], scale=scales[0], zero=zeros[0]), Tensor(dtype, [batches, units], scale=scales[2], zero=zeros[2])
        kept = Tensor(state, [batches, memory * filters], scale=scales[1], zero=zeros[1], variable=True)
        feature = constant(dtype, rng.integers(-127, 127, (filters, inputs), endpoint=True), scale=0.02)
        bound = 127 if state == "int8" else 2000
        time = constant(state, rng.integers(-bound, bound, (filters, memory), endpoint=True), scale=1.27 / bound)
        offset = constant("int32", rng.integers(-500, 500, units), scale=float(np.float32(scales[1]) * np.float32(1.27 / bound)))
    family.add(name, "SVDF", [x, feature, time, offset, kept], [y], runs=runs,
               options=options("SVDF", rank=rank, fusedActivationFunction=activation))


svdf("svdf_float32", "float32")
svdf("svdf_float32_relu", "float32", activation=1, batches=2, rank=1)
svdf("svdf_float32_relu6", "float32", activation=3)
svdf("svdf_int8", "int8")
svdf("svdf_int8_batches", "int8", batches=3, rank=3, units=2, memory=2, activation=1)
svdf("svdf_int8_memory_of_one", "int8", memory=1, rank=1)
svdf("svdf_int8_wraps", "int8", zeros=(127, 60, -128), scales=(0.2, 0.05, 0.2))
svdf("svdf_int16", "int8", state="int16", scales=(0.05, 0.0005, 0.1))
svdf("svdf_int16_saturated", "int8", state="int16", scales=(0.5, 0.0005, 0.05), units=5)


def circular_buffer(name, slots, width, depth, stated, zero):
    quant = {"scale": 0.1, "zero": zero}
    family.add(name, None, [Tensor("int8", [1, 1, width, depth], **quant)], [Tensor("int8", [1, slots, width, depth], variable=True, **quant)],
               runs=5, custom="CIRCULAR_BUFFER", custom_options=flexbuffers.Dumps({"cycles_max": 1}) if stated else b"")


circular_buffer("circular_buffer", 3, 1, 4, True, -5)
circular_buffer("circular_buffer_one_slot", 1, 2, 2, True, 0)
circular_buffer("circular_buffer_by_shape", 5, 2, 3, False, 100)
