// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include "check_family.hpp"

#include <baton/kernels/portable/detection.hpp>

TEST_CASE("detections are those of TensorFlow Lite Micro") {
  nodes::check_family("detection", baton::kernels<baton::portable::detection_postprocess>);
}
