// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include "check_family.hpp"

#include <baton/kernels/signal_kernels.hpp>

TEST_CASE("signal operators give what TensorFlow Lite Micro gives") { nodes::check_family("signal", baton::signal_kernels); }
