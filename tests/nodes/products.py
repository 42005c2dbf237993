# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
"""Layers with weights: convolutions, depthwise and transposed convolutions, and fully connected layers."""

import zlib

import numpy as np
from nodes import Family, Tensor, constant, options, schema

SAME, VALID = 0, 1
NONE, RELU, RELU_N1_TO_1, RELU6 = 0, 1, 2, 3

family = Family(__file__)


def drawn(name, dtype, shape, low=None, high=None, **more):
    """Returns a constant with random numbers."""
    rng = np.random.default_rng(zlib.crc32((name + str(shape)).encode()))
    if dtype == "float32":
        return constant(dtype, rng.uniform(-1, 1, shape), **more)
    bounds = {"int4": (-8, 7), "int8": (-127, 127), "int16": (-30000, 30000), "int32": (-2000, 2000), "int64": (-300000, 300000)}[dtype]
    return constant(dtype, rng.integers(low or bounds[0], high or bounds[1], shape, endpoint=True), **more)


# The types of the activations, the weights and the bias of each case.
KINDS = {
    "float32": ("float32", "float32", "float32"),
    "int8": ("int8", "int8", "int32"),
    "int4": ("int8", "int4", "int32"),
    "int16": ("int16", "int8", "int64"),
    "int16_narrow": ("int16", "int8", "int32"),
}


def case(op, name, kind, image, filter_shape, out_shape, opts, channels_at, bias=True, per_channel=True, negative=False, zero=(3, -5),
         scales=(0.05, 0.09), narrow_bias=False, shape_first=False):
    types = KINDS[kind]
    channels = filter_shape[channels_at]
    if types[0] == "float32":
        x, y = Tensor("float32", image), Tensor("float32", out_shape)
        weights = drawn(name, "float32", filter_shape)
        biases = drawn(name, "float32", [channels]) if bias else None
    else:
        fan = int(np.prod(filter_shape)) // channels
        top = {"int4": 8, "int8": 127}[types[1]]
        zeros = (0, 0) if types[0] == "int16" and op != "FULLY_CONNECTED" else zero
        unit = scales[0] / (256 if types[0] == "int16" else 1)
        scale = 0.004 * 127 / top * (1 + 0.37 * np.arange(channels if per_channel else 1))
        if negative:
            scale[::2] *= -1
        x = Tensor(types[0], image, scale=unit, zero=zeros[0])
        reach = unit * float(np.mean(np.abs(scale))) * top * (30000 if types[0] == "int16" else 127) * fan**0.5 / 2
        y = Tensor(types[0], out_shape, scale=reach / (30000 if types[0] == "int16" else 120), zero=zeros[1])
        weights = drawn(name, types[1], filter_shape, scale=list(scale), axis=channels_at)
        biases = None
        if bias:
            # The reference kernel of fully connected layers assumes that the bias has the scale of the sums.
            biases = drawn(name, "int16" if narrow_bias else types[2], [channels], scale=list(np.abs(unit * scale)))
    inputs = [x, weights, biases]
    if shape_first:
        inputs = [constant("int32", out_shape), weights, x] + ([biases] if bias else [])
    elif not bias and op != "FULLY_CONNECTED":
        inputs = inputs[:2]
    family.add(f"{name}_{kind}", op, inputs, [y], options=opts)


