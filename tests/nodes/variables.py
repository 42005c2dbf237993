# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
"""Resource variables: models of a few nodes, in several runs."""

import zlib

import flatbuffers
import numpy as np
from nodes import TYPES, Family, run_model, schema

family = Family(__file__)
CODES = ["VAR_HANDLE", "READ_VARIABLE", "ASSIGN_VARIABLE", "CALL_ONCE", "ADD"]


class Model:
    """A model with variables. Graph 0 is the root. Graph 1, if present, assigns the initial values."""

    def __init__(self, dtype, shape, scale=0.1, zero=0):
        self.dtype, self.shape, self.scale, self.zero = dtype, shape, scale, zero
        self.buffers = [schema.BufferT()]
        self.graphs = [self.new_graph("main")]

    @staticmethod
    def new_graph(name):
        graph = schema.SubGraphT()
        graph.name, graph.tensors, graph.operators, graph.inputs, graph.outputs = name, [], [], [], []
        return graph

    def tensor(self, name, data=None, graph=0, resource=False):
        result = schema.TensorT()
        result.name, result.shape, result.hasRank, result.buffer = name, [] if resource else self.shape, True, 0
        result.type = schema.TensorType.RESOURCE if resource else TYPES[self.dtype][0]
        if self.dtype == "int8" and not resource:
            result.quantization = schema.QuantizationParametersT()
            result.quantization.scale, result.quantization.zeroPoint = [self.scale], [self.zero]
        if data is not None:
            result.buffer = len(self.buffers)
            self.buffers.append(schema.BufferT())
            self.buffers[-1].data = list(np.frombuffer(np.asarray(data, TYPES[self.dtype][1]).tobytes(), np.uint8))
        self.graphs[graph].tensors.append(result)
        return len(self.graphs[graph].tensors) - 1

    def node(self, op, inputs, outputs, graph=0, **fields):
        result = schema.OperatorT()
        result.opcodeIndex, result.inputs, result.outputs = CODES.index(op), inputs, outputs
        kind = {"VAR_HANDLE": "VarHandle", "CALL_ONCE": "CallOnce", "ADD": "Add"}.get(op)
        if kind:
            result.builtinOptionsType = getattr(schema.BuiltinOptions, kind + "Options")
            result.builtinOptions = getattr(schema, kind + "OptionsT")()
            for name, value in fields.items():
                setattr(result.builtinOptions, name, value)
        self.graphs[graph].operators.append(result)

    def handle(self, name, graph=0):
        at = self.tensor("handle", graph=graph, resource=True)
        self.node("VAR_HANDLE", [], [at], graph, container="", sharedName=name)
        return at

    def first(self, values):
        """Assigns initial values to variables by `call_once`."""
        self.graphs.append(self.new_graph("init"))
        self.node("CALL_ONCE", [], [], initSubgraphIndex=1)
        for name, data in values.items():
            at = self.handle(name, graph=1)
            self.node("ASSIGN_VARIABLE", [at, self.tensor("first", data, graph=1)], [], graph=1)

    def input(self):
        self.graphs[0].inputs.append(self.tensor("x"))
        return self.graphs[0].inputs[-1]

    def read(self, handle):
        at = self.tensor("read")
        self.node("READ_VARIABLE", [handle], [at])
        return at

    def assign(self, handle, value):
        self.node("ASSIGN_VARIABLE", [handle, value], [])

    def add(self, a, b):
        at = self.tensor("sum")
        self.node("ADD", [a, b], [at])
        return at

    def save(self, name, outputs, runs=4):
        self.graphs[0].outputs = outputs
        model = schema.ModelT()
        model.version, model.description, model.buffers, model.subgraphs, model.operatorCodes = 3, name, self.buffers, self.graphs, []
        for op in CODES:
            code = schema.OperatorCodeT()
            code.builtinCode = getattr(schema.BuiltinOperator, op)
            code.deprecatedBuiltinCode, code.version = min(code.builtinCode, 127), 1
            model.operatorCodes.append(code)
        builder = flatbuffers.Builder(1024)
        builder.Finish(model.Pack(builder), b"TFL3")
        model = bytes(builder.Output())
        rng = np.random.default_rng(zlib.crc32(name.encode()))
        kind = TYPES[self.dtype][1]
        draw = (lambda: rng.uniform(-4, 4, self.shape)) if kind == np.float32 else (lambda: rng.integers(-60, 60, self.shape))
        recorded = [[draw().astype(kind) for _ in self.graphs[0].inputs] for _ in range(runs)]
        result = run_model(model, recorded)
        (family.folder / f"{name}.tflite").write_bytes(model)
        (family.folder / f"{name}.golden").write_bytes(b"".join(a.tobytes() for xs, ys in zip(recorded, result) for a in xs + ys))


for dtype in ("int8", "float32"):
    m = Model(dtype, [1, 3], zero=5 if dtype == "int8" else 0)
    m.first({"sum": [7, -8, 9]})
    h, x = m.handle("sum"), m.input()
    total = m.add(m.read(h), x)
    m.assign(h, total)
    m.save(f"running_sum_{dtype}", [total])

m = Model("int8", [2, 2], zero=-7)  # without an initial value: all elements are the zero point
h, x = m.handle("last"), m.input()
before = m.read(h)
total = m.add(before, x)
m.assign(h, x)
m.save("zero_points", [before, total])

m = Model("int8", [4], zero=3)  # reads between and after two assignments; the last assignment remains
h, x = m.handle("state"), m.input()
first = m.read(h)
m.assign(h, x)
second = m.read(h)
twice = m.add(second, second)
m.assign(h, twice)
third = m.read(m.handle("state"))
m.save("assigned_twice", [m.add(first, second), m.add(third, second)])

m = Model("float32", [2])  # exchanges two variables, and assigns the input to a third
m.first({"a": [1, 2], "b": [3, 4], "c": [5, 6]})
a, b, c, x = m.handle("a"), m.handle("b"), m.handle("c"), m.input()
old_a, old_b, old_c = m.read(a), m.read(b), m.read(c)
m.assign(a, old_b)
m.assign(b, old_a)
m.assign(c, x)
m.save("changing_places", [old_a, m.add(old_b, old_c)])
