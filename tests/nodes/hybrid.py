# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
"""Layers with float32 inputs and int8 or int4 weights, and layers with dequantized weights. TensorFlow Lite Micro does not support them, so
the reference is TensorFlow Lite's reference kernels."""

import nodes
import numpy as np
from nodes import Family, Tensor, constant, options

SAME, VALID = 0, 1
RELU = 1


nodes.run_model = nodes.run_model_in_litert
family = Family(__file__)
rng = np.random.default_rng(5)


def weights(shape, axis, per_channel):
    scales = 0.004 * (1 + 0.3 * np.arange(shape[axis] if per_channel else 1))
    return constant("int8", rng.integers(-127, 127, shape, endpoint=True), scale=list(scales), axis=axis)


def bias(channels):
    return constant("float32", rng.uniform(-1, 1, [channels]))


for per_channel in (False, True):
    scaled = "channel" if per_channel else "tensor"
    for is_asymmetric in (False, True):
        family.add(f"dense_{scaled}_{'asymmetric' if is_asymmetric else 'symmetric'}", "FULLY_CONNECTED",
                   [Tensor("float32", [3, 40]), weights([5, 40], 0, per_channel), bias(5)], [Tensor("float32", [3, 5])],
                   options=options("FullyConnected", asymmetricQuantizeInputs=is_asymmetric))
    family.add(f"conv_same_{scaled}", "CONV_2D", [Tensor("float32", [2, 5, 4, 3]), weights([4, 3, 2, 3], 0, per_channel), bias(4)],
               [Tensor("float32", [2, 3, 4, 4])],
               options=options("Conv2D", padding=SAME, strideH=2, strideW=1, dilationHFactor=1, dilationWFactor=1,
                               fusedActivationFunction=RELU))
    family.add(f"conv_valid_{scaled}", "CONV_2D", [Tensor("float32", [2, 5, 4, 3]), weights([4, 3, 2, 3], 0, per_channel), bias(4)],
               [Tensor("float32", [2, 3, 3, 4])],
               options=options("Conv2D", padding=VALID, strideH=1, strideW=1, dilationHFactor=1, dilationWFactor=1))
# The reference rejects depthwise convolutions with one scale for all channels.
family.add("depthwise_channel", "DEPTHWISE_CONV_2D", [Tensor("float32", [2, 5, 4, 3]), weights([1, 3, 2, 6], 3, True), bias(6)],
           [Tensor("float32", [2, 3, 4, 6])],
           options=options("DepthwiseConv2D", padding=SAME, strideH=2, strideW=1, dilationHFactor=1, dilationWFactor=1, depthMultiplier=2))

# The reference quantizes the inputs of transposed convolutions with a zero point, whatever the scales.
for per_channel in (False, True):
    scaled = "channel" if per_channel else "tensor"
    for padding, sizes, fused in ((SAME, [2, 6, 4, 5], 0), (VALID, [2, 7, 6, 5], RELU)):
        inputs = [constant("int32", sizes), weights([5, 3, 3, 4], 0, per_channel), Tensor("float32", [2, 3, 2, 4])]
        family.add(f"transposed_{'valid' if padding else 'same'}_{scaled}", "TRANSPOSE_CONV", inputs + ([] if padding else [bias(5)]),
                   [Tensor("float32", sizes)],
                   options=options("TransposeConv", padding=padding, strideH=2, strideW=2, fusedActivationFunction=fused))


def narrow(shape, per_channel):
    scales = 0.05 * (1 + 0.3 * np.arange(shape[0] if per_channel else 1))
    return constant("int4", rng.integers(-7, 7, shape, endpoint=True), scale=list(scales), axis=0)


for per_channel in (False, True):
    scaled = "channel" if per_channel else "tensor"
    for is_asymmetric in (False, True):
        family.add(f"dense_int4_{scaled}_{'asymmetric' if is_asymmetric else 'symmetric'}", "FULLY_CONNECTED",
                   [Tensor("float32", [3, 37]), narrow([5, 37], per_channel), bias(5)], [Tensor("float32", [3, 5])],
                   options=options("FullyConnected", asymmetricQuantizeInputs=is_asymmetric))
    family.add(f"conv_int4_{scaled}", "CONV_2D", [Tensor("float32", [2, 5, 4, 3]), narrow([4, 3, 3, 3], per_channel), bias(4)],
               [Tensor("float32", [2, 3, 4, 4])],
               options=options("Conv2D", padding=SAME, strideH=2, strideW=1, dilationHFactor=1, dilationWFactor=1))

# `DEQUANTIZE`
for dtype, zeros in (("int8", [3, 0, -128]), ("uint8", [3, 0, 255]), ("int4", [0, 0, 0])):
    for axis in (1, 2):
        shape = [2, 3, 5] if axis == 1 else [2, 5, 3]
        family.add(f"dequantize_{dtype}_axis_{axis}", "DEQUANTIZE",
                   [constant(dtype, rng.integers(-7 if dtype != "uint8" else 0, 7, shape), scale=[0.05, 0.3, 0.011], zero=zeros, axis=axis)],
                   [Tensor("float32", shape)], runs=1)
family.add("dequantize_int4", "DEQUANTIZE", [constant("int4", np.arange(-8, 7), scale=0.3)], [Tensor("float32", [15])], runs=1)
family.add("dequantize_float16", "DEQUANTIZE", [constant("float16", np.append(rng.normal(size=20), [0, 65504, 6e-8, -6e-5]))],
           [Tensor("float32", [24])], runs=1)
