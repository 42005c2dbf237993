# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
"""Layers of float32 inputs and int8 weights. TensorFlow Lite Micro has none: these are run by the reference kernels of TensorFlow Lite."""

import nodes
import numpy as np
from ai_edge_litert.interpreter import Interpreter, OpResolverType
from nodes import Family, Tensor, constant, options

SAME, VALID = 0, 1
RELU = 1


def run_model(model, inputs):
    interpreter = Interpreter(model_content=model, experimental_op_resolver_type=OpResolverType.BUILTIN_REF, num_threads=1)
    interpreter.allocate_tensors()
    made = []
    for given in inputs:
        for details, array in zip(interpreter.get_input_details(), given):
            interpreter.set_tensor(details["index"], array)
        interpreter.invoke()
        made.append([np.array(interpreter.get_tensor(details["index"])) for details in interpreter.get_output_details()])
    return made


nodes.run_model = run_model
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
# A depthwise one with a scale for all channels is refused by the reference.
family.add("depthwise_channel", "DEPTHWISE_CONV_2D", [Tensor("float32", [2, 5, 4, 3]), weights([1, 3, 2, 6], 3, True), bias(6)],
           [Tensor("float32", [2, 3, 4, 6])],
           options=options("DepthwiseConv2D", padding=SAME, strideH=2, strideW=1, dilationHFactor=1, dilationWFactor=1, depthMultiplier=2))
