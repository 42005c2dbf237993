// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include "check_family.hpp"

#include <baton/kernels/portable/unary.hpp>

TEST_CASE("functions of one element give what TensorFlow Lite Micro gives") {
  nodes::check_family("unary", baton::kernels<baton::portable::unary>);
}
