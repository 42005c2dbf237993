# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
"""The signal operators of audio front ends."""

import numpy as np
from flatbuffers import flexbuffers

from nodes import Family, Tensor, TYPES, constant

family = Family(__file__)


def add(name, op, inputs, outputs, options=None, **more):
    family.add(name, None, inputs, outputs, custom="Signal" + op, custom_options=flexbuffers.Dumps(options or {}), **more)


# Fourier transforms: each radix, several signals, signals that are shorter than the transform, small and large numbers.
for dtype, low, high in (("int16", -32768, 32767), ("int32", -(2**31), 2**31 - 1), ("float32", -4.0, 4.0)):
    kind = TYPES[dtype][0]
    for length in (16, 60) if dtype == "float32" else (4, 16, 18, 60):
        options = {"T": kind, "fft_length": length}
        add(f"rfft_{dtype}_{length}", "Rfft", [Tensor(dtype, [length], values=(low, high))], [Tensor(dtype, [length + 2])], options)
        add(f"irfft_{dtype}_{length}", "Irfft", [Tensor(dtype, [length + 2], values=(low, high))], [Tensor(dtype, [length])], options,
            runs=1)
    add(f"rfft_{dtype}_signals", "Rfft", [Tensor(dtype, [2, 3, 7])], [Tensor(dtype, [2, 3, 10])], {"T": kind, "fft_length": 8}, runs=1)
    add(f"irfft_{dtype}_signals", "Irfft", [Tensor(dtype, [3, 10])], [Tensor(dtype, [3, 8])], {"T": kind, "fft_length": 8}, runs=1)
add("rfft_int16_256", "Rfft", [Tensor("int16", [240], values=(-30000, 30000))], [Tensor("int16", [258])], {"T": 7, "fft_length": 256},
    runs=1)
add("rfft_int16_quiet", "Rfft", [Tensor("int16", [32], values=(-40, 40))], [Tensor("int16", [34])], {"T": 7, "fft_length": 32})

# Windows: shifts that saturate, several runs of weights.
for shift in (0, 12, 31):
    add(f"window_shift_{shift}", "Window", [Tensor("int16", [2, 12]), constant("int16", [0, 1, -1, 4096, 2048, 32767, -32768, 5])],
        [Tensor("int16", [2, 12])], {"shift": shift})
add("window_weights_given", "Window", [Tensor("int16", [1, 5]), Tensor("int16", [5])], [Tensor("int16", [1, 5])], {"shift": 15})

# The largest power of two that does not saturate, with -32768 as a sample, and silence.
add("auto_scale", "FftAutoScale", [Tensor("int16", [6])], [Tensor("int16", [6]), Tensor("int32", [])],
    data=[[a] for a in ([0] * 6, [1, 0, 0, 0, 0, 0], [-1, 1, 0, 0, 0, 0], [100, -128, 3, 0, 1, 2], [100, -127, 3, 0, 1, 2],
                        [16383, 0, 0, 0, 0, 1], [16384, 0, 0, 0, 0, 1], [32767, 5, 0, 0, 0, 0], [5, -32768, 3, 2, 1, 0],
                        [5, 3, 2, 1, 0, -32768], [-32768, -5, -3, -6, -2, -7], [-32768, 9, -300, 2, 1, 0], [-32768] * 6)])

add("energy", "Energy", [Tensor("int16", [12])], [Tensor("uint32", [6])], {"start_index": 0, "end_index": 6},
    data=[[list(range(-6, 6))], [[-32768, -32768, 32767, 32767, -32768, 32767, 0, 0, 1, -1, 181, -182]]])

# Filter banks: overlapping bands, an empty band, and negative weights.
bands = [constant("int16", a) for a in ([0, 2, 3, 5, 9], [0, 3, 4, 4, 6], [3, 1, 0, 2, 3])]
weights = [0, 4096, 1000, -5, 32767, 77, 4096, 3, 9]
unweights = [4096 - w if w < 4097 else -9 for w in weights]
add("filter_bank", "FilterBank", [Tensor("uint32", [12]), constant("int16", weights), constant("int16", unweights)] + bands,
    [Tensor("uint64", [4])], {"num_channels": 4}, runs=4)

numbers = [0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 13, 20, 21, 65535, 65536, 2**32 - 1, 2**32 - 2**16, 2**32, 2**32 + 1, 2**40 + 12345, 2**63,
           2**64 - 1, 2**64 - 2**32]
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

