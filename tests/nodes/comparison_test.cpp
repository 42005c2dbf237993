// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include "check_family.hpp"

TEST_CASE("comparisons give what TensorFlow Lite Micro gives") { nodes::check_family("comparison", baton::portable_kernels); }