def out_size(padding, size, taps, stride, dilation=1):
    return -(-size // stride) if padding == SAME else (size - (taps - 1) * dilation - 1) // stride + 1


def conv(name, kind, image, channels, taps, padding=SAME, stride=(1, 1), dilation=(1, 1), act=NONE, groups=1, bias_type=None, **more):
    opts = options("Conv2D", padding=padding, strideH=stride[0], strideW=stride[1], dilationHFactor=dilation[0], dilationWFactor=dilation[1],
                   fusedActivationFunction=act)
    if bias_type is not None:
        opts.quantizedBiasType = bias_type
    sizes = [out_size(padding, image[1 + i], taps[i], stride[i], dilation[i]) for i in range(2)]
    case("CONV_2D", f"conv_{name}", kind, image, [channels, *taps, image[3] // groups], [image[0], *sizes, channels], opts, 0, **more)


def depthwise(name, kind, image, multiplier, taps, padding=SAME, stride=(1, 1), dilation=(1, 1), act=NONE, **more):
    opts = options("DepthwiseConv2D", padding=padding, strideH=stride[0], strideW=stride[1], dilationHFactor=dilation[0],
                   dilationWFactor=dilation[1], depthMultiplier=multiplier, fusedActivationFunction=act)
    channels = image[3] * multiplier
    sizes = [out_size(padding, image[1 + i], taps[i], stride[i], dilation[i]) for i in range(2)]
    case("DEPTHWISE_CONV_2D", f"depthwise_{name}", kind, image, [1, *taps, channels], [image[0], *sizes, channels], opts, 3, **more)


def dense(name, kind, image, units, act=NONE, keep=False, bias_type=None, **more):
    opts = options("FullyConnected", fusedActivationFunction=act, keepNumDims=keep)
    if bias_type is not None:
        opts.quantizedBiasType = bias_type
    rows = image[:-1] if keep else [int(np.prod(image[:-1]))]
    case("FULLY_CONNECTED", f"dense_{name}", kind, image, [units, image[-1]], [*rows, units], opts, 0, **more)


def transposed(name, kind, image, channels, taps, out, padding=SAME, stride=(2, 2), act=NONE, **more):
    opts = options("TransposeConv", padding=padding, strideH=stride[0], strideW=stride[1], fusedActivationFunction=act)
    case("TRANSPOSE_CONV", f"transposed_{name}", kind, image, [channels, *taps, image[3]], [image[0], *out, channels], opts, 0,
         shape_first=True, **more)


for kind in KINDS:
    conv("same", kind, [1, 4, 5, 2], 3, [3, 2], stride=(1, 2), act=RELU)
    dense("per_tensor", kind, [3, 7], 4, per_channel=False)
    if kind != "int16_narrow":
        depthwise("same", kind, [1, 4, 5, 3], 2, [2, 3], stride=(2, 1))
for kind in ("float32", "int8", "int16"):
    conv("dilated", kind, [2, 5, 5, 2], 2, [2, 2], VALID, dilation=(2, 3), act=RELU6)
    conv("groups", kind, [1, 3, 3, 4], 4, [2, 2], groups=2, bias=False)
    depthwise("valid", kind, [2, 5, 4, 2], 1, [3, 2], VALID, dilation=(2, 1), act=RELU_N1_TO_1)
    dense("keep", kind, [2, 2, 3, 4], 3, keep=True, act=RELU, per_channel=False)
    transposed("same", kind, [1, 2, 3, 2], 3, [3, 3], [4, 6])
    transposed("valid", kind, [2, 2, 2, 2], 2, [2, 4], [4, 6], VALID, act=RELU6)
    transposed("odd", kind, [1, 3, 2, 3], 2, [3, 1], [5, 5], stride=(2, 3), bias=False, per_channel=False)
    transposed("dense", kind, [1, 3, 3, 1], 2, [3, 2], [5, 4], VALID, stride=(1, 1))
for kind in ("int8", "int16"):
    conv("per_tensor", kind, [1, 3, 3, 2], 3, [1, 1], per_channel=False)
    dense("per_channel", kind, [2, 5], 6)
    dense("bare", kind, [2, 5], 3, bias=False, per_channel=False)
    dense("wide", kind, [1, 300], 2, per_channel=False)
conv("bare_narrow", "int16", [1, 3, 3, 2], 2, [2, 2], bias=False, bias_type=schema.TensorType.INT32)
dense("bare_narrow", "int16", [2, 5], 3, bias=False, per_channel=False, bias_type=schema.TensorType.INT32)
dense("per_channel", "int16_narrow", [2, 5], 6)
conv("negative", "int8", [1, 3, 3, 2], 4, [2, 2], negative=True)
conv("corner", "int8", [1, 1, 1, 1], 1, [1, 1], zero=(-128, 127), act=RELU)
transposed("narrow_bias", "int16", [1, 2, 2, 2], 3, [3, 3], [4, 4], narrow_bias=True)
depthwise("bare", "int16", [1, 3, 3, 2], 1, [2, 2], bias=False)
depthwise("per_tensor", "int8", [1, 3, 3, 2], 1, [2, 2], per_channel=False, bias=False)
# Weights that are not constant.
family.add("dense_computed_weights_float32", "FULLY_CONNECTED", [Tensor("float32", [2, 5]), Tensor("float32", [3, 5]), None],
           [Tensor("float32", [2, 3])], options=options("FullyConnected"))
family.add("dense_computed_weights_int8", "FULLY_CONNECTED",
           [Tensor("int8", [2, 5], scale=0.05, zero=4), Tensor("int8", [3, 5], scale=0.02), None], [Tensor("int8", [2, 3], scale=0.2)],
           options=options("FullyConnected"))
