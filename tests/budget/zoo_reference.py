# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
"""Runs models in TensorFlow Lite Micro, to count the instructions of one inference of each. zoo_reference.sh runs this script under
callgrind. Arguments: a library with the function `mark`, which ends a count, and folders of models, each with an input_0.bin. The first
count of a model has one call of `Invoke`, and the second has three. Their difference is two inferences without the cost of Python."""

import ctypes
import pathlib
import sys

import numpy as np
from tflite_micro.python.tflite_micro import runtime
from tflite_micro.tensorflow.lite.micro.python import schema_py_generated as schema

mark = ctypes.CDLL(sys.argv[1]).mark
for name in sys.argv[2:]:
    folder = pathlib.Path(name)
    file = folder / f"{folder.name}.tflite"
    interpreter = runtime.Interpreter.from_file(str(file), arena_size=1 << 22)
    inputs = (folder / "input_0.bin").read_bytes()
    for i in range(schema.Model.GetRootAs(file.read_bytes()).Subgraphs(0).InputsLength()):
        facts = interpreter.get_input_details(i)
        size = int(np.prod(facts["shape"])) * np.dtype(facts["dtype"]).itemsize
        interpreter.set_input(np.frombuffer(inputs[:size], facts["dtype"]).reshape(facts["shape"]), i)
        inputs = inputs[size:]
    interpreter.invoke()
    label = folder.name.encode()
    mark(b"-")
    interpreter.invoke()
    mark(label)
    interpreter.invoke()
    interpreter.invoke()
    interpreter.invoke()
    mark(label)
