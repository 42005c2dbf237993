# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
"""Fourier transforms of images, and the parts of complex numbers. The reference is TensorFlow Lite's reference kernels."""

import nodes
from nodes import Family, Tensor, constant

nodes.run_model = nodes.run_model_in_litert
family = Family(__file__)


def rfft2d(name, shape, height, width):
    family.add(f"rfft2d_{name}", "RFFT2D", [Tensor("float32", shape), constant("int32", [height, width])],
               [Tensor("complex64", shape[:-2] + [height, width // 2 + 1])])


rfft2d("square", [4, 4], 4, 4)
rfft2d("wide", [2, 4, 16], 4, 16)
rfft2d("high", [1, 8, 4], 8, 4)
rfft2d("padded", [3, 5], 4, 8)
rfft2d("cropped", [2, 6, 9], 4, 4)
rfft2d("frame", [1, 2, 1, 32], 1, 32)
for part in ("COMPLEX_ABS", "REAL", "IMAG"):
    family.add(part.lower(), part, [Tensor("complex64", [2, 5])], [Tensor("float32", [2, 5])])
