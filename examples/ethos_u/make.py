#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
"""Adds operators to the digits model that the accelerator does not support. The result is an input for Vela.

python3 make.py DIGITS.tflite MIXED.tflite
"""
import sys

import flatbuffers
from ai_edge_litert import schema_py_generated as schema


def tensor(name, shape, kind, like=None):
    result = schema.TensorT()
    result.name, result.shape, result.type, result.buffer = name, shape, kind, 0
    result.quantization = like.quantization if like is not None else None
    return result


def main():
    with open(sys.argv[1], "rb") as file:
        model = schema.ModelT.InitFromObj(schema.Model.GetRootAsModel(file.read(), 0))
    graph = model.subgraphs[0]

    def code(builtin):
        result = schema.OperatorCodeT()
        result.builtinCode, result.deprecatedBuiltinCode, result.version = builtin, min(builtin, 127), 1
        model.operatorCodes.append(result)
        return len(model.operatorCodes) - 1

    def add(new_tensor):
        graph.tensors.append(new_tensor)
        return len(graph.tensors) - 1

    def operator(builtin, inputs, outputs):
        result = schema.OperatorT()
        result.opcodeIndex, result.inputs, result.outputs = code(builtin), inputs, outputs
        return result

    # float32 inputs and outputs, and a conversion to float32 and back before the fully connected layer.
    image, scores = graph.inputs[0], graph.outputs[0]
    real_in = add(tensor("image", graph.tensors[image].shape, schema.TensorType.FLOAT32))
    real_out = add(tensor("scores", graph.tensors[scores].shape, schema.TensorType.FLOAT32))
    last = max(i for i, each in enumerate(graph.operators)
               if model.operatorCodes[each.opcodeIndex].deprecatedBuiltinCode == schema.BuiltinOperator.FULLY_CONNECTED)
    between = graph.operators[last].inputs[0]
    real = add(tensor("features", graph.tensors[between].shape, schema.TensorType.FLOAT32))
    again = add(tensor("features_again", graph.tensors[between].shape, schema.TensorType.INT8, graph.tensors[between]))
    graph.operators[last].inputs = [again, *graph.operators[last].inputs[1:]]
    graph.operators[last:last] = [operator(schema.BuiltinOperator.DEQUANTIZE, [between], [real]),
                                  operator(schema.BuiltinOperator.QUANTIZE, [real], [again])]
    graph.operators.insert(0, operator(schema.BuiltinOperator.QUANTIZE, [real_in], [image]))
    graph.operators.append(operator(schema.BuiltinOperator.DEQUANTIZE, [scores], [real_out]))
    graph.inputs, graph.outputs = [real_in], [real_out]
    model.signatureDefs, model.metadata, model.metadataBuffer = [], [], []
    builder = flatbuffers.Builder(1024)
    builder.Finish(model.Pack(builder), file_identifier=b"TFL3")
    with open(sys.argv[2], "wb") as file:
        file.write(builder.Output())


main()