# A gain that falls with the noise, as in a front end, and then random gains.
gains = [int(32767 / (1 + 0.2 * i)) if i % 4 != 3 else 0 for i in range(125)]
for name, table, shift in (("falling", gains, 6), ("random", rng.integers(-32768, 32767, 125), 0), ("shifted_far", gains, 63)):
    noise = [0, 1, 2, 3, 4, 5, 1023, 1024, 1025, 2047, 2048, 4095, 2**20 + 7, 2**31 - 1, 2**31, 2**32 - 1]
    signal = [int(x) >> int(rng.integers(0, 32)) for x in rng.integers(0, 2**32, len(noise))]
    add(f"pcan_{name}", "PCAN", [Tensor("uint32", [16]), Tensor("uint32", [16]), constant("int16", table)], [Tensor("uint32", [16])],
        {"snr_shift": shift}, data=[[signal, noise], [noise, signal], [[8191, 8192, 0, 1] * 4, signal]])



def clear(name, input_shape, output_shape, unfilled):
    """Sets the elements that a framer or stacker does not write to 0 in the golden file, because the reference leaves them uninitialized.
    `unfilled(run, is_valid, frames)` does this for one inference."""
    path = family.folder / f"{name}.golden"
    golden = np.frombuffer(path.read_bytes(), np.uint8).copy()
    bytes_in, bytes_out = 2 * int(np.prod(input_shape)), 2 * int(np.prod(output_shape))
    for run, inference in enumerate(golden.reshape(-1, bytes_in + bytes_out + 1)):
        result = inference[bytes_in:-1].view(np.int16).reshape(output_shape)
        unfilled(run, inference[-1] != 0, result)
    path.write_bytes(golden.tobytes())


# Operators with a state.
for name, clamping, smoothing_bits, bits, factors in (("", False, 10, 14, (409, 15975, 983, 15401, 819)),
                                                      ("_clamping", True, 0, 14, (16384, 0, 8192, 8192, 0)),
                                                      ("_wrapping", False, 31, 31, (-1, 2**31 - 1, 2**30, -(2**31), -5))):
    names = ("smoothing", "one_minus_smoothing", "alternate_smoothing", "alternate_one_minus_smoothing", "min_signal_remaining")
    add(f"spectral_subtraction{name}", "FilterBankSpectralSubtraction", [Tensor("uint32", [5], values=(0, 2**22) if not name else None)],
        [Tensor("uint32", [5]), Tensor("uint32", [5])], {"num_channels": 5, "clamping": clamping, "smoothing_bits": smoothing_bits,
                                                         "spectral_subtraction_bits": bits, **dict(zip(names, factors))}, runs=6)

for name, shape, size, step, prefill in (("prefill", [6], 5, 3, True), ("signals", [2, 8], 7, 2, True), ("rank_3", [2, 1, 3], 4, 3, True),
                                         ("apart", [8], 2, 4, False), ("touching", [4], 2, 2, False),
                                         ("begins_empty", [2, 6], 7, 3, False)):
    add(f"framer_{name}", "Framer", [Tensor("int16", shape)], [Tensor("int16", shape[:-1] + [shape[-1] // step, size]), Tensor("bool", [])],
        {"frame_size": size, "frame_step": step, "prefill": prefill}, runs=5)
    if not prefill:
        def unfilled(run, is_valid, frames):
            assert is_valid == (run > 0 or size <= step)
            if run == 0:
                frames[..., :(size - 1) // step, :] = 0
        clear(f"framer_{name}", shape, shape[:-1] + [shape[-1] // step, size], unfilled)

for left, right, step in ((0, 0, 1), (2, 1, 2), (1, 0, 2), (3, 0, 1)):
    stack = [3 * (left + right + 1)]
    add(f"stacker_{left}_{right}_{step}", "Stacker", [Tensor("int16", [3])], [Tensor("int16", stack), Tensor("bool", [])],
        {"num_channels": 3, "stacker_left_context": left, "stacker_right_context": right, "stacker_step": step}, runs=8)

    def unfilled(run, is_valid, frames):
        if not is_valid:
            frames[:] = 0
    clear(f"stacker_{left}_{right}_{step}", [3], stack, unfilled)

for shape, length in (([4], 3), ([4], 4), ([2, 3], 7), ([2, 2, 3], 1), ([3], 0)):
    add(f"delay_{len(shape)}_{length}", "Delay", [Tensor("int16", shape)], [Tensor("int16", shape)], {"delay_length": length}, runs=5)

for dtype in ("int16", "float32"):
    for shape, step in (([2, 5], 2), ([1, 4], 4), ([2, 3, 4], 1), ([3, 5], 3)):
        result = Tensor(dtype, shape[:-2] + [shape[-2] * step])
        add(f"overlap_add_{dtype}_{len(shape)}_{step}", "OverlapAdd", [Tensor(dtype, shape)], [result],
            {"T": TYPES[dtype][0], "frame_step": step}, runs=4)
