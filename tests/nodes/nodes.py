# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
"""Writes models with one node, and runs them in TensorFlow Lite Micro or in TensorFlow Lite."""

import pathlib
import sys
import zlib

import flatbuffers
import numpy as np
from tflite_micro.python.tflite_micro import runtime
from tflite_micro.tensorflow.lite.micro.python import schema_py_generated as schema

TYPES = {
    "float16": (schema.TensorType.FLOAT16, np.float16),
    "float32": (schema.TensorType.FLOAT32, np.float32),
    "int4": (schema.TensorType.INT4, np.int8),
    "int8": (schema.TensorType.INT8, np.int8),
    "int16": (schema.TensorType.INT16, np.int16),
    "int32": (schema.TensorType.INT32, np.int32),
    "int64": (schema.TensorType.INT64, np.int64),
    "uint8": (schema.TensorType.UINT8, np.uint8),
    "uint16": (schema.TensorType.UINT16, np.uint16),
    "uint32": (schema.TensorType.UINT32, np.uint32),
    "uint64": (schema.TensorType.UINT64, np.uint64),
    "bool": (schema.TensorType.BOOL, np.bool_),
    "complex64": (schema.TensorType.COMPLEX64, np.complex64),
}


class Tensor:
    """A tensor. With `data` it is a constant, and with `variable` a state. `values` (low, high) is the range of random inputs. Scales and
    zero points are numbers, or lists along `axis`."""

    def __init__(self, dtype, shape, scale=None, zero=0, axis=0, data=None, values=None, variable=False):
        self.dtype, self.shape, self.axis, self.values, self.variable = dtype, list(shape), axis, values, variable
        self.scale = None if scale is None else [float(x) for x in np.atleast_1d(scale)]
        self.zero = [int(x) for x in np.broadcast_to(zero, len(self.scale))] if self.scale else []
        self.data = None if data is None else np.asarray(data, TYPES[dtype][1]).reshape(self.shape)

    def random(self, rng):
        kind = TYPES[self.dtype][1]
        if kind == np.bool_:
            return rng.integers(0, 2, self.shape).astype(kind)
        if kind in (np.float32, np.complex64):
            low, high = self.values or (-4.0, 4.0)
            result = rng.uniform(low, high, self.shape)
            return (result if kind == np.float32 else result + 1j * rng.uniform(low, high, self.shape)).astype(kind)
        low, high = self.values or (np.iinfo(kind).min, np.iinfo(kind).max)
        return rng.integers(low, high, self.shape, dtype=kind, endpoint=True)


def constant(dtype, data, **more):
    data = np.asarray(data, TYPES[dtype][1])
    return Tensor(dtype, data.shape, data=data, **more)


def write_model(op, inputs, outputs, options=None, custom=None, custom_options=b""):
    """Returns the bytes of a model with one node. `op` is the name of a builtin operator ("MUL"), `custom` that of a custom operator. An
    input that is None is omitted. `options` is an object of the schema (`schema.MulOptionsT()`)."""
    model, graph, node, code = schema.ModelT(), schema.SubGraphT(), schema.OperatorT(), schema.OperatorCodeT()
    model.version, model.description = 3, "one node"
    model.buffers = [schema.BufferT()]
    graph.name, graph.tensors, graph.inputs, graph.outputs = "main", [], [], []

    def add(tensor, name):
        result = schema.TensorT()
        result.name, result.shape, result.type, result.isVariable = name, tensor.shape, TYPES[tensor.dtype][0], tensor.variable
        result.hasRank = True
        if tensor.scale is not None:
            result.quantization = schema.QuantizationParametersT()
            result.quantization.scale, result.quantization.zeroPoint = tensor.scale, tensor.zero
            result.quantization.quantizedDimension = tensor.axis
        result.buffer = 0
        if tensor.data is not None:
            result.buffer = len(model.buffers)
            buffer = schema.BufferT()
            bytes_ = tensor.data
            if tensor.dtype == "int4":
                flat = np.append(bytes_.reshape(-1), [0] * (bytes_.size % 2)).astype(np.int8)
                bytes_ = ((flat[0::2] & 15) | ((flat[1::2] & 15) << 4)).astype(np.uint8)
            buffer.data = list(np.frombuffer(bytes_.tobytes(), np.uint8))
            model.buffers.append(buffer)
        graph.tensors.append(result)
        return len(graph.tensors) - 1

    node.inputs = [-1 if tensor is None else add(tensor, f"x{i}") for i, tensor in enumerate(inputs)]
    node.outputs = [add(tensor, f"y{i}") for i, tensor in enumerate(outputs)]
    graph.inputs = [at for at, tensor in zip(node.inputs, inputs) if tensor is not None and tensor.data is None and not tensor.variable]
    graph.outputs = list(node.outputs)
    node.opcodeIndex = 0
    if custom is not None:
        code.builtinCode = code.deprecatedBuiltinCode = schema.BuiltinOperator.CUSTOM
        code.customCode = custom
        node.customOptions = list(custom_options)
    else:
        code.builtinCode = getattr(schema.BuiltinOperator, op)
        code.deprecatedBuiltinCode = min(code.builtinCode, 127)
        if options is not None:
            node.builtinOptionsType = getattr(schema.BuiltinOptions, type(options).__name__[:-1])
            node.builtinOptions = options
    code.version = 1
    graph.operators, model.subgraphs, model.operatorCodes = [node], [graph], [code]
    builder = flatbuffers.Builder(1024)
    builder.Finish(model.Pack(builder), b"TFL3")
    return bytes(builder.Output())


