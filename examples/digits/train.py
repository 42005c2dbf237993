# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Trains the digit classifier of the demo on scikit-learn's bundled 8 x 8 images of handwritten digits, quantizes it to int8, and writes,
# next to this script:
#   digits_int8.tflite, samples.bin, samples.txt, expected.bin
#
#   pip install tensorflow-cpu==2.21.0 scikit-learn==1.9.1 numpy==2.4.6
#   python3 examples/digits/train.py
import os
import pathlib

os.environ.update(OMP_NUM_THREADS="1", TF_CPP_MIN_LOG_LEVEL="3", TF_ENABLE_ONEDNN_OPTS="0")
import numpy as np
import tensorflow as tf
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

HERE = pathlib.Path(__file__).resolve().parent
ALLOWED = {"CONV_2D", "DEPTHWISE_CONV_2D", "AVERAGE_POOL_2D",
           "RESHAPE", "FULLY_CONNECTED", "SOFTMAX"}

tf.config.threading.set_intra_op_parallelism_threads(1)
tf.config.threading.set_inter_op_parallelism_threads(1)
tf.config.experimental.enable_op_determinism()
tf.keras.utils.set_random_seed(1)

# Data: 1797 images; pixels in [0, 16] are scaled to [0, 1].
images, labels = load_digits(return_X_y=True)
images = (images / 16.0).astype(np.float32).reshape(-1, 8, 8, 1)
train_x, test_x, train_y, test_y = train_test_split(
    images, labels, test_size=0.25, stratify=labels, random_state=1)

# Model: a convolution, a depthwise separable convolution, a pool, and a classifier.
L = tf.keras.layers
model = tf.keras.Sequential([
    L.Input((8, 8, 1)),
    L.Conv2D(16, 3, padding="same", activation="relu"),
    L.DepthwiseConv2D(3, padding="same", activation="relu"),
    L.Conv2D(24, 1, activation="relu"),
    L.AveragePooling2D(2),
    L.Flatten(),
    L.Dropout(0.3),
    L.Dense(10, activation="softmax"),
])
epochs, batch = 60, 32
rate = tf.keras.optimizers.schedules.CosineDecay(4e-3, epochs * (len(train_x) // batch + 1))
loss = tf.keras.losses.CategoricalCrossentropy(label_smoothing=0.1)
model.compile(tf.keras.optimizers.Adam(rate), loss)
model.fit(train_x, np.eye(10)[train_y], batch_size=batch, epochs=epochs, verbose=0)
print(f"float accuracy: {np.mean(model.predict(test_x, verbose=0).argmax(1) == test_y):.4f}")

# Converts the model to int8 with a fixed batch size of 1.
single = tf.keras.Sequential([L.Input(batch_shape=(1, 8, 8, 1)), *model.layers])
converter = tf.lite.TFLiteConverter.from_keras_model(single)
converter.optimizations = [tf.lite.Optimize.DEFAULT]
converter.representative_dataset = lambda: ([x[None]] for x in train_x)
converter.target_spec.supported_ops = [tf.lite.OpsSet.TFLITE_BUILTINS_INT8]
converter.inference_input_type = converter.inference_output_type = tf.int8
flat = converter.convert()
(HERE / "digits_int8.tflite").write_bytes(flat)

# Evaluates the model with TensorFlow Lite's reference kernels.
interp = tf.lite.Interpreter(
    model_content=flat, num_threads=1,
    experimental_op_resolver_type=tf.lite.experimental.OpResolverType.BUILTIN_REF)
interp.allocate_tensors()
ops = [op["op_name"] for op in interp._get_ops_details()]
assert set(ops) <= ALLOWED, ops
inp, out = interp.get_input_details()[0], interp.get_output_details()[0]
scale, zero = inp["quantization"]
test_q = np.clip(np.round(test_x / scale) + zero, -128, 127).astype(np.int8)


def run(image):
    interp.set_tensor(inp["index"], image[None])
    interp.invoke()
    return interp.get_tensor(out["index"])[0]


outputs = np.stack([run(q) for q in test_q])
print(f"int8 accuracy:  {np.mean(outputs.argmax(1) == test_y):.4f} ({len(test_y)} test images)")
print(f"model size:     {len(flat)} bytes; operators: {', '.join(ops)}")

# Samples: the first test image of each digit.
first = [int(np.flatnonzero(test_y == d)[0]) for d in range(10)]
(HERE / "samples.bin").write_bytes(test_q[first].tobytes())
(HERE / "samples.txt").write_text("".join(f"{test_y[i]}\n" for i in first))
(HERE / "expected.bin").write_bytes(outputs[first].tobytes())
print("samples predicted:", outputs[first].argmax(1).tolist())
