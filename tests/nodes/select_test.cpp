// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include "check_family.hpp"

TEST_CASE("choices and sums of many give what TensorFlow Lite Micro gives") { nodes::check_family("select", baton::portable_kernels); }
