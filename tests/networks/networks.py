# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
"""Converts common networks to TensorFlow Lite in four quantization modes: networks.py FOLDER [NETWORK...].

Writes NETWORK.MODE.tflite, an input (.in), and the output of LiteRT's reference kernels for this input (.out). Weights are random, because
the test compares arithmetic. If the converter rejects a mode, writes NETWORK.MODE and the converter's message to FOLDER/refused.txt.
"""
import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import keras
import numpy as np
import tensorflow as tf
from keras import layers as L

MODES = ("float32", "dynamic", "int8", "int16")


def model(inputs, outputs):
    return keras.Model(inputs, outputs)


def head(x, classes=4):
    return L.Dense(classes, activation="softmax")(x)


def conv(x, filters, size=3, **options):
    return L.Conv2D(filters, size, **{"padding": "same", "activation": "relu", **options})(x)


def dense_on_rank_3():
    i = keras.Input((8, 3))
    return model(i, L.Dense(2)(i))


def convolutions():
    i = keras.Input((12, 12, 3))
    x = L.BatchNormalization()(L.Conv2D(6, 3, use_bias=False)(i))
    x = L.SeparableConv2D(8, 3, activation="relu6")(x)
    return model(i, head(L.Flatten()(L.AveragePooling2D(2)(x))))


def mobilenet_v1():
    i = keras.Input((16, 16, 3))
    x = conv(i, 8, strides=2)
    for filters, stride in ((12, 1), (16, 2)):
        x = L.ReLU(6.0)(L.BatchNormalization()(L.DepthwiseConv2D(3, strides=stride, padding="same")(x)))
        x = L.ReLU(6.0)(L.BatchNormalization()(L.Conv2D(filters, 1)(x)))
    return model(i, head(L.GlobalAveragePooling2D()(x)))


def mobilenet_v2():
    i = keras.Input((16, 16, 3))
    x = conv(i, 8, strides=2)
    y = conv(x, 24, 1, activation="relu6")
    y = L.ReLU(6.0)(L.DepthwiseConv2D(3, padding="same")(y))
    x = L.Add()([x, L.Conv2D(8, 1)(y)])
    return model(i, head(L.GlobalAveragePooling2D()(x)))


def mobilenet_v3():
    i = keras.Input((8, 8, 4))
    x = conv(i, 8, activation="swish")
    s = L.GlobalAveragePooling2D(keepdims=True)(x)
    s = conv(conv(s, 2, 1), 8, 1, activation="hard_sigmoid")
    return model(i, head(L.Flatten()(L.Multiply()([x, s]))))


def resnet():
    i = keras.Input((16, 16, 3))
    x = conv(i, 8)
    x = L.ReLU()(L.Add()([x, conv(conv(x, 8), 8, activation=None)]))
    x = L.ReLU()(L.Add()([conv(x, 12, 1, strides=2, activation=None), conv(conv(x, 12, strides=2), 12, activation=None)]))
    return model(i, head(L.GlobalAveragePooling2D()(x)))


def densenet():
    i = keras.Input((8, 8, 3))
    x = i
    for _ in range(3):
        x = L.Concatenate()([x, conv(x, 4)])
    return model(i, head(L.GlobalAveragePooling2D()(L.AveragePooling2D(2)(conv(x, 6, 1)))))


def shufflenet():
    i = keras.Input((8, 8, 4))
    x = conv(i, 8, 1)
    x = L.Reshape((8, 8, 8))(L.Permute((1, 2, 4, 3))(L.Reshape((8, 8, 2, 4))(x)))
    return model(i, head(L.GlobalMaxPooling2D()(L.DepthwiseConv2D(3, padding="same")(x))))


def squeezenet():
    i = keras.Input((12, 12, 3))
    x = L.MaxPool2D(2)(conv(i, 8))
    s = conv(x, 4, 1)
    return model(i, L.Softmax()(L.GlobalAveragePooling2D()(conv(L.Concatenate()([conv(s, 8, 1), conv(s, 8)]), 4, 1))))


def grouped_convolutions():
    i = keras.Input((8, 8, 8))
    return model(i, head(L.GlobalAveragePooling2D()(conv(i, 8, groups=4))))


def convnext():
    i = keras.Input((16, 16, 3))
    x = L.LayerNormalization()(L.Conv2D(8, 4, strides=4)(i))
    y = L.LayerNormalization()(L.DepthwiseConv2D(7, padding="same")(x))
    y = L.Dense(8)(L.Dense(32, activation="gelu")(y))
    return model(i, L.Dense(3)(L.GlobalAveragePooling2D()(L.Add()([x, y]))))


def mlp_mixer():
    i = keras.Input((8, 8, 3))
    x = L.Reshape((16, 12))(L.Conv2D(12, 2, strides=2)(i))
    y = L.Permute((2, 1))(L.LayerNormalization()(x))
    y = L.Dense(16)(L.Dense(16, activation="gelu")(y))
    return model(i, L.Dense(3)(L.GlobalAveragePooling1D()(L.Add()([x, L.Permute((2, 1))(y)]))))


