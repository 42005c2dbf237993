// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include "check_family.hpp"

TEST_CASE("movements give what TensorFlow Lite Micro gives") { nodes::check_family("moving", baton::portable_kernels); }
TEST_CASE("joints and splits give what TensorFlow Lite Micro gives") { nodes::check_family("joining", baton::portable_kernels); }
TEST_CASE("gathering gives what TensorFlow Lite Micro gives") { nodes::check_family("gathering", baton::portable_kernels); }
