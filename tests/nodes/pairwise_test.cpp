// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include "check_family.hpp"

TEST_CASE("operators on pairs give what TensorFlow Lite Micro gives") { nodes::check_family("pairwise", baton::portable_kernels); }
