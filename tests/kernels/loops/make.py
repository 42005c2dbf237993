# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
"""Recurrent layers of Keras that return all steps, and `tf.map_fn`: loops that store an item in each iteration. The reference is TensorFlow
Lite's reference kernels. Run it with tensorflow-cpu 2.21 from PyPI: python3 tests/kernels/loops/make.py"""

import os
import pathlib

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import keras
import numpy as np
import tensorflow as tf

FOLDER = pathlib.Path(__file__).parent
INFERENCES = 3


def add(name, converter):
    model = converter.convert()
    (FOLDER / f"{name}.tflite").write_bytes(model)
    run = tf.lite.Interpreter(model_content=model, experimental_op_resolver_type=tf.lite.experimental.OpResolverType.BUILTIN_REF)
    run.allocate_tensors()
    shape = run.get_input_details()[0]["shape"]
    rng = np.random.default_rng(1)
    with open(FOLDER / f"{name}.golden", "wb") as golden:
        for _ in range(INFERENCES):
            data = rng.normal(size=shape).astype(np.float32)
            run.set_tensor(run.get_input_details()[0]["index"], data)
            run.invoke()
            golden.write(data.tobytes() + run.get_tensor(run.get_output_details()[0]["index"]).tobytes())


def add_layer(name, layer):
    keras.utils.set_random_seed(1)
    inputs = keras.Input((4, 3), batch_size=1)
    add(name, tf.lite.TFLiteConverter.from_keras_model(keras.Model(inputs, layer(inputs))))


def add_function(name, function):
    signature = [tf.TensorSpec((4, 3), tf.float32)]
    concrete = tf.function(function, input_signature=signature).get_concrete_function()
    add(name, tf.lite.TFLiteConverter.from_concrete_functions([concrete]))


add_layer("gru", keras.layers.GRU(2, return_sequences=True))
add_layer("simple_rnn_backwards", keras.layers.SimpleRNN(2, return_sequences=True, go_backwards=True))
WEIGHTS = tf.constant(np.random.default_rng(2).normal(size=(3, 2)).astype(np.float32))
add_function("map_rows", lambda x: tf.map_fn(lambda row: tf.linalg.matvec(WEIGHTS, row, transpose_a=True), x))
add_function("map_scalars", lambda x: tf.map_fn(lambda row: tf.reduce_sum(row * row), x))
