# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
"""Postprocessing of object detection. If the reference detects fewer boxes than the outputs have room for, it may leave the remaining
elements uninitialized. So the cases of the fast algorithm detect enough boxes."""

import numpy as np

from flatbuffers import flexbuffers

from nodes import Family, Tensor, constant

family = Family(__file__)


def case(name, boxes, classes, max_boxes, background=1, coordinates=4, overlap=0.5, min_score=0.0, steps=0, **more):
    rng = np.random.default_rng(len(name) + boxes)
    anchors = np.concatenate([rng.uniform(0.1, 0.9, (boxes, 2)), rng.uniform(0.1, 0.4, (boxes, 2))], 1)
    # Explicit floats, because FlexBuffers stores a Python int as an integer.
    written = {"max_detections": max_boxes, "num_classes": classes, "nms_score_threshold": min_score, "nms_iou_threshold": overlap,
               "y_scale": 10.0, "x_scale": 10.0, "h_scale": 5.0, "w_scale": 5.0, "max_classes_per_detection": 1, **more}
    runs = []
    for _ in range(2):
        scores = rng.uniform(0, 1, (1, boxes, classes + background))
        if steps:
            scores = np.round(scores * steps) / steps
        runs.append([rng.uniform(-1, 1, (1, boxes, coordinates)), scores])
    family.add(name, None, [Tensor("float32", [1, boxes, coordinates]), Tensor("float32", [1, boxes, classes + background]),
                            constant("float32", anchors)],
               [Tensor("float32", shape) for shape in ([1, max_boxes, 4], [1, max_boxes], [1, max_boxes], [1])], data=runs,
               custom="TFLite_Detection_PostProcess", custom_options=bytes(flexbuffers.Dumps(written)))


case("fast", 20, 3, 4)
case("fast_no_background", 20, 2, 5, background=0, overlap=0.3)
case("fast_equal_scores", 30, 3, 5, steps=3)
case("fast_six_coordinates", 12, 1, 3, coordinates=6)
case("by_class", 20, 3, 10, use_regular_nms=True)
case("by_class_equal_scores", 20, 3, 10, use_regular_nms=True, steps=4, detections_per_class=3)
case("by_class_few", 12, 2, 10, use_regular_nms=True, min_score=0.8, detections_per_class=2)
case("by_class_none", 8, 2, 3, use_regular_nms=True, min_score=2.0)
