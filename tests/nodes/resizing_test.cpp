// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include "check_family.hpp"

#include <baton/kernels/portable/resizing.hpp>

TEST_CASE("resized images are what TensorFlow Lite Micro gives") {
  nodes::check_family("resizing", baton::kernels<baton::portable::resize>);
}
