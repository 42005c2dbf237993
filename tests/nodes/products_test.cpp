// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include "check_family.hpp"

TEST_CASE("layers with weights give what TensorFlow Lite Micro gives") { nodes::check_family("products", baton::portable_kernels); }

TEST_CASE("layers of float32 inputs and int8 weights give what TensorFlow Lite gives") {
  nodes::check_family("hybrid", baton::portable_kernels);
}
