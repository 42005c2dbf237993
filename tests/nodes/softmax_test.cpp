// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include "check_family.hpp"

#include <baton/kernels/portable/normalization.hpp>
#include <baton/kernels/portable/softmax.hpp>

TEST_CASE("normalized rows are what TensorFlow Lite Micro gives") {
  using namespace baton::portable;
  nodes::check_family("softmax", baton::kernels<softmax, softmax_int16, l2_normalization>);
}
