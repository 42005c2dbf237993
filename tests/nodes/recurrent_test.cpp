// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include "check_family.hpp"

TEST_CASE("recurrent layers give what TensorFlow Lite Micro gives, run after run") {
  nodes::check_family("recurrent", baton::portable_kernels);
}
