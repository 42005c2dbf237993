// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include "check_family.hpp"

#include <baton/kernels/portable/matrix.hpp>

TEST_CASE("products of matrices are what TensorFlow Lite Micro gives") {
  nodes::check_family("matrix", baton::kernels<baton::portable::batch_matmul>);
}
