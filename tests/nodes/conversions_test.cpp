// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include "check_family.hpp"

#include <baton/kernels/portable/conversions.hpp>

TEST_CASE("conversions give what TensorFlow Lite Micro gives") {
  nodes::check_family("conversions", baton::kernels<baton::portable::convert>);
}
