// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton executor: a kernel is declared but not defined, because the header of its list is not included; include <baton/kernels/cortex_m_kernels.hpp>, <baton/kernels/helium_kernels.hpp> or <baton/kernels/signal_kernels.hpp>
// ERRORS: 1
// EXPECT: declared_kernel<baton::cortex_m::detail::winograd_conv_2d<
// No second error reports that the remaining kernels do not support the node.
#include "fail/kernels_alone.hpp"

baton::executor<model, baton::with_kernels<kernels>> net;
