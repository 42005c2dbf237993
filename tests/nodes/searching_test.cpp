// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include "check_family.hpp"

#include <baton/kernels/portable/searching.hpp>

TEST_CASE("walks along one axis give what TensorFlow Lite Micro gives") {
  nodes::check_family("searching", baton::kernels<baton::portable::arg_min_max, baton::portable::cumsum>);
}
