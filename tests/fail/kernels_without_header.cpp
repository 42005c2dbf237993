// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton executor: a kernel is declared but not defined, because the header of its list is not included; include <baton/kernels/cortex_m_kernels.hpp>, <baton/kernels/helium_kernels.hpp> or <baton/kernels/signal_kernels.hpp>
// EXPECT: declared_kernel<baton::cortex_m::detail::winograd_conv_2d<
#include "fail/kernels_alone.hpp"

baton::executor<model, baton::with_kernels<baton::cortex_m_kernels + baton::portable_kernels>> net;