def run_model(model, inputs):
    """Returns the outputs of the reference for each list of inputs, in order, in one interpreter. Raises an exception if the reference
    rejects the model."""
    interpreter = runtime.Interpreter.from_bytes(model, arena_size=1 << 20)  # because the default depends on the size of the file
    outputs = schema.Model.GetRootAs(model).Subgraphs(0).OutputsLength()
    result = []
    for arrays in inputs:
        for i, array in enumerate(arrays):
            interpreter.set_input(array, i)
        interpreter.invoke()
        result.append([np.array(interpreter.get_output(i)) for i in range(outputs)])
    return result


def run_model_in_litert(model, inputs):
    """Like `run_model`, with TensorFlow Lite's reference kernels. For operators that TensorFlow Lite Micro lacks:
    `nodes.run_model = run_model_in_litert`."""
    from ai_edge_litert.interpreter import Interpreter, OpResolverType

    interpreter = Interpreter(model_content=model, experimental_op_resolver_type=OpResolverType.BUILTIN_REF, num_threads=1)
    interpreter.allocate_tensors()
    result = []
    for arrays in inputs:
        for details, array in zip(interpreter.get_input_details(), arrays):
            interpreter.set_tensor(details["index"], array)
        interpreter.invoke()
        result.append([np.array(interpreter.get_tensor(details["index"])) for details in interpreter.get_output_details()])
    return result


def options(kind, **fields):
    """Returns the options of an operator, for example `options("Mul", fusedActivationFunction=1)`."""
    result = getattr(schema, kind + "OptionsT")()
    for name, value in fields.items():
        if not hasattr(result, name):
            raise AttributeError(f"{kind}Options has no {name}; it has {[x for x in vars(result)]}")
        setattr(result, name, value)
    return result


class Family:
    """The cases of a family. They are written to a folder with its name."""

    def __init__(self, file):
        self.folder = pathlib.Path(file).with_suffix("")
        self.names = set()

    def add(self, name, op, inputs, outputs, runs=2, data=None, **more):
        """Adds a case: `runs` inferences with random inputs, or an inference for each list of arrays in `data`."""
        assert name not in self.names, name
        self.names.add(name)
        model = write_model(op, inputs, outputs, **more)
        rng = np.random.default_rng(zlib.crc32(name.encode()))
        fed = [tensor for tensor in inputs if tensor is not None and tensor.data is None and not tensor.variable]
        recorded = data or [[tensor.random(rng) for tensor in fed] for _ in range(runs)]
        recorded = [[np.asarray(a, TYPES[t.dtype][1]).reshape(t.shape) for a, t in zip(arrays, fed)] for arrays in recorded]
        try:
            result = run_model(model, recorded)
        except Exception as refused:  # a case needs a model that the reference accepts
            print(f"{name}: the reference rejects the model: {refused}", file=sys.stderr)
            raise
        (self.folder / f"{name}.tflite").write_bytes(model)
        golden = b"".join(a.tobytes() for arrays, out in zip(recorded, result) for a in arrays + out)
        (self.folder / f"{name}.golden").write_bytes(golden)
