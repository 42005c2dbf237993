# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
"""The signal operators of audio front ends."""

import numpy as np
from flatbuffers import flexbuffers

from nodes import Family, Tensor, TYPES, constant

family = Family(__file__)


def add(name, op, inputs, outputs, options=None, **more):
    family.add(name, None, inputs, outputs, custom="Signal" + op, custom_options=flexbuffers.Dumps(options or {}), **more)


# Fourier transforms: each radix, several signals, signals that end early, small and large numbers.
for dtype, low, high in (("int16", -32768, 32767), ("int32", -(2**31), 2**31 - 1), ("float32", -4.0, 4.0)):
    kind = TYPES[dtype][0]
    for length in (4, 6, 10, 16, 18, 60):
        options = {"T": kind, "fft_length": length}
        add(f"rfft_{dtype}_{length}", "Rfft", [Tensor(dtype, [length], values=(low, high))], [Tensor(dtype, [length + 2])], options)
        add(f"irfft_{dtype}_{length}", "Irfft", [Tensor(dtype, [length + 2], values=(low, high))], [Tensor(dtype, [length])], options)
    add(f"rfft_{dtype}_signals", "Rfft", [Tensor(dtype, [2, 3, 7])], [Tensor(dtype, [2, 3, 10])], {"T": kind, "fft_length": 8}, runs=1)
    add(f"irfft_{dtype}_signals", "Irfft", [Tensor(dtype, [3, 10])], [Tensor(dtype, [3, 8])], {"T": kind, "fft_length": 8}, runs=1)
add("rfft_int16_512", "Rfft", [Tensor("int16", [480], values=(-30000, 30000))], [Tensor("int16", [514])], {"T": 7, "fft_length": 512}, runs=1)
add("rfft_int16_quiet", "Rfft", [Tensor("int16", [32], values=(-40, 40))], [Tensor("int16", [34])], {"T": 7, "fft_length": 32})

# Windows: shifts that saturate, several runs of weights.
for shift in (0, 12, 31):
    add(f"window_shift_{shift}", "Window", [Tensor("int16", [2, 12]), constant("int16", [0, 1, -1, 4096, 2048, 32767, -32768, 5])],
        [Tensor("int16", [2, 12])], {"shift": shift})
add("window_weights_given", "Window", [Tensor("int16", [1, 5]), Tensor("int16", [5])], [Tensor("int16", [1, 5])], {"shift": 15})

# The largest power of two that does not clip, -32768 among the samples, silence.
add("auto_scale", "FftAutoScale", [Tensor("int16", [6])], [Tensor("int16", [6]), Tensor("int32", [])],
    data=[[a] for a in ([0] * 6, [1, 0, 0, 0, 0, 0], [-1, 1, 0, 0, 0, 0], [100, -128, 3, 0, 1, 2], [100, -127, 3, 0, 1, 2], [16383, 0, 0, 0, 0, 1],
                        [16384, 0, 0, 0, 0, 1], [32767, 5, 0, 0, 0, 0], [5, -32768, 3, 2, 1, 0], [5, 3, 2, 1, 0, -32768],
                        [-32768, -5, -3, -6, -2, -7], [-32768, 9, -300, 2, 1, 0], [-32768] * 6)])

add("energy", "Energy", [Tensor("int16", [12])], [Tensor("uint32", [6])], {"start_index": 0, "end_index": 6},
    data=[[list(range(-6, 6))], [[-32768, -32768, 32767, 32767, -32768, 32767, 0, 0, 1, -1, 181, -182]]])

# Filter banks: bands that overlap, an empty one, weights below 0.
bands = [constant("int16", a) for a in ([0, 2, 3, 5, 9], [0, 3, 4, 4, 6], [3, 1, 0, 2, 3])]
weights = [0, 4096, 1000, -5, 32767, 77, 4096, 3, 9]
add("filter_bank", "FilterBank", [Tensor("uint32", [12]), constant("int16", weights), constant("int16", [4096 - w if w < 4097 else -9 for w in weights])] + bands,
    [Tensor("uint64", [4])], {"num_channels": 4}, runs=4)

numbers = [0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 13, 20, 21, 65535, 65536, 2**32 - 1, 2**32 - 2**16, 2**32, 2**32 + 1, 2**40 + 12345, 2**63, 2**64 - 1, 2**64 - 2**32]
root = [Tensor("uint64", [len(numbers)]), Tensor("int32", [])], [Tensor("uint32", [len(numbers)])]
add("square_root", "FilterBankSquareRoot", *root, data=[[numbers, 0], [numbers, 3], [numbers, 31]])
rng = np.random.default_rng(3)
spread = [[int(x) >> int(rng.integers(0, 64)) for x in rng.integers(0, 2**64, len(numbers), dtype=np.uint64)] for _ in range(3)]
add("square_root_spread", "FilterBankSquareRoot", *root, data=[[numbers, shift] for numbers, shift in zip(spread, (0, 1, 7))])

numbers = [0, 1, 2, 3, 4, 7, 100, 511, 512, 65535, 65536, 65537, 10**6, 2**24 - 1, 2**28 + 12345, 2**31, 2**32 - 1]
for bits, scale in ((0, 64), (3, 64), (0, 1 << 12), (31, 1), (5, -7), (0, 1 << 20)):
    add(f"log_{bits}_{scale}", "FilterBankLog", [Tensor("uint32", [len(numbers)])], [Tensor("int16", [len(numbers)])],
        {"input_correction_bits": bits, "output_scale": scale}, data=[[numbers], [[int(x) >> int(rng.integers(0, 32)) for x in
                                                                                 rng.integers(0, 2**32, len(numbers))]]])

# The gain falls with the noise, as a front end has it; then gains at random.
gains = [int(32767 / (1 + 0.2 * i)) if i % 4 != 3 else 0 for i in range(125)]
for name, table, shift in (("falling", gains, 6), ("random", rng.integers(-32768, 32767, 125), 0), ("shifted_far", gains, 63)):
    noise = [0, 1, 2, 3, 4, 5, 1023, 1024, 1025, 2047, 2048, 4095, 2**20 + 7, 2**31 - 1, 2**31, 2**32 - 1]
    signal = [int(x) >> int(rng.integers(0, 32)) for x in rng.integers(0, 2**32, len(noise))]
    add(f"pcan_{name}", "PCAN", [Tensor("uint32", [16]), Tensor("uint32", [16]), constant("int16", table)], [Tensor("uint32", [16])],
        {"snr_shift": shift}, data=[[signal, noise], [noise, signal], [[8191, 8192, 0, 1] * 4, signal]])
