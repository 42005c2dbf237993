// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include "check_family.hpp"

#include <baton/kernels/portable/reduction.hpp>

TEST_CASE("reductions give what TensorFlow Lite Micro gives") { nodes::check_family("reduction", baton::kernels<baton::portable::reduce>); }
