// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include "check_family.hpp"

#include <baton/kernels/portable/pairwise.hpp>

TEST_CASE("variables hold what TensorFlow Lite Micro's hold, run after run") {
  nodes::check_family("variables", baton::kernels<baton::portable::pairwise>);
}