def transformer():
    i = keras.Input((8, 16))
    x = L.LayerNormalization()(i)
    x = L.Add()([i, L.MultiHeadAttention(2, 8)(x, x)])
    y = L.Dense(16)(L.Dense(32, activation="gelu")(L.LayerNormalization()(x)))
    return model(i, L.Dense(4)(L.GlobalAveragePooling1D()(L.Add()([x, y]))))


def attention_pooling():
    i = keras.Input((12, 8))
    weights = L.Softmax(axis=1)(L.Dense(1, activation="tanh")(i))
    return model(i, head(L.Flatten()(L.Dot(axes=1)([weights, i]))))


def temporal_convolutions():
    i = keras.Input((32, 4))
    x = i
    for rate in (1, 2, 4):
        x = L.Conv1D(8, 3, padding="causal", dilation_rate=rate, activation="relu")(x)
    return model(i, head(L.GlobalAveragePooling1D()(x)))


def wavenet():
    i = keras.Input((32, 4))
    x = L.Conv1D(8, 1)(i)
    skips = []
    for rate in (1, 2, 4):
        a = L.Conv1D(8, 2, padding="causal", dilation_rate=rate, activation="tanh")(x)
        b = L.Conv1D(8, 2, padding="causal", dilation_rate=rate, activation="sigmoid")(x)
        z = L.Conv1D(8, 1)(L.Multiply()([a, b]))
        skips.append(z)
        x = L.Add()([x, z])
    return model(i, L.Dense(2)(L.Flatten()(L.ReLU()(L.Add()(skips)))))


def ecg_resnet():
    i = keras.Input((64, 1))
    x = L.Conv1D(8, 7, strides=2, padding="same", activation="relu")(i)
    y = L.BatchNormalization()(L.Conv1D(8, 5, padding="same")(x))
    x = L.MaxPool1D(2)(L.ReLU()(L.Add()([x, y])))
    return model(i, head(L.GlobalMaxPooling1D()(x)))


def lstm():
    i = keras.Input((10, 4), batch_size=1)
    return model(i, L.Dense(2)(L.LSTM(8)(i)))


def stacked_lstm():
    i = keras.Input((6, 4), batch_size=1)
    return model(i, L.Dense(2)(L.LSTM(6)(L.LSTM(8, return_sequences=True)(i))))


def bidirectional_lstm():
    i = keras.Input((6, 4), batch_size=1)
    return model(i, L.Dense(2)(L.Bidirectional(L.LSTM(5))(i)))


def gru():
    i = keras.Input((10, 4))
    return model(i, L.Dense(2)(L.GRU(8, unroll=True)(i)))


def unet_nearest(interpolation="nearest"):
    i = keras.Input((16, 16, 2))
    a = conv(i, 8)
    b = conv(L.MaxPool2D(2)(a), 8)
    return model(i, conv(L.Concatenate()([a, L.UpSampling2D(2, interpolation=interpolation)(b)]), 1, 1, activation="sigmoid"))


def unet_bilinear():
    return unet_nearest("bilinear")


def unet_transposed():
    i = keras.Input((16, 16, 2))
    return model(i, L.Conv2DTranspose(2, 3, strides=2, padding="same")(conv(i, 8, strides=2)))


def deeplab():
    i = keras.Input((16, 16, 3))
    x = conv(i, 8, strides=2)
    rates = [L.Conv2D(4, 1)(x)] + [conv(x, 4, dilation_rate=rate) for rate in (2, 3)]
    pooled = L.Conv2D(4, 1)(L.GlobalAveragePooling2D(keepdims=True)(x))
    rates.append(L.UpSampling2D(8, interpolation="bilinear")(pooled))
    return model(i, L.UpSampling2D(2, interpolation="bilinear")(L.Conv2D(2, 1)(L.Concatenate()(rates))))


def yolo():
    i = keras.Input((16, 16, 3))
    x = L.LeakyReLU()(L.Conv2D(8, 3, strides=2, padding="same")(i))
    y = conv(x, 16, strides=2)
    near = L.Reshape((64 * 3, 6))(L.Conv2D(18, 1)(x))
    far = L.Reshape((16 * 3, 6))(L.Conv2D(18, 1)(y))
    return model(i, L.Activation("sigmoid")(L.Concatenate(axis=1)([near, far])))


def yolo_decoded():
    i = keras.Input((8, 8, 6))
    x = L.Conv2D(6, 1)(i)
    xy = L.Activation("sigmoid")(x[..., :2])
    wh = L.Activation("exponential")(x[..., 2:4])
    return model(i, L.Concatenate()([xy, wh, L.Softmax()(x[..., 4:])]))


def super_resolution():
    i = keras.Input((8, 8, 1))
    x = L.PReLU(shared_axes=[1, 2])(L.Conv2D(8, 3, padding="same")(i))
    x = L.Conv2D(4, 3, padding="same")(x)
    return model(i, L.Lambda(lambda t: tf.nn.depth_to_space(t, 2))(x))


def autoencoder():
    i = keras.Input((32,))
    x = L.Dense(4, activation="relu")(L.Dense(16, activation="relu")(i))
    return model(i, L.Dense(32)(L.Dense(16, activation="relu")(x)))


def convolutional_autoencoder():
    i = keras.Input((8, 8, 1))
    x = conv(conv(i, 8, strides=2), 4, strides=2)
    x = L.Conv2DTranspose(8, 3, strides=2, padding="same", activation="relu")(x)
    return model(i, L.Conv2DTranspose(1, 3, strides=2, padding="same", activation="sigmoid")(x))


def activations():
    i = keras.Input((12,))
    x = i
    for name in ("selu", "softplus", "mish", "elu"):
        x = L.Dense(8, activation=name)(x)
    return model(i, head(x, 2))


def radial_basis():
    i = keras.Input((6,))
    away = L.Lambda(lambda t: tf.square(t[:, None, :] - tf.constant(np.linspace(-1, 1, 24, dtype=np.float32).reshape(1, 4, 6))))(i)
    distance = L.Lambda(lambda t: tf.reduce_sum(t, axis=-1))(away)
    return model(i, L.Dense(2)(L.Lambda(lambda t: tf.exp(-t))(distance)))


def efficientnet_b0():
    i = keras.Input((96, 96, 3))
    images = L.Rescaling(64.0, 128.0)(i)  # it expects numbers in [0, 255]
    return model(i, keras.applications.EfficientNetB0(weights=None, input_shape=(96, 96, 3), classes=10)(images))


def nasnet_mobile():
    return keras.applications.NASNetMobile(weights=None, input_shape=(96, 96, 3), classes=10)


NETWORKS = [dense_on_rank_3, convolutions, mobilenet_v1, mobilenet_v2, mobilenet_v3, resnet, densenet, shufflenet, squeezenet,
            grouped_convolutions, convnext, mlp_mixer, transformer, attention_pooling, temporal_convolutions, wavenet, ecg_resnet, lstm,
            stacked_lstm, bidirectional_lstm, gru, unet_nearest, unet_bilinear, unet_transposed, deeplab, yolo, yolo_decoded,
            super_resolution, autoencoder, convolutional_autoencoder, activations, radial_basis]
LARGE = [efficientnet_b0, nasnet_mobile]  # built only if they are named, because each takes minutes


def convert(network, shape, mode):
    converter = tf.lite.TFLiteConverter.from_keras_model(network)
    if mode == "float32":
        return converter.convert()
    converter.optimizations = [tf.lite.Optimize.DEFAULT]
    if mode != "dynamic":
        random = np.random.RandomState(0)
        converter.representative_dataset = lambda: ([random.randn(*shape).astype(np.float32)] for _ in range(16))
        sets = tf.lite.OpsSet
        converter.target_spec.supported_ops = [
            sets.TFLITE_BUILTINS_INT8 if mode == "int8" else sets.EXPERIMENTAL_TFLITE_BUILTINS_ACTIVATIONS_INT16_WEIGHTS_INT8]
        converter.inference_input_type = converter.inference_output_type = tf.int8 if mode == "int8" else tf.int16
    return converter.convert()


def write_inference(file, shape, name):
    reference = tf.lite.experimental.OpResolverType.BUILTIN_REF
    run = tf.lite.Interpreter(model_content=file, experimental_op_resolver_type=reference)
    run.allocate_tensors()
    details = run.get_input_details()[0]
    data = np.random.RandomState(3).randn(*shape)
    if details["dtype"] != np.float32:
        scale, zero = details["quantization"]
        limits = np.iinfo(details["dtype"])
        data = np.clip(np.round(data / scale + zero), limits.min, limits.max)
    data = data.astype(details["dtype"])
    run.set_tensor(details["index"], data)
    run.invoke()
    data.tofile(name + ".in")
    run.get_tensor(run.get_output_details()[0]["index"]).tofile(name + ".out")


def write_mode(make, mode, folder, refused):
    keras.utils.set_random_seed(1)
    network = make()
    shape = (1,) + network.input_shape[1:]
    name = make.__name__ + "." + mode
    path = os.path.join(folder, name)
    try:
        file = convert(network, shape, mode)
    except Exception as why:  # the converter raises exceptions of many types
        refused.write(f"{name} not converted: {str(why).splitlines()[0][:120]}\n")
        return
    with open(path + ".tflite", "wb") as out:
        out.write(file)
    try:
        write_inference(file, shape, path)
    except Exception as why:
        refused.write(f"{name} not run by LiteRT: {str(why).splitlines()[0][:120]}\n")


def main():
    folder, chosen = sys.argv[1], sys.argv[2:]
    refused = open(os.path.join(folder, "refused.txt"), "w", buffering=1)
    for make in NETWORKS + LARGE:
        is_wanted = make.__name__ in chosen if chosen else make not in LARGE
        if not is_wanted:
            continue
        for mode in MODES:
            child = os.fork()  # LiteRT's reference kernels abort the process for some models
            if child == 0:
                write_mode(make, mode, folder, refused)
                os._exit(0)
            if os.waitpid(child, 0)[1] != 0:
                refused.write(f"{make.__name__}.{mode} not run by LiteRT: it stops the process\n")


main()
